"""Action codes, rune types, limits of the components, trace kinds, endings and reasons of refusals.

Action codes are in every log: they stay as long as the rules version does. Phases and frames are enums of the contract,
``omega.proto``. In codes a rune type counts from 0 in the canonical order blue, gold, red, green, white, black; in
messages from 1.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag, StrEnum

from gamepacks.api.codes import Argument, CodeBook, Verb

C_CONSTANTS = {
    "BLUE": "",
    "GOLD": "",
    "RED": "",
    "GREEN": "",
    "WHITE": "",
    "BLACK": "",
    "TYPES": "",
    "ANY_TYPE": "",
    "NONE": "",
    "SEATS": "",
    "CARDS": "",
    "TOKENS": "",
    "STACKS": "",
    "GALLERY_SLOTS": "",
    "ALTAR_SIZE": "",
    "MAX_LOAD": "",
    "MAX_ROW": "",
    "FINAL_ROW": "",
    "MAX_POWERS": "",
    "MAX_EFFECTS": "",
    "TraceKind": "TRACE",
    "Ending": "ENDING",
    "BOOK": "VERB",
}
"""Names that the compiled rules get as C constants, with their prefixes there."""

TYPE_NAMES = ("blue", "gold", "red", "green", "white", "black")
"""The canonical type order."""
TYPES = len(TYPE_NAMES)
BLUE, GOLD, RED, GREEN, WHITE, BLACK = 0, 1, 2, 3, 4, 5
LETTERS = "BGRVWK"
"""One letter for each type, as in the worked examples (V: green)."""
ANY_TYPE = 6
"""Type argument of a frame that allows any type."""
NONE = 255
"""Stands for no card, token or seat, in the values of a state and in frames."""

SEATS = 4
CARDS = 42
"""Egregors of a card set (OMEGA-COMP-02)."""
TOKENS = 42
"""Arcana tokens (OMEGA-COMP-03)."""
STACKS = 6
"""Stacks of Arcana (OMEGA-SETUP-03)."""
GALLERY_SLOTS = 4
ALTAR_SIZE = 6
MAX_LOAD = 10
"""Runes on an Egregor (OMEGA-PLACE-02), and in a batch."""
MAX_ROW = 5
"""Egregors in a row during the Main phase (OMEGA-MAIN-03)."""
FINAL_ROW = 4
"""Egregors in a row at the end of a turn."""
MAX_POWERS = 4
"""Powers of a card."""
MAX_EFFECTS = 4
"""Effects of a power."""
HANDS = {2: (4, 5), 3: (4, 5, 6), 4: (4, 5, 5, 6)}
"""Runes dealt to each seat in the set-up, by number of players and order of play (OMEGA-SETUP-06)."""


class TraceKind(IntEnum):
    """Kinds of entries in the trace of a step: the effects that do not follow from its code. Arguments are in
    brackets."""

    CONFIRMED = 1
    """A batch is complete [seat that loses, or NONE; card; Prestige of the active player now]."""
    WHITES_BACK = 2
    """White runes come back [seat, how many]."""
    LOST = 3
    """An Egregor is lost [seat, card, 1 if disowned]; TO_BAG follows."""
    TO_BAG = 4
    """Runes of it go to the bag [seat, type, how many]."""
    PAWN = 5
    """The active player's pawn moves [cause, steps before, steps after]."""
    MASK = 6
    """A Mask moves [seat, place or -1]."""
    DREW = 7
    """A rune of a type comes into the pyramid [type, 1 if by a search of the bag]."""
    LIGHTNING = 8
    """A lightning power begins [place, card, power]."""
    REPLACED = 9
    """A Key is replaced [place, old card, new card]."""
    KEPT = 10
    """No (further) Key is replaced."""
    STACK_EMPTY = 11
    """A stack of Arcana has run out [stack]."""
    RESHUFFLED = 12
    """The discard pile becomes the deck."""
    BAG_OUT = 13
    """The bag has run out."""
    PHASE = 14
    """A phase begins [phase]."""
    ANNOUNCED = 15
    """An ending is announced [seat, bits of Ending]."""
    TURN = 16
    """A turn begins [seat, number, 1 in the final round]."""
    OVER = 17
    """The game is over."""


class Ending(IntFlag):
    """Kinds of endings, a bit each (OMEGA-END-07)."""

    ARCANIC = 1
    RUNIC = 2
    EXHAUSTION = 4
    MAX_TURNS = 8


