"""Common tangents of two discs, and exactly where points and shapes lie to them.

All values have the form P sqrt(S) + Q with whole numbers P, Q, S, and a sign that integers decide; a filter in double
precision settles nearly every case before. A point is a disc of radius 0. Section 4.4.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t

from cext.geometry.board cimport Part, Scenery, sign_of_root

cdef struct Feature:
    int64_t x
    int64_t y
    int64_t r

cdef struct Line:
    # A common tangent: f(u) = p (w x z) sqrt(s) + e (w . z) + r d, with z = u - c, is d times u's distance from it.
    int64_t cx
    int64_t cy
    int64_t r
    int64_t wx
    int64_t wy
    int64_t d
    int64_t e
    int64_t s
    int64_t p
    # Its unit normal.
    double nx
    double ny

# Distances in ticks beyond this are certain in double precision: their error is below 1e-8.
cdef inline double certain() noexcept nogil:
    return 1e-6

cdef inline bint tangent(Line* line, const Feature* one, const Feature* other, int side, int p) noexcept nogil:
    """The tangent that has ``other`` on the same side as ``one`` (side 1) or opposite (-1); p = +-1 selects one of two."""
    cdef double root
    line.wx, line.wy = other.x - one.x, other.y - one.y
    line.d = line.wx * line.wx + line.wy * line.wy
    line.e = side * other.r - one.r
    line.s = line.d - line.e * line.e
    if line.s < 0 or line.d == 0:
        return False
    line.cx, line.cy, line.r, line.p = one.x, one.y, one.r, p
    root = p * sqrt(<double> line.s)
    line.nx = (line.e * line.wx - root * line.wy) / line.d
    line.ny = (line.e * line.wy + root * line.wx) / line.d
    return True

cdef inline double offset(const Line* line, int64_t x, int64_t y) noexcept nogil:
    """The distance of a point from the line, positive on the side of its normal."""
    return line.nx * (x - line.cx) + line.ny * (y - line.cy) + line.r

cdef inline int exact_side(const Line* line, int64_t x, int64_t y, int64_t shift) noexcept nogil:
    """The sign of (offset + shift)."""
    x -= line.cx
    y -= line.cy
    return sign_of_root(
        line.p * (line.wx * y - line.wy * x), line.s, line.e * (line.wx * x + line.wy * y) + (line.r + shift) * line.d
    )

cdef inline int side_of(const Line* line, int64_t x, int64_t y) noexcept nogil:
    cdef double distance = offset(line, x, y)
    if distance > certain():
        return 1
    if distance < -certain():
        return -1
    return exact_side(line, x, y, 0)

cdef inline int along(const Line* line, int64_t mx, int64_t my) noexcept nogil:
    """The sign of the product of the line's direction with a vector."""
    cdef double product = line.nx * my - line.ny * mx
    if product > certain():
        return 1
    if product < -certain():
        return -1
    return sign_of_root(
        -line.p * (line.wx * mx + line.wy * my), line.s, line.e * (line.wx * my - line.wy * mx)
    )

cdef inline bint meets_disc(const Line* line, int64_t x, int64_t y, int64_t r, int closed) noexcept nogil:
    """Whether the line meets a disc: the closed one (closed 1), or its inside (0)."""
    cdef double distance = fabs(offset(line, x, y))
    if distance < r - certain():
        return True
    if distance > r + certain():
        return False
    return exact_side(line, x, y, r) > -closed and exact_side(line, x, y, -r) < closed

cdef inline bint meets_polygon(const Line* line, const Scenery* scenery, const Part* part, int closed) noexcept nogil:
    """The same for a polygon."""
    cdef int i, side, low = 1, high = -1
    for i in range(part.first, part.first + part.corners):
        side = side_of(line, scenery.x[i], scenery.y[i])
        if side < low:
            low = side
        if side > high:
            high = side
        if low < closed and high > -closed:
            return True
    return False
