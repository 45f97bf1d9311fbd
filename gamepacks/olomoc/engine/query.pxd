from libc.stdint cimport int32_t, uint64_t

from gamepacks.olomoc.engine.table cimport OlomocTable

cdef struct Elements:
    # Figures and markers, and pieces of scenery.
    uint64_t discs
    uint64_t pieces

cdef int new_scope(OlomocTable m, int32_t* scope, int bearer, int capacity) except -1
cdef int chooser_of(OlomocTable m, int32_t* scope) noexcept
cdef int decider(OlomocTable m, int figure) noexcept
cdef int player_of(OlomocTable m, int player, int32_t* scope) noexcept
cdef int value(OlomocTable m, object val, int32_t* scope) except? -1000000
cdef bint holds(OlomocTable m, object cond, int32_t* scope) except -1
cdef bint fits(OlomocTable m, object sel, int32_t* scope, int element) except -1
cdef Elements select(OlomocTable m, object sel, int32_t* scope) except *
cdef int count_of(Elements elements) noexcept
cdef Elements narrowed(OlomocTable m, object sel, int32_t* scope, Elements found) except *
cdef bint is_active(OlomocTable m, int figure) noexcept
