from cext.random cimport Rng
from gamepacks.omega.engine.table cimport Rules, Table

# What the active player's pyramid is known to hold, as it is placing: the ``colours`` largest numbers of runes among
# the types of ``types`` (a bit each) are so many together.
cdef struct Wish:
    int types
    int colours
    int runes

cdef int deal(Rules rules, Table* out, int viewer, const Wish* wish, Rng dice) except -1
cdef double choose(int whole, int part) noexcept nogil
