from libc.stdint cimport int16_t, uint8_t, uint64_t

cdef enum:
    MAX_SIDE = 16
    MAX_CELLS = 256
    # Maximum number of cells of a board whose sets of cells fit into one machine word.
    NARROW_CELLS = 64

cdef struct Shape:
    # A board of rows x columns cells, numbered row by row from 0.
    int rows
    int columns
    int cells
    # For narrow boards: bit i stands for cell i.
    uint64_t everything
    uint64_t but_first_column
    uint64_t but_last_column
    # For all boards: the orthogonal neighbours of each cell: above, left, right, below.
    int degree[MAX_CELLS]
    uint8_t around[MAX_CELLS][4]

# -- narrow boards: sets of cells are 64-bit words ------------------------------------------------------------------

cdef inline int lowest64(uint64_t cells) noexcept nogil:
    """The lowest cell of a set that is not empty."""
    return __builtin_ctzll(cells)

cdef inline int count64(uint64_t cells) noexcept nogil:
    """Number of cells in a set."""
    return __builtin_popcountll(cells)

cdef inline uint64_t beside64(const Shape* shape, uint64_t cells) noexcept nogil:
    """Neighbours of a set to the left and right."""
    return (cells & shape.but_last_column) << 1 | (cells & shape.but_first_column) >> 1

cdef inline uint64_t above_and_below64(const Shape* shape, uint64_t cells) noexcept nogil:
    """Neighbours of a set above and below."""
    return (cells << shape.columns | cells >> shape.columns) & shape.everything

cdef inline uint64_t around64(const Shape* shape, uint64_t cells) noexcept nogil:
    """Orthogonal neighbours of a set."""
    return beside64(shape, cells) | above_and_below64(shape, cells)

cdef inline uint64_t three_step_ends64(const Shape* shape, uint64_t free, int cell) noexcept nogil:
    """Cells on which a piece from ``cell`` can end after exactly 3 steps through free cells, none of them entered twice.

    Its own cell counts as used, free or not.
    """
    cdef uint64_t start = <uint64_t> 1 << cell
    cdef uint64_t open_ = free & ~start
    cdef uint64_t next_to = around64(shape, start)
    cdef uint64_t firsts = next_to & open_
    cdef uint64_t beside = beside64(shape, firsts), above_and_below = above_and_below64(shape, firsts)
    # No way to an end at distance 3 enters a cell twice. One to an end at distance 1 must not go back to its first
    # cell: its second is a diagonal cell, between two first ones, and it goes from either to the other.
    cdef uint64_t seconds = (beside | above_and_below) & open_
    cdef uint64_t corners = beside & above_and_below & open_
    return around64(shape, seconds) & open_ & ~next_to | around64(shape, corners) & firsts

cdef inline uint64_t component64(const Shape* shape, uint64_t members, uint64_t seed) noexcept nogil:
    """The cells of ``members`` that are connected through edges with ``seed``, which is among them."""
    cdef uint64_t grown
    while True:
        grown = (seed | around64(shape, seed)) & members
        if grown == seed:
            return seed
        seed = grown

# -- boards of up to 12 rows of 15 cells: sets are three words, with 16 bits for each row; the 16th bit stays 0, so that
# no row runs into the next ------------------------------------------------------------------------------------------

cdef enum:
    WIDE_ROWS = 12
    WIDE_STRIDE = 16

cdef struct WideSet:
    uint64_t w[3]

cdef inline bint wide_any(const WideSet* cells) noexcept nogil:
    return (cells.w[0] | cells.w[1] | cells.w[2]) != 0

cdef inline int wide_count(const WideSet* cells) noexcept nogil:
    return count64(cells.w[0]) + count64(cells.w[1]) + count64(cells.w[2])

cdef inline int wide_lowest(const WideSet* cells) noexcept nogil:
    """The lowest bit of a set that is not empty."""
    if cells.w[0]:
        return lowest64(cells.w[0])
    return 64 + lowest64(cells.w[1]) if cells.w[1] else 128 + lowest64(cells.w[2])

cdef inline bint wide_has(const WideSet* cells, int bit) noexcept nogil:
    return cells.w[bit >> 6] >> (bit & 63) & 1

cdef inline void wide_insert(WideSet* cells, int bit) noexcept nogil:
    cells.w[bit >> 6] |= <uint64_t> 1 << (bit & 63)

cdef inline void wide_remove(WideSet* cells, int bit) noexcept nogil:
    cells.w[bit >> 6] &= ~(<uint64_t> 1 << (bit & 63))

cdef inline void wide_around(const WideSet* cells, const WideSet* within, WideSet* out) noexcept nogil:
    """The orthogonal neighbours of a set that are in another one."""
    cdef uint64_t a = cells.w[0], b = cells.w[1], c = cells.w[2]
    out.w[0] = (a << 1 | a >> 1 | a << 16 | a >> 16 | b << 48) & within.w[0]
    out.w[1] = (b << 1 | b >> 1 | b << 16 | a >> 48 | b >> 16 | c << 48) & within.w[1]
    out.w[2] = (c << 1 | c >> 1 | c << 16 | b >> 48 | c >> 16) & within.w[2]

cdef inline void wide_component(const WideSet* members, int bit, WideSet* out) noexcept nogil:
    """The cells of ``members`` that are connected through edges with that of ``bit``, which is among them."""
    cdef WideSet grown
    out.w[0] = out.w[1] = out.w[2] = 0
    wide_insert(out, bit)
    while True:
        wide_around(out, members, &grown)
        if not (grown.w[0] & ~out.w[0] | grown.w[1] & ~out.w[1] | grown.w[2] & ~out.w[2]):
            return
        out.w[0] |= grown.w[0]
        out.w[1] |= grown.w[1]
        out.w[2] |= grown.w[2]

cdef inline uint64_t wide_window(const WideSet* cells, int bit) noexcept nogil:
    """The 7 x 7 cells around one, as the first 7 rows and columns of a board of 8 x 8 with that one in (3, 3)."""
    cdef int row = (bit >> 4) - 3, column = (bit & 15) - 3, i
    cdef uint64_t line, result = 0
    for i in range(7):
        if 0 <= row + i < WIDE_ROWS:
            line = cells.w[(row + i) >> 2] >> (16 * ((row + i) & 3)) & 0xFFFF
            result |= ((line >> column if column >= 0 else line << -column) & 0x7F) << 8 * i
    return result

# -- boards of any size: sets of cells are arrays of one byte a cell, 0 or 1 ---------------------------------------

cdef int three_step_ends(const Shape* shape, const uint8_t* free, int cell, uint8_t* ends) noexcept nogil
cdef int three_step_path(const Shape* shape, const uint8_t* free, int cell, int end, uint8_t* path) noexcept nogil
cdef int component(const Shape* shape, const uint8_t* members, int cell, uint8_t* seen, uint8_t* cells) noexcept nogil

cdef int make_shape(Shape* shape, int rows, int columns) except -1

cdef extern from *:
    int __builtin_ctzll(unsigned long long) noexcept nogil
    int __builtin_popcountll(unsigned long long) noexcept nogil

cdef class Grid:
    cdef Shape shape
    cdef int read(self, object cells, uint8_t* flags) except -1
    cdef int check(self, int cell) except -1
