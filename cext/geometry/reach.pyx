"""Moves along a rigid ruler: a base that touches the ruler at one place is set at another place that touches it.

The ruler is laid flat, touching the base, wholly on the board and on nothing; the base may then stand wherever it touches
the ruler (OLO-MOVE-02, 03). For two given places the poses of the ruler form a closed curve, section 4.6.

Frame of the ruler: the rectangle [-h, h] x [-w, w]. A base of radius r touches it iff its centre lies on the rim of S, the
rectangle rounded by r. Start and end are a chord of S with the vector (x, y), and by symmetry both are at least 0.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t

from cext.geometry.board cimport Discs, Scenery, compare_offset, spot_free
from cext.geometry.ruler cimport Hint, Near, Pose, RulerSize, depth, epsilon, explore, gather, half_tangent

cdef enum:
    NODES = 16

# A chord may miss the edge of its arc by so much, in radians, through rounding.
cdef double ROUNDING = 1e-9


cdef struct Chords:
    # The poses for one start a and end b: the unit vector from a to b, the distance, and the curves' range of t.
    const RulerSize* ruler
    double r
    double ax
    double ay
    double bx
    double by
    double ex
    double ey
    double d
    double t0
    double t1


cdef bint in_range(const RulerSize* ruler, int64_t dx, int64_t dy, int64_t r) noexcept nogil:
    """Whether two bases with centres so far apart can touch one ruler at all: d <= diagonal + 2 r, exactly."""
    cdef int64_t square = ruler.length * ruler.length + ruler.width * ruler.width
    cdef int64_t rest = dx * dx + dy * dy - square - 4 * r * r
    return rest <= 0 or compare_offset(rest, 4 * r, square) <= 0


cdef inline bint in_corner(double x, double y, int horizontal, int vertical) noexcept nogil:
    """Whether a normal points into the quarter of a corner, whose signs are given."""
    return x * horizontal >= -ROUNDING and y * vertical >= -ROUNDING


cdef bint between_corners(
    const Chords* chords, double x, double y, int left, int top, double* px, double* py
) noexcept nogil:
    """The chord from the arc at the lower left (``left``) or right corner to that at the lower or upper right (``top``)."""
    cdef const RulerSize* ruler = chords.ruler
    cdef double r = chords.r, size, mx = 0, my = -1, kappa
    cdef double cx = -ruler.h if left else ruler.h
    x -= ruler.h - cx
    y -= 2 * ruler.w if top else 0
    size = sqrt(x * x + y * y)
    if size > 2 * r * (1 + ROUNDING):
        return False
    if size > 0:
        mx, my = y / size, -x / size
    kappa = sqrt(max(0, 1 - size * size / (4 * r * r)))
    x /= 2 * r
    y /= 2 * r
    if not in_corner(kappa * mx - x, kappa * my - y, -1 if left else 1, -1):
        return False
    if not in_corner(kappa * mx + x, kappa * my + y, 1, 1 if top else -1):
        return False
    px[0] = cx + r * (kappa * mx - x)
    py[0] = -ruler.w + r * (kappa * my - y)
    return True


cdef bint chord(const Chords* chords, double x, double y, double* px, double* py) noexcept nogil:
    """The start of the lower right chord of S with the vector (x, y)."""
    cdef double h = chords.ruler.h, w = chords.ruler.w, r = chords.r, k, tolerance = r * ROUNDING
    if y <= r:
        k = sqrt(max(0, y * (2 * r - y)))
    elif y <= 2 * w + r:
        k = r
    else:
        k = sqrt(max(0, r * r - (y - 2 * w - r) * (y - 2 * w - r)))
    px[0], py[0] = h + k - x, -(w + r)
    if -h - tolerance <= px[0] <= h + tolerance and y <= 2 * (w + r) + tolerance:
        return True
    if px[0] > h:
        if x <= r:
            px[0], py[0] = h + r - x, -w - sqrt(max(0, x * (2 * r - x)))
            if -w - tolerance <= py[0] + y <= w + tolerance:
                return True
        return between_corners(chords, x, y, 0, 0, px, py) or between_corners(chords, x, y, 0, 1, px, py)
    k = (2 * h + r - x) / r
    if -1 - ROUNDING <= k <= ROUNDING:
        px[0], py[0] = -h + r * k, -w - r * sqrt(max(0, 1 - k * k))
        if -w - tolerance <= py[0] + y <= w + tolerance:
            return True
    return between_corners(chords, x, y, 1, 0, px, py) or between_corners(chords, x, y, 1, 1, px, py)


cdef inline void set_axes(const Chords* chords, int mirrored, double cosine, double sine, Pose* pose) noexcept nogil:
    """The axes for which b - a = (d cos, d sin) in the ruler's frame: right-handed or mirrored."""
    cdef double fx = chords.ey if mirrored else -chords.ey, fy = -chords.ex if mirrored else chords.ex
    pose.ux, pose.uy = cosine * chords.ex + sine * fx, cosine * chords.ey + sine * fy
    pose.nx, pose.ny = sine * chords.ex - cosine * fx, sine * chords.ey - cosine * fy


