"""A rigid ruler laid on the board: what it may meet, how far it overlaps, and the search for a pose that is free.

The poses that serve a purpose form curves. A free pose on them is searched by branch and bound with epsilon = 12.7
ticks (0.001 inch): if a free pose exists, the answer is yes, and if the answer is yes, a pose was found that overlaps
nothing by more than epsilon (section 4.7). Only + - * / and square roots are used, and no contraction, so every machine
computes the same bits (OLO-GEO-06). Poses are never part of a state; answers only accept or refuse (OLO-GEO-07).
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint64_t

from cext.geometry.board cimport DISCS, SIDE, STEP, Discs, Part, Scenery, lowest

cdef enum:
    # Poses tried for one destination before it is refused.
    MAX_POSES = 20000
    MAX_HALVINGS = 60


cdef void gather(
    Near* near, const Scenery* scenery, const Discs* discs, int ignored, int64_t x, int64_t y, double reach
) noexcept nogil:
    """Collect the figures, markers and solid pieces, but element ``ignored``, within ``reach`` of a place."""
    cdef uint64_t left = discs.present
    cdef const Part* part
    cdef double dx, dy, limit
    cdef int i
    near.scenery = scenery
    near.discs = near.parts = 0
    if 0 <= ignored < DISCS:
        left &= ~(<uint64_t> 1 << ignored)
    while left:
        i = lowest(left)
        left &= left - 1
        dx, dy, limit = discs.x[i] - x, discs.y[i] - y, reach + discs.r[i]
        if dx * dx + dy * dy <= limit * limit:
            near.x[near.discs], near.y[near.discs], near.r[near.discs] = discs.x[i], discs.y[i], discs.r[i]
            near.discs += 1
    for i in range(scenery.solids):
        part = &scenery.part[i]
        dx, dy, limit = part.x - x, part.y - y, reach + part.r
        if dx * dx + dy * dy <= limit * limit:
            near.part[near.parts] = part
            near.parts += 1


cdef double depth(const Near* near, const RulerSize* ruler, const Pose* pose) noexcept nogil:
    """The depth by which a ruler overlaps the board's edge or an obstacle; 0 if it is free.

    It would have to be moved so far to be free, and a move by less changes it by no more.
    """
    cdef double best = 0, across = ruler.h * fabs(pose.ux) + ruler.w * fabs(pose.nx)
    cdef double up = ruler.h * fabs(pose.uy) + ruler.w * fabs(pose.ny)
    cdef double dx, dy, ax, ay, overlap
    cdef int i
    best = max(best, across - pose.x)
    best = max(best, pose.x + across - SIDE)
    best = max(best, up - pose.y)
    best = max(best, pose.y + up - SIDE)
    for i in range(near.discs):
        dx, dy = near.x[i] - pose.x, near.y[i] - pose.y
        ax = fabs(dx * pose.ux + dy * pose.uy) - ruler.h
        ay = fabs(dx * pose.nx + dy * pose.ny) - ruler.w
        overlap = near.r[i] - max(ax, ay)
        if overlap <= best:
            continue
        if ax > 0 and ay > 0:
            overlap = near.r[i] - sqrt(ax * ax + ay * ay)
        if overlap > best:
            best = overlap
    for i in range(near.parts):
        best = max(best, depth_in_part(near.scenery, near.part[i], ruler, pose, best))
    return best


cdef double depth_in_part(
    const Scenery* scenery, const Part* part, const RulerSize* ruler, const Pose* pose, double best
) noexcept nogil:
    """As depth, for one part; any value up to ``best`` if the depth is no more than that."""
    cdef double dx = part.x - pose.x, dy = part.y - pose.y
    cdef double along = dx * pose.ux + dy * pose.uy, aside = dx * pose.nx + dy * pose.ny
    cdef double ax = fabs(along) - ruler.h, ay = fabs(aside) - ruler.w
    cdef double low_u, high_u, low_n, high_n, overlap = part.r - max(ax, ay), nx, ny
    cdef int i
    if overlap <= best:
        return overlap
    if part.corners == 0:
        return part.r - sqrt(ax * ax + ay * ay) if ax > 0 and ay > 0 else overlap
    low_u = low_n = 1e300
    high_u = high_n = -1e300
    for i in range(part.first, part.first + part.corners):
        dx, dy = scenery.x[i] - pose.x, scenery.y[i] - pose.y
        along, aside = dx * pose.ux + dy * pose.uy, dx * pose.nx + dy * pose.ny
        low_u, high_u = min(low_u, along), max(high_u, along)
        low_n, high_n = min(low_n, aside), max(high_n, aside)
    overlap = min(min(ruler.h - low_u, ruler.h + high_u), min(ruler.w - low_n, ruler.w + high_n))
    for i in range(part.first, part.first + part.corners):
        if overlap <= best:
            return overlap
        nx, ny = scenery.nx[i], scenery.ny[i]
        overlap = min(
            overlap,
            (scenery.x[i] - pose.x) * nx + (scenery.y[i] - pose.y) * ny
            + ruler.h * fabs(nx * pose.ux + ny * pose.uy) + ruler.w * fabs(nx * pose.nx + ny * pose.ny),
        )
    return overlap



# -- the search -----------------------------------------------------------------------------------------------------

cdef bint explore(
    const Near* near, const RulerSize* ruler, PosesAt poses_at, const void* family, int nodes, double t0, double t1,
    Hint* hint, Pose* pose
) noexcept nogil:
    """Branch and bound on the four curves of a family over [t0, t1], cut into ``nodes`` intervals each."""
    cdef double[4][MAX_NODES + 1] x
    cdef double[4][MAX_NODES + 1] y
    cdef double[4][MAX_NODES + 1] overlap
    cdef double[MAX_HALVINGS] t_stack
    cdef double[MAX_HALVINGS] x_stack
    cdef double[MAX_HALVINGS] y_stack
    cdef double[MAX_HALVINGS] overlap_stack
    cdef Pose[4] four
    cdef double t, left, left_x, left_y, left_overlap, spread
    cdef bint found
    cdef int curve, node = 0, step = nodes, top, poses = 0
    # Coarse nodes first (the ends, the middle, the quarters, ..), as most places can be reached in many ways.
    while step:
        while node <= nodes:
            t = t0 + (t1 - t0) * node / nodes
            found = poses_at(family, t, 0, 3, four)
            for curve in range(4):
                overlap[curve][node] = depth(near, ruler, &four[curve]) if found else 2 * epsilon()
                if overlap[curve][node] <= epsilon():
                    hint.kind, hint.curve, hint.t = 1, curve, t
                    pose[0] = four[curve]
                    return True
                x[curve][node], y[curve][node] = four[curve].x, four[curve].y
            node += step if step == nodes else 2 * step
        step //= 2
        node = step
    for curve in range(4):
        for node in range(nodes):
            left, left_x = t0 + (t1 - t0) * node / nodes, x[curve][node]
            left_y, left_overlap = y[curve][node], overlap[curve][node]
            t_stack[0], x_stack[0] = t0 + (t1 - t0) * (node + 1) / nodes, x[curve][node + 1]
            y_stack[0], overlap_stack[0] = y[curve][node + 1], overlap[curve][node + 1]
            top = 0
            while top >= 0:
                # No pose inside is farther from the two ends together than this.
                spread = 1.5 * (
                    sqrt((x_stack[top] - left_x) * (x_stack[top] - left_x) + (y_stack[top] - left_y) * (y_stack[top] - left_y))
                    + 2 * ruler.diagonal * (t_stack[top] - left)
                )
                if left_overlap + overlap_stack[top] > spread or spread <= 2 * epsilon() or top == MAX_HALVINGS - 1:
                    left, left_x, left_y, left_overlap = t_stack[top], x_stack[top], y_stack[top], overlap_stack[top]
                    top -= 1
                    continue
                t = 0.5 * (left + t_stack[top])
                top += 1
                t_stack[top] = t
                # Without a pose, take a depth that neither accepts nor rules out anything.
                overlap_stack[top] = depth(near, ruler, pose) if poses_at(family, t, curve, curve, pose) else 2 * epsilon()
                if overlap_stack[top] <= epsilon():
                    hint.kind, hint.curve, hint.t = 1, curve, t
                    return True
                x_stack[top], y_stack[top] = pose.x, pose.y
                poses += 1
                if poses > MAX_POSES:
                    return False
    return False


cdef class Ruler:
    """A ruler: length and width in 1/100 inch, each from 0.25 to 8 inches. Raises ValueError for others."""

    def __init__(self, int length, int width):
        if not (25 <= length <= 800 and 25 <= width <= 800):
            raise ValueError(f"the sides of a ruler are 25 to 800 hundredths of an inch, not {length} x {width}")
        self.size.length, self.size.width = length * STEP, width * STEP
        self.size.h, self.size.w = self.size.length / 2.0, self.size.width / 2.0
        self.size.diagonal = sqrt(self.size.h * self.size.h + self.size.w * self.size.w)

    @property
    def length(self):
        """Its length in 1/100 inch."""
        return self.size.length // STEP

    @property
    def width(self):
        """Its width in 1/100 inch."""
        return self.size.width // STEP

    def __reduce__(self):
        return Ruler, (self.length, self.width)