BOOK = CodeBook(
    START_PLAYER := Verb("START_PLAYER", seat=8),
    ALTAR_RUNE := Verb("ALTAR_RUNE", type=Argument(8, "rune", offset=1)),
    DEAL := Verb("DEAL", type=Argument(8, "rune", offset=1)),
    BAG_RUNE := Verb("BAG_RUNE", type=Argument(8, "rune", offset=1)),
    GALLERY_CARD := Verb("GALLERY_CARD", card=8),
    LOOK := Verb("LOOK", card=8),
    FLIP := Verb("FLIP", token=8),
    TAKE_ALTAR := Verb("TAKE_ALTAR", type=Argument(8, "rune", offset=1)),
    TAKE_BAG := Verb("TAKE_BAG"),
    SEARCH_BAG := Verb("SEARCH_BAG", type=Argument(8, "rune", offset=1)),
    STOP := Verb("STOP"),
    SUMMON := Verb("SUMMON", slot=8),
    CAPTURE := Verb("CAPTURE", seat=8, place=8),
    PLACE := Verb("PLACE", type=Argument(8, "rune", offset=1)),
    PLACE_BLACK := Verb("PLACE_BLACK"),
    PAIR := Verb("PAIR"),
    DISOWN := Verb("DISOWN", place=8),
    MASK := Verb("MASK", place=8),
    USE_BOOK := Verb("USE_BOOK", place=8, power=8),
    END_MAIN := Verb("END_MAIN"),
    ADD := Verb("ADD", type=Argument(8, "rune", offset=1)),
    CONFIRM := Verb("CONFIRM"),
    TARGET := Verb("TARGET", place=8),
    PAIR_FIRST := Verb("PAIR_FIRST", place=8),
    PAIR_SECOND := Verb("PAIR_SECOND", place=8),
    BLACK_TARGET := Verb("BLACK_TARGET", seat=8, place=8),
    BLACK_TAKE := Verb("BLACK_TAKE", type=Argument(8, "rune", offset=1)),
    PULL := Verb("PULL"),
    DECLINE := Verb("DECLINE"),
    ARCANA := Verb("ARCANA", stack=8),
    RECOVER := Verb("RECOVER", type=Argument(8, "rune", offset=1)),
    CYCLE := Verb("CYCLE", place=8, type=Argument(8, "rune", offset=1)),
    KEY_TAKE := Verb("KEY_TAKE", card=8),
    KEY_NONE := Verb("KEY_NONE"),
    KEY_PLACE := Verb("KEY_PLACE", place=8),
    outcomes=(START_PLAYER, ALTAR_RUNE, DEAL, BAG_RUNE, GALLERY_CARD, LOOK, FLIP),
)
"""All action codes. A place is the number of an Egregor in its row, from 0."""


