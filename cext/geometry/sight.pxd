from libc.stdint cimport int64_t, uint64_t

from cext.geometry.board cimport Discs, Scenery

cdef bint sees_disc(
    const Scenery* scenery, int64_t ax, int64_t ay, int64_t ar, int64_t bx, int64_t by, int64_t br, double* segment
) noexcept nogil
cdef bint sees_piece(
    const Scenery* scenery, int64_t x, int64_t y, int64_t r, int piece, double* segment
) noexcept nogil
cdef uint64_t seen_of(
    const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, int64_t r, uint64_t among
) noexcept nogil
