from gamepacks.omen.engine.table cimport Set, Table

cdef void gather(Table t, int zone, int token, int seen_by) noexcept
cdef void leave(Table t, int zone, int token, int seen_by) noexcept
cdef void mix(Table t, const Set* places, const Set* placed) noexcept
cdef void show(Table t, int token, int viewers) noexcept
cdef void deal_anew(Table t, int viewer, object rng)
cdef int family(Table t, int token) noexcept nogil