class Reason(StrEnum):
    """Reasons of refusals: the closed list of this pack."""

    GAME_OVER = "GAME_OVER"
    """The game has ended."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another seat, or chance, is to act."""
    WRONG_PHASE = "WRONG_PHASE"
    """Another decision is pending."""
    UNKNOWN_CODE = "UNKNOWN_CODE"
    """The number is not an action code of this game."""
    INCOMPLETE_ACTION = "INCOMPLETE_ACTION"
    """A field of the action message is not set."""
    NOT_AN_OPTION = "NOT_AN_OPTION"
    """A field of the action message has a value that no action can have."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
    NO_SUCH_RUNE = "NO_SUCH_RUNE"
    """There is no rune of that type at its source, or there are too few."""
    NO_SUCH_CARD = "NO_SUCH_CARD"
    """The card is not among those that may be chosen."""
    NO_SUCH_EGREGOR = "NO_SUCH_EGREGOR"
    """No Egregor lies there, or none to which the action applies."""
    NO_SUCH_STACK = "NO_SUCH_STACK"
    """No Arcana token is visible there."""
    NO_SUCH_POWER = "NO_SUCH_POWER"
    """The card has no book power of that number."""
    BAG_EMPTY = "BAG_EMPTY"
    """The bag is empty (OMEGA-DRAW-03)."""
    OTHER_COLOUR = "OTHER_COLOUR"
    """The power asks for one colour (OMEGA-HAND-02, OMEGA-CYCLE-03), or for none."""
    ALTAR_FIRST = "ALTAR_FIRST"
    """The bag is searched only for a type that the altar lacks (OMEGA-HAND-02)."""
    COMPULSORY = "COMPULSORY"
    """The choice is compulsory here (OMEGA-RECOVER-02, OMEGA-POWER-04)."""
    ALREADY_GAINED = "ALREADY_GAINED"
    """Only one Egregor is gained in a turn (OMEGA-MAIN-02)."""
    FINAL_ROUND = "FINAL_ROUND"
    """There are no captures in the final round (OMEGA-CAPTURE-09)."""
    OWN_EGREGOR = "OWN_EGREGOR"
    """Only an opposing Egregor can be captured, or take a black (OMEGA-BLACK-01)."""
    TARGET_ONLY_ONE = "TARGET_ONLY_ONE"
    """It is the only Egregor of its owner (OMEGA-CAPTURE-07)."""
    TARGET_LOST_ONE = "TARGET_LOST_ONE"
    """Its owner has lost an Egregor since their last turn (OMEGA-CAPTURE-08)."""
    TARGET_MASKED = "TARGET_MASKED"
    """The Egregor is under its owner's Mask (OMEGA-CAPTURE-06)."""
    TARGET_FULL = "TARGET_FULL"
    """The Egregor carries 10 runes (OMEGA-CAPTURE-05)."""
    NO_BATCH = "NO_BATCH"
    """The pyramid holds no batch that suffices (OMEGA-SUMMON-01, OMEGA-CAPTURE-14)."""
    BLACK_NOT_OWN = "BLACK_NOT_OWN"
    """A black rune is never placed on an Egregor of its player or in a batch (OMEGA-PLACE-06, OMEGA-SUMMON-02)."""
    EGREGOR_FULL = "EGREGOR_FULL"
    """No room is left: 10 runes at most (OMEGA-PLACE-02)."""
    TOO_MANY_COLOURS = "TOO_MANY_COLOURS"
    """Two colours at most, one on a Primitive (OMEGA-PLACE-03, OMEGA-PLACE-04, OMEGA-SUMMON-03, OMEGA-KEY-04)."""
    BATCH_FULL = "BATCH_FULL"
    """A batch has 10 runes at most (OMEGA-SUMMON-01)."""
    DEAD_END = "DEAD_END"
    """With that rune the batch could never become large enough (OMEGA-CAPTURE-14)."""
    TOO_FEW = "TOO_FEW"
    """The batch is not large enough (OMEGA-SUMMON-01, OMEGA-CAPTURE-01)."""
    NO_PAIRS = "NO_PAIRS"
    """The option green_pairing does not allow a pair to be placed by one action (A13)."""
    PROTECTED_BY_WHITE = "PROTECTED_BY_WHITE"
    """A black takes no white, and takes nothing from an Egregor with two whites (OMEGA-WHITE-03, OMEGA-WHITE-04)."""
    NOTHING_TO_TAKE = "NOTHING_TO_TAKE"
    """There is nothing that the black could take (OMEGA-BLACK-06)."""
    BLACK_FOR_BLACK = "BLACK_FOR_BLACK"
    """A black takes no black (OMEGA-BLACK-07); by the option black_takes none that came in this turn (A08)."""
    NOT_GAINED_YET = "NOT_GAINED_YET"
    """Nothing is disowned before a gain in the same turn (OMEGA-DISOWN-01)."""
    JUST_GAINED = "JUST_GAINED"
    """The Egregor was gained in this turn (OMEGA-DISOWN-02)."""
    ALREADY_DISOWNED = "ALREADY_DISOWNED"
    """One Egregor has been disowned in this turn (OMEGA-DISOWN-03)."""
    MASK_ON_RENEGADE = "MASK_ON_RENEGADE"
    """A Renegade never wears the Mask (OMEGA-MASK-04)."""
    MASK_THERE = "MASK_THERE"
    """The Mask is there already (OMEGA-MASK-03)."""
    MASK_MOVED = "MASK_MOVED"
    """The Mask has just been moved (OMEGA-MASK-06); by the option mask_moves: in this turn."""
    POWER_USED = "POWER_USED"
    """The book power has been used in this turn (OMEGA-POWER-02)."""
    POWER_IDLE = "POWER_IDLE"
    """The book power could do nothing (OMEGA-POWER-05)."""
    TOO_MANY_EGREGORS = "TOO_MANY_EGREGORS"
    """One of five Egregors must be disowned first (OMEGA-MAIN-03)."""
    IS_A_KEY = "IS_A_KEY"
    """A Key never replaces a Key (OMEGA-KEY-03)."""
