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
cdef void set_direction(Plan* plan, int compass, int towards) noexcept nogil
cdef void set_best(Plan* plan, int32_t place) noexcept nogil
cdef void try_best_first(Plan* plan) noexcept nogil
cdef void note_best(Plan* plan, int32_t x, int32_t y, bint known_legal) noexcept nogil
