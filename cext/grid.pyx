"""Work on rectangular boards: moves of exactly three steps, and connected groups.

Each question is answered twice: on boards of up to 64 cells with a machine word as the set of cells (names that end in
64), and on boards of up to 16 x 16 cells with arrays. Compiled packs cimport these functions; :class:`Grid` is
the same for Python.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset


cdef int make_shape(Shape* shape, int rows, int columns) except -1:
    """Fill in the tables of a board."""
    cdef int row, column, cell
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise ValueError(f"a board has 1 to {MAX_SIDE} rows and columns, not {rows} x {columns}")
    memset(shape, 0, sizeof(Shape))
    shape.rows, shape.columns, shape.cells = rows, columns, rows * columns
    for row in range(rows):
        for column in range(columns):
            cell = row * columns + column
            if row > 0:
                join(shape, cell, cell - columns)
            if column > 0:
                join(shape, cell, cell - 1)
            if column < columns - 1:
                join(shape, cell, cell + 1)
            if row < rows - 1:
                join(shape, cell, cell + columns)
            if shape.cells <= NARROW_CELLS:
                shape.everything |= <uint64_t> 1 << cell
                if column > 0:
                    shape.but_first_column |= <uint64_t> 1 << cell
                if column < columns - 1:
                    shape.but_last_column |= <uint64_t> 1 << cell
    return 0


cdef void join(Shape* shape, int cell, int neighbour) noexcept nogil:
    shape.around[cell][shape.degree[cell]] = neighbour
    shape.degree[cell] += 1


cdef int three_step_ends(const Shape* shape, const uint8_t* free, int cell, uint8_t* ends) noexcept nogil:
    """As three_step_ends64; marks the ends in an array of the board's size, and returns their number."""
    cdef int i, j, k, first, second, third, count = 0
    memset(ends, 0, shape.cells)
    for i in range(shape.degree[cell]):
        first = shape.around[cell][i]
        if not free[first]:
            continue
        for j in range(shape.degree[first]):
            second = shape.around[first][j]
            if not free[second] or second == cell:
                continue
            for k in range(shape.degree[second]):
                third = shape.around[second][k]
                # Three steps never lead back to the start: the squares of a board alternate.
                if free[third] and third != first and not ends[third]:
                    ends[third] = 1
                    count += 1
    return count


cdef int three_step_path(const Shape* shape, const uint8_t* free, int cell, int end, uint8_t* path) noexcept nogil:
    """The first path from ``cell`` to ``end``, by the order above, left, right, below; returns 0 if there is none, else 1.

    ``path`` takes the 4 cells.
    """
    cdef int i, j, k, first, second
    if not free[end] or end == cell:
        return 0
    for i in range(shape.degree[cell]):
        first = shape.around[cell][i]
        if not free[first] or first == end:
            continue
        for j in range(shape.degree[first]):
            second = shape.around[first][j]
            if not free[second] or second == cell:
                continue
            for k in range(shape.degree[second]):
                if shape.around[second][k] == end:
                    path[0], path[1], path[2], path[3] = cell, first, second, end
                    return 1
    return 0


cdef int component(const Shape* shape, const uint8_t* members, int cell, uint8_t* seen, uint8_t* cells) noexcept nogil:
    """As component64, from a single cell; lists the cells, marks them as seen, and returns their number.

    Cells that are marked already are left out, so that one array of marks serves for all components of a board.
    """
    cdef int head = 0, tail = 1, i, at, neighbour
    cells[0] = cell
    seen[cell] = 1
    while head < tail:
        at = cells[head]
        head += 1
        for i in range(shape.degree[at]):
            neighbour = shape.around[at][i]
            if members[neighbour] and not seen[neighbour]:
                seen[neighbour] = 1
                cells[tail] = neighbour
                tail += 1
    return tail


cdef class Grid:
    """A board of ``rows`` x ``columns`` cells (1 to 16 each), numbered row by row from 0.

    Sets of cells are passed as any iterable of numbers and returned as sorted lists. ``wide`` uses the functions for
    larger boards on a small one, too. Raises ValueError for a cell that is not on the board.
    """

    def __init__(self, int rows, int columns):
        make_shape(&self.shape, rows, columns)

    @property
    def rows(self):
        """Number of rows."""
        return self.shape.rows

    @property
    def columns(self):
        """Number of columns."""
        return self.shape.columns

    def neighbours(self, int cell):
        """The orthogonal neighbours of a cell."""
        cdef int i
        self.check(cell)
        return [self.shape.around[cell][i] for i in range(self.shape.degree[cell])]

    def three_step_ends(self, free, int cell, bint wide=False):
        """The cells on which a piece on ``cell`` can end after exactly 3 orthogonal steps through cells of ``free``.

        It enters no cell twice and not its own. So an end lies at distance 3, or at distance 1 by a U-shaped path.
        """
        cdef uint8_t[MAX_CELLS] flags
        cdef uint8_t[MAX_CELLS] ends
        self.read(free, flags)
        self.check(cell)
        if wide or self.shape.cells > NARROW_CELLS:
            three_step_ends(&self.shape, flags, cell, ends)
            return listed(&self.shape, ends)
        return listed64(three_step_ends64(&self.shape, word(&self.shape, flags), cell))

    def three_step_path(self, free, int cell, int end):
        """The 4 cells of one path of 3 steps from ``cell`` to ``end``, always the same one; None if there is none."""
        cdef uint8_t[MAX_CELLS] flags
        cdef uint8_t[4] path
        cdef int i
        self.read(free, flags)
        self.check(cell)
        self.check(end)
        if not three_step_path(&self.shape, flags, cell, end, path):
            return None
        return [path[i] for i in range(4)]

    def component(self, members, int cell, bint wide=False):
        """The cells of ``members`` that are connected through edges with ``cell``, which must be one of them."""
        cdef uint8_t[MAX_CELLS] flags
        cdef uint8_t[MAX_CELLS] seen
        cdef uint8_t[MAX_CELLS] cells
        cdef int i, count
        self.read(members, flags)
        self.check(cell)
        if not flags[cell]:
            raise ValueError(f"cell {cell} is not among the members")
        if wide or self.shape.cells > NARROW_CELLS:
            memset(seen, 0, MAX_CELLS)
            count = component(&self.shape, flags, cell, seen, cells)
            return sorted([cells[i] for i in range(count)])
        return listed64(component64(&self.shape, word(&self.shape, flags), <uint64_t> 1 << cell))

    cdef int read(self, object cells, uint8_t* flags) except -1:
        cdef int cell
        memset(flags, 0, MAX_CELLS)
        for cell in cells:
            self.check(cell)
            flags[cell] = 1
        return 0

    cdef int check(self, int cell) except -1:
        if not 0 <= cell < self.shape.cells:
            raise ValueError(f"cell {cell} is not on a board of {self.shape.rows} x {self.shape.columns}")
        return 0


cdef uint64_t word(const Shape* shape, const uint8_t* flags) noexcept:
    cdef uint64_t result = 0
    cdef int cell
    for cell in range(shape.cells):
        if flags[cell]:
            result |= <uint64_t> 1 << cell
    return result


cdef list listed(const Shape* shape, const uint8_t* flags):
    cdef int cell
    return [cell for cell in range(shape.cells) if flags[cell]]


cdef list listed64(uint64_t cells):
    cdef list result = []
    while cells:
        result.append(lowest64(cells))
        cells &= cells - 1
    return result
