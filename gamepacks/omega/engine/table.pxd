"""The table of OMEGA in C: plain structs, copied by memcpy, and the tables compiled from a card set."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint64_t

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
    SLOTS = 4
    ROW = 5
    SEATS = 4
    STACKS = 6
    CARDS = 42
    TOKENS = 42
    MOST_POWERS = 4
    MOST_EFFECTS = 4
    MOST_FRAMES = 24
    FULL = 10
    FULL_ALTAR = 6

# Phases; codes.Phase has the same numbers.
cdef enum:
    P_SETUP_ALTAR = 1
    P_SETUP_GALLERY = 2
    P_SETUP_ARCANA = 3
    P_START_PLAYER = 4
    P_DEAL = 5
    P_UPKEEP_ALTAR = 6
    P_UPKEEP_GALLERY = 7
    P_DRAW = 8
    P_MAIN = 9
    P_END = 10
    P_OVER = 11

# Frames: what is pending, the last one first; codes.Frame has the same numbers.
cdef enum:
    F_BAG_DRAW = 1
    F_BATCH = 2
    F_TARGET = 3
    F_PAIR_FIRST = 4
    F_PAIR_SECOND = 5
    F_BLACK_TARGET = 6
    F_BLACK_TAKE = 7
    F_RED = 8
    F_DRAW = 9
    F_ARCANA = 10
    F_FLIP = 11
    F_RECOVER = 12
    F_CYCLE = 13
    F_LOOK = 14
    F_KEY = 15
    F_KEY_PLACE = 16
    F_LIGHTNING = 17
    F_BOOK = 18

# Verbs; codes.BOOK has the same numbers.
cdef enum:
    V_START_PLAYER = 0 << 24
    V_ALTAR_RUNE = 1 << 24
    V_DEAL = 2 << 24
    V_BAG_RUNE = 3 << 24
    V_GALLERY_CARD = 4 << 24
    V_LOOK = 5 << 24
    V_FLIP = 6 << 24
    V_TAKE_ALTAR = 7 << 24
    V_TAKE_BAG = 8 << 24
    V_SEARCH_BAG = 9 << 24
    V_STOP = 10 << 24
    V_SUMMON = 11 << 24
    V_CAPTURE = 12 << 24
    V_PLACE = 13 << 24
    V_BLACK = 14 << 24
    V_PAIR = 15 << 24
    V_DISOWN = 16 << 24
    V_MASK = 17 << 24
    V_BOOK = 18 << 24
    V_END = 19 << 24
    V_ADD = 20 << 24
    V_CONFIRM = 21 << 24
    V_TARGET = 22 << 24
    V_PAIR_FIRST = 23 << 24
    V_PAIR_SECOND = 24 << 24
    V_BLACK_TARGET = 25 << 24
    V_BLACK_TAKE = 26 << 24
    V_PULL = 27 << 24
    V_DECLINE = 28 << 24
    V_ARCANA = 29 << 24
    V_RECOVER = 30 << 24
    V_CYCLE = 31 << 24
    V_KEY_TAKE = 32 << 24
    V_KEY_NONE = 33 << 24
    V_KEY_PLACE = 34 << 24
    SECOND = 8

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
    E_ARCANIC = 1
    E_RUNIC = 2
    E_EXHAUSTION = 4
    E_MAX_TURNS = 8

cdef struct Effect:
    uint8_t op
    uint8_t n
    uint8_t colour

cdef struct Power:
    uint8_t trigger
    uint8_t effects
    Effect[MOST_EFFECTS] effect

cdef struct Card:
    uint8_t snake
    uint8_t thrust
    uint8_t renegade
    uint8_t primitive
    uint8_t key
    uint8_t key_book
    uint8_t powers
    Power[MOST_POWERS] power

# Formulas of Arcana tokens and what they count (section 16.3 of RULES.md).
cdef enum:
    K_FIXED = 1
    K_PER = 2
    K_IF = 3
    K_MOST = 4
    K_TABLE = 5
    K_SUM = 6

cdef enum:
    AT_LEAST = 1
    EQUAL = 2
    AT_MOST = 3

cdef enum:
    N_RUNES = 1
    N_PYRAMID = 2
    N_COLOURS = 3
    N_EGREGORS = 4
    N_SNAKES = 5
    N_THRUSTS = 6
    N_PRESTIGE = 7
    N_ARCANA = 8
    N_LAPS = 9
    N_SETS = 10

# A condition of a filter that is not set.
cdef enum:
    ANY = -1

cdef struct Filter:
    int8_t renegade
    int8_t primitive
    int8_t key
    # ANY, LIGHTNING, BOOK, or 0 for a card without a power.
    int8_t trigger
    int8_t colour
    int16_t snake_min
    int16_t snake_max
    int16_t thrust_min
    int16_t thrust_max
    int16_t load_min
    int16_t load_max

cdef struct Counter:
    uint8_t what
    # A type, or NO_COLOUR for all.
    uint8_t colour
    # For sets: a bit for each type.
    uint8_t colours
    Filter filter

cdef struct Formula:
    uint8_t kind
    uint8_t comparison
    bint ties
    bint bounded
    Counter counter
    int32_t n
    int32_t otherwise
    int32_t each
    int32_t most
    int32_t value
    # Of a sum: its parts, in Rules.formula; of a table: its values, in Rules.number.
    int32_t first
    int32_t count

cdef struct Egregor:
    uint8_t card
    uint8_t total
    uint8_t gained
    uint8_t used
    uint8_t old_blacks
    uint8_t[TYPES] load

cdef struct Player:
    uint8_t[TYPES] pyramid
    uint8_t[TYPES] shown
    uint8_t owned
    int8_t mask
    uint8_t lost
    uint8_t held
    uint16_t prestige
    int32_t steps
    Egregor[ROW] row
    uint8_t[TOKENS] token

cdef struct Frame:
    uint8_t kind
    uint8_t a
    uint8_t b
    uint8_t c

# What happened by itself in a step, for events; codes.Note has the same numbers.
cdef enum:
    H_CONFIRMED = 1
    H_WHITES_BACK = 2
    H_LOST = 3
    H_TO_BAG = 4
    H_PAWN = 5
    H_MASK = 6
    H_DREW = 7
    H_LIGHTNING = 8
    H_REPLACED = 9
    H_KEPT = 10
    H_STACK_EMPTY = 11
    H_RESHUFFLED = 12
    H_BAG_OUT = 13
    H_PHASE = 14
    H_ANNOUNCED = 15
    H_TURN = 16
    H_OVER = 17

# Why a pawn moves; the numbers are those of the wire.
cdef enum:
    CAUSE_BLUE = 1
    CAUSE_POWER = 2
    CAUSE_END = 3

cdef enum:
    MOST_NOTES = 256

cdef struct Note:
    uint8_t kind
    int32_t a
    int32_t b
    int32_t c

cdef struct Notes:
    int count
    Note[MOST_NOTES] note

cdef struct Table:
    # Where to note what happens, while somebody wants to know; else NULL.
    Notes* notes
    # Something did not fit into the stack or the notes: a fault of the rules, raised after the step.
    uint8_t overflow
    uint8_t phase
    int8_t start
    int8_t active
    uint8_t dealt
    uint8_t[TYPES] bag
    uint8_t bag_size
    uint8_t[TYPES] absent
    uint8_t[TYPES] altar
    uint8_t altar_size
    uint8_t[SLOTS] gallery
    uint64_t deck
    uint64_t discard
    uint64_t looked
    uint64_t certain
    uint8_t[STACKS] top
    uint8_t[STACKS] hidden
    uint8_t[TOKENS] pool
    Player[SEATS] player
    int32_t turn
    uint8_t gain_used
    uint8_t disowned
    uint8_t last_mask
    uint8_t mask_moved
    uint8_t latch
    uint8_t red_used
    uint8_t green_pending
    uint8_t[TYPES] batch
    uint8_t batch_size
    uint8_t batch_seat
    uint8_t batch_index
    uint8_t batch_shown
    uint8_t keys
    uint8_t keys_done
    uint8_t[ROW] done
    uint8_t ending
    int8_t announcer
    uint8_t final_left
    uint8_t depth
    Frame[MOST_FRAMES] stack

cdef class Rules:
    cdef readonly int players
    cdef readonly int squares
    cdef readonly int eye
    cdef readonly int start_player
    cdef readonly int kinds
    cdef readonly int arcanic
    cdef readonly bint eye_cross, final_turn_capture, nonwhite, up_to_recovery, end_of_turn, disown_any
    cdef readonly bint consecutive, key_discard, key_fires, mask_once, up_to_power, arcana_cap, zero_bonus
    cdef readonly int red_limit
    cdef readonly int max_turns
    cdef uint8_t[TYPES] total
    cdef uint8_t[TOKENS] copies
    cdef Card[CARDS] card
    # What the tokens are worth: token i by formula[i]; parts of sums stand behind them.
    cdef Formula* formula
    cdef int32_t* number
    cdef int passed(self, int steps) noexcept nogil
