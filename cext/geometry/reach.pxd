from libc.stdint cimport int32_t, int64_t

from cext.geometry.board cimport Discs, Scenery
from cext.geometry.ruler cimport Hint, Near, Pose, RulerSize

cdef bint in_range(const RulerSize* ruler, int64_t dx, int64_t dy, int64_t r) noexcept nogil
cdef bint find_pose(
    const Near* near, const RulerSize* ruler, double ax, double ay, double r, double bx, double by, Hint* hint, Pose* pose
) noexcept nogil
cdef bint can_reach(
    const Scenery* scenery, const Discs* discs, int mover, const RulerSize* ruler,
    int32_t ax, int32_t ay, int32_t r, int32_t bx, int32_t by, Pose* pose
) noexcept nogil
