from libc.stdint cimport int32_t, uint8_t, uint64_t

from cext.geometry.board cimport Discs, Scenery
from cext.geometry.plan cimport Plan

cdef int list_places(Plan* plan, int step, uint64_t foes, int32_t* out, int capacity) except -1 nogil
cdef int list_capacity(int step) noexcept nogil

cdef struct Raster:
    # The first point, of the lattice, and how many points there are across and up.
    int x
    int y
    int columns
    int rows

cdef Raster raster_of(const Plan* plan, int step) noexcept nogil
cdef void fill_raster(Plan* plan, const Raster* raster, int step, uint8_t* bits) noexcept nogil
cdef int32_t nearest_free(
    const Scenery* scenery, const Discs* discs, int32_t x, int32_t y, int32_t r
) noexcept nogil
