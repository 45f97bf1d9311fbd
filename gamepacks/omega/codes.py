"""The numbers of OMEGA and their names: rune types, phases, pending frames, verbs, reasons of refusal.

These numbers are in every log: they stay as long as the rules version does. ``table.pxd`` has them as C constants;
``table.pyx`` checks on import that they are the same. In codes a rune type counts from 0 in the canonical order blue,
gold, red, green, white, black; on the wire from 1.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag, StrEnum

from gamepacks.api.codes import CodeBook, Verb

TYPE_NAMES = ("blue", "gold", "red", "green", "white", "black")
"""The canonical type order."""
BLUE, GOLD, RED, GREEN, WHITE, BLACK = range(6)
LETTERS = "BGRVWK"
"""One letter for each type, as the worked examples have them (V: green)."""
ANY = 6
"""In a frame: no colour is asked for."""
NOWHERE = 255
"""In a frame or a zone: no card, no token, no seat."""


class Phase(IntEnum):
    """Where the game stands; the numbers are those of the wire."""

    SETUP_ALTAR = 1
    SETUP_GALLERY = 2
    SETUP_ARCANA = 3
    START_PLAYER = 4
    DEAL = 5
    UPKEEP_ALTAR = 6
    UPKEEP_GALLERY = 7
    DRAW = 8
    MAIN = 9
    END = 10
    OVER = 11


class Frame(IntEnum):
    """What is pending, besides the phase; the numbers are those of the wire. Arguments a, b, c in brackets."""

    BAG_DRAW = 1
    """Chance: a rune of the bag goes to the active player's pyramid."""
    BATCH = 2
    """The batch of a summon or capture is being built; its target stands in the table."""
    TARGET = 3
    """An own Egregor for the announced rune [type]."""
    PAIR_FIRST = 4
    """An own Egregor for the first green of a pair."""
    PAIR_SECOND = 5
    """An own Egregor for the second [place of the first]."""
    BLACK_TARGET = 6
    """An opposing Egregor for a black."""
    BLACK_TAKE = 7
    """The type that the black takes [seat, place]."""
    RED = 8
    """Offers of a red of the altar [place, offers left]."""
    DRAW = 9
    """Draws [left, type or ANY, 1 if it is a Hand of Fate]."""
    ARCANA = 10
    """Arcana choices [left]."""
    FLIP = 11
    """Chance: the next token of a stack [stack]."""
    RECOVER = 12
    """The loser picks runes [seat, place, left]."""
    CYCLE = 13
    """Runic Cycling [left, type or ANY]."""
    LOOK = 14
    """Chance: cards to be looked at for a Key [left]."""
    KEY = 15
    """A replacement for a Key, or none."""
    KEY_PLACE = 16
    """Which Key a card replaces [card]."""
    LIGHTNING = 17
    """Lightning powers to go on with [place, power, effect]."""
    BOOK = 18
    """A book power to go on with [place, power, effect]."""


class Ending(IntFlag):
    """Why a game ended; a bit each (OMEGA-END-07)."""

    ARCANIC = 1
    RUNIC = 2
    EXHAUSTION = 4
    MAX_TURNS = 8


BOOK = CodeBook(
    START_PLAYER := Verb("START_PLAYER", seat=8),
    ALTAR_RUNE := Verb("ALTAR_RUNE", type=8),
    DEAL := Verb("DEAL", type=8),
    BAG_RUNE := Verb("BAG_RUNE", type=8),
    GALLERY_CARD := Verb("GALLERY_CARD", card=8),
    LOOK := Verb("LOOK", card=8),
    FLIP := Verb("FLIP", token=8),
    TAKE_ALTAR := Verb("TAKE_ALTAR", type=8),
    TAKE_BAG := Verb("TAKE_BAG"),
    SEARCH_BAG := Verb("SEARCH_BAG", type=8),
    STOP := Verb("STOP"),
    SUMMON := Verb("SUMMON", slot=8),
    CAPTURE := Verb("CAPTURE", seat=8, place=8),
    PLACE := Verb("PLACE", type=8),
    PLACE_BLACK := Verb("PLACE_BLACK"),
    PAIR := Verb("PAIR"),
    DISOWN := Verb("DISOWN", place=8),
    MASK := Verb("MASK", place=8),
    USE_BOOK := Verb("USE_BOOK", place=8, power=8),
    END_MAIN := Verb("END_MAIN"),
    ADD := Verb("ADD", type=8),
    CONFIRM := Verb("CONFIRM"),
    TARGET := Verb("TARGET", place=8),
    PAIR_FIRST := Verb("PAIR_FIRST", place=8),
    PAIR_SECOND := Verb("PAIR_SECOND", place=8),
    BLACK_TARGET := Verb("BLACK_TARGET", seat=8, place=8),
    BLACK_TAKE := Verb("BLACK_TAKE", type=8),
    PULL := Verb("PULL"),
    DECLINE := Verb("DECLINE"),
    ARCANA := Verb("ARCANA", stack=8),
    RECOVER := Verb("RECOVER", type=8),
    CYCLE := Verb("CYCLE", place=8, type=8),
    KEY_TAKE := Verb("KEY_TAKE", card=8),
    KEY_NONE := Verb("KEY_NONE"),
    KEY_PLACE := Verb("KEY_PLACE", place=8),
)
"""All action codes; the first seven are outcomes of chance. A place is an Egregor's number in its row, from 0."""

