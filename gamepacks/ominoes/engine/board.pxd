from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

from cext.grid cimport Shape, WideSet
from cext.state cimport Codes

cdef enum:
    LARGEST_BOARD = 144
    SEATS = 4
    GROUP = 4  # dice that make a group (OMI-SCORE-01)
    NOWHERE = 255  # no seat, no cell
    MOST_ENDS = 16  # of the moves of a die: 12 at distance 3, 4 at distance 1
    MOST_GROUPS = 18  # 25 dice make at most 6 groups of each of 3 gods

cdef struct Group:
    uint8_t god
    uint8_t lowest  # its lowest cell

cdef struct StateData:
    # The data of a state in one block, so that a clone is a copy of it.
    WideSet dice[7]  # the cells of each face; [0]: of all; narrow boards use the first word
    uint8_t board[LARGEST_BOARD]  # all boards: the face on each cell, 0 for none
    int16_t scores[SEATS]
    int32_t turns
    uint8_t phase
    uint8_t active
    uint8_t start
    uint8_t placed
    uint8_t rolled
    uint8_t last_die
    uint8_t reroll_cell
    uint8_t on_board

cdef class OminoesRules:
    # The constants of a match, which follow from its options.
    cdef Shape shape
    cdef bint narrow
    cdef readonly int size
    cdef readonly int players
    cdef readonly int target
    cdef readonly int max_turns
    cdef readonly int set_up_dice
    cdef int start_seat  # NOWHERE: chance decides
    cdef readonly bint extra_setup_die
    cdef readonly bint late_add
    cdef readonly bint all_wild_groups
    cdef readonly bint optional_scoring
    cdef readonly bint expert
    cdef uint8_t[LARGEST_BOARD] open_cells
    cdef WideSet open  # narrow boards use the first word
    # Larger boards: the bit of each cell, and the cell of each bit.
    cdef uint8_t[LARGEST_BOARD] bit
    cdef uint8_t[192] cell
    cdef Shape window
    cdef uint8_t[SEATS] own_god
    cdef uint8_t[SEATS] collected_count
    cdef uint8_t[SEATS][4] collected

cdef void put(OminoesRules rules, StateData* data, int cell, int face) noexcept nogil
cdef void take(OminoesRules rules, StateData* data, int cell) noexcept nogil
cdef void free_cells(OminoesRules rules, const StateData* data, uint8_t* free) noexcept nogil
cdef bint may_move(const StateData* data, int cell) noexcept nogil
cdef bint can_move(OminoesRules rules, const StateData* data, int cell, int end) noexcept nogil
cdef bint any_move(OminoesRules rules, const StateData* data) noexcept nogil
cdef int push_moves(OminoesRules rules, const StateData* data, Codes out) except -1
cdef int push_free(OminoesRules rules, const StateData* data, int verb, Codes out) except -1
cdef int push_dice(OminoesRules rules, const StateData* data, int verb, Codes out) except -1
cdef void members_of(const StateData* data, int god, WideSet* members) noexcept nogil
cdef int connected(OminoesRules rules, const StateData* data, int god, int cell, uint8_t* cells) noexcept nogil
cdef int find_groups(OminoesRules rules, const StateData* data, int seat, Group* groups, int most) noexcept nogil
cdef int take_group(OminoesRules rules, StateData* data, int god, int cell) noexcept nogil