cdef bint chord_poses(const void* family, double t, int first, int last, Pose* poses) noexcept nogil:
    """Curves 0, 1: the start touches the lower right chord; 2, 3: the upper left one; odd ones are mirrored."""
    cdef const Chords* chords = <const Chords*> family
    cdef double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t), px = 0, py = 0
    cdef bint found = chord(chords, chords.d * cosine, chords.d * sine, &px, &py)
    cdef Pose* pose
    cdef int curve
    for curve in range(first, last + 1):
        pose = &poses[curve - first]
        set_axes(chords, curve & 1, cosine, sine, pose)
        if curve < 2:
            pose.x = chords.ax - (px * pose.ux + py * pose.nx)
            pose.y = chords.ay - (px * pose.uy + py * pose.ny)
        else:
            pose.x = chords.bx + (px * pose.ux + py * pose.nx)
            pose.y = chords.by + (px * pose.uy + py * pose.ny)
    return found


cdef double corner_tangent(const Chords* chords, int turn) noexcept nogil:
    """t where both bases touch opposite corners; from the diagonal's direction clockwise (turn -1) or the other way."""
    cdef double h = chords.ruler.h, w = chords.ruler.w, m = 2 * chords.ruler.diagonal, cosine, sine
    cosine = min(1, (chords.d * chords.d + m * m - 4 * chords.r * chords.r) / (2 * chords.d * m))
    sine = turn * sqrt(max(0, 1 - cosine * cosine))
    return half_tangent((2 * h * cosine - 2 * w * sine) / m, (2 * w * cosine + 2 * h * sine) / m)


cdef void set_chords(
    Chords* chords, const RulerSize* ruler, double ax, double ay, double r, double bx, double by
) noexcept nogil:
    cdef double dx = bx - ax, dy = by - ay, cosine, sine, long_ = 2 * (ruler.h + r), short_ = 2 * (ruler.w + r)
    chords.ruler, chords.r = ruler, r
    chords.ax, chords.ay, chords.bx, chords.by = ax, ay, bx, by
    chords.d = sqrt(dx * dx + dy * dy)
    chords.ex, chords.ey = dx / chords.d, dy / chords.d
    chords.t0, chords.t1 = 0, 1
    if chords.d > long_:
        cosine = long_ / chords.d
        sine = sqrt(1 - cosine * cosine)
        chords.t0 = half_tangent(cosine, sine) if chords.d * sine <= 2 * ruler.w else corner_tangent(chords, -1)
    if chords.d > short_:
        sine = short_ / chords.d
        cosine = sqrt(1 - sine * sine)
        chords.t1 = half_tangent(cosine, sine) if chords.d * cosine <= 2 * ruler.h else corner_tangent(chords, 1)


