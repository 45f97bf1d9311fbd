"""Refusals: the first reason why an action is illegal, with its details."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cext.errors import IllegalAction
from cext.geometry import Board, Displacement, Part, Piece, ShapeError, Table, setup_fault
from cext.geometry.units import INCH, LAST, STEP, MoveKind
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.codes import Verb
from gamepacks.api.types import Viewer
from gamepacks.olomoc import codes
from gamepacks.olomoc.codes import MINISTRY, PLACE_DECISIONS, PROPAGANDA, Reason, coordinates
from gamepacks.olomoc.elements import (
    FIRST_MARKER,
    FIRST_PIECE,
    card_of,
    element_name,
    inches,
    pool_shape,
    shapes_on_board,
    spacing_fault,
)
from gamepacks.olomoc.prompts import BY_DECISION, question
from gamepacks.olomoc.v1.olomoc_enums import Decision
from gamepacks.olomoc.views import view_message

OVERLAPS = frozenset({Reason.OVERLAPS_ROUAGE, Reason.OVERLAPS_MARKER, Reason.OVERLAPS_SCENERY})
"""The reasons for which :func:`obstacle` finds the element in the way."""


@dataclass(frozen=True, slots=True)
class PendingMove:
    """A requested change of place: its kind, the element that moves, and the element or edge that it refers to."""

    kind: MoveKind
    element: int
    radius: int
    edge: int = -1
    """Edge from which the element enters, 0 to 3."""
    target: int = -1
    """Target of a charge."""
    rulers: Literal["any", "base", "push", "move"] = "any"
    """Rulers that may be used for a move."""

    def displacement(self, table: Table) -> Displacement:
        """The change of place as an object of the geometry."""
        if self.kind is MoveKind.ENTER:
            return table.enter(self.edge, self.radius)
        if self.kind is MoveKind.CHARGE:
            return table.charge(self.element, self.target)
        return table.push(self.element) if self.kind is MoveKind.PUSH else table.move(self.element, self.rulers)


def why_not(table: Table, move: PendingMove, x: int, y: int, bound: Displacement | None = None) -> Reason | None:
    """The first reason why a move may not end at a place; None where it may.

    ``bound`` is the displacement where something more than the move binds it: a direction word of an effect.
    """
    if off_board(x, y, move.radius):
        return Reason.OFF_BOARD
    displacement = move.displacement(table)
    if (bound or displacement).allows(x, y):
        return None
    if move.kind is not MoveKind.ENTER and table.place(move.element)[:2] == (x, y):
        return Reason.SAME_PLACE
    if not table.spot_free(x, y, move.radius, move.element):
        return overlap(obstacle(table, move.element, x, y, move.radius))
    if displacement.allows(x, y):
        return Reason.WRONG_DIRECTION
    if move.kind is MoveKind.CHARGE and table.move(move.element).allows(x, y):
        engaged = table.within_at(move.element, x, y, INCH) >> move.target & 1
        return Reason.NO_SIGHT if engaged else Reason.TARGET_NOT_ENGAGED
    return Reason.NO_ROOM_FOR_RULER if _near_enough(table, move, x, y) else Reason.OUT_OF_REACH


def off_board(x: int, y: int, radius: int) -> bool:
    """Whether a base there would not lie wholly on the board."""
    margin = -(-radius // STEP)
    return not (margin <= x <= LAST - margin and margin <= y <= LAST - margin)


def obstacle(table: Table, element: int, x: int, y: int, radius: int) -> int | None:
    """The first rouage, marker or piece of scenery on which an element would be set down there; None for none."""
    probe = table.copy()
    probe.put(element, x, y, radius)
    discs = [other for other in range(FIRST_PIECE) if other != element and table.present >> other & 1]
    pieces = [FIRST_PIECE + number for number, piece in enumerate(table.board.pieces) if not piece.zone]
    return next((other for other in discs + pieces if probe.compare_gap(element, other, 0) < 0), None)


def overlap(what: int | None) -> Reason:
    """Returns the reason for an obstacle."""
    if what is None or what >= FIRST_PIECE:
        return Reason.OVERLAPS_SCENERY
    return Reason.OVERLAPS_ROUAGE if what < FIRST_MARKER else Reason.OVERLAPS_MARKER


def _near_enough(table: Table, move: PendingMove, x: int, y: int) -> bool:
    """Whether the element could go there if nothing else were on the board."""
    bare = Table(Board(), table.move_ruler, table.push_ruler)
    if move.kind is MoveKind.ENTER:
        return bare.enter(move.edge, move.radius).allows(x, y)
    bare.put(move.element, *table.place(move.element))
    if move.kind is MoveKind.PUSH:
        return bare.push(move.element).allows(x, y)
    return bare.move(move.element, move.rulers).allows(x, y)


if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState

VERBS: dict[Decision, frozenset[Verb]] = {
    Decision.SCENERY: frozenset({codes.SCENERY, codes.NO}),
    Decision.EDGE: frozenset({codes.EDGE}),
    Decision.DRAFT: frozenset({codes.PICK}),
    Decision.GEAR: frozenset({codes.EQUIP}),
    Decision.BUILD: frozenset({codes.PICK, codes.EQUIP}),
    Decision.PLAN_MINISTRY: frozenset({codes.PLAN}),
    Decision.PLAN_CARD: frozenset({codes.PLAN}),
    Decision.ORDER: frozenset({codes.FIRST}),
    Decision.PROPAGANDA: frozenset({codes.ACTIVATE, codes.NO}),
    Decision.PROPAGANDA_TOKENS: frozenset({codes.CHOOSE}),
    Decision.ENTER: frozenset({codes.GO, codes.NO}),
    Decision.ACT: frozenset({codes.USE, codes.COORD, codes.END}),
    Decision.REST: frozenset({codes.REST}),
    Decision.GO: frozenset({codes.GO, codes.NO}),
    Decision.CHARGE: frozenset({codes.CHARGE}),
    Decision.TARGET: frozenset({codes.TARGET}),
    Decision.OPPORTUNITY: frozenset({codes.YES, codes.NO}),
    Decision.REACT: frozenset({codes.REACT, codes.NO}),
    Decision.FATE: frozenset({codes.YES, codes.NO}),
    Decision.TACTIC: frozenset({codes.TACTIC, codes.NO}),
    Decision.PUSH: frozenset({codes.GO, codes.NO}),
    Decision.TRIGGER: frozenset({codes.YES, codes.NO}),
    Decision.CHOICE: frozenset({codes.CHOOSE, codes.NO}),
    Decision.PICK: frozenset({codes.TARGET, codes.NO}),
    Decision.HOSTILE: frozenset({codes.HOSTILE}),
    Decision.HOSTILE_LINE: frozenset({codes.CHOOSE, codes.NO}),
    Decision.HOSTILE_TARGET: frozenset({codes.TARGET}),
    Decision.HOSTILE_GO: frozenset({codes.GO, codes.NO}),
}
"""The verbs of the answers, by decision."""
_MESSAGES = {
    Reason.OFF_BOARD: "the base of {who} would not lie wholly on the board",
    Reason.OVERLAPS_ROUAGE: "{what} is in the way",
    Reason.OVERLAPS_MARKER: "{what} is in the way",
    Reason.OVERLAPS_SCENERY: "{what} is in the way",
    Reason.SAME_PLACE: "{who} is already there",
    Reason.OUT_OF_REACH: "{who} cannot reach this place",
    Reason.NO_ROOM_FOR_RULER: "this place is near enough, but something is in the way of the ruler from {who}",
    Reason.WRONG_DIRECTION: "this is not the direction that the effect requires",
    Reason.TARGET_NOT_ENGAGED: "from there {who} would not engage {target}",
    Reason.NO_SIGHT: "{who} does not see {target} from there",
    Reason.NOT_A_TARGET: "{target} is not a legal target here",
}


def refusal(state: OlomocState, code: int, seat: int = -1) -> IllegalAction:
    """Returns the refusal of a code that is illegal in ``state`` for ``seat`` (-1: the seat to act)."""
    actor = state.actor()
    if actor == TERMINAL:
        return IllegalAction(Reason.GAME_OVER, "the game is over")
    if actor == CHANCE:
        if seat >= 0:
            return IllegalAction(Reason.NOT_YOUR_TURN, "chance must decide now")
        return IllegalAction(Reason.NOT_AN_OUTCOME, "chance cannot have this outcome here")
    if actor == SIMULTANEOUS:
        if seat not in (0, 1):
            return IllegalAction(Reason.NOT_YOUR_TURN, "both seats decide in secret now")
        if not state.seats_to_act() >> seat & 1:
            return IllegalAction(Reason.ALREADY_DECIDED, "this seat has already decided; the other one has not")
    elif seat not in (-1, actor):
        return IllegalAction(Reason.NOT_YOUR_TURN, f"seat {actor} must decide now", actor=actor)
    try:
        verb = codes.BOOK.verb(code)
    except ValueError:
        return IllegalAction(Reason.UNKNOWN_CODE, f"{code} is not an action code of this game")
    decision = state.decision
    assert decision is not None
    if verb not in VERBS[decision]:
        asked = BY_DECISION.get(decision)
        if asked is None:
            asked = question(view_message(state, Viewer(seat if actor == SIMULTANEOUS else actor)))
        return IllegalAction(Reason.WRONG_DECISION, f"this action does not answer the pending decision: {asked}")
    if verb in (codes.NO, codes.YES):
        return IllegalAction(Reason.COMPULSORY, "this decision cannot be declined")
    return _Refuser(state, decision, seat if actor == SIMULTANEOUS else actor).reason(verb, *verb.unpack(code))


class _Refuser:
    """Finds the reason why an answer to one decision is illegal."""

    def __init__(self, state: OlomocState, ask: Decision, seat: int) -> None:
        self.state = state
        self.decision = ask
        self.player = state.player_of(seat)
        self.dump: dict[str, Any] = state.dump()
        self.rules = state.game.ruleset

    def reason(self, verb: Verb, first: int = 0, second: int = 0) -> IllegalAction:
        """The reason for a verb and its arguments."""
        if verb is codes.USE:
            return self._use(first, second)
        if verb is codes.GO:
            return self._place(-1, *coordinates(first))
        if verb is codes.CHARGE:
            return self._place(first, *coordinates(second))
        if verb is codes.SCENERY:
            return self._scenery(first, *coordinates(second))
        if verb is codes.PLAN:
            return self._plan(second)
        if verb is codes.PICK:
            return self._card(first)
        if verb is codes.EQUIP:
            return self._card(first, second)
        if verb in (codes.TARGET, codes.REST):
            return IllegalAction(Reason.NOT_A_TARGET, f"{self._name(first)} is not a legal target here", element=first)
        if verb in (codes.ACTIVATE, codes.COORD, codes.HOSTILE):
            return IllegalAction(Reason.NO_SUCH_ROUAGE, f"{self._name(first)} cannot be chosen here", rouage=first)
        return IllegalAction(Reason.NOT_AN_OPTION, "there is no such option here")

    def _figure(self, index: int) -> dict[str, Any] | None:
        return next((figure for figure in self.dump["figures"] if figure["index"] == index), None)

    def _use(self, rouage: int, capacity: int) -> IllegalAction:
        if self._figure(rouage) is None:
            return IllegalAction(Reason.NO_SUCH_ROUAGE, f"there is no rouage {rouage}")
        if rouage not in self.state.active_figures():
            return IllegalAction(Reason.NOT_ACTIVE, f"{self._name(rouage)} is not active", rouage=rouage)
        why = self.state.why_unusable(rouage, capacity)
        if why is None:
            return IllegalAction(
                Reason.OFF_BLOC, "the rouage must first enter the board with its first token (OLO-ENTER-01)"
            )
        return IllegalAction(*why)

    def _name(self, element: int) -> str:
        return element_name(self.state, element, self.dump)

    def _place(self, charged: int, x: int, y: int) -> IllegalAction:
        """The refusal of a place of a movement, or of a charge at the element ``charged`` (-1: none)."""
        if self.decision not in PLACE_DECISIONS:
            return IllegalAction(Reason.NOT_AN_OPTION, "no rouage is moving now")
        if x > LAST or y > LAST:
            return IllegalAction(Reason.OFF_BOARD, f"({x}, {y}) is not a point of the board")
        element, kind, about = self._going(charged)
        table = self.state.table()
        radius = self._radius(element)
        found: Reason | None
        if kind is MoveKind.CHARGE and not self.state.foes(element) >> about & 1:
            found = Reason.NOT_A_TARGET
        elif kind is MoveKind.PLACE:
            found = self._placement(table, element, radius, x, y)
        else:
            move = PendingMove(
                kind,
                element,
                radius,
                edge=about if kind is MoveKind.ENTER else -1,
                target=about,
                rulers=self.state.way_of_move(),
            )
            bound = self.state.displacement() if kind in (MoveKind.MOVE, MoveKind.PUSH) else None
            found = why_not(table, move, x, y, bound)
        reason = found or Reason.NOT_A_TARGET
        if kind is MoveKind.CHARGE and found is None and not self.state.sees(element, about):
            return IllegalAction(
                Reason.NO_SIGHT, f"{self._name(element)} does not see {self._name(about)}", target=about
            )
        known: dict[str, Any] = {"x": x, "y": y, "rouage": element}
        if kind is MoveKind.CHARGE:
            known["target"] = about
        if reason in OVERLAPS:
            what = obstacle(table, element, x, y, radius)
            if what is not None:
                known["element"] = what
        message = _MESSAGES.get(reason, "this is not a legal place here").format(
            who=self._name(element),
            what=self._name(known["element"]) if "element" in known else "something",
            target=self._name(about) if kind is MoveKind.CHARGE else "that",
        )
        return IllegalAction(reason, f"{inches(x, y)}: {message}", **known)

    def _going(self, charged: int) -> tuple[int, MoveKind, int]:
        """The pending change of place: element, kind, and the element or edge that it is about."""
        if self.decision == Decision.CHARGE:
            _, (charger,), _ = self.state.frames()[-1]
            return charger, MoveKind.CHARGE, charged
        going = self.state.going()
        assert going is not None
        return going[0], MoveKind(going[1]), going[2]

    def _radius(self, element: int) -> int:
        figure = self._figure(element)
        if figure is not None:
            return card_of(self.rules, figure["card"]).radius
        return int(next(mark["radius"] for mark in self.dump["marks"] if mark["element"] == element))

    def _placement(self, table: Any, element: int, radius: int, x: int, y: int) -> Reason:
        """The refusal of a placement."""
        if off_board(x, y, radius):
            return Reason.OFF_BOARD
        if not table.spot_free(x, y, radius, element):
            return overlap(obstacle(table, element, x, y, radius))
        return Reason.OUT_OF_REACH

    def _scenery(self, rotation: int, x: int, y: int) -> IllegalAction:
        piece = self.rules.pool[len(self.dump["pieces"])]
        known = {"x": x, "y": y, "rotation": rotation}
        where = f"{piece.name} at {inches(x, y)}"
        try:
            shape = pool_shape(piece, rotation, x, y)
        except ShapeError as error:
            return IllegalAction(Reason.BAD_SCENERY, f"{where}: {error}", **known)
        if setup_fault(shape, ()) is not None:
            return IllegalAction(
                Reason.TOO_CLOSE, f"{where}: it would be nearer than 2 inches to the edge without touching it", **known
            )
        for element, other in () if shape.zone else self._lying():
            how = spacing_fault(shape, other)
            if how == "overlap":
                message = f"{where}: it would overlap {self._name(element)}"
                return IllegalAction(Reason.BAD_SCENERY, message, **known, element=element)
            if how == "near":
                message = f"{where}: it would be nearer than 2 inches to {self._name(element)} without touching it"
                return IllegalAction(Reason.TOO_CLOSE, message, **known, element=element)
        return IllegalAction(Reason.BAD_SCENERY, f"{where}: the piece cannot lie there", **known)

    def _lying(self) -> Iterator[tuple[int, Piece | Part]]:
        """The elements from which a piece keeps its distance: markers, and scenery that is not a zone."""
        for mark in self.dump["marks"]:
            yield mark["element"], Part(((STEP * mark["x"], STEP * mark["y"]),), mark["radius"])
        for number, shape in enumerate(shapes_on_board(self.state, self.dump)):
            if not shape.zone:
                yield FIRST_PIECE + number, shape

    def _plan(self, card: int) -> IllegalAction:
        """The refusal of a card for the player's plan."""
        player = self.player
        plan = self.dump["plan"][6 * player + 1 : 6 * player + 6]
        if card >= MINISTRY:
            if self.decision != Decision.PLAN_MINISTRY or not self.dump["hand"][player] >> (card - MINISTRY) & 1:
                return IllegalAction(Reason.NOT_IN_HAND, "this ministry cannot be planned now")
        elif self.decision == Decision.PLAN_MINISTRY or card > PROPAGANDA:
            return IllegalAction(Reason.NOT_IN_HAND, "plan a ministry")
        elif card < PROPAGANDA and (not self.dump["cards"][player] >> card & 1 or card in plan):
            return IllegalAction(Reason.NOT_IN_HAND, "you do not have this activation card any more")
        elif card == PROPAGANDA and plan.count(PROPAGANDA) >= self.dump["propaganda"][player]:
            return IllegalAction(Reason.NOT_IN_HAND, "you have no Propaganda card left")
        return IllegalAction(Reason.BAD_SLOT, "this card cannot be planned in this slot")

    def _card(self, number: int, slot: int | None = None) -> IllegalAction:
        """The refusal of a rouage for the player's cabale; with a slot, of gear for the rouage there."""
        cards = self.rules.profiles if slot is None else self.rules.gear
        if number >= len(cards) or (slot is not None and slot > 2):
            return IllegalAction(Reason.NO_SUCH_CARD, f"there is no card {number}")
        taken = self.dump["profile" if slot is None else "equipment"]
        own = taken[3 * self.player : 3 * self.player + 3]
        if number in (own if self.decision == Decision.BUILD else taken):
            return IllegalAction(Reason.CARD_TAKEN, "this card has already been taken")
        return IllegalAction(Reason.ILLEGAL_CABALE, self._unfit(own, number, slot))

    def _unfit(self, own: Sequence[int], number: int, slot: int | None) -> str:
        """The sentence why a card does not fit the cabale, as far as it is simple (OLO-CABAL-02)."""
        rules = self.rules
        if slot is not None:
            who = self.dump["profile"][3 * self.player + slot]
            name = rules.profiles[who].name if who >= 0 else f"the rouage of rank {slot + 1}"
            if own[slot] >= 0:
                return f"{name} already has {rules.gear[own[slot]].name}"
            return f"{rules.gear[number].name} does not fit {name} and this cabale (OLO-GEAR-01)"
        card = rules.profiles[number]
        for other in (rules.profiles[other] for other in own if other >= 0):
            if other.rank == card.rank:
                return f"the cabale already has a rouage of rank {card.rank}: {other.name}"
            if not other.factions & card.factions:
                return f"{card.name} belongs to another faction than {other.name}"
        return f"the cabale could not be completed legally with {card.name}"
