"""Action codes (section 5.4 of RULES.md), the kinds of decisions (5.5), the reasons of refusals.

Codes keep their meaning as long as the rules version stays the same. The kinds of decisions are those of the view:
``Decision`` of ``olomoc.proto``.
"""

from __future__ import annotations

from enum import StrEnum

from cext.geometry.units import COORDINATE_BITS, POINT_BITS
from gamepacks.api.codes import Argument, CodeBook, Verb
from gamepacks.olomoc.v1.olomoc_enums import Decision

C_CONSTANTS = {
    "ARGUMENT_BITS": "",
    "FIRST_SHIFT": "",
    "SECOND_SHIFT": "",
    "BOOK": "VERB",
    "PROPAGANDA": "",
    "MINISTRY": "",
}

ARGUMENT_BITS = 26
"""Bits below the verb: those of a place, and 4 bits for a target or a rotation."""
FIRST_SHIFT = 18
SECOND_SHIFT = 10
"""Lowest bits of the two arguments of codes without a place."""
_FIRST, _SECOND = Argument(8, shift=FIRST_SHIFT), Argument(8, shift=SECOND_SHIFT)
_ABOVE_POINT, _POINT = Argument(4, shift=POINT_BITS), Argument(POINT_BITS, shift=0)

BOOK = CodeBook(
    NO := Verb("NO", "decline"),
    YES := Verb("YES", "accept"),
    END := Verb("END", "end_activation"),
    EDGE := Verb("EDGE", "choose_edge", edge=Argument(2, offset=1, shift=FIRST_SHIFT)),
    PICK := Verb("PICK", "recruit", profile=_FIRST),
    EQUIP := Verb("EQUIP", gear=_FIRST, slot=_SECOND),
    PLAN := Verb("PLAN", "plan_card", slot=_FIRST, card=_SECOND),
    ACTIVATE := Verb("ACTIVATE", "activate_rouage", rouage=_FIRST),
    USE := Verb("USE", "use_capacity", rouage=_FIRST, capacity=_SECOND),
    COORD := Verb("COORD", "coordinate", rouage=_FIRST),
    TARGET := Verb("TARGET", "choose_target", element=_FIRST),
    GO := Verb("GO", point=_POINT),
    CHARGE := Verb("CHARGE", target=_ABOVE_POINT, point=_POINT),
    REACT := Verb("REACT", reaction=_FIRST),
    TACTIC := Verb("TACTIC", "use_tactic", tactic=Argument(2, offset=1, shift=FIRST_SHIFT)),
    REST := Verb("REST", "remove", rouage=_FIRST, state=Argument(1, shift=SECOND_SHIFT)),
    FIRST := Verb("FIRST", "resolve_first", index=_FIRST),
    CHOOSE := Verb("CHOOSE", option=_FIRST),
    SCENERY := Verb("SCENERY", "lay_scenery", rotation=_ABOVE_POINT, point=_POINT),
    HOSTILE := Verb("HOSTILE", "run_hostile", rouage=_FIRST),
    AGENDA := Verb("AGENDA", "draw_agenda", agenda=_FIRST),
    LAYOUT := Verb("LAYOUT", "draw_layout", layout=_FIRST),
    None,
    None,
    SUCCESSES := Verb("SUCCESSES", "roll_pool", successes=_FIRST),
    FACE := Verb("FACE", "roll_die", face=_FIRST),
    CARD := Verb("CARD", "draw_card", card=_FIRST),
    DEAL := Verb("DEAL", outcome=_FIRST),
    SEAT := Verb("SEAT", "draw_number", seat=_FIRST),
    outcomes=(AGENDA, LAYOUT, SUCCESSES, FACE, CARD, DEAL, SEAT),
    argument_bits=ARGUMENT_BITS,
)
"""All action codes. ``REACT.reaction`` is a reaction of the contract less 1, or the number of a specific capacity."""

PROPAGANDA = 3
"""The card of PLAN for a Propaganda; 0 to 2 are activation cards, MINISTRY and more ministries."""
MINISTRY = 8


def point(x: int, y: int) -> int:
    """A place as an argument: x and y in lattice steps, 0 to 2,047. Raises ValueError where one does not fit."""
    if not (0 <= x < 1 << COORDINATE_BITS and 0 <= y < 1 << COORDINATE_BITS):
        raise ValueError(f"({x}, {y}) is not a place on the lattice")
    return x << COORDINATE_BITS | y


def coordinates(point: int) -> tuple[int, int]:
    """x and y of a place in lattice steps."""
    return point >> COORDINATE_BITS, point & (1 << COORDINATE_BITS) - 1


HIDDEN_DECISIONS = frozenset({Decision.BUILD, Decision.PLAN_MINISTRY, Decision.PLAN_CARD})
"""Decisions that both players make in secret at the same time."""
PLACE_DECISIONS = frozenset(
    {Decision.SCENERY, Decision.ENTER, Decision.GO, Decision.CHARGE, Decision.PUSH, Decision.HOSTILE_GO}
)
"""Their lists are samples (OLO-GEO-62)."""


