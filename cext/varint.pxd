from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    MAX_VARINT_BYTES = 10

cdef inline uint8_t* put_varint(uint8_t* at, uint64_t value) noexcept nogil:
    """Write a number as a varint of the protobuf encoding; returns the place behind it."""
    while value >= 0x80:
        at[0] = <uint8_t> (value & 0x7F | 0x80)
        at += 1
        value >>= 7
    at[0] = <uint8_t> value
    return at + 1
