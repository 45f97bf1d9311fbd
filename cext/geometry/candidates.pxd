from libc.stdint cimport int32_t, uint64_t

from cext.geometry.plan cimport Box, Plan

cdef enum:
    MAX_CANDIDATES = 2048

cdef struct Candidates:
    # Sorted places, without duplicates.
    int count
    int limit
    int32_t place[MAX_CANDIDATES]

cdef void add_candidates(Plan* plan, Candidates* candidates, const Box* box, uint64_t foes) noexcept nogil
cdef void set_direction(Plan* plan, int reference, int towards) noexcept nogil
cdef void set_best(Plan* plan, int32_t place) noexcept nogil
cdef void try_likely_best(Plan* plan) noexcept nogil
cdef void update_best(Plan* plan, int32_t x, int32_t y, bint known_legal) noexcept nogil
