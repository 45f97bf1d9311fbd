"""Writer of the codes of many states as one packed message, for simulations, which send thousands at once.

It is a LegalLists or a DrawnOutcomes of ``omnilude.v1``. Both have two packed fields of the same numbers: ``offsets``, one
more than there are lists, and ``codes``, all elements. List i has the elements from offsets[i] up to, and without,
offsets[i + 1].
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from cext.playout cimport pick_outcome
from cext.random cimport Rng
from cext.simulation_service_enums cimport *
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, Codes, State, lowest_seat
from cext.varint cimport MAX_VARINT_BYTES, put_varint


cdef class _Packed:
    """Numbers of a packed field."""

    cdef uint8_t* bytes
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity

    def __dealloc__(self):
        free(self.bytes)

    cdef int put(self, uint64_t value) except -1:
        cdef void* grown
        if self.size + MAX_VARINT_BYTES > self.capacity:
            grown = realloc(self.bytes, 2 * self.capacity + 1024)
            if grown == NULL:
                raise MemoryError()
            self.bytes = <uint8_t*> grown
            self.capacity = 2 * self.capacity + 1024
        self.size = put_varint(self.bytes + self.size, value) - self.bytes
        return 0


cdef class CodeLists:
    """Collects a list of codes for each state."""

    cdef _Packed _offsets
    cdef _Packed _codes
    cdef Codes _buffer
    cdef readonly Py_ssize_t count
    """Number of codes."""

    def __init__(self):
        self._offsets, self._codes, self._buffer = _Packed(), _Packed(), Codes()
        self.count = 0
        self._offsets.put(0)

    cdef int push(self, int32_t code) except -1:
        self._codes.put(<uint64_t> <int64_t> code)
        self.count += 1
        return 0

    def add_legal(self, State state not None, int seat=-1):
        """Add a list with the legal actions of a seat (-1: the first of the seats to act)."""
        cdef Py_ssize_t i
        if seat < 0:
            seat = state.actor()
            if seat == C_SIMULTANEOUS:
                seat = lowest_seat(state.seats_to_act())
        if seat >= 0:
            state.fill_legal(seat, self._buffer)
            for i in range(self._buffer.size):
                self.push(self._buffer.code[i])
        self._offsets.put(self.count)

    def draw(self, State state not None, Rng rng not None):
        """Draw and apply outcomes of chance until the next node is not a chance node, and add a list of them. Changes the state."""
        cdef Py_ssize_t i
        while state.actor() == C_CHANCE:
            state.fill_chance(self._buffer)
            i = pick_outcome(self._buffer, rng)
            self.push(self._buffer.code[i])
            state.step(self._buffer.code[i], -1)
        self._offsets.put(self.count)

    def message(self):
        """The bytes of the message."""
        return _field(TAG_LEGAL_LISTS_OFFSETS, self._offsets) + _field(TAG_LEGAL_LISTS_CODES, self._codes)


cdef bytes _field(uint8_t tag, _Packed numbers):
    cdef _Packed head = _Packed()
    cdef bytes field
    head.put(tag)
    head.put(numbers.size)
    field = PyBytes_FromStringAndSize(NULL, head.size + numbers.size)
    memcpy(PyBytes_AS_STRING(field), head.bytes, head.size)
    if numbers.size:
        memcpy(PyBytes_AS_STRING(field) + head.size, numbers.bytes, numbers.size)
    return field
