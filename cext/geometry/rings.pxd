from libc.stdint cimport int32_t, uint64_t

from cext.geometry.plan cimport Box, Plan

cdef enum:
    MAX_RING = 2048

cdef struct Ring:
    # Sorted places, without duplicates.
    int count
    int limit
    int32_t place[MAX_RING]

cdef void add_rings(Plan* plan, Ring* ring, const Box* box, uint64_t foes) noexcept nogil
cdef bint set_direction(Plan* plan, int compass, int towards, bint directly, uint64_t foes) noexcept nogil
