"""Placement of scenery before play (OLO-SETUP-03): the places of the lattice on which a piece may lie among others.

:func:`cext.geometry.shapes.setup_fault` decides the same for one place, in plain Python, and gives the reason. This
module is for many places. Every answer about a place is exact, by integers. The search for any place divides the board
into squares and skips those in which every place is far from legal. That distance is computed in doubles with a margin,
so the result of the search depends on the exact answers alone.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from cext.geometry.board cimport CONTACT, COORDINATE_BITS, LAST, SIDE, STEP, compare_offset, point_at, x_of, y_of

from cext.geometry.shapes import SPACING as _SPACING

cdef int64_t SPACING = _SPACING  # gap that solid scenery keeps

cdef enum:
    # Side of the squares that the search begins with: wider than the board.
    WIDEST = 1 << COORDINATE_BITS


cdef struct Hull:
    # A convex part: all points within radius of the hull of its corners, which are those from first on and the first one again.
    int32_t corners
    int32_t first
    int32_t radius
    # The box around its corners.
    int32_t low_x
    int32_t low_y
    int32_t high_x
    int32_t high_y
    # The number of the element that it belongs to.
    int32_t owner


cdef class SceneryPlacement:
    """Places for one piece, turned as it will lie, among the elements that are on the board."""

    cdef Hull* hull
    cdef int32_t* x
    cdef int32_t* y
    cdef int own
    cdef int hulls
    # The box around the whole piece, its radius included.
    cdef int64_t[4] box

    def __init__(self, parts, others):
        """The piece's convex parts, and those of each element that it keeps away from (none for a zone)."""
        cdef int corner = 0, number, owner
        if self.hull != NULL:
            raise ValueError("made already")
        everything = [(part, -1) for part in parts]
        self.own = len(everything)
        everything += [(part, owner) for owner, element in enumerate(others) for part in element]
        self.hull = <Hull*> calloc(len(everything), sizeof(Hull))
        room = sum([len(part.points) + 1 for part, _ in everything])
        self.x = <int32_t*> calloc(room, sizeof(int32_t))
        self.y = <int32_t*> calloc(room, sizeof(int32_t))
        if self.hull == NULL or self.x == NULL or self.y == NULL:
            raise MemoryError
        for number, (part, owner) in enumerate(everything):
            xs, ys = [x for x, _ in part.points], [y for _, y in part.points]
            self.hull[number] = Hull(len(xs), corner, part.radius, min(xs), min(ys), max(xs), max(ys), owner)
            for x, y in zip([*xs, xs[0]], [*ys, ys[0]], strict=True):
                self.x[corner], self.y[corner] = x, y
                corner += 1
        self.hulls = len(everything)
        self.box[0] = min([part.points[i][0] - part.radius for part in parts for i in range(len(part.points))])
        self.box[1] = min([part.points[i][1] - part.radius for part in parts for i in range(len(part.points))])
        self.box[2] = max([part.points[i][0] + part.radius for part in parts for i in range(len(part.points))])
        self.box[3] = max([part.points[i][1] + part.radius for part in parts for i in range(len(part.points))])

    def __dealloc__(self):
        free(self.hull)
        free(self.x)
        free(self.y)

    def may_lie(self, int x, int y):
        """Whether the piece may lie with its origin on a place of the lattice."""
        return 0 <= x <= LAST and 0 <= y <= LAST and may_lie(self, x, y)

    def places(self, int step, int first, int last):
        """The places from ``first`` to ``last`` along both axes, ``step`` apart, on which it may lie."""
        cdef int x, y
        return [(x, y) for x in range(first, last + 1, step) for y in range(first, last + 1, step) if may_lie(self, x, y)]

    def any_place(self):
        """Returns a place of the lattice on which the piece may lie, or None if there is none."""
        cdef int found = search(self, 0, 0, WIDEST)
        return None if found < 0 else (x_of(found), y_of(found))


# -- one place ------------------------------------------------------------------------------------------------------------

