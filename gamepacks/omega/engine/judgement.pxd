from libc.stdint cimport int64_t

from gamepacks.omega.engine.table cimport Rules, Table

cdef struct Tally:
    int64_t runes
    int64_t gold
    int64_t arcana
    int64_t bonus
    int64_t total

cdef int64_t token_value(Rules rules, const Table* t, int token, int seat) noexcept nogil
cdef void judge(Rules rules, const Table* t, Tally* out) noexcept nogil
