"""The state, compiled: a bitboard for each seat, whose bit of a cell is ``column * (ROWS + 1) + row``.

The bit above each column stays 0, so that no line goes on from one column into the next.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

from cext.state cimport C_TERMINAL, Codes, State
from connect_four.codes_enums cimport CELLS, COLUMNS, ROWS, VERB_DROP

cdef enum:
    NOBODY = 255
    FIRST_ARGUMENT = 7  # mask of the column in a code


cdef bint has_four(uint64_t discs) noexcept nogil:
    """Whether four discs are in a line (FOUR-END-01)."""
    cdef uint64_t pairs
    cdef int direction, shift
    for direction in range(4):
        # Vertical, diagonal down, horizontal, diagonal up.
        shift = 1 if direction == 0 else ROWS - 1 + direction
        pairs = discs & discs >> shift
        if pairs & pairs >> 2 * shift:
            return True
    return False


cdef class CompiledState(State):
    """The same as :class:`connect_four.reference.PythonState`."""

    cdef uint64_t[2] discs
    cdef uint8_t[CELLS] drop
    cdef uint8_t[COLUMNS] height
    cdef int count
    cdef int winner

    def __init__(self, object game):
        self.game = game
        self.winner = NOBODY

    @property
    def drops(self):
        """The columns of all drops so far."""
        cdef int i
        return tuple([self.drop[i] for i in range(self.count)])

    cpdef int actor(self) except? -100:
        return C_TERMINAL if self.winner != NOBODY or self.count == CELLS else self.count & 1

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int column, actor = self.actor()
        out.size = 0
        if actor >= 0 and (seat == -1 or seat == actor):
            for column in range(COLUMNS):
                if self.height[column] < ROWS:
                    out.push(VERB_DROP | column)
        return 0

    cdef int step(self, int32_t code, int seat) except -1:
        cdef int column = code & FIRST_ARGUMENT, mover = self.count & 1
        self.discs[mover] |= (<uint64_t> 1) << (column * (ROWS + 1) + self.height[column])
        self.height[column] += 1
        self.drop[self.count] = column
        self.count += 1
        if has_four(self.discs[mover]):
            self.winner = mover
        return 0

    cpdef State clone(self):
        cdef CompiledState copy = CompiledState.__new__(CompiledState)
        copy.game, copy.count, copy.winner = self.game, self.count, self.winner
        copy.discs = self.discs
        memcpy(copy.drop, self.drop, sizeof(self.drop))
        memcpy(copy.height, self.height, sizeof(self.height))
        return copy

    cpdef tuple returns(self):
        if self.winner == NOBODY:
            return (0.0, 0.0)
        return (1.0, -1.0) if self.winner == 0 else (-1.0, 1.0)