cdef bint slide(
    const Chords* chords, int kind, double* x, double* y, double* px, double* py, double* length
) noexcept nogil:
    """A straight stretch of poses: both bases on one side (0 long, 1 end) or on opposite ones (2 long, 3 ends).

    Along it p moves from (px, py) by ``length``, to the right (even kinds) or up (odd ones).
    """
    cdef double h = chords.ruler.h, w = chords.ruler.w, r = chords.r, d = chords.d, across
    if kind == 0:
        x[0], y[0], px[0], py[0], length[0] = d, 0, -h, -(w + r), 2 * h - d
    elif kind == 1:
        x[0], y[0], px[0], py[0], length[0] = 0, d, h + r, -w, 2 * w - d
    else:
        across = 2 * (w + r) if kind == 2 else 2 * (h + r)
        if d < across:
            return False
        length[0] = sqrt(d * d - across * across)
        if kind == 2:
            x[0], y[0], px[0], py[0], length[0] = length[0], across, -h, -(w + r), 2 * h - length[0]
        else:
            x[0], y[0], px[0], py[0], length[0] = across, length[0], -(h + r), -w, 2 * w - length[0]
    return length[0] >= 0


cdef bint slide_pose(const Chords* chords, int curve, double at, double* length, Pose* pose) noexcept nogil:
    """The pose ``at`` ticks along slide curve // 2, mirrored if odd; False if the slide does not exist."""
    cdef double x = 0, y = 0, px = 0, py = 0
    if not slide(chords, curve >> 1, &x, &y, &px, &py, length) or at > length[0]:
        return False
    if curve & 2:
        py += at
    else:
        px += at
    set_axes(chords, curve & 1, x / chords.d, y / chords.d, pose)
    pose.x = chords.ax - (px * pose.ux + py * pose.nx)
    pose.y = chords.ay - (px * pose.uy + py * pose.ny)
    return True


cdef bint find_pose(
    const Near* near, const RulerSize* ruler, double ax, double ay, double r, double bx, double by, Hint* hint, Pose* pose
) noexcept nogil:
    """A pose of the ruler that touches a base at a and at b, two places in range, and overlaps nothing.

    ``hint`` is tried first, and takes what was found. It never changes the answer: it must be wholly free to count.
    """
    cdef Chords chords
    cdef double at, length = 0, overlap
    cdef int curve
    set_chords(&chords, ruler, ax, ay, r, bx, by)
    if hint.kind == 1:
        if chord_poses(
            &chords, min(max(hint.t, chords.t0), chords.t1), hint.curve, hint.curve, pose
        ) and depth(near, ruler, pose) <= 0:
            return True
    elif hint.kind == 2:
        if slide_pose(&chords, hint.curve, hint.t, &length, pose) and depth(near, ruler, pose) <= 0:
            return True
    for curve in range(8):
        at = 0
        while slide_pose(&chords, curve, at, &length, pose):
            overlap = depth(near, ruler, pose)
            if overlap <= epsilon():
                hint.kind, hint.curve, hint.t = 2, curve, at
                return True
            at += overlap
    return explore(near, ruler, chord_poses, &chords, NODES, chords.t0, chords.t1, hint, pose)


cdef bint can_reach(
    const Scenery* scenery, const Discs* discs, int mover, const RulerSize* ruler,
    int32_t ax, int32_t ay, int32_t r, int32_t bx, int32_t by, Pose* pose
) noexcept nogil:
    """Whether a base at a, element ``mover``, can be set at another free place b along the ruler."""
    cdef Near near
    cdef Hint hint
    if not in_range(ruler, bx - ax, by - ay, r) or (ax == bx and ay == by):
        return False
    if not spot_free(scenery, discs, bx, by, r, mover):
        return False
    hint.kind = 0
    gather(&near, scenery, discs, mover, ax, ay, 2 * ruler.diagonal + r)
    return find_pose(&near, ruler, ax, ay, r, bx, by, &hint, pose)
