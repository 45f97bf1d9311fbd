"""Action codes (section 5.4 of RULES.md), the kinds of decisions (5.5), the reasons of refusals.

A code has 31 bits. The verb stands in bits 30 to 26; below it *places* (GO, CHARGE, SCENERY) have a in bits 25 to 22, x
in 21 to 11, y in 10 to 0, and all others a in bits 25 to 18, b in 17 to 10, c in 9 to 0. They stay with the rules
version; ``table.pxd`` has the verbs and kinds as C constants.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

from gamepacks.api.types import Code


class Verb(IntEnum):
    """What is done. 24 and more are outcomes of chance, as are AGENDA and LAYOUT."""

    NO = 0
    YES = 1
    END = 2
    EDGE = 3
    PICK = 4
    EQUIP = 5
    PLAN = 6
    ACTIVATE = 7
    USE = 8
    COORD = 9
    TARGET = 10
    GO = 11
    CHARGE = 12
    REACT = 13
    TACTIC = 14
    REST = 15
    FIRST = 16
    CHOOSE = 17
    SCENERY = 18
    HOSTILE = 19
    AGENDA = 20
    LAYOUT = 21
    SUCCESSES = 24
    FACE = 25
    CARD = 26
    DEAL = 27
    SEAT = 28


PLACES = frozenset({Verb.GO, Verb.CHARGE, Verb.SCENERY})
"""Verbs with a place."""
ARGUMENTS: dict[Verb, int] = {
    **dict.fromkeys((Verb.NO, Verb.YES, Verb.END), 0),
    **dict.fromkeys((Verb.EQUIP, Verb.PLAN, Verb.USE, Verb.REST), 2),
}
"""How many of a, b, c a verb has, where it is not one."""
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
    return Code(verb << 26 | a << 22 | x << 11 | y)


def plain(verb: Verb, a: int = 0, b: int = 0) -> Code:
    """The code of another verb; a and b to 255. Raises ValueError where one does not fit."""
    if verb in PLACES or not (0 <= a < 256 and 0 <= b < 256):
        raise ValueError(f"{verb.name} cannot have {a}, {b}")
    return Code(verb << 26 | a << 18 | b << 10)


def parts(code: int) -> Parts:
    """A code taken apart. Raises ValueError for a number that is no code of this game."""
    number = code >> 26
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


class Ask(IntEnum):
    """What is to be decided (5.5) or left to chance (5.8)."""

    NOTHING = 0
    """The game is over."""
    C_NUMBER = 1
    C_AGENDA = 2
    C_LAYOUT = 3
    C_FALLEN = 4
    C_HAND = 5
    C_CARD = 6
    C_POOL = 7
    C_DIE = 8
    SCENERY = 10
    EDGE = 11
    DRAFT = 12
    GEAR = 13
    BUILD = 14
    """Hidden, both players: PICK while rouages are missing, then EQUIP."""
    PLAN_MIN = 15
    """Hidden, both players."""
    PLAN_CARD = 16
    """Hidden, both players."""
    ORDER = 17
    PROP = 18
    PROP_AP = 19
    ENTER = 20
    ACT = 21
    REST = 22
    GO = 23
    CHARGE = 24
    TARGET = 25
    OPP = 26
    REACT = 27
    FATE = 28
    TACTIC = 29
    PUSH = 30
    TRIGGER = 31
    CHOICE = 32
    PICK = 33
    HOSTILE = 34
    HOST_LINE = 35
    HOST_TARGET = 36
    HOST_GO = 37


CHANCE_ASKS = frozenset(ask for ask in Ask if ask.name.startswith("C_"))
HIDDEN_ASKS = frozenset({Ask.BUILD, Ask.PLAN_MIN, Ask.PLAN_CARD})
"""Both players decide, unseen by each other."""
PLACE_ASKS = frozenset({Ask.SCENERY, Ask.ENTER, Ask.GO, Ask.CHARGE, Ask.PUSH, Ask.HOST_GO})
"""Their lists are samples (OLO-GEO-62)."""


class Reason(StrEnum):
    """Why an action is refused: the closed list of this pack."""

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