cdef bint may_lie(SceneryPlacement placement, int64_t x, int64_t y) noexcept nogil:
    """Whether the piece may lie at (x, y): in contact with, or two inches from, each side of the board and each element."""
    cdef int i, last = placement.hulls
    x, y = STEP * x, STEP * y
    if not (
        keeps_distance(placement.box[0] + x) and keeps_distance(placement.box[1] + y) and keeps_distance(SIDE - placement.box[2] - x)
        and keeps_distance(SIDE - placement.box[3] - y)
    ):
        return False
    i = placement.own
    while i < last:
        if not keeps_distance_from_element(placement, &i, x, y):
            return False
    return True


cdef bint keeps_distance(int64_t gap) noexcept nogil:
    return 0 <= gap <= CONTACT or gap >= SPACING


cdef bint keeps_distance_from_element(SceneryPlacement placement, int* number, int64_t x, int64_t y) noexcept nogil:
    """Whether the piece keeps its distance from the element whose first hull has this number, which becomes that of the next element."""
    cdef int owner = placement.hull[number[0]].owner, k
    cdef bint near = False, overlaps = False, touches = False
    cdef const Hull* other
    while number[0] < placement.hulls and placement.hull[number[0]].owner == owner:
        other = &placement.hull[number[0]]
        number[0] += 1
        for k in range(placement.own):
            if compare(placement, &placement.hull[k], other, x, y, SPACING) >= 0:
                continue
            near = True
            if compare(placement, &placement.hull[k], other, x, y, CONTACT) > 0:
                continue
            touches = True
            if compare(placement, &placement.hull[k], other, x, y, 0) < 0:
                overlaps = True
    return not near or touches and not overlaps


cdef int compare(
    SceneryPlacement placement, const Hull* one, const Hull* other, int64_t x, int64_t y, int64_t distance
) noexcept nogil:
    """The sign of (gap - distance) of two parts, the first moved by (x, y) in ticks (``shapes.compare_gap``)."""
    cdef int64_t reach = one.radius + other.radius + distance
    cdef int first, second
    if (
        one.low_x + x - other.high_x > reach or other.low_x - one.high_x - x > reach
        or one.low_y + y - other.high_y > reach or other.low_y - one.high_y - y > reach
    ):
        return 1
    if (one.corners > 1 or other.corners > 1) and not is_separated(placement, one, other, x, y) and not is_separated(placement, other, one, -x, -y):
        return -1
    first = nearest(placement, one, other, x, y, reach)
    if first < 0:
        return -1
    second = nearest(placement, other, one, -x, -y, reach)
    return first if first < second else second


cdef bint is_separated(SceneryPlacement placement, const Hull* hull, const Hull* other, int64_t x, int64_t y) noexcept nogil:
    """Whether a side of a hull, moved by (x, y), has all corners of the other one on its line or beyond."""
    cdef int i, k
    cdef int64_t vx, vy
    if hull.corners == 1:
        return False
    for i in range(hull.first, hull.first + hull.corners):
        vx, vy = placement.x[i + 1] - placement.x[i], placement.y[i + 1] - placement.y[i]
        for k in range(other.first, other.first + other.corners):
            if vx * (placement.y[k] - placement.y[i] - y) - vy * (placement.x[k] - placement.x[i] - x) > 0:
                break
        else:
            return True
    return False


cdef int nearest(
    SceneryPlacement placement, const Hull* one, const Hull* other, int64_t x, int64_t y, int64_t reach
) noexcept nogil:
    """The least sign of (distance - reach) from a corner of the first part, moved by (x, y), to a side of the other."""
    cdef int i, k, sign, least = 1
    cdef int64_t vx, vy, wx, wy, length, along, square, limit = reach * reach
    for i in range(one.first, one.first + one.corners):
        for k in range(other.first, other.first + other.corners):
            vx, vy = placement.x[k + 1] - placement.x[k], placement.y[k + 1] - placement.y[k]
            wx, wy = placement.x[i] + x - placement.x[k], placement.y[i] + y - placement.y[k]
            length, along = vx * vx + vy * vy, vx * wx + vy * wy
            if 0 < along < length:
                sign = compare_offset(vx * wy - vy * wx, reach, length)
            else:
                if along > 0:
                    wx, wy = wx - vx, wy - vy
                square = wx * wx + wy * wy
                sign = (square > limit) - (square < limit)
            if sign < least:
                least = sign
    return least


# -- any place ------------------------------------------------------------------------------------------------------------

