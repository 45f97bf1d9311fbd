from gamepacks.omen.engine.table cimport Set, Table, Token

cdef void gather(Table t, int zone, int token, int seen_by) noexcept
cdef void leave(Table t, int zone, int token, int seen_by) noexcept
cdef void mix(Table t, const Set* places, const Set* placed) noexcept
cdef void show(Table t, int token, int viewers) noexcept
cdef int deal_anew(Table t, int viewer, object rng) except -1
cdef void forget_what_fits_not(Table t, int viewer) noexcept nogil
cdef bint exchange(Token* one, Token* other, int viewer) noexcept nogil
cdef int family(Table t, int token) noexcept nogil
