"""The view drawn as SVG, and the parts of it that actions touch.

The board from above, to scale, in hundredths of an inch, north up; below it the plans, hands and cards of the players.
Distances and lines of sight are measured on what the view shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import dist, hypot

from cext.geometry.units import INCH, LAST, STEP
from gamepacks.api.scene import Group, Scene, place, wrap_text
from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA
from gamepacks.olomoc.constants import BASES, GENERIC_NAMES
from gamepacks.olomoc.elements import (
    ELSEWHERE,
    FIRST_MARKER,
    FIRST_PIECE,
    affected,
    card_set_title,
    element_names,
    middle,
    seat_of,
    table_of,
)
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

SIDE = LAST
"""Side of the board: 16 inches."""
LEFT, TOP = 70, 270
"""Upper left corner of the board."""
_WIDTH = SIDE + 2 * LEFT
_GAP = 20
_COLUMN = (_WIDTH - 2 * LEFT - _GAP) // 2
"""Width of a player's column."""
_GRAIN = 13
"""Steps across a shape in which a place for its name is looked for."""
_STATS = ("Technique", "Combat", "Shooting", "Dodge")
_BOXES = {"S": "standard", "R": "reinforced", "T": "tainted"}
_ON_BOARD, _OFF_BOARD = (0, 1, 2, 3, 4), (8,)
"""Generic capacities that an active rouage can use, as in UseCapacity."""
_EDGES = {
    pb.EDGE_N: ("n", "north", (0, -24, SIDE, 24)),
    pb.EDGE_E: ("e", "east", (SIDE, 0, 24, SIDE)),
    pb.EDGE_S: ("s", "south", (0, SIDE, SIDE, 24)),
    pb.EDGE_W: ("w", "west", (-24, 0, 24, SIDE)),
}


def svg(view: pb.View) -> str:
    """Returns the view as an SVG document."""
    return _Drawing(view).svg()


def targets(view: pb.View, choices: Iterable[pb.Action]) -> Sequence[Sequence[str]]:
    """Returns the parts and points that each of the listed actions touches, in the order of clicks."""
    return [_targets(view, action) for action in choices]


def touched(view: pb.View, action: pb.Action) -> Sequence[str]:
    """Returns the parts that an action has touched: for a movement, the rouage that moved."""
    return _moving(view) if action.WhichOneof("action") == "go" else _targets(view, action)


def _targets(view: pb.View, action: pb.Action) -> Sequence[str]:
    match action.WhichOneof("action"):
        case "choose_edge":
            return (f"edge-{_EDGES[action.choose_edge.edge][0]}",)
        case "plan_card":
            player, plan = view.viewing_player, action.plan_card
            return (f"hand-{player}-{plan.card}", f"slot-{player}-{plan.slot}")
        case "activate_rouage":
            return (_part(view, action.activate_rouage.rouage),)
        case "use_capacity":
            use = action.use_capacity
            return (f"capacity-{use.rouage}-{use.capacity}",)
        case "coordinate":
            return (_part(view, action.coordinate.rouage),)
        case "choose_target":
            return (_part(view, action.choose_target.element),)
        case "go":
            return (*_moving(view), _place(action.go.point))
        case "charge":
            return (_part(view, action.charge.target), _place(action.charge.point))
        case "remove":
            return (_part(view, action.remove.rouage),)
        case "lay_scenery":
            return (_place(action.lay_scenery.point),)
        case "run_hostile":
            return (_part(view, action.run_hostile.rouage),)
    return ()


def _moving(view: pb.View) -> Sequence[str]:
    """The part of the rouage that is being moved, if one is."""
    return [_part(view, element) for pending in view.pending[-1:] for element in pending.rouages[-1:]]


def _part(view: pb.View, element: int) -> str:
    """Returns the id of the part of an element: the one on the board if the element is there."""
    if element >= FIRST_PIECE:
        return f"scenery-{element}"
    if element >= FIRST_MARKER:
        return f"marker-{element}"
    standing = any(rouage.index == element and rouage.HasField("centre") for rouage in view.rouages)
    return f"figure-{element}" if standing else f"rouage-{element}"


def _place(point: pb.Point) -> str:
    return place(LEFT + point.x, TOP + SIDE - point.y)


