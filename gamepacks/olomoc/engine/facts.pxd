from libc.stdint cimport int32_t, int64_t, uint64_t

from gamepacks.olomoc.engine.table cimport OlomocTable

cdef bint within(OlomocTable m, int one, int other, int64_t distance) noexcept
cdef bint in_zone(OlomocTable m, int figure, int element) noexcept
cdef bint engages(OlomocTable m, int figure, int other) noexcept
cdef bint engaged(OlomocTable m, int figure) noexcept
cdef bint is_free(OlomocTable m, int figure) noexcept
cdef bint supported(OlomocTable m, int figure, int target) noexcept
cdef bint touches(OlomocTable m, int one, int other) noexcept
cdef bint sees(OlomocTable m, int one, int other) except -1
cdef bint covered(OlomocTable m, int figure) except -1
cdef bint far(OlomocTable m, int one, int other) noexcept
cdef uint64_t figures_where(OlomocTable m, int where) noexcept
cdef uint64_t foes_of(OlomocTable m, int figure) noexcept
cdef bint exists(OlomocTable m, int element) noexcept
cdef uint64_t in_zone_of_tag(OlomocTable m, int figure, int tag) except? 0xFFFFFFFF
cdef int tag_of(OlomocTable m, int element) except -2
