from libc.stdint cimport int64_t

from gamepacks.omega.engine.table cimport Rules, Table
from gamepacks.omega.engine.unseen cimport Unseen

cdef struct Tally:
    int64_t runes
    int64_t gold
    int64_t arcana
    int64_t bonus
    int64_t total

# Points: at least, and at most; equal where nothing that is not known matters.
cdef struct Worth:
    int64_t least
    int64_t most

cdef Worth token_worth(Rules rules, const Table* t, int token, int seat, const Unseen* unseen) noexcept nogil
cdef Worth known_arcana(Rules rules, const Table* t, int seat) noexcept nogil
cdef void judge(Rules rules, const Table* t, Tally* out) noexcept nogil
