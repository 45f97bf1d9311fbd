"""Codec of the most frequent messages of ``omnilude.v1.PlayService``: a move by its code, its result, a turn of codes.

There are millions of them, so they are read and written here without an object for each message and field: with protobuf
alone a move took the service 1.47 times the processor time with 1,000 matches at once, and 1.14 times with one. All other
messages are left to protobuf: :func:`read_moves` returns None for them, and the bytes of any other PlayResponse may
follow those of a :class:`PlayWriter`, as protobuf merges messages that follow each other.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

from cext.play_service_enums cimport *
from cext.varint cimport MAX_VARINT_BYTES, put_varint


cdef struct Reading:
    const uint8_t* at
    const uint8_t* end


cdef inline bint varint(Reading* r, uint64_t* value) noexcept nogil:
    """Read a varint; False if there is none of at most 63 bits."""
    cdef uint64_t found = 0
    cdef int shift = 0
    cdef uint8_t byte
    while r.at < r.end and shift < 63:
        byte = r.at[0]
        r.at += 1
        found |= <uint64_t> (byte & 0x7F) << shift
        if byte < 0x80:
            value[0] = found
            return True
        shift += 7
    return False


def read_moves(bytes data not None):
    """Returns ``(channel, seq, code)`` of each move of a serialised PlayRequest that holds moves by code and nothing else.

    Returns None for any other message, which protobuf has to read.
    """
    cdef Reading r, move
    cdef uint64_t tag, length, channel, seq, code
    cdef bint coded
    cdef list moves = []
    r.at = <const uint8_t*> PyBytes_AS_STRING(data)
    r.end = r.at + PyBytes_GET_SIZE(data)
    while r.at < r.end:
        if not varint(&r, &tag) or tag != TAG_PLAY_REQUEST_MOVES:
            return None
        if not varint(&r, &length) or length > <uint64_t> (r.end - r.at):
            return None
        move.at = r.at
        r.at += length
        move.end = r.at
        channel = seq = code = 0
        coded = False
        while move.at < move.end:
            if not varint(&move, &tag):
                return None
            if tag == TAG_MOVE_CHANNEL:
                if not varint(&move, &channel) or channel > 0xFFFFFFFF:
                    return None
            elif tag == TAG_MOVE_SEQ:
                if not varint(&move, &seq):
                    return None
            elif tag == TAG_MOVE_CODE:
                if not varint(&move, &code) or code > 0x7FFFFFFF:
                    return None
                coded = True
            else:
                return None
        if not coded:
            return None
        moves.append((channel, <int64_t> seq, <int32_t> code))
    return moves


cdef Py_ssize_t fields_in(const uint8_t* at, const uint8_t* end, uint64_t into, uint64_t packed) noexcept nogil:
    """Number of fields from ``at`` on, up to the first byte that is not a valid encoding."""
    cdef Reading r
    cdef uint64_t tag, value
    cdef Py_ssize_t count = 0, i
    r.at, r.end = at, end
    while r.at < r.end:
        if not varint(&r, &tag):
            break
        count += 1
        value = 0
        if tag & 7 == 0:
            if r.at < r.end and r.at[0] < 0x80:
                r.at += 1
                continue
            while r.at < r.end and r.at[0] >= 0x80:
                r.at += 1
            value = 1
        elif tag & 7 == 1:
            value = 8
        elif tag & 7 == 2:
            if not varint(&r, &value):
                break
        elif tag & 7 == 5:
            value = 4
        if value > <uint64_t> (r.end - r.at):
            break
        if tag == (into << 3 | 2):
            count += fields_in(r.at, r.at + value, 0, 0)
        elif tag & 7 == 2 and tag >> 3 < 64 and packed >> (tag >> 3) & 1:
            count -= 1
            for i in range(<Py_ssize_t> value):
                count += r.at[i] < 0x80
        r.at += value
    return count


def count_fields(bytes data not None, unsigned int into = 0, uint64_t packed = 0):
    """Number of fields of a serialised message, with every entry of a repeated one.

    Fields within the message in field ``into`` are counted, too, and so are the numbers in packed fields whose bits are
    set in ``packed``. It costs little and takes no memory, so a message can be refused before its entries are read.
    """
    cdef const uint8_t* at = <const uint8_t*> PyBytes_AS_STRING(data)
    return fields_in(at, at + PyBytes_GET_SIZE(data), into, packed)


cdef inline int length_of(uint64_t value) noexcept nogil:
    """Bytes of a number."""
    cdef int count = 1
    while value >= 0x80:
        value >>= 7
        count += 1
    return count


cdef inline int length_of_field(uint64_t value) noexcept nogil:
    """Bytes of a field with this number; a field of 0 is left out."""
    return 1 + length_of(value) if value else 0


cdef inline uint8_t* put_field(uint8_t* at, uint8_t tag, uint64_t value) noexcept nogil:
    """Write a field."""
    if value:
        at[0] = tag
        at = put_varint(at + 1, value)
    return at


cdef class PlayWriter:
    """Writes a PlayResponse that holds only results and turns."""

    cdef uint8_t* bytes
    cdef Py_ssize_t capacity
    cdef readonly Py_ssize_t size
    """Bytes written so far."""

    def __dealloc__(self):
        free(self.bytes)

    cdef uint8_t* room(self, Py_ssize_t size) except NULL:
        """Make room for ``size`` bytes more; returns the place to write them."""
        cdef Py_ssize_t capacity
        cdef void* grown
        if self.size + size > self.capacity:
            capacity = 2 * (self.size + size) + 200
            grown = realloc(self.bytes, capacity)
            if grown == NULL:
                raise MemoryError()
            self.bytes = <uint8_t*> grown
            self.capacity = capacity
        return self.bytes + self.size

    def add_result(self, uint32_t channel, int64_t seq, int64_t action_seq):
        """Add a MoveResult of a move that was taken."""
        cdef int inner = length_of_field(channel) + length_of_field(seq) + length_of_field(action_seq)
        cdef uint8_t* at = self.room(inner + MAX_VARINT_BYTES)
        at[0] = TAG_PLAY_RESPONSE_RESULTS
        at = put_varint(at + 1, inner)
        at = put_field(at, TAG_MOVE_RESULT_CHANNEL, channel)
        at = put_field(at, TAG_MOVE_RESULT_SEQ, seq)
        at = put_field(at, TAG_MOVE_RESULT_ACTION_SEQ, action_seq)
        self.size = at - self.bytes

    def add_turn(self, uint32_t channel, int64_t seq, list codes not None):
        """Add a Turn with its codes and nothing else. Raises OverflowError for a code of more than 32 bits."""
        cdef Py_ssize_t packed = 0, inner
        cdef int32_t code
        cdef uint8_t* at
        for item in codes:
            code = item
            packed += length_of(<uint64_t> <int64_t> code)
        inner = length_of_field(channel) + length_of_field(seq)
        if packed:
            inner += 1 + length_of(packed) + packed
        at = self.room(inner + MAX_VARINT_BYTES)
        at[0] = TAG_PLAY_RESPONSE_TURNS
        at = put_varint(at + 1, inner)
        at = put_field(at, TAG_TURN_CHANNEL, channel)
        at = put_field(at, TAG_TURN_SEQ, seq)
        if packed:
            at[0] = TAG_TURN_CODES
            at = put_varint(at + 1, packed)
            for item in codes:
                code = item
                at = put_varint(at, <uint64_t> <int64_t> code)
        self.size = at - self.bytes

    def take(self):
        """Return the bytes written so far, and begin a new message."""
        cdef object taken = PyBytes_FromStringAndSize(<const char*> self.bytes, self.size)
        self.size = 0
        return taken