class Reason(StrEnum):
    """Reasons of refusals: the closed list of this pack."""

    GAME_OVER = "GAME_OVER"
    """The game has ended."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat, or chance, is to act."""
    ALREADY_DECIDED = "ALREADY_DECIDED"
    """The seat has made its hidden decision; the other one has not."""
    UNKNOWN_CODE = "UNKNOWN_CODE"
    """The number is not an action code of this game."""
    INCOMPLETE_ACTION = "INCOMPLETE_ACTION"
    """The action message lacks a field that it needs, or has an unknown word."""
    WRONG_DECISION = "WRONG_DECISION"
    """Another decision is pending."""
    COMPULSORY = "COMPULSORY"
    """It cannot be declined (OLO-GEN-10)."""
    OFF_BOARD = "OFF_BOARD"
    """The place is not a point of the lattice, or the base would not lie wholly on the board (OLO-MOVE-01)."""
    OVERLAPS_ROUAGE = "OVERLAPS_ROUAGE"
    """A rouage stands there (OLO-MOVE-04)."""
    OVERLAPS_MARKER = "OVERLAPS_MARKER"
    """A marker lies there (OLO-MOVE-04)."""
    OVERLAPS_SCENERY = "OVERLAPS_SCENERY"
    """Scenery stands there (OLO-MOVE-04)."""
    SAME_PLACE = "SAME_PLACE"
    """It stands there already (OLO-MOVE-07)."""
    OUT_OF_REACH = "OUT_OF_REACH"
    """Farther than any ruler or the base's own size allows (OLO-MOVE-03, OLO-MOVE-05)."""
    NO_ROOM_FOR_RULER = "NO_ROOM_FOR_RULER"
    """Near enough, but the ruler does not fit between what stands there (OLO-MOVE-02)."""
    WRONG_DIRECTION = "WRONG_DIRECTION"
    """The movement is not in the direction that the effect demands (OLO-DIR-01, OLO-DIR-02)."""
    TARGET_NOT_ENGAGED = "TARGET_NOT_ENGAGED"
    """The charge would not end with the target in its threat zone (OLO-CHARGE-01)."""
    NO_SIGHT = "NO_SIGHT"
    """There is no line of sight to the target (OLO-LOS-05, OLO-CHARGE-05)."""
    TOO_CLOSE = "TOO_CLOSE"
    """Scenery is nearer than 2 inches to the edge or another element, and not in contact (OLO-SETUP-03)."""
    BAD_SCENERY = "BAD_SCENERY"
    """The piece would not lie wholly on the board, or overlap another element."""
    NO_SUCH_CARD = "NO_SUCH_CARD"
    """The card set has no such card."""
    CARD_TAKEN = "CARD_TAKEN"
    """A player has the card already (OLO-CABAL-03)."""
    ILLEGAL_CABALE = "ILLEGAL_CABALE"
    """The cabale could not be completed legally (OLO-CABAL-02, OLO-GEAR-04)."""
    BAD_SLOT = "BAD_SLOT"
    """The slot is not the one to be filled, or the ministry may not lie there (OLO-PLAN-02)."""
    NOT_IN_HAND = "NOT_IN_HAND"
    """The player has no such card left (OLO-PLAN-01)."""
    NO_SUCH_ROUAGE = "NO_SUCH_ROUAGE"
    """There is no such rouage, or it cannot be chosen here."""
    NO_SUCH_CAPACITY = "NO_SUCH_CAPACITY"
    """The rouage has no such capacity."""
    NOT_ACTIVE = "NOT_ACTIVE"
    """The rouage is not active (OLO-CAP-05)."""
    STUNNED = "STUNNED"
    """A stunned rouage cannot do that (OLO-STUN-02, OLO-STUN-03)."""
    OFF_BLOC = "OFF_BLOC"
    """A rouage off the board cannot do that (OLO-CAP-09)."""
    TOO_FEW_TOKENS = "TOO_FEW_TOKENS"
    """The reserve does not cover the cost (OLO-CAP-03)."""
    USED_UP = "USED_UP"
    """Used as often as its frequency or the limit of the phase allows (OLO-CAP-02, OLO-MARCH-01, OLO-ATT-01)."""
    FORBIDDEN = "FORBIDDEN"
    """An effect forbids the capacity."""
    NOT_FREE = "NOT_FREE"
    """The rouage is engaged (OLO-CHARGE-01, OLO-SHOT-01)."""
    NO_TARGET = "NO_TARGET"
    """There is no legal target, roll or place (OLO-CAP-08)."""
    NOT_A_TARGET = "NOT_A_TARGET"
    """The element is not a legal target here."""
    NOT_AN_OPTION = "NOT_AN_OPTION"
    """There is no such option here."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
