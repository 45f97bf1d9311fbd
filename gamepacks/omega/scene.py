"""The view drawn as a scene, and the parts of it that each action touches."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from gamepacks.api.scene import Group, Scene
from gamepacks.api.scene_parts import INNER_WIDTH, MARGIN, WIDTH, Flow, card_lines, card_text, tag, turn_heading
from gamepacks.api.text import counted
from gamepacks.omega import prompts
from gamepacks.omega.codes import LETTERS, MAX_LOAD, MAX_ROW, RED, TYPE_NAMES
from gamepacks.omega.labels import runes_text
from gamepacks.omega.sentences import score_text
from gamepacks.omega.v1 import omega_pb2 as pb

_STACK = 92
"""Height of a stack of Arcana."""
_RUNE_CLASSES = ("blue", "yellow", "red", "green", "white", "black")
"""Class of each type of rune in the style sheet."""
_PHASES = (
    (pb.PHASE_UPKEEP_ALTAR, "Upkeep"),
    (pb.PHASE_DRAW, "Draw"),
    (pb.PHASE_MAIN, "Main"),
    (pb.PHASE_END, "End"),
)


def svg(view: pb.View) -> str:
    """Returns the view as an SVG document."""
    scene = Scene(WIDTH, 1, "OMEGA: the ritual")
    board = scene.group()
    y = _heading(board, view)
    y = _middle(board, view, y)
    y = _gallery(board, view, y)
    for seat in _seats(view):
        y = _player(board, view, seat, y)
    y = _rules(board, view, y)
    board.text(MARGIN, y + 20, f"Cards: {view.card_set}", "muted", size=15)
    scene.resize(WIDTH, y + 34)
    return scene.svg()


def _seats(view: pb.View) -> list[int]:
    """Returns the seats, with that of the viewer first."""
    known = [seat for seat, player in enumerate(view.players) if player.pyramid]
    first = known[0] if len(known) == 1 else 0
    return [(first + number) % len(view.players) for number in range(len(view.players))]


# -- turn and decision -------------------------------------------------------------------------------------------------


def _heading(board: Group, view: pb.View) -> float:
    phase = pb.PHASE_UPKEEP_ALTAR if view.phase == pb.PHASE_UPKEEP_GALLERY else view.phase
    return turn_heading(
        board,
        view.turn,
        view.active_seat if view.HasField("active_seat") else None,
        [(name, f"{name} phase{': now' if number == phase else ''}", number == phase) for number, name in _PHASES],
        prompts.prompt(view),
        prompts.notes(view),
        prompts.buttons(view),
    )


# -- disc, altar, Arcana and gallery -----------------------------------------------------------------------------------


def _rune(group: Group, type: int, x: float, y: float, radius: float) -> None:
    group.circle(x, y, radius, f"token {_RUNE_CLASSES[type]}", stroke=2)
    ink = "black" if _RUNE_CLASSES[type] == "white" else "on-color"
    group.text(x, y + 0.36 * radius, LETTERS[type], f"{ink} strong", size=round(1.05 * radius), anchor="middle")


def _middle(board: Group, view: pb.View, y: float) -> float:
    _disc(board, view, 152, y + 150)
    left, width = 312, WIDTH - MARGIN - 312
    altar = board.group("altar", f"Altar: {runes_text(view.altar)}, face up", x=left, y=y)
    altar.rect(0, 0, width, 64, "board", rounded=10)
    altar.text(12, 38, "Altar", "strong", size=18)
    x = 90
    for type, count in enumerate(view.altar):
        if not count:
            continue
        name = TYPE_NAMES[type]
        part = altar.group(f"altar-{name}", f"{counted(count, f'{name} rune')} on the altar")
        for _ in range(count):
            _rune(part, type, x + 20, 32, 20)
            x += 44
    if not any(view.altar):
        altar.text(x, 38, "empty", "muted", size=17)
    for number, stack in enumerate(view.arcana):
        column, row = number % 2, number // 2
        box = (width - 8) / 2
        _stack(board, number, stack, left + column * (box + 8), y + 74 + row * (_STACK + 8), box)
    return _unseen(board, view, y + 90 + 3 * _STACK)


def _unseen(board: Group, view: pb.View, y: float) -> float:
    """Draw the numbers of runes that the viewer does not see, which also name the letters."""
    part = board.group("unseen", f"Runes in the bag and in hidden pyramids: {runes_text(view.unseen)}")
    part.text(MARGIN, y + 26, "Unseen:", "muted", size=16)
    x = 108.0
    for type, count in enumerate(view.unseen):
        _rune(part, type, x, y + 20, 12)
        text = f"{count} {TYPE_NAMES[type]}"
        part.text(x + 17, y + 26, text, "muted", size=16)
        x += 40 + 9.4 * len(text)
    lacking = [name for name, absent in zip(TYPE_NAMES, view.absent, strict=False) if absent]
    if lacking:
        y += 24
        part.text(MARGIN, y + 26, f"The bag has no {' and no '.join(lacking)}.", "muted", size=16)
    return y + 40


def _disc(board: Group, view: pb.View, x: float, y: float) -> None:
    disc = board.group("disc", f"Disc of {view.squares} squares; pawns go clockwise", x=x, y=y)
    disc.circle(0, 0, 138, "board")
    radius = min(11.0, 118 * pi / max(view.squares, 1) * 0.9)
    eye = view.eye_offset % view.squares
    for square in range(view.squares):
        px, py = _on_disc(view, square, 118)
        disc.circle(px, py, radius, "cell", stroke=1)
    ex, ey = _on_disc(view, eye, 118)
    part = disc.group("eye", f"The Eye of Arcana, square {eye + 1}: each passing gives an Arcana token", x=ex, y=ey)
    part.circle(0, 0, radius + 4, "cell active", stroke=4)
    part.circle(0, 0, 4, "ink")
    sx, sy = _on_disc(view, 0, 96)
    disc.text(sx, sy + 5, "I", "muted strong", size=16, anchor="middle")
    lx, ly = _on_disc(view, eye, 92)
    disc.text(lx, ly + 5, "Eye", "muted strong", size=15, anchor="middle")
    for seat, player in enumerate(view.players):
        there = [other for other in range(seat) if view.players[other].square == player.square]
        px, py = _on_disc(view, player.square - 1, 118 - 17 * len(there))
        laps = f", {counted(player.steps, 'square')} gone"
        pawn = disc.group(f"pawn-{seat}", f"Pawn of seat {seat} on square {player.square}{laps}", x=px, y=py)
        pawn.circle(0, 0, 11, f"token seat-{seat}", stroke=2)
        pawn.text(0, 6, str(seat), "on-color strong", size=16, anchor="middle")
    _supply(disc, "bag", "Bag", view.bag_size, f"Bag with {counted(view.bag_size, 'rune')}, drawn unseen", -40)
    _supply(disc, "deck", "Deck", view.deck_size, f"Deck of {counted(view.deck_size, 'card')}", 4)
    names = ", ".join(view.discard_names) or "no card"
    _supply(disc, "discard", "Discarded", len(view.discard), f"Discard pile: {names}", 48)


def _on_disc(view: pb.View, square: int, radius: float) -> tuple[float, float]:
    angle = 2 * pi * square / view.squares
    return radius * sin(angle), -radius * cos(angle)


def _supply(disc: Group, id: str, name: str, count: int, title: str, y: float) -> None:
    part = disc.group(id, title, x=0, y=y)
    part.rect(-66, -18, 132, 38, "panel", rounded=10)
    part.text(0, 7, f"{name} {count}", "strong", size=17, anchor="middle")


def _stack(board: Group, number: int, stack: pb.Stack, x: float, y: float, width: float) -> None:
    hidden = f"{counted(stack.hidden, 'token')} below"
    if not stack.HasField("top"):
        part = board.group(f"arcana-{number}", f"Stack {number + 1} of the Arcana: empty, {hidden}", x=x, y=y)
        part.rect(0, 0, width, _STACK, "slot", rounded=10)
        part.text(width / 2, 52, "empty", "muted", size=16, anchor="middle")
        return
    title = f"Arcana token {stack.top.name}: {stack.top.text} ({hidden})"
    part = board.group(f"arcana-{number}", title, x=x, y=y)
    part.rect(0, 0, width, _STACK, "card", rounded=10)
    part.text(10, 22, stack.top.name, "title", size=16)
    part.text(width - 8, 22, f"+{stack.hidden}", "muted", size=15, anchor="end")
    part.paragraph(10, 42, stack.top.text, width - 14, size=15, lines=3)


def _gallery(board: Group, view: pb.View, y: float) -> float:
    cards = [slot.card for slot in view.gallery if slot.HasField("card")]
    y = _cards(board, y, "Gallery", [
        (f"gallery-{number}", slot.card if slot.HasField("card") else None) for number, slot in enumerate(view.gallery)
    ], cards)  # fmt: skip
    if view.looked:
        rows = [(f"looked-{card.card}", card) for card in view.looked]
        y = _cards(board, y, "Cards of the deck that you look at", rows, view.looked)
    elif view.looked_count:
        board.text(MARGIN, y + 20, f"{counted(view.looked_count, 'card')} of the deck looked at in secret", size=17)
        y += 34
    if view.HasField("batch_target"):
        y = _batch(board, view, y)
    return y


def _cards(
    board: Group, y: float, heading: str, rows: Sequence[tuple[str, pb.Card | None]], cards: Sequence[pb.Card]
) -> float:
    """Draw cards in rows of four under a heading; returns the lower edge."""
    board.text(MARGIN, y + 18, heading, "strong", size=18)
    width = (INNER_WIDTH - 24) / 4
    height = max([100, *(card_lines(width, card.name, _tags(card), _powers(card)) + 30 for card in cards)])
    flow = Flow(MARGIN, y + 26, INNER_WIDTH)
    for id, card in rows:
        x, top = flow.place(width, height)
        part = board.group(id, "Empty place" if card is None else card_title(card), x=x, y=top)
        if card is None:
            part.rect(0, 0, width, height, "slot", rounded=10)
            part.text(width / 2, height / 2, "empty", "muted", size=16, anchor="middle")
            continue
        part.rect(0, 0, width, height, "card", rounded=10)
        card_text(part, width, card.name, _tags(card), _powers(card), 6)
        _numbers(part, card, width, height)
    return flow.bottom + 10


def _numbers(part: Group, card: pb.Card, width: float, height: float) -> None:
    """Snake number and thrust number, in the lower corners as on the printed cards."""
    part.text(10, height - 9, f"Snake {card.snake}", "muted", size=14)
    part.text(width - 8, height - 9, f"Thrust {card.thrust}", "muted", size=14, anchor="end")


def _tags(card: pb.Card) -> str:
    return ", ".join(name for name, on in (("Renegade", card.renegade), ("Primitive", card.primitive)) if on)


def _power(power: pb.Power) -> str:
    return f"{'Lightning' if power.lightning else 'Book'}: {power.text}"


def _powers(card: pb.Card) -> str:
    return "\n".join(map(_power, card.powers))


def card_title(card: pb.Card) -> str:
    """The whole text of a card, in words."""
    kinds = [
        text
        for text, on in (
            ("Renegade (it never wears the Mask)", card.renegade),
            ("Primitive (it takes one colour)", card.primitive),
        )
        if on
    ]
    powers = [
        f"{_power(power)} ({'once, when it is gained' if power.lightning else 'once a turn'})" for power in card.powers
    ]
    snake = f"snake {card.snake} (runes that its loser picks)"
    thrust = f"thrust {card.thrust} (squares at the end of each turn)"
    return ". ".join([f"{card.name}: {snake}, {thrust}", *kinds, *powers])


def _batch(board: Group, view: pb.View, y: float) -> float:
    name = prompts.egregor_name(view, view.batch_target)
    shown = runes_text(view.batch) if view.batch else "hidden"
    part = board.group("batch", f"Batch for {name}: {shown}", x=MARGIN, y=y)
    part.rect(0, 0, INNER_WIDTH, 56, "board", rounded=10)
    text = f"Batch for {name}:"
    part.text(12, 34, text if view.batch else f"{text} hidden", "strong", size=17)
    x = 28.0 + 10 * len(text)
    for type, count in enumerate(view.batch):
        for _ in range(count):
            _rune(part, type, x, 28, 17)
            x += 36
    return y + 66


_RULES = (
    "Blue moves your pawn 2 squares when it is placed.",
    "Gold is worth 2 points at the end on your Egregors.",
    "Red may pull a red rune from the altar onto the same Egregor.",
    "Green: two runes placed at once let you draw one rune.",
    "White returns to you when its Egregor is lost. Black cannot take it, and two protect their Egregor from black.",
    "Black goes on an opposing Egregor, in exchange for a coloured rune of it.",
)
"""Effects of the types of runes, in canonical order."""


def _rules(board: Group, view: pb.View, y: float) -> float:
    """Write the effects of runes, the limits and the endings."""
    part = board.group("rules")
    y += 4
    for type, line in enumerate(_RULES):
        _rune(part, type, MARGIN + 12, y + 12, 11)
        y = part.paragraph(MARGIN + 32, y + 18, line, INNER_WIDTH - 32, "muted", size=16) - 12
    for line in (
        f"An Egregor carries {MAX_LOAD} runes at most, of 2 colours, a Primitive of 1; black is not a colour. "
        "To capture one, give more runes than it carries.",
        f"The end comes with {view.arcanic_tokens} Arcana tokens, with four Egregors of {MAX_LOAD} runes, or with an "
        "empty bag; then each other player has one more turn.",
    ):
        y = part.paragraph(MARGIN, y + 20, line, INNER_WIDTH, "muted", size=16) - 16
    return y + 6


# -- players -----------------------------------------------------------------------------------------------------------


def _player(board: Group, view: pb.View, seat: int, y: float) -> float:
    player = view.players[seat]
    active = view.HasField("active_seat") and view.active_seat == seat
    panel = board.group(f"player-{seat}", _player_title(seat, player), x=MARGIN, y=y)
    flow = Flow(10, 10, INNER_WIDTH - 20)
    for text, look in _player_tags(view, seat):
        tag(panel, flow, text, **look)
    y_pyramid = flow.bottom + 8
    _pyramid(panel, seat, player, y_pyramid)
    height = _row(panel, view, seat, y_pyramid + 52) + 10
    won = seat in view.winners
    frame = "panel active" if active else "panel won" if won else "panel"
    panel.rect(0, 0, INNER_WIDTH, height, frame, rounded=12, stroke=4 if active or won else 1, behind=True)
    return y + height + 10


def _player_title(seat: int, player: pb.Player) -> str:
    score = f", {counted(player.score.total, 'point')} ({score_text(player.score)})" if player.HasField("score") else ""
    return (
        f"seat {seat}: {counted(player.pyramid_size, 'rune')} in the pyramid, {player.prestige} Prestige, "
        f"{counted(player.token_count, 'Arcana token')}, square {player.square}{score}"
    )


def _player_tags(view: pb.View, seat: int) -> list[tuple[str, dict[str, str]]]:
    """Texts and looks of the labels of a player."""
    player = view.players[seat]
    found = [(f"seat {seat}", {"box": f"seat-{seat}", "ink": "on-color strong"})]
    if player.HasField("score"):
        least = "at least " if player.score.arcana_most > player.score.arcana else ""
        found.append((f"{least}{counted(player.score.total, 'point')}", {"title": score_text(player.score)}))
    found.append((f"{player.prestige} Prestige", {"title": "Prestige: one for each capture"}))
    if player.lost_egregor:
        found.append(("safe from captures", {"title": "It has lost an Egregor since its latest turn"}))
    if player.mask_in_reserve:
        found.append(("Mask in reserve", {"id": f"mask-{seat}", "title": _MASK}))
    if seat in view.winners:
        found.append(("won", {"box": "green", "ink": "on-color strong"}))
    found.append((counted(player.token_count, "Arcana token"), {}))
    for number, token in enumerate(player.tokens):
        title = f"{token.name}: {token.text}"
        found.append((token.name, {"id": f"token-{seat}-{number}", "title": title, "box": "card"}))
    return found


_EGREGOR = (INNER_WIDTH - 20 - (MAX_ROW - 1) * 8) / MAX_ROW
"""Width of a card in a row."""
_MASK = "The Mask: the Egregor that wears it cannot be captured"


def _pyramid(panel: Group, seat: int, player: pb.Player, y: float) -> float:
    contents = runes_text(player.pyramid) if player.pyramid else f"{counted(player.pyramid_size, 'hidden rune')}"
    part = panel.group(f"pyramid-{seat}", f"Pyramid of seat {seat}: {contents}", x=10, y=y)
    part.text(0, 26, "Pyramid", "muted", size=17)
    if not player.pyramid:
        for number in range(min(player.pyramid_size, 20)):
            part.circle(98 + 26 * number, 20, 14, "card-back", stroke=2)
        part.text(102 + 26 * min(player.pyramid_size, 20), 26, str(player.pyramid_size), "strong", size=17)
        return y + 44
    x = 100
    for type, count in enumerate(player.pyramid):
        if not count:
            continue
        name = TYPE_NAMES[type]
        runes = part.group(f"pyramid-{seat}-{name}", f"{counted(count, f'{name} rune')} in the pyramid")
        _rune(runes, type, x, 20, 18)
        runes.text(x + 24, 26, str(count), "strong", size=18)
        x += 84 if count < 10 else 94
    if not player.pyramid_size:
        part.text(x, 26, "empty", "muted", size=17)
    return y + 44


def _row(panel: Group, view: pb.View, seat: int, y: float) -> float:
    """Draw the Egregors of a player; returns the lower edge."""
    egregors = view.players[seat].egregors
    if not egregors:
        panel.text(10, y + 20, "no Egregor yet", "muted", size=17)
        return y + 30
    height = 40 + max(
        card_lines(_EGREGOR, egregor.card.name, _tags(egregor.card), _powers(egregor.card)) + _loads_height(egregor)
        for egregor in egregors
    )
    for place, egregor in enumerate(egregors):
        part = panel.group(f"egregor-{seat}-{place}", _egregor_title(egregor), x=10 + place * (_EGREGOR + 8), y=y)
        about = view.HasField("decision_target") and (view.decision_target.seat, view.decision_target.place) == (
            seat,
            place,
        )
        _egregor(part, seat, place, egregor, height, "active" if about else "last" if egregor.gained else "")
    return y + height


def _loads_height(egregor: pb.Egregor) -> float:
    """Height of the runes on an Egregor, five in a row."""
    return 27.0 * ((sum(egregor.load) + 4) // 5)


def _egregor_title(egregor: pb.Egregor) -> str:
    marks = [
        text
        for text, on in (
            ("It wears the Mask and cannot be captured", egregor.masked),
            ("Gained in this turn", egregor.gained),
        )
        if on
    ]
    return ". ".join([card_title(egregor.card), f"It carries {runes_text(egregor.load)}", *marks])


def _egregor(part: Group, seat: int, place: int, egregor: pb.Egregor, height: float, mark: str) -> None:
    card, width = egregor.card, _EGREGOR
    part.rect(0, 0, width, height, f"card {mark}".strip(), rounded=10, stroke=4 if mark else 1)
    y = card_text(part, width, card.name, _tags(card), "", 0)
    for number, power in enumerate(card.powers):
        used = number in egregor.used_powers
        said = f"{_power(power)}{' (used in this turn)' if used else ''}"
        group = part.group(f"power-{seat}-{place}-{number}", said, "faded" if used else "")
        y = group.paragraph(10, y, _power(power), width - 14, size=15)
    number, top = 0, height - 18 - _loads_height(egregor)
    for type, count in enumerate(egregor.load):
        if not count:
            continue
        name = TYPE_NAMES[type]
        runes = part.group(f"egregor-{seat}-{place}-{name}", f"{counted(count, f'{name} rune')} on {card.name}")
        for _ in range(count):
            _rune(runes, type, 19 + 27 * (number % 5), top + 27 * (number // 5), 12)
            number += 1
    if egregor.masked:
        mask = part.group(f"mask-{seat}", _MASK, x=width - 58, y=-11)
        mask.rect(0, 0, 50, 22, "board", rounded=6)
        mask.text(25, 16, "Mask", "ink strong", size=15, anchor="middle")
    _numbers(part, card, width, height)


# -- targets -----------------------------------------------------------------------------------------------------------


def targets(view: pb.View, choices: Sequence[pb.Action]) -> list[tuple[str, ...]]:
    """Returns the parts that each of the listed actions touches, in the order of clicks."""
    return [_targets(view, action) for action in choices]


_TOUCHING = frozenset({
    "take_altar", "take_bag", "search_bag", "summon", "target", "black_target", "black_take", "mask", "use_book",
    "pull", "arcana", "cycle", "key_place",
})  # fmt: skip
"""Actions after which the parts that they touch lie where they were. Egregors that leave a row move the others."""


def touched(view: pb.View, action: pb.Action) -> Sequence[str]:
    """Returns the parts that an action of another seat has touched."""
    return _targets(view, action) if action.WhichOneof("action") in _TOUCHING else ()


_BUTTONS = {
    "stop": "stop", "end_main": "end", "confirm": "confirm", "decline": "decline", "key_none": "none", "pair": "pair",
}  # fmt: skip


def _targets(view: pb.View, action: pb.Action) -> tuple[str, ...]:
    kind = action.WhichOneof("action") or ""
    value = getattr(action, kind) if kind else None
    seat = view.deciding_seat
    if kind in _BUTTONS:
        return (f"button-{_BUTTONS[kind]}",)
    match value:
        case pb.RuneChoice() if kind == "take_altar":
            return (f"altar-{_name(value.rune)}",)
        case pb.RuneChoice() if kind in ("place", "add"):
            return (f"pyramid-{seat}-{_name(value.rune)}",)
        case pb.RuneChoice() if kind in ("black_take", "recover"):
            return (f"egregor-{view.decision_target.seat}-{view.decision_target.place}-{_name(value.rune)}",)
        case pb.Summon():
            return (f"gallery-{value.slot}",)
        case pb.EgregorChoice():
            return (f"egregor-{value.seat}-{value.place}",)
        case pb.UseBook():
            return (f"power-{seat}-{value.place}-{value.power}",)
        case pb.ArcanaChoice():
            return (f"arcana-{value.stack}",)
        case pb.CycleChoice():
            return (f"egregor-{seat}-{value.place}-{_name(value.rune)}",)
        case pb.KeyTake():
            return (f"looked-{value.card}",)
        case pb.PlaceChoice():
            egregor = f"egregor-{seat}-{value.place}"
            return {"mask": (f"mask-{seat}", egregor), "disown": ("button-disown", egregor)}.get(kind, (egregor,))
    return {
        "take_bag": ("bag",), "search_bag": ("bag",), "pull": (f"altar-{TYPE_NAMES[RED]}",),
        "place_black": (f"pyramid-{seat}-black",),
    }.get(kind, ())  # fmt: skip


def _name(rune: int) -> str:
    return TYPE_NAMES[rune - 1]
