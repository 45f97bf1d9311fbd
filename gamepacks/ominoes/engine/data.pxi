# The data of a state in C, and the sizes of its arrays.

cdef enum:
    LARGEST_BOARD = 144
    SEATS = 4
    GROUP = 4  # dice that make a group (OMI-SCORE-01)
    NOWHERE = 255  # no seat, no cell
    MAX_ENDS = 16  # of the moves of a die: 12 at distance 3, 4 at distance 1
    MAX_GROUPS = 18  # 25 dice make at most 6 groups of each of 3 gods

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
