"""Tic-tac-toe as a compiled state, for tests and measurements of searches: nine cells, a bit each."""

from libc.stdint cimport int32_t

from cext.state cimport C_TERMINAL, Codes, State

cdef enum:
    ALL = 0x1FF

cdef int[8] LINES
LINES[:] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


cdef class CompiledTicTacToe(State):
    """``marks`` are the cells of both seats as bit masks."""

    cdef int[2] marks
    cdef int count
    cdef bint won

    def __init__(self, tuple marks=(0, 0)):
        self.marks[0], self.marks[1] = marks
        self.count = (<int> marks[0]).bit_count() + (<int> marks[1]).bit_count()
        self.won = self.has_line(1 - self.count % 2)

    @property
    def cells(self):
        """The cells of both seats as bit masks."""
        return self.marks[0], self.marks[1]

    cdef bint has_line(self, int seat) noexcept:
        cdef int i
        for i in range(8):
            if self.marks[seat] & LINES[i] == LINES[i]:
                return True
        return False

    cpdef int actor(self) except? -100:
        return C_TERMINAL if self.won or self.count == 9 else self.count & 1

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int cell, free = ALL & ~(self.marks[0] | self.marks[1])
        out.size = 0
        for cell in range(9):
            if free >> cell & 1:
                out.push(cell)
        return 0

    cdef int step(self, int32_t code, int seat) except -1:
        cdef int mover = self.count & 1
        self.marks[mover] |= 1 << code
        self.count += 1
        self.won = self.has_line(mover)
        return 0

    cpdef State clone(self):
        cdef CompiledTicTacToe copy = CompiledTicTacToe.__new__(CompiledTicTacToe)
        copy.marks, copy.count, copy.won = self.marks, self.count, self.won
        return copy

    cpdef tuple returns(self):
        if not self.won:
            return (0.0, 0.0)
        return (-1.0, 1.0) if self.count % 2 == 0 else (1.0, -1.0)