cdef int search(SceneryPlacement placement, int x, int y, int size) noexcept nogil:
    """A legal place in the square of ``size`` places whose first is (x, y); -1 if there is none."""
    cdef int found, half = size // 2, quarter
    if x > LAST or y > LAST or size > 1 and none_possible(placement, x, y, size):
        return -1
    if size == 1:
        return point_at(x, y) if may_lie(placement, x, y) else -1
    for quarter in range(4):
        found = search(placement, x + half * (quarter >> 1), y + half * (quarter & 1), half)
        if found >= 0:
            return found
    return -1


cdef bint none_possible(SceneryPlacement placement, int left, int low, int size) noexcept nogil:
    """Whether bounds show that no place of a square is legal."""
    cdef double reach = (size - 1) * (STEP / 2.0), x = left * STEP + reach, y = low * STEP + reach
    cdef double away = reach * 1.4143 + 1, gap, least
    cdef int i = placement.own, owner, k
    cdef bint overlaps
    if (
        never_keeps_distance(placement.box[0] + x, reach) or never_keeps_distance(placement.box[1] + y, reach)
        or never_keeps_distance(SIDE - placement.box[2] - x, reach) or never_keeps_distance(SIDE - placement.box[3] - y, reach)
    ):
        return True
    while i < placement.hulls:
        owner, least, overlaps = placement.hull[i].owner, 1e9, False
        while i < placement.hulls and placement.hull[i].owner == owner:
            for k in range(placement.own):
                gap = distance(placement, &placement.hull[k], &placement.hull[i], x, y)
                if gap < -away:
                    overlaps = True
                least = min(least, gap)
            i += 1
        if overlaps or least - away > CONTACT and least + away < SPACING:
            return True
    return False


cdef bint never_keeps_distance(double gap, double reach) noexcept nogil:
    return gap + reach + 1 < 0 or gap - reach - 1 > CONTACT and gap + reach + 1 < SPACING


cdef double distance(SceneryPlacement placement, const Hull* one, const Hull* other, double x, double y) noexcept nogil:
    """The gap of two parts, the first moved by (x, y); where they overlap, less than 0 by how far one had to be moved."""
    cdef double inside = max(depth(placement, one, other, x, y), depth(placement, other, one, -x, -y)), square
    if inside < 0:
        return inside - one.radius - other.radius
    square = min(spread(placement, one, other, x, y), spread(placement, other, one, -x, -y))
    return sqrt(square) - one.radius - other.radius


cdef double depth(SceneryPlacement placement, const Hull* hull, const Hull* other, double x, double y) noexcept nogil:
    """Over the sides of a hull, moved by (x, y), the farthest that the other one is wholly beyond; less than 0 if it is not."""
    cdef double vx, vy, side, nearest_corner, farthest = -1e9
    cdef int i, k
    if hull.corners == 1:
        return 0 if other.corners == 1 else -1e9
    for i in range(hull.first, hull.first + hull.corners):
        vx, vy = placement.x[i + 1] - placement.x[i], placement.y[i + 1] - placement.y[i]
        nearest_corner = 1e18
        for k in range(other.first, other.first + other.corners):
            side = vy * (placement.x[k] - placement.x[i] - x) - vx * (placement.y[k] - placement.y[i] - y)
            nearest_corner = min(nearest_corner, side)
        farthest = max(farthest, nearest_corner / sqrt(vx * vx + vy * vy))
    return farthest


cdef double spread(SceneryPlacement placement, const Hull* one, const Hull* other, double x, double y) noexcept nogil:
    """The least squared distance from a corner of the first part, moved by (x, y), to a side of the other."""
    cdef double vx, vy, wx, wy, length, along, least = 1e18
    cdef int i, k
    for i in range(one.first, one.first + one.corners):
        for k in range(other.first, other.first + other.corners):
            vx, vy = placement.x[k + 1] - placement.x[k], placement.y[k + 1] - placement.y[k]
            wx, wy = placement.x[i] + x - placement.x[k], placement.y[i] + y - placement.y[k]
            length = vx * vx + vy * vy
            along = min(1.0, max(0.0, (vx * wx + vy * wy) / length)) if length > 0 else 0.0
            wx, wy = wx - along * vx, wy - along * vy
            least = min(least, wx * wx + wy * wy)
    return least