CHANCE_VERBS = (START_PLAYER, ALTAR_RUNE, DEAL, BAG_RUNE, GALLERY_CARD, LOOK, FLIP)


class Reason(StrEnum):
    """Why an action is refused: the closed list of this pack."""

    GAME_OVER = "GAME_OVER"
    """The game has ended."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat, or chance, is to act."""
    WRONG_PHASE = "WRONG_PHASE"
    """Something else is to be decided now."""
    UNKNOWN_CODE = "UNKNOWN_CODE"
    """The number is no action code of this game."""
    INCOMPLETE_ACTION = "INCOMPLETE_ACTION"
    """The action message lacks a field that it needs."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
    NO_SUCH_EGREGOR = "NO_SUCH_EGREGOR"
    """No Egregor lies there."""
    NO_SUCH_RUNE = "NO_SUCH_RUNE"
    """No rune of that type is where it is to come from."""
    NO_SUCH_CARD = "NO_SUCH_CARD"
    """The card is not among those that may be chosen."""
    NO_SUCH_STACK = "NO_SUCH_STACK"
    """No Arcana token is visible there."""
    ALREADY_GAINED = "ALREADY_GAINED"
    """Only one Egregor is gained in a turn (OMEGA-MAIN-02)."""
    NO_BATCH = "NO_BATCH"
    """The pyramid holds no batch that suffices (OMEGA-CAPTURE-14)."""
    FINAL_ROUND = "FINAL_ROUND"
    """No captures in the final round (OMEGA-CAPTURE-09)."""
    TARGET_FULL = "TARGET_FULL"
    """The Egregor carries 10 runes (OMEGA-CAPTURE-05)."""
    TARGET_MASKED = "TARGET_MASKED"
    """The Egregor is under its owner's Mask (OMEGA-CAPTURE-06)."""
    TARGET_ONLY_ONE = "TARGET_ONLY_ONE"
    """It is the only Egregor of its owner (OMEGA-CAPTURE-07)."""
    TARGET_LOST_ONE = "TARGET_LOST_ONE"
    """Its owner has lost an Egregor since the own last turn (OMEGA-CAPTURE-08)."""
    CANNOT_PLACE = "CANNOT_PLACE"
    """The limits of OMEGA-PLACE forbid that rune there."""
    NOT_A_BATCH = "NOT_A_BATCH"
    """The rune does not fit the batch that is being built (OMEGA-SUMMON-03, OMEGA-CAPTURE-03, OMEGA-CAPTURE-14)."""
    TOO_FEW = "TOO_FEW"
    """The batch is not large enough (OMEGA-CAPTURE-01)."""
    CANNOT_TAKE = "CANNOT_TAKE"
    """A black cannot go or take there (OMEGA-BLACK, OMEGA-WHITE)."""
    CANNOT_DISOWN = "CANNOT_DISOWN"
    """That Egregor may not be disowned now (OMEGA-DISOWN)."""
    CANNOT_MASK = "CANNOT_MASK"
    """The Mask may not go there now (OMEGA-MASK)."""
    CANNOT_USE = "CANNOT_USE"
    """That book power may not be used now (OMEGA-POWER-02, OMEGA-POWER-05)."""
    TOO_MANY_EGREGORS = "TOO_MANY_EGREGORS"
    """One of five Egregors must be disowned first (OMEGA-MAIN-03)."""
    BAG_EMPTY = "BAG_EMPTY"
    """The bag is empty (OMEGA-DRAW-03)."""
    COMPULSORY = "COMPULSORY"
    """The choice cannot be left out here."""
