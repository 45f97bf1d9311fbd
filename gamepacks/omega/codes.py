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


class TraceKind(IntEnum):
    """Kinds of entries in the trace of a step: the effects that its code does not say. Arguments in brackets."""

    CONFIRMED = 1
    """A batch is complete [seat that loses, or NOWHERE; card; Prestige of the active player now]."""
    WHITES_BACK = 2
    """White runes come back [seat, how many]."""
    LOST = 3
    """An Egregor goes [seat, card, 1 if disowned]; TO_BAG follows."""
    TO_BAG = 4
    """Runes of it go to the bag [seat, type, how many]."""
    PAWN = 5
    """The active player's pawn moves [cause, steps before, steps after]."""
    MASK = 6
    """A Mask goes somewhere [seat, place or -1]."""
    DREW = 7
    """A rune of a colour comes into the pyramid [type, 1 if it was looked up in the bag]."""
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
    """The action message lacks a field that it needs, or names what no table has."""
    NOT_AN_OUTCOME = "NOT_AN_OUTCOME"
    """Chance cannot have this outcome here."""
    NO_SUCH_RUNE = "NO_SUCH_RUNE"
    """No rune of that type is where it is to come from, or too few are."""
    NO_SUCH_CARD = "NO_SUCH_CARD"
    """The card is not among those that may be chosen."""
    NO_SUCH_EGREGOR = "NO_SUCH_EGREGOR"
    """No Egregor lies there, or none that this is about."""
    NO_SUCH_STACK = "NO_SUCH_STACK"
    """No Arcana token is visible there."""
    NO_SUCH_POWER = "NO_SUCH_POWER"
    """The card has no book power of that number."""
    BAG_EMPTY = "BAG_EMPTY"
    """The bag is empty (OMEGA-DRAW-03)."""
    OTHER_COLOUR = "OTHER_COLOUR"
    """The power asks for one colour (OMEGA-HAND-02, OMEGA-CYCLE-03), or for none."""
    ALTAR_FIRST = "ALTAR_FIRST"
    """The bag is looked through only for what the altar has none of (OMEGA-HAND-02)."""
    COMPULSORY = "COMPULSORY"
    """The choice cannot be left out here (OMEGA-RECOVER-02, OMEGA-POWER-04)."""
    ALREADY_GAINED = "ALREADY_GAINED"
    """Only one Egregor is gained in a turn (OMEGA-MAIN-02)."""
    FINAL_ROUND = "FINAL_ROUND"
    """There are no captures in the final round (OMEGA-CAPTURE-09)."""
    OWN_EGREGOR = "OWN_EGREGOR"
    """Only an opposing Egregor can be captured, or take a black (OMEGA-BLACK-01)."""
    TARGET_ONLY_ONE = "TARGET_ONLY_ONE"
    """It is the only Egregor of its owner (OMEGA-CAPTURE-07)."""
    TARGET_LOST_ONE = "TARGET_LOST_ONE"
    """Its owner has lost an Egregor since the own last turn (OMEGA-CAPTURE-08)."""
    TARGET_MASKED = "TARGET_MASKED"
    """The Egregor is under its owner's Mask (OMEGA-CAPTURE-06)."""
    TARGET_FULL = "TARGET_FULL"
    """The Egregor carries 10 runes (OMEGA-CAPTURE-05)."""
    NO_BATCH = "NO_BATCH"
    """The pyramid holds no batch that suffices (OMEGA-SUMMON-01, OMEGA-CAPTURE-14)."""
    BLACK_NOT_OWN = "BLACK_NOT_OWN"
    """A black never goes on an own Egregor, in a batch or otherwise (OMEGA-PLACE-06, OMEGA-SUMMON-02)."""
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
    """By the option green_pairing pairs are not placed by one action (A13)."""
    PROTECTED_BY_WHITE = "PROTECTED_BY_WHITE"
    """A black takes no white, and nothing beside two of them (OMEGA-WHITE-03, OMEGA-WHITE-04)."""
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
