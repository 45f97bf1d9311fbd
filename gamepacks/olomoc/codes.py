"""Action codes (section 5.4 of RULES.md), the kinds of decisions (5.5), the reasons of refusals.

A code has 31 bits. The verb stands in bits 30 to 26; below it *places* (GO, CHARGE, SCENERY) have a in bits 25 to 22, x
in 21 to 11, y in 10 to 0, and all others a in bits 25 to 18, b in 17 to 10, c in 9 to 0. They stay with the rules
version. The kinds of decisions are those of the view: ``Decision`` of ``olomoc.proto``.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

from gamepacks.api.types import Code
from gamepacks.olomoc.v1.olomoc_enums import Decision

C_CONSTANTS = {"Verb": "VERB", "VERB_MASK": "", "PROPAGANDA": "", "MINISTRY": ""}


class Verb(IntEnum):
    """The verb of a code, in its bits: what is done. 24 and more are outcomes of chance, as are AGENDA and LAYOUT."""

    NO = 0 << 26
    YES = 1 << 26
    END = 2 << 26
    EDGE = 3 << 26
    PICK = 4 << 26
    EQUIP = 5 << 26
    PLAN = 6 << 26
    ACTIVATE = 7 << 26
    USE = 8 << 26
    COORD = 9 << 26
    TARGET = 10 << 26
    GO = 11 << 26
    CHARGE = 12 << 26
    REACT = 13 << 26
    TACTIC = 14 << 26
    REST = 15 << 26
    FIRST = 16 << 26
    CHOOSE = 17 << 26
    SCENERY = 18 << 26
    HOSTILE = 19 << 26
    AGENDA = 20 << 26
    LAYOUT = 21 << 26
    SUCCESSES = 24 << 26
    FACE = 25 << 26
    CARD = 26 << 26
    DEAL = 27 << 26
    SEAT = 28 << 26


VERB_MASK = 31 << 26
"""The bits of the verb."""
PLACES = frozenset({Verb.GO, Verb.CHARGE, Verb.SCENERY})
"""Verbs with a place."""
ARGUMENTS: dict[Verb, int] = {
    **dict.fromkeys((Verb.NO, Verb.YES, Verb.END), 0),
    **dict.fromkeys((Verb.EQUIP, Verb.PLAN, Verb.USE, Verb.REST), 2),
}
"""The number of arguments (a, b, c) of a verb, where it is not one."""
PROPAGANDA = 3
"""b of PLAN for a Propaganda; 0 to 2 are activation cards, 8 and more ministries."""
MINISTRY = 8


class Parts(NamedTuple):
    """A code taken apart."""

    verb: Verb
    a: int = 0
    b: int = 0
    x: int = 0
    y: int = 0


def place(verb: Verb, a: int, x: int, y: int) -> Code:
    """The code of a verb with a place; a to 15, x and y to 2,047. Raises ValueError where one does not fit."""
    if verb not in PLACES or not (0 <= a < 16 and 0 <= x < 2048 and 0 <= y < 2048):
        raise ValueError(f"{verb.name} cannot have {a}, {x}, {y}")
    return Code(verb | a << 22 | x << 11 | y)


def plain(verb: Verb, a: int = 0, b: int = 0) -> Code:
    """The code of another verb; a and b to 255. Raises ValueError where one does not fit."""
    if verb in PLACES or not (0 <= a < 256 and 0 <= b < 256):
        raise ValueError(f"{verb.name} cannot have {a}, {b}")
    return Code(verb | a << 18 | b << 10)


def parts(code: int) -> Parts:
    """A code taken apart. Raises ValueError for a number that is no code of this game."""
    number = code & VERB_MASK
    if code < 0 or number not in _VERBS:
        raise ValueError(f"{code} is no code of Olomòc")
    verb = Verb(number)
    if verb in PLACES:
        return Parts(verb, code >> 22 & 15, 0, code >> 11 & 2047, code & 2047)
    found = Parts(verb, code >> 18 & 255, code >> 10 & 255)
    count = ARGUMENTS.get(verb, 1)
    if code & 1023 or (count < 2 and found.b) or (count < 1 and found.a):
        raise ValueError(f"{code} is no code of Olomòc")
    return found


_VERBS = frozenset(int(verb) for verb in Verb)


CHANCE_DECISIONS = frozenset(decision for decision in Decision if decision.name.startswith("CHANCE_"))
HIDDEN_DECISIONS = frozenset({Decision.BUILD, Decision.PLAN_MINISTRY, Decision.PLAN_CARD})
"""Both players decide, unseen by each other."""
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
    """The number is no action code of this game."""
    INCOMPLETE_ACTION = "INCOMPLETE_ACTION"
    """The action message lacks a field that it needs, or has an unknown word."""
    WRONG_DECISION = "WRONG_DECISION"
    """Something else is to be decided now."""
    COMPULSORY = "COMPULSORY"
    """It cannot be declined (OLO-GEN-10)."""
    OFF_BOARD = "OFF_BOARD"
    """The place is no point of the lattice, or the base would not lie wholly on the board (OLO-MOVE-01)."""
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
    """Not towards, or away, as the effect says (OLO-DIR-01, OLO-DIR-02)."""
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
    """Somebody has it already (OLO-CABAL-03)."""
    ILLEGAL_CABALE = "ILLEGAL_CABALE"
    """The cabale could not be completed legally (OLO-CABAL-02, OLO-GEAR-04)."""
    BAD_SLOT = "BAD_SLOT"
    """The slot is not the one to be filled, or the ministry may not lie there (OLO-PLAN-02)."""
    NOT_IN_HAND = "NOT_IN_HAND"
    """The player has no such card left (OLO-PLAN-01)."""
    NO_SUCH_ROUAGE = "NO_SUCH_ROUAGE"
    """There is no such rouage, or it is not one that may be named here."""
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
    """That is no legal target here."""
    NOT_AN_OPTION = "NOT_AN_OPTION"
    """There is no such option here."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
