"""Entry to the board: a base must touch a ruler that is laid along or across its deployment line.

The ruler lies wholly on the board and touches the line, so its lowest point is exactly on it. For each direction of its
long axis the base then fixes it but for two cases, left and right of the base (OLO-GEO-70).
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t

from cext.geometry.board cimport SIDE, Discs, Scenery, spot_free
from cext.geometry.ruler cimport MAX_NODES, Hint, Near, Pose, RulerSize, depth, epsilon, explore, gather, half_tangent


cdef struct Entries:
    # The family of poses that touch the line y = 0 and a base at (x, y) north of it.
    const RulerSize* ruler
    int edge
    double r
    double x
    double y


cdef double right_rim(const RulerSize* ruler, double r, double cosine, double sine, double height) noexcept nogil:
    """The x of the right rim of S, turned into the first quadrant, at a height over its centre."""
    cdef double x1 = ruler.h * cosine - ruler.w * sine, y1 = ruler.h * sine + ruler.w * cosine
    cdef double x2 = ruler.h * cosine + ruler.w * sine, y2 = ruler.h * sine - ruler.w * cosine
    if height >= y1 + r * sine:
        return x1 + sqrt(max(0, r * r - (height - y1) * (height - y1)))
    if height > y2 + r * sine:
        return x2 + r * cosine - (height - y2 - r * sine) * sine / cosine
    if height >= y2 - r * cosine:
        return x2 + sqrt(max(0, r * r - (height - y2) * (height - y2)))
    if height > -y1 - r * cosine:
        return x2 + r * sine + (height - y2 + r * cosine) * cosine / sine
    return -x1 + sqrt(max(0, r * r - (height + y1) * (height + y1)))


cdef void turn_to_edge(int edge, Pose* pose) noexcept nogil:
    """From the frame in which the line is y = 0 to the board: edges 0 to 3 are north, east, south, west."""
    if edge & 1:
        pose.x, pose.y = pose.y, pose.x
        pose.ux, pose.uy = pose.uy, pose.ux
        pose.nx, pose.ny = pose.ny, pose.nx
    if edge == 0:
        pose.y, pose.uy, pose.ny = SIDE - pose.y, -pose.uy, -pose.ny
    elif edge == 1:
        pose.x, pose.ux, pose.nx = SIDE - pose.x, -pose.ux, -pose.nx


cdef void entry_at(const Entries* entries, bint mirrored, double cosine, double sine, double shift, Pose* pose) noexcept nogil:
    """The pose whose lowest point lies on the line, its long axis at (cos, sin) or mirrored, ``shift`` right of the base."""
    cdef double sign = -1 if mirrored else 1
    pose.ux, pose.uy = sign * cosine, sine
    pose.nx, pose.ny = -sign * sine, cosine
    pose.x = entries.x + shift
    pose.y = entries.ruler.h * sine + entries.ruler.w * cosine
    turn_to_edge(entries.edge, pose)


cdef bint entry_poses(const void* family, double t, int first, int last, Pose* poses) noexcept nogil:
    """Curves 0, 1: the base is right of the ruler; 2, 3: left of it; odd ones are mirrored."""
    cdef const Entries* entries = <const Entries*> family
    cdef double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t), height, shift
    cdef int curve
    height = entries.y - (entries.ruler.h * sine + entries.ruler.w * cosine)
    for curve in range(first, last + 1):
        # S is its own image through its centre, and so its left rim at a height the right one at the opposite height.
        shift = right_rim(
            entries.ruler, entries.r, cosine, sine, height if curve == 0 or curve == 3 else -height
        )
        entry_at(entries, curve & 1, cosine, sine, -shift if curve < 2 else shift, &poses[curve - first])
    return True


cdef bint find_entry(
    const Near* near, const RulerSize* ruler, int edge, double r, double x, double y, Pose* pose
) noexcept nogil:
    """A free pose of the ruler that touches the deployment line from inside and a base at (x, y) (OLO-GEO-70)."""
    cdef Entries entries
    cdef Hint hint
    cdef double low = 0, high = 1, needed, cosine, sine, at, overlap
    cdef int side
    entries.ruler, entries.edge, entries.r = ruler, edge, r
    entries.x = y if edge & 1 else x
    entries.y = x if edge & 1 else y
    if edge < 2:
        entries.y = SIDE - entries.y
    # The centre of the ruler has to lie at least so high; highest it lies with its diagonal upright.
    needed = (entries.y - r) / 2
    if needed > ruler.diagonal:
        return False
    cosine = needed / ruler.diagonal
    sine = sqrt(max(0, 1 - cosine * cosine))
    if needed > ruler.w:
        low = half_tangent(
            (ruler.w * cosine + ruler.h * sine) / ruler.diagonal, (ruler.h * cosine - ruler.w * sine) / ruler.diagonal
        )
    if needed > ruler.h:
        high = half_tangent(
            (ruler.w * cosine - ruler.h * sine) / ruler.diagonal, (ruler.h * cosine + ruler.w * sine) / ruler.diagonal
        )
    # Lying along the line or standing upright on it, with the base flush on top, the ruler can slide.
    for side in range(2):
        if needed == (ruler.h if side else ruler.w):
            at = -(ruler.w if side else ruler.h)
            while at <= (ruler.w if side else ruler.h):
                entry_at(&entries, False, 0.0 if side else 1.0, side, at, pose)
                overlap = depth(near, ruler, pose)
                if overlap <= epsilon():
                    return True
                at += overlap
    return explore(near, ruler, entry_poses, &entries, MAX_NODES, low, high, &hint, pose)


cdef bint can_enter(
    const Scenery* scenery, const Discs* discs, int mover, const RulerSize* ruler,
    int edge, int32_t r, int32_t x, int32_t y, Pose* pose
) noexcept nogil:
    """Whether a base from off the board, element ``mover``, can be set at (x, y) from the deployment line ``edge``."""
    cdef Near near
    if not spot_free(scenery, discs, x, y, r, mover):
        return False
    gather(&near, scenery, discs, mover, x, y, 2 * ruler.diagonal + r)
    return find_entry(&near, ruler, edge, r, x, y, pose)
