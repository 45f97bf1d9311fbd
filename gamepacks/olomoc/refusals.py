"""Why an action is refused: the first reason, with what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cext.errors import IllegalAction
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.olomoc.codes import MINISTRY, PLACE_ASKS, PROPAGANDA, Ask, Parts, Reason, Verb, parts
from gamepacks.olomoc.whynot import Journey, Way, why_not
from gamepacks.olomoc.words import card_of

if TYPE_CHECKING:
    from gamepacks.olomoc.state import OlomocState

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
    Ask.HOST_GO: frozenset({Verb.GO, Verb.CHARGE, Verb.NO}),
}
"""By decision, the verbs of its answers."""
_WAYS = {0: Way.MOVE, 1: Way.PUSH, 2: Way.ENTER, 4: Way.CHARGE}
_MESSAGES = {
    Reason.OFF_BOARD: "the base would not lie wholly on the board",
    Reason.OVERLAPS_ROUAGE: "a rouage stands there",
    Reason.OVERLAPS_MARKER: "a marker lies there",
    Reason.OVERLAPS_SCENERY: "scenery stands there",
    Reason.SAME_PLACE: "it stands there already",
    Reason.OUT_OF_REACH: "that is out of reach",
    Reason.NO_ROOM_FOR_RULER: "the ruler does not fit",
    Reason.WRONG_DIRECTION: "that is not the direction which the effect says",
    Reason.TARGET_NOT_ENGAGED: "the target would not be in its threat zone",
    Reason.NO_SIGHT: "there is no line of sight to the target",
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
        if not state.owing() >> seat & 1:
            return IllegalAction(Reason.ALREADY_DECIDED, "the seat has decided; the other one has not")
    elif seat not in (-1, actor):
        return IllegalAction(Reason.NOT_YOUR_TURN, f"seat {actor} is to decide", actor=actor)
    try:
        given = parts(code)
    except ValueError:
        return IllegalAction(Reason.UNKNOWN_CODE, f"{code} is no action code of this game")
    ask = Ask(state.ask)
    if given.verb not in VERBS[ask]:
        return IllegalAction(Reason.WRONG_DECISION, f"to be decided is: {ask.name.lower().replace('_', ' ')}")
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
            return IllegalAction(Reason.NOT_A_TARGET, f"{given.a} is no legal target here")
        if given.verb in (Verb.ACTIVATE, Verb.COORD, Verb.HOSTILE):
            return IllegalAction(Reason.NO_SUCH_ROUAGE, f"{given.a} is no rouage that may be named here")
        return IllegalAction(Reason.NOT_AN_OPTION, "there is no such option here")

    def _figure(self, index: int) -> dict[str, Any] | None:
        return next((figure for figure in self.dump["figures"] if figure["index"] == index), None)

    def _use(self) -> IllegalAction:
        given = self.given
        figure = self._figure(given.a)
        if figure is None:
            return IllegalAction(Reason.NO_SUCH_ROUAGE, f"there is no rouage {given.a}")
        if given.a not in self.state.active_figures():
            return IllegalAction(Reason.NOT_ACTIVE, f"rouage {given.a} is not active", rouage=given.a)
        why = self.state.why_unusable(given.a, given.b)
        if why is None:
            return IllegalAction(Reason.OFF_BLOC, "the first token is for entering the board (OLO-ENTER-01)")
        return IllegalAction(*why)

    def _place(self) -> IllegalAction:
        given = self.given
        going = self.state.going()
        if going is None or self.ask not in PLACE_ASKS:
            return IllegalAction(Reason.NOT_AN_OPTION, "nobody goes anywhere now")
        element, kind, about, _ = going
        if given.x > 1600 or given.y > 1600:
            return IllegalAction(Reason.OFF_BOARD, f"({given.x}, {given.y}) is no point of the board")
        table = self.state.table()
        radius = self._radius(element)
        if kind == 4:
            about = given.a
            if about == element or not table.present >> about & 1 or about // 3 == element // 3 < 2:
                return IllegalAction(Reason.NOT_A_TARGET, f"{about} is no foe on the board")
        if kind == 3:
            found: Reason | None = self._placement(table, element, radius)
        else:
            journey = Journey(_WAYS[kind], element, radius, edge=about if kind == 2 else -1, target=about)
            found = why_not(table, journey, given.x, given.y, self.state.trip() if kind < 2 else None)
        reason = found or Reason.NOT_A_TARGET
        message = _MESSAGES.get(reason, "that is no legal target here")
        return IllegalAction(reason, message, x=given.x, y=given.y)

    def _radius(self, element: int) -> int:
        figure = self._figure(element)
        if figure is not None:
            return card_of(self.rules, figure["card"]).radius
        return int(next(mark["radius"] for mark in self.dump["marks"] if mark["element"] == element))

    def _placement(self, table: Any, element: int, radius: int) -> Reason:
        """Why something may not be placed there."""
        given = self.given
        margin = -(-radius // 127)
        if not (margin <= given.x <= 1600 - margin and margin <= given.y <= 1600 - margin):
            return Reason.OFF_BOARD
        if not table.spot_free(given.x, given.y, radius, element):
            probe = table.copy()
            probe.put(element, given.x, given.y, radius)
            for other in range(64):
                if other != element and table.present >> other & 1 and probe.compare_gap(element, other, 0) < 0:
                    return Reason.OVERLAPS_ROUAGE if other < 16 else Reason.OVERLAPS_MARKER
            return Reason.OVERLAPS_SCENERY
        return Reason.OUT_OF_REACH

    def _scenery(self) -> IllegalAction:
        from cext.geometry import Part, Piece, ShapeError, compare_gap, setup_fault
        from gamepacks.olomoc.views import laid_shapes, loose_shape

        piece = self.rules.pool[len(self.dump["pieces"])]
        try:
            shape: Piece = loose_shape(piece, self.given.a, self.given.x, self.given.y)
        except ShapeError as error:
            return IllegalAction(Reason.BAD_SCENERY, str(error))
        solid = [other for other in laid_shapes(self.state, self.dump) if not other.zone]
        marks = [Part(((127 * mark["x"], 127 * mark["y"]),), mark["radius"]) for mark in self.dump["marks"]]
        parts = [part for other in solid for part in other.parts()] + marks
        if not shape.zone and any(compare_gap(part, other, 0) < 0 for part in shape.parts() for other in parts):
            return IllegalAction(Reason.BAD_SCENERY, "the piece would overlap another one or a marker")
        if setup_fault(shape, solid, marks) is not None:
            return IllegalAction(
                Reason.TOO_CLOSE, "nearer than 2 inches to the edge or another element, not in contact"
            )
        return IllegalAction(Reason.BAD_SCENERY, "the piece cannot lie there")

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
        return IllegalAction(Reason.ILLEGAL_CABALE, "the cabale could not be completed legally with it")
