"""The options and the card set of a game in C, compiled from the models by ``rules.pyx``."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t

from gamepacks.omega.codes_enums cimport *

cdef enum:
    OP_ADVANCE = 1
    OP_DRAW = 2
    OP_CYCLE = 3
    OP_KEY = 4

cdef enum:
    LIGHTNING = 1
    BOOK = 2

# Formulas of Arcana tokens and their counters (section 16.3 of RULES.md).
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
    UNSET = -1

cdef struct Effect:
    uint8_t op
    uint8_t n
    uint8_t colour

cdef struct Power:
    uint8_t trigger
    uint8_t effects
    Effect[MAX_EFFECTS] effect

cdef struct Card:
    uint8_t snake
    uint8_t thrust
    uint8_t renegade
    uint8_t primitive
    uint8_t key
    uint8_t key_book
    uint8_t powers
    Power[MAX_POWERS] power

cdef struct Filter:
    int8_t renegade
    int8_t primitive
    int8_t key
    # UNSET, LIGHTNING, BOOK, or 0 for a card without a power.
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
    # A type, or ANY_TYPE for all.
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
    # Range of a sum's parts in OmegaRules.formula, or of a table's values in OmegaRules.number.
    int32_t first
    int32_t count

cdef class OmegaRules:
    cdef int players
    cdef readonly int squares
    cdef readonly int eye
    cdef int start_player
    cdef int kinds
    cdef readonly int arcanic
    cdef bint eye_cross, final_turn_capture, nonwhite, up_to_recovery, end_of_turn, disown_any
    cdef bint consecutive, key_discard, key_fires, mask_once, up_to_power, arcana_cap, zero_bonus
    cdef int red_limit
    cdef int max_turns
    # Runes dealt up to each place in the order of play.
    cdef uint8_t[SEATS] dealt
    cdef uint8_t[TYPES] total
    cdef uint8_t[TOKENS] copies
    cdef Card[CARDS] card
    # Formula of each kind of token, by its number, then the parts of sums.
    cdef Formula* formula
    cdef int32_t* number
    cdef int passed(self, int steps) noexcept nogil
