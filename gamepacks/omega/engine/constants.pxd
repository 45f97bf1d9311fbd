"""Constants of the compiled rules."""

cdef enum:
    TYPES = 6
    BLUE = 0
    GOLD = 1
    RED = 2
    GREEN = 3
    WHITE = 4
    BLACK = 5
    NONE = 255
    NO_COLOUR = 6
    GALLERY_SLOTS = 4
    MAX_ROW = 5
    SEATS = 4
    STACKS = 6
    CARDS = 42
    TOKENS = 42
    MAX_POWERS = 4
    MAX_EFFECTS = 4
    MAX_FRAMES = 24
    MAX_TRACE = 256
    MAX_LOAD = 10
    ALTAR_SIZE = 6

# Phases; codes.Phase has the same numbers.
cdef enum:
    PHASE_SETUP_ALTAR = 1
    PHASE_SETUP_GALLERY = 2
    PHASE_SETUP_ARCANA = 3
    PHASE_START_PLAYER = 4
    PHASE_DEAL = 5
    PHASE_UPKEEP_ALTAR = 6
    PHASE_UPKEEP_GALLERY = 7
    PHASE_DRAW = 8
    PHASE_MAIN = 9
    PHASE_END = 10
    PHASE_OVER = 11

# Frames: what is pending, the last one first; codes.Frame has the same numbers.
cdef enum:
    FRAME_BAG_DRAW = 1
    FRAME_BATCH = 2
    FRAME_TARGET = 3
    FRAME_PAIR_FIRST = 4
    FRAME_PAIR_SECOND = 5
    FRAME_BLACK_TARGET = 6
    FRAME_BLACK_TAKE = 7
    FRAME_RED = 8
    FRAME_DRAW = 9
    FRAME_ARCANA = 10
    FRAME_FLIP = 11
    FRAME_RECOVER = 12
    FRAME_CYCLE = 13
    FRAME_LOOK = 14
    FRAME_KEY = 15
    FRAME_KEY_PLACE = 16
    FRAME_LIGHTNING = 17
    FRAME_BOOK = 18

# Verbs; codes.BOOK has the same numbers.
cdef enum:
    VERB_START_PLAYER = 0 << 24
    VERB_ALTAR_RUNE = 1 << 24
    VERB_DEAL = 2 << 24
    VERB_BAG_RUNE = 3 << 24
    VERB_GALLERY_CARD = 4 << 24
    VERB_LOOK = 5 << 24
    VERB_FLIP = 6 << 24
    VERB_TAKE_ALTAR = 7 << 24
    VERB_TAKE_BAG = 8 << 24
    VERB_SEARCH_BAG = 9 << 24
    VERB_STOP = 10 << 24
    VERB_SUMMON = 11 << 24
    VERB_CAPTURE = 12 << 24
    VERB_PLACE = 13 << 24
    VERB_PLACE_BLACK = 14 << 24
    VERB_PAIR = 15 << 24
    VERB_DISOWN = 16 << 24
    VERB_MASK = 17 << 24
    VERB_USE_BOOK = 18 << 24
    VERB_END_MAIN = 19 << 24
    VERB_ADD = 20 << 24
    VERB_CONFIRM = 21 << 24
    VERB_TARGET = 22 << 24
    VERB_PAIR_FIRST = 23 << 24
    VERB_PAIR_SECOND = 24 << 24
    VERB_BLACK_TARGET = 25 << 24
    VERB_BLACK_TAKE = 26 << 24
    VERB_PULL = 27 << 24
    VERB_DECLINE = 28 << 24
    VERB_ARCANA = 29 << 24
    VERB_RECOVER = 30 << 24
    VERB_CYCLE = 31 << 24
    VERB_KEY_TAKE = 32 << 24
    VERB_KEY_NONE = 33 << 24
    VERB_KEY_PLACE = 34 << 24
    SECOND_SHIFT = 8

# Option red_limit.
cdef enum:
    PER_RUNE = 0
    PER_BATCH = 1
    PER_TURN = 2

cdef enum:
    OP_ADVANCE = 1
    OP_DRAW = 2
    OP_CYCLE = 3
    OP_KEY = 4

cdef enum:
    LIGHTNING = 1
    BOOK = 2

# Endings, a bit each; codes.Ending has the same numbers.
cdef enum:
    ENDING_ARCANIC = 1
    ENDING_RUNIC = 2
    ENDING_EXHAUSTION = 4
    ENDING_MAX_TURNS = 8

# What happened by itself in a step, for events; codes.Note has the same numbers.
cdef enum:
    TRACE_CONFIRMED = 1
    TRACE_WHITES_BACK = 2
    TRACE_LOST = 3
    TRACE_TO_BAG = 4
    TRACE_PAWN = 5
    TRACE_MASK = 6
    TRACE_DREW = 7
    TRACE_LIGHTNING = 8
    TRACE_REPLACED = 9
    TRACE_KEPT = 10
    TRACE_STACK_EMPTY = 11
    TRACE_RESHUFFLED = 12
    TRACE_BAG_OUT = 13
    TRACE_PHASE = 14
    TRACE_ANNOUNCED = 15
    TRACE_TURN = 16
    TRACE_OVER = 17

# Why a pawn moves; the numbers are those of the wire.
cdef enum:
    CAUSE_BLUE = 1
    CAUSE_POWER = 2
    CAUSE_END_PHASE = 3

# Formulas of Arcana tokens and what they count (section 16.3 of RULES.md).
cdef enum:
    FORMULA_FIXED = 1
    FORMULA_PER = 2
    FORMULA_IF = 3
    FORMULA_MOST = 4
    FORMULA_TABLE = 5
    FORMULA_SUM = 6

cdef enum:
    AT_LEAST = 1
    EQUAL = 2
    AT_MOST = 3

cdef enum:
    COUNTER_RUNES = 1
    COUNTER_PYRAMID = 2
    COUNTER_COLOURS = 3
    COUNTER_EGREGORS = 4
    COUNTER_SNAKES = 5
    COUNTER_THRUSTS = 6
    COUNTER_PRESTIGE = 7
    COUNTER_ARCANA = 8
    COUNTER_LAPS = 9
    COUNTER_SETS = 10

# A condition of a filter that is not set.
cdef enum:
    ANY = -1