class _Drawing:
    """The drawing of one view."""

    def __init__(self, view: pb.View) -> None:
        self._view = view
        self._names = element_names(view)
        self._values = {counter.name: counter.value for counter in view.values}
        self._standing = [rouage for rouage in view.rouages if rouage.HasField("centre")]

    def svg(self) -> str:
        view = self._view
        # The height is known only when all is drawn.
        columns = [self._column(player) for player in range(len(view.players))]
        hostiles = self._hostiles()
        notes = list(self._notes())
        tops = [TOP + SIDE + 90]
        tops.append(tops[0] + self._ruler_height() + 40)
        tops.append(tops[1] + max((height for height, _ in columns), default=0) + 30)
        tops.append(tops[2] + hostiles[0])
        height = tops[3] + 40 * len(notes) + 40
        scene = Scene(_WIDTH, height, " · ".join(part for part in ("Olomòc", view.agenda.name, view.layout) if part))
        scene.rect(0, 0, _WIDTH, height, "background")
        self._draw_prompt(scene)
        self._draw_board(scene.group("board", x=LEFT, y=TOP))
        self._draw_rulers(scene.group("rulers", x=LEFT, y=tops[0]))
        for number, (_, draw) in enumerate(columns):
            draw(scene.group(f"column-{number}", x=LEFT + number * (_COLUMN + _GAP), y=tops[1]))
        hostiles[1](scene.group("hostiles", x=LEFT, y=tops[2]))
        panel = scene.group("notes", x=LEFT, y=tops[3])
        for line, (classes, text) in enumerate(notes):
            panel.text(0, 40 * line + 30, text, classes, size=28)
        return scene.svg()

    def _side(self, rouage: pb.Rouage) -> str:
        """The class with the colour of a rouage's side."""
        if not rouage.HasField("player"):
            return "purple"
        return self._color(rouage.player)

    def _color(self, number: int) -> str:
        player = self._view.players[number]
        return f"seat-{player.seat if player.HasField('seat') else number}"

    # -- above the board -----------------------------------------------------------------------------------------------

    def _draw_prompt(self, scene: Scene) -> None:
        view = self._view
        part = scene.group("prompt", view.situation)
        part.paragraph(LEFT, 70, view.situation, _WIDTH - 2 * LEFT, "title", size=46, lines=2)
        phase = "hostile phase" if view.phase == 6 else f"phase {view.phase}" if view.phase else "between phases"
        known = [f"cycle {view.cycle}, {phase}" if view.cycle else "set-up", f"hunt {view.traque} of 3"]
        known += [view.agenda.name] if view.agenda.name else []
        known += [view.layout] if view.layout else []
        known += [f"{counter.name} {counter.value}" for counter in view.counters]
        if view.HasField("pool_rolled"):
            known.append(f"{view.pool_rolled.dice} dice, a success from {view.pool_rolled.difficulty}")
        scene.group("agenda", f"{view.agenda.name}: {view.agenda.text}").text(
            LEFT, 190, " · ".join(known), "muted", size=32
        )

    # -- the board -----------------------------------------------------------------------------------------------------

    def _draw_board(self, board: Group) -> None:
        board.rect(0, 0, SIDE, SIDE, "board", stroke=4)
        lines = " ".join(f"M{at} 0V{SIDE}M0 {at}H{SIDE}" for at in range(100, SIDE, 100))
        board.path(lines, "grid", stroke=1)
        for inch in range(0, 17, 2):
            board.text(100 * inch, SIDE + 56, str(inch), "muted", size=26, anchor="middle")
            board.text(-34, SIDE - 100 * inch + 9, str(inch), "muted", size=26, anchor="end")
        self._draw_edges(board)
        self._draw_scenery(board)
        self._draw_markers(board)
        for rouage in self._standing:
            self._draw_threat(board, rouage)
        for rouage in self._standing:
            self._draw_figure(board, rouage)
        table = table_of(self._view)
        for rouage in self._standing:
            when = "" if rouage.active else f"figure-{rouage.index}"
            self._draw_measures(board.group(classes="overlay", when=when), rouage, table)

    def _draw_edges(self, board: Group) -> None:
        lines = {player.line: number for number, player in enumerate(self._view.players)}
        for edge, (letter, name, (x, y, width, height)) in _EDGES.items():
            whose = f": deployment line of {seat_of(self._view, lines[edge])}" if edge in lines else ""
            classes = self._color(lines[edge]) if edge in lines else "shade"
            board.rect(x, y, width, height, classes, id=f"edge-{letter}", title=f"{name} edge{whose}")
            board.text(x + width / 2, y + height / 2 + 8, letter.upper(), "halo", size=24, anchor="middle")

    def _draw_scenery(self, board: Group) -> None:
        # Zones first: they lie flat under everything else.
        for piece in sorted(self._view.scenery, key=lambda piece: not piece.zone):
            kind = "green zone" if piece.zone else "high" if piece.obstructing else "low"
            what = "zone" if piece.zone else "blocks sight" if piece.obstructing else "does not block sight"
            title = f"{piece.name}: {what}{', tainted' if piece.tainted else ''}"
            part = board.group(f"scenery-{piece.element}", title)
            classes = f"{kind} tainted" if piece.tainted else kind
            stroke = 8 if piece.tainted else 3
            if piece.radius:
                (centre,) = piece.corners
                part.circle(centre.x, SIDE - centre.y, piece.radius / STEP, classes, stroke=stroke)
            else:
                part.polygon([(at.x, SIDE - at.y) for at in piece.corners], classes, stroke=stroke)
            x, y = _inside(tuple((corner.x, corner.y) for corner in piece.corners))
            label = "on-color" if kind == "high" else "ink"
            part.text(x, SIDE - y + 8, piece.name, label, size=24, anchor="middle")

    def _draw_markers(self, board: Group) -> None:
        for marker in self._view.markers:
            x, y = marker.centre.x, SIDE - marker.centre.y
            title = f"{marker.tag or 'marker'}{', tainted' if marker.tainted else ''}"
            if marker.HasField("zone"):
                title += f", its zone reaches {marker.zone / INCH:g} inches"
                board.circle(x, y, (marker.radius + marker.zone) / STEP, "green zone overlay")
            part = board.group(f"marker-{marker.element}", title)
            classes = "card tainted" if marker.tainted else "card token"
            part.circle(x, y, marker.radius / STEP, classes, stroke=6 if marker.tainted else 3)
            part.text(x, y + 8, marker.tag, "ink", size=24, anchor="middle")

    def _draw_threat(self, board: Group, rouage: pb.Rouage) -> None:
        """The threat zone: an inch around a base that is not stunned (OLO-THREAT-01)."""
        if pb.STATE_STUNNED not in rouage.states:
            radius = (BASES[rouage.base] + INCH) / STEP
            board.circle(rouage.centre.x, SIDE - rouage.centre.y, radius, f"{self._side(rouage)} zone overlay")

    def _draw_figure(self, board: Group, rouage: pb.Rouage) -> None:
        x, y, radius = rouage.centre.x, SIDE - rouage.centre.y, BASES[rouage.base] / STEP
        stunned = pb.STATE_STUNNED in rouage.states
        part = board.group(f"figure-{rouage.index}", self._title(rouage), "faded" if stunned else "")
        part.circle(x, y, radius, f"{self._side(rouage)} token", stroke=4)
        if rouage.active:
            part.circle(x, y, radius + 8, "outline active", stroke=9)
        part.text(x, y + 20, str(rouage.rank), "on-color title", size=58, anchor="middle")
        part.text(x, y + radius + 32, self._names[rouage.index], "halo strong", size=30, anchor="middle")
        part.text(x, y + radius + 60, _condition(rouage), "halo", size=24, anchor="middle")

    def _draw_measures(self, layer: Group, rouage: pb.Rouage, table: object) -> None:
        """The lines of sight from a rouage to its foes, with distances, and how far the rulers reach."""
        from cext.geometry import Table

        assert isinstance(table, Table)
        x, y, radius = rouage.centre.x, SIDE - rouage.centre.y, BASES[rouage.base] / STEP
        for name, word in (("move", "movement ruler"), ("push", "push ruler")):
            length = self._values[f"{name}_ruler_length"]
            layer.circle(x, y, radius + length, f"{self._side(rouage)} line dashed", stroke=2)
            layer.text(x, y - radius - length - 6, word, "halo muted", size=22, anchor="middle")
        for foe in self._standing:
            line = None if self._side(foe) == self._side(rouage) else table.sight_line(rouage.index, foe.index)
            if line is not None:
                x1, y1, x2, y2 = (value / STEP for value in line)
                layer.line(x1, SIDE - y1, x2, SIDE - y2, "sight", stroke=4)
                gap = f"{table.gap(rouage.index, foe.index):.2f} in"
                layer.text((x1 + x2) / 2, SIDE - (y1 + y2) / 2, gap, "halo", size=24, anchor="middle")

    # -- below the board -----------------------------------------------------------------------------------------------

    def _ruler_height(self) -> int:
        return max(self._values["move_ruler_width"], self._values["push_ruler_width"], 70)

    def _draw_rulers(self, part: Group) -> None:
        """Both rulers to scale."""
        x = 0
        for name, title in (("move", "movement ruler"), ("push", "push ruler")):
            length, width = self._values[f"{name}_ruler_length"], self._values[f"{name}_ruler_width"]
            size = f"{length / 100:g} x {width / 100:g} inches"
            part.rect(x, 0, length, width, "ruler", stroke=3, id=f"ruler-{name}", title=f"{title}, {size}")
            part.text(x + length + 14, 32, title, "muted", size=26)
            part.text(x + length + 14, 64, size, "muted", size=26)
            x += length + 330

    def _column(self, number: int) -> tuple[int, Callable[[Group], None]]:
        """Height and drawing of a player's column: score, plan, hand, rouages."""
        player = self._view.players[number]
        own = [rouage for rouage in self._view.rouages if rouage.HasField("player") and rouage.player == number]
        cards = [self._card(rouage) for rouage in own if rouage.name]
        hand = list(self._hand(number))
        rows = (len(hand) + 4) // 5
        below = 90 + (110 if player.plan else 0) + 110 * rows
        height = below + sum(each + _GAP for each, _ in cards)

        def draw(part: Group) -> None:
            self._draw_player(part, number)
            y = 90
            width = (_COLUMN - 4 * 12) / 5
            for slot, entry in enumerate(player.plan):
                self._draw_slot(part.group(x=slot * (width + 12), y=y), number, slot, entry, width)
            y += 110 if player.plan else 0
            for at, (card, name, title) in enumerate(hand):
                place = part.group(f"hand-{number}-{card}", title, x=at % 5 * (width + 12), y=y + 110 * (at // 5))
                place.rect(0, 0, width, 96, "card", rounded=8)
                place.paragraph(width / 2, 40, name, width - 12, "ink", size=21, anchor="middle", lines=2)
            y = below
            for each, draw_card in cards:
                draw_card(part.group(y=y))
                y += each + _GAP

        return height, draw

    def _draw_player(self, part: Group, number: int) -> None:
        view, player = self._view, self._view.players[number]
        active = view.HasField("active_player") and view.active_player == number
        won = player.HasField("seat") and player.seat in view.winners
        state = "won" if won else "active" if active else ""
        priority = ", has priority" if view.cycle and view.priority_player == number else ""
        name = seat_of(view, number)
        score = f"{player.vp} points · Fiel {player.fiel} of 3{' · priority' if priority else ''}"
        box = part.group(f"player-{number}", f"{name}: {player.vp} points, Fiel {player.fiel} of 3{priority}")
        box.rect(0, 0, _COLUMN, 72, f"panel {state}", rounded=10, stroke=6 if state else 2)
        box.rect(0, 0, 20, 72, self._color(number), rounded=10)
        box.text(40, 47, name, "title", size=36)
        counters = "".join(f" · {counter.name} {counter.value}" for counter in player.counters)
        box.text(_COLUMN - 20, 47, score + counters, "strong", size=30, anchor="end")

    def _draw_slot(self, part: Group, number: int, slot: int, entry: pb.PlanSlot, width: float) -> None:
        shown = entry.name or ("face down" if entry.filled else "empty")
        hidden = ", face down" if entry.filled and not entry.revealed and entry.name else ""
        box = part.group(f"slot-{number}-{slot + 1}", f"Slot {slot + 1} of the plan: {shown}{hidden}")
        classes = "slot" if not entry.filled else "card" if entry.name else "card-back"
        now = entry.filled and self._view.phase == slot + 1
        box.rect(0, 0, width, 96, f"{classes} active" if now else classes, rounded=8, stroke=5 if now else 2)
        text = "on-color" if classes == "card-back" else "ink" if entry.revealed else "muted"
        box.text(10, 26, str(slot + 1), text, size=22)
        box.paragraph(width / 2, 50, shown, width - 12, text, size=21, anchor="middle", lines=2)

    def _hand(self, number: int) -> Iterator[tuple[int, str, str]]:
        """The planning cards that the viewer knows to be in a hand: number as in PlanCard, name, text."""
        player = self._view.players[number]
        for ministry in player.hand:
            slots = ", ".join(map(str, ministry.slots))
            yield (
                MINISTRY + ministry.index,
                ministry.name,
                f"Ministry {ministry.name}, rank {ministry.rank}, slots {slots}: {ministry.text}",
            )
        if self._view.decision != pb.DECISION_PLAN_CARD:
            return
        ranks = {rouage.index: rouage.rank for rouage in self._view.rouages if rouage.HasField("player")}
        for index in player.activation_cards:
            name = self._names.get(index, f"rank {ranks[index]}")
            yield ranks[index] - 1, name, f"Activation card of {name}"
        if player.propaganda_cards:
            title = f"Propaganda, {player.propaganda_cards} left: activates a rouage of the player's choice"
            yield PROPAGANDA, "Propaganda", title

    def _hostiles(self) -> tuple[int, Callable[[Group], None]]:
        """Height and drawing of the cards of the hostiles, in two columns."""
        cards = [self._card(rouage) for rouage in self._view.rouages if not rouage.HasField("player") and rouage.name]
        rows = [cards[at : at + 2] for at in range(0, len(cards), 2)]
        heights = [max(height for height, _ in row) + _GAP for row in rows]

        def draw(part: Group) -> None:
            y = 0
            for row, height in zip(rows, heights, strict=True):
                for column, (_, draw_card) in enumerate(row):
                    draw_card(part.group(x=column * (_COLUMN + _GAP), y=y))
                y += height

        return sum(heights), draw

    def _card(self, rouage: pb.Rouage) -> tuple[int, Callable[[Group], None]]:
        """Height and drawing of the card of a rouage: its values, and its capacities as parts to click on."""
        chips = list(_flow(self._capacities(rouage)))
        rows = chips[-1][1] + 1 if chips else 0
        geared = 32 if rouage.HasField("gear") else 0
        height = 138 + geared + 56 * rows

        def draw(part: Group) -> None:
            box = part.group(f"rouage-{rouage.index}", self._title(rouage))
            state = "active" if rouage.active else ""
            box.rect(0, 0, _COLUMN, height, f"panel {state}", rounded=10, stroke=6 if state else 2)
            box.circle(50, 50, 34, f"{self._side(rouage)} token")
            box.text(50, 64, str(rouage.rank), "on-color title", size=40, anchor="middle")
            box.text(100, 46, self._names[rouage.index], "title", size=32)
            where = ELSEWHERE.get(rouage.place, "")
            tokens = "●" * rouage.ap + "○" * max(0, rouage.ap_given - rouage.ap)
            box.text(_COLUMN - 20, 46, f"AP {tokens or 0}", "strong", size=30, anchor="end")
            stats = " · ".join(f"{name} {value}" for name, value in zip(_STATS, rouage.stats, strict=False))
            box.text(100, 84, stats, "muted", size=26)
            box.text(100, 116, rouage.gear.name, "italic", size=26)
            for at, letter in enumerate(rouage.life):
                classes = "purple" if letter == "T" else "grey" if letter == "R" else "ink"
                ticked = at < rouage.ticked
                box.rect(
                    100 + 34 * at, 98 + geared, 26, 26, f"{classes} {'' if ticked else 'outline'}", rounded=4, stroke=3
                )
            words = [where] if where else []
            words += [f"Noirceur {rouage.noirceur}"] if rouage.noirceur else []
            words += [pb.State.Name(state).removeprefix("STATE_").lower() for state in rouage.states]
            words += ["engaged"] if rouage.engaged else []
            box.text(_COLUMN - 20, 120 + geared, " · ".join(words), "strong", size=26, anchor="end")
            for x, row, width, (number, text, title) in chips:
                chip = part.group(f"capacity-{rouage.index}-{number}", title, x=20 + x, y=136 + geared + 56 * row)
                chip.rect(0, 0, width, 46, "button" if rouage.active else "slot", rounded=23)
                chip.text(width / 2, 32, text, "ink", size=26, anchor="middle")

        return height, draw

    def _capacities(self, rouage: pb.Rouage) -> Iterator[tuple[int, str, str]]:
        """Number, short text and whole text of the capacities of a rouage; generic ones only while it is active."""
        if rouage.active:
            for number in _ON_BOARD if rouage.HasField("centre") else _OFF_BOARD:
                yield number, GENERIC_NAMES[number], f"{GENERIC_NAMES[number]} (a capacity of every rouage)"
        for capacity in rouage.capacities:
            cost = [f"{capacity.ap} AP"] if capacity.ap else []
            cost += [f"{capacity.noirceur} Noirceur"] if capacity.noirceur else []
            price = f" ({', '.join(cost)})" if cost else ""
            kind = "active" if capacity.active else "permanent"
            yield capacity.number, capacity.name + price, f"{capacity.name}, {kind}{price}: {capacity.text}"

    def _title(self, rouage: pb.Rouage) -> str:
        """Description of a rouage: all that the view tells of it."""
        side = seat_of(self._view, rouage.player) if rouage.HasField("player") else "hostile"
        where = f", {ELSEWHERE[rouage.place]}" if rouage.place in ELSEWHERE else ""
        stats = ", ".join(f"{name} {value}" for name, value in zip(_STATS, rouage.stats, strict=False))
        life = f"{rouage.ticked} of {len(rouage.life)} life boxes ticked"
        left = [_BOXES[letter] for letter in rouage.life[rouage.ticked :]]
        boxes = f" (next {left[0]})" if left else ""
        return (
            f"{self._names.get(rouage.index, 'A rouage')}, rank {rouage.rank}, {side}{where}: {stats}; {life}{boxes};"
            f" {rouage.ap} AP; Noirceur {rouage.noirceur}{'; stunned' if pb.STATE_STUNNED in rouage.states else ''}"
            f"{'; engaged' if rouage.engaged else ''}"
        )

    def _notes(self) -> Iterator[tuple[str, str]]:
        """Lines on the agenda, the Artefact, effects that last, and the card set."""
        view = self._view
        notes = []
        if view.agenda.name:
            notes.append(("ink", f"Agenda {view.agenda.name}: {view.agenda.text}"))
        if view.artefact.name:
            notes.append(("ink", f"Artefact {view.artefact.name}: {view.artefact.text}"))
        for effect in view.effects:
            until = effect.until.replace("_", " ")
            notes.append(("ink", f"{effect.name} on {affected(effect, self._names)}, until the end of the {until}"))
        notes.append(("muted", card_set_title(view)))
        for classes, text in notes:
            for line in wrap_text(text, _WIDTH - 2 * LEFT, 28):
                yield classes, line


def _flow(
    entries: Iterable[tuple[int, str, str]],
) -> Iterator[tuple[float, int, float, tuple[int, str, str]]]:
    """Break entries into rows: x, row and width of each."""
    x, row = 0.0, 0
    for entry in entries:
        width = 15.0 * len(entry[1]) + 30
        if x and x + width > _COLUMN - 40:
            x, row = 0.0, row + 1
        yield x, row, width, entry
        x += width + 12


def _condition(rouage: pb.Rouage) -> str:
    """``2/6 AP 2 N1 engaged``."""
    words = [f"life {len(rouage.life) - rouage.ticked}/{len(rouage.life)}", f"AP {rouage.ap}"]
    words += [f"N{rouage.noirceur}"] if rouage.noirceur else []
    words += ["stunned"] if pb.STATE_STUNNED in rouage.states else []
    words += ["engaged"] if rouage.engaged else []
    return " ".join(words)


@lru_cache(maxsize=256)
def _inside(corners: tuple[tuple[int, int], ...]) -> tuple[float, float]:
    """A place inside a shape, far from its sides: the middle may lie outside, as in an L."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    if len(corners) == 1:
        return corners[0]
    sides = list(pairwise([*corners, corners[0]]))
    steps = [(step + 0.5) / _GRAIN for step in range(_GRAIN)]
    tried = [(min(xs) + a * (max(xs) - min(xs)), min(ys) + b * (max(ys) - min(ys))) for b in steps for a in steps]
    centre = middle(corners)

    def room(at: tuple[float, float]) -> tuple[bool, int, float]:
        return _is_inside(at, sides), int(min(_away(at, side) for side in sides)), -dist(at, centre)

    return max(tried, key=room)


def _is_inside(at: tuple[float, float], sides: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> bool:
    x, y = at
    crossed = [(ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in sides]
    return sum(crossed) % 2 == 1


def _away(at: tuple[float, float], side: tuple[tuple[int, int], tuple[int, int]]) -> float:
    """The distance of a place from a side."""
    (ax, ay), (bx, by) = side
    along = ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / max(1, (bx - ax) ** 2 + (by - ay) ** 2)
    clamped = min(1.0, max(0.0, along))
    return hypot(at[0] - ax - clamped * (bx - ax), at[1] - ay - clamped * (by - ay))
