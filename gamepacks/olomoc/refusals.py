"""Why an action is refused: the first reason, with what is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cext.errors import IllegalAction
from cext.geometry import Part, Piece, ShapeError, setup_fault
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.types import Viewer
from gamepacks.olomoc.codes import MINISTRY, PLACE_ASKS, PROPAGANDA, Ask, Parts, Reason, Verb, parts
from gamepacks.olomoc.display.questions import question
from gamepacks.olomoc.elements import (
    FIRST_PIECE,
    card_of,
    crowded,
    element_name,
    held,
    inches,
    laid_shapes,
    loose_shape,
)
from gamepacks.olomoc.positions.frames import USER
from gamepacks.olomoc.views import view_message
from gamepacks.olomoc.whynot import OVERLAPS, Journey, Way, obstacle, off_board, overlap, why_not

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.state import OlomocState

VERBS: dict[Ask, frozenset[Verb]] = {
    Ask.SCENERY: frozenset({Verb.SCENERY, Verb.NO}),
    Ask.EDGE: frozenset({Verb.EDGE}),
    Ask.DRAFT: frozenset({Verb.PICK}),
    Ask.GEAR: frozenset({Verb.EQUIP}),
    Ask.BUILD: frozenset({Verb.PICK, Verb.EQUIP}),
    Ask.PLAN_MIN: frozenset({Verb.PLAN}),
    Ask.PLAN_CARD: frozenset({Verb.PLAN}),
    Ask.ORDER: frozenset({Verb.FIRST}),
    Ask.PROP: frozenset({Verb.ACTIVATE, Verb.NO}),
    Ask.PROP_AP: frozenset({Verb.CHOOSE}),
    Ask.ENTER: frozenset({Verb.GO, Verb.NO}),
    Ask.ACT: frozenset({Verb.USE, Verb.COORD, Verb.END}),
    Ask.REST: frozenset({Verb.REST}),
    Ask.GO: frozenset({Verb.GO, Verb.NO}),
    Ask.CHARGE: frozenset({Verb.CHARGE}),
    Ask.TARGET: frozenset({Verb.TARGET}),
    Ask.OPP: frozenset({Verb.YES, Verb.NO}),
    Ask.REACT: frozenset({Verb.REACT, Verb.NO}),
    Ask.FATE: frozenset({Verb.YES, Verb.NO}),
    Ask.TACTIC: frozenset({Verb.TACTIC, Verb.NO}),
    Ask.PUSH: frozenset({Verb.GO, Verb.NO}),
    Ask.TRIGGER: frozenset({Verb.YES, Verb.NO}),
    Ask.CHOICE: frozenset({Verb.CHOOSE, Verb.NO}),
    Ask.PICK: frozenset({Verb.TARGET, Verb.NO}),
    Ask.HOSTILE: frozenset({Verb.HOSTILE}),
    Ask.HOST_LINE: frozenset({Verb.CHOOSE, Verb.NO}),
    Ask.HOST_TARGET: frozenset({Verb.TARGET}),
    Ask.HOST_GO: frozenset({Verb.GO, Verb.NO}),
}
"""By decision, the verbs of its answers."""
_WAYS = {0: Way.MOVE, 1: Way.PUSH, 2: Way.ENTER, 4: Way.CHARGE}
CHARGING, PLACING = 4, 3
"""Ways of changing place, as OlomocState.going tells them."""
_MESSAGES = {
    Reason.OFF_BOARD: "the base of {who} would not lie wholly on the board",
    Reason.OVERLAPS_ROUAGE: "{what} stands there",
    Reason.OVERLAPS_MARKER: "{what} lies there",
    Reason.OVERLAPS_SCENERY: "{what} stands there",
    Reason.SAME_PLACE: "{who} stands there already",
    Reason.OUT_OF_REACH: "that is out of reach of {who}",
    Reason.NO_ROOM_FOR_RULER: "it is near enough, but no ruler fits from {who} to there between what stands around",
    Reason.WRONG_DIRECTION: "that is not the direction which the effect says",
    Reason.TARGET_NOT_ENGAGED: "{target} would not be in the threat zone of {who} there",
    Reason.NO_SIGHT: "{who} does not see {target} from there",
    Reason.NOT_A_TARGET: "{target} is no legal target here",
}


def refusal(state: OlomocState, code: int, seat: int) -> IllegalAction:
    """The reason why a code may not be taken by a seat (-1: whoever acts alone)."""
    actor = state.actor()
    if actor == TERMINAL:
        return IllegalAction(Reason.GAME_OVER, "the game is over")
    if actor == CHANCE:
        if seat >= 0:
            return IllegalAction(Reason.NOT_YOUR_TURN, "chance is to decide")
        return IllegalAction(Reason.NOT_AN_OUTCOME, "chance cannot have this outcome here")
    if actor == SIMULTANEOUS:
        if seat not in (0, 1):
            return IllegalAction(Reason.NOT_YOUR_TURN, "both seats decide, unseen by each other")
        if not state.seats_to_act() >> seat & 1:
            return IllegalAction(Reason.ALREADY_DECIDED, "the seat has decided; the other one has not")
    elif seat not in (-1, actor):
        return IllegalAction(Reason.NOT_YOUR_TURN, f"seat {actor} is to decide", actor=actor)
    try:
        given = parts(code)
    except ValueError:
        return IllegalAction(Reason.UNKNOWN_CODE, f"{code} is no action code of this game")
    ask = Ask(state.ask)
    if given.verb not in VERBS[ask]:
        asked = question(view_message(state, Viewer(seat if actor == SIMULTANEOUS else actor)))
        return IllegalAction(Reason.WRONG_DECISION, f"something else is to be decided: {asked}")
    if given.verb in (Verb.NO, Verb.YES):
        return IllegalAction(Reason.COMPULSORY, "that cannot be declined")
    return _Refuser(state, ask, given, seat if actor == SIMULTANEOUS else actor).reason()


class _Refuser:
    """Looks for the reason among those of one decision."""

    def __init__(self, state: OlomocState, ask: Ask, given: Parts, seat: int) -> None:
        self.state = state
        self.ask = ask
        self.given = given
        self.player = state.player_of(seat)
        self.dump: dict[str, Any] = state.dump()
        self.rules = state.game.ruleset

    def reason(self) -> IllegalAction:
        given = self.given
        if given.verb is Verb.USE:
            return self._use()
        if given.verb in (Verb.GO, Verb.CHARGE):
            return self._place()
        if given.verb is Verb.SCENERY:
            return self._scenery()
        if given.verb is Verb.PLAN:
            return self._plan()
        if given.verb in (Verb.PICK, Verb.EQUIP):
            return self._card()
        if given.verb in (Verb.TARGET, Verb.REST):
            return IllegalAction(Reason.NOT_A_TARGET, f"{self._name(given.a)} is no legal target here", element=given.a)
        if given.verb in (Verb.ACTIVATE, Verb.COORD, Verb.HOSTILE):
            message = f"{self._name(given.a)} may not be named here"
            return IllegalAction(Reason.NO_SUCH_ROUAGE, message, rouage=given.a)
        return IllegalAction(Reason.NOT_AN_OPTION, "there is no such option here")

    def _figure(self, index: int) -> dict[str, Any] | None:
        return next((figure for figure in self.dump["figures"] if figure["index"] == index), None)

    def _use(self) -> IllegalAction:
        given = self.given
        figure = self._figure(given.a)
        if figure is None:
            return IllegalAction(Reason.NO_SUCH_ROUAGE, f"there is no rouage {given.a}")
        if given.a not in self.state.active_figures():
            return IllegalAction(Reason.NOT_ACTIVE, f"{self._name(given.a)} is not active", rouage=given.a)
        why = self.state.why_unusable(given.a, given.b)
        if why is None:
            return IllegalAction(Reason.OFF_BLOC, "the first token is for entering the board (OLO-ENTER-01)")
        return IllegalAction(*why)

    def _name(self, element: int) -> str:
        return element_name(self.state, element, self.dump)

    def _place(self) -> IllegalAction:
        given = self.given
        if self.ask not in PLACE_ASKS:
            return IllegalAction(Reason.NOT_AN_OPTION, "nobody goes anywhere now")
        if given.x > 1600 or given.y > 1600:
            return IllegalAction(Reason.OFF_BOARD, f"({given.x}, {given.y}) is no point of the board")
        element, kind, about = self._going()
        table = self.state.table()
        radius = self._radius(element)
        found: Reason | None
        if kind == CHARGING and not self.state.foes(element) >> about & 1:
            found = Reason.NOT_A_TARGET
        elif kind == PLACING:
            found = self._placement(table, element, radius)
        else:
            journey = Journey(
                _WAYS[kind],
                element,
                radius,
                edge=about if kind == 2 else -1,
                target=about,
                rulers=self.state.way_of_move(),
            )
            found = why_not(table, journey, given.x, given.y, self.state.trip() if kind < 2 else None)
        reason = found or Reason.NOT_A_TARGET
        if kind == CHARGING and found is None and not self.state.sees(element, about):
            return IllegalAction(
                Reason.NO_SIGHT, f"{self._name(element)} does not see {self._name(about)}", target=about
            )
        known: dict[str, Any] = {"x": given.x, "y": given.y, "rouage": element}
        if kind == CHARGING:
            known["target"] = about
        if reason in OVERLAPS:
            what = obstacle(table, element, given.x, given.y, radius)
            if what is not None:
                known["element"] = what
        message = _MESSAGES.get(reason, "that is no legal place here").format(
            who=self._name(element),
            what=self._name(known["element"]) if "element" in known else "something",
            target=self._name(about) if kind == CHARGING else "that",
        )
        return IllegalAction(reason, f"{inches(given.x, given.y)}: {message}", **known)

    def _going(self) -> tuple[int, int, int]:
        """Who goes at a decision about a place, how, and about which element or edge."""
        if self.ask == Ask.CHARGE:
            return held(self.dump["frames"][-1], USER), CHARGING, self.given.a
        going = self.state.going()
        assert going is not None
        return going[:3]

    def _radius(self, element: int) -> int:
        figure = self._figure(element)
        if figure is not None:
            return card_of(self.rules, figure["card"]).radius
        return int(next(mark["radius"] for mark in self.dump["marks"] if mark["element"] == element))

    def _placement(self, table: Any, element: int, radius: int) -> Reason:
        """Why something may not be placed there."""
        given = self.given
        if off_board(given.x, given.y, radius):
            return Reason.OFF_BOARD
        if not table.spot_free(given.x, given.y, radius, element):
            return overlap(obstacle(table, element, given.x, given.y, radius))
        return Reason.OUT_OF_REACH

    def _scenery(self) -> IllegalAction:
        given = self.given
        piece = self.rules.pool[len(self.dump["pieces"])]
        known = {"x": given.x, "y": given.y, "rotation": given.a}
        where = f"{piece.name} at {inches(given.x, given.y)}"
        try:
            shape = loose_shape(piece, given.a, given.x, given.y)
        except ShapeError as error:
            return IllegalAction(Reason.BAD_SCENERY, f"{where}: {error}", **known)
        if setup_fault(shape, ()) is not None:
            return IllegalAction(Reason.TOO_CLOSE, f"{where}: nearer than 2 inches to the edge, and not at it", **known)
        for element, other in () if shape.zone else self._lying():
            how = crowded(shape, other)
            if how == "overlap":
                message = f"{where}: it would overlap {self._name(element)}"
                return IllegalAction(Reason.BAD_SCENERY, message, **known, element=element)
            if how == "near":
                message = f"{where}: nearer than 2 inches to {self._name(element)}, and not in contact with it"
                return IllegalAction(Reason.TOO_CLOSE, message, **known, element=element)
        return IllegalAction(Reason.BAD_SCENERY, f"{where}: the piece cannot lie there", **known)

    def _lying(self) -> Iterator[tuple[int, Piece | Part]]:
        """What a piece keeps away from: markers, and scenery that is no zone."""
        for mark in self.dump["marks"]:
            yield mark["element"], Part(((127 * mark["x"], 127 * mark["y"]),), mark["radius"])
        for number, shape in enumerate(laid_shapes(self.state, self.dump)):
            if not shape.zone:
                yield FIRST_PIECE + number, shape

    def _plan(self) -> IllegalAction:
        """Of the own plan only."""
        given, player = self.given, self.player
        plan = self.dump["plan"][6 * player + 1 : 6 * player + 6]
        if given.b >= MINISTRY:
            if self.ask != Ask.PLAN_MIN or not self.dump["hand"][player] >> (given.b - MINISTRY) & 1:
                return IllegalAction(Reason.NOT_IN_HAND, "that ministry is not to be laid")
        elif self.ask == Ask.PLAN_MIN or given.b > PROPAGANDA:
            return IllegalAction(Reason.NOT_IN_HAND, "a ministry is to be laid")
        elif given.b < PROPAGANDA and (not self.dump["cards"][player] >> given.b & 1 or given.b in plan):
            return IllegalAction(Reason.NOT_IN_HAND, "that activation card is not there")
        elif given.b == PROPAGANDA and plan.count(PROPAGANDA) >= self.dump["propaganda"][player]:
            return IllegalAction(Reason.NOT_IN_HAND, "no Propaganda is left")
        return IllegalAction(Reason.BAD_SLOT, "the card may not lie in that slot")

    def _card(self) -> IllegalAction:
        given = self.given
        cards = self.rules.profiles if given.verb is Verb.PICK else self.rules.gear
        if given.a >= len(cards) or (given.verb is Verb.EQUIP and given.b > 2):
            return IllegalAction(Reason.NO_SUCH_CARD, f"there is no card {given.a}")
        taken = self.dump["profile" if given.verb is Verb.PICK else "equipment"]
        own = taken[3 * self.player : 3 * self.player + 3]
        if given.a in (own if self.ask == Ask.BUILD else taken):
            return IllegalAction(Reason.CARD_TAKEN, "somebody has that card already")
        return IllegalAction(Reason.ILLEGAL_CABALE, self._unfit(own))

    def _unfit(self, own: Sequence[int]) -> str:
        """Why a card does not fit the cabale, as far as it is simple (OLO-CABAL-02)."""
        given, rules = self.given, self.rules
        if given.verb is Verb.EQUIP:
            who = self.dump["profile"][3 * self.player + given.b]
            name = rules.profiles[who].name if who >= 0 else f"the rouage of rank {given.b + 1}"
            if own[given.b] >= 0:
                return f"{name} has {rules.gear[own[given.b]].name} already"
            return f"{rules.gear[given.a].name} does not fit {name} and this cabale (OLO-GEAR-01)"
        card = rules.profiles[given.a]
        for other in (rules.profiles[number] for number in own if number >= 0):
            if other.rank == card.rank:
                return f"the cabale has its rouage of rank {card.rank} already: {other.name}"
            if not other.factions & card.factions:
                return f"{card.name} is of another faction than {other.name}"
        return f"the cabale could not be completed legally with {card.name}"
