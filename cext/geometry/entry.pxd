from libc.stdint cimport int32_t

from cext.geometry.board cimport Discs, Scenery
from cext.geometry.ruler cimport Near, Pose, RulerSize

cdef void turn_to_edge(int edge, Pose* pose) noexcept nogil
cdef bint find_entry(
    const Near* near, const RulerSize* ruler, int edge, double r, double x, double y, Pose* pose
) noexcept nogil
cdef bint can_enter(
    const Scenery* scenery, const Discs* discs, int mover, const RulerSize* ruler,
    int edge, int32_t r, int32_t x, int32_t y, Pose* pose
) noexcept nogil
