"""Exact lines of sight between discs, or from a disc to a piece of scenery, among obstructing scenery.

Blockers are open convex sets, so the set of free lines is closed: when one exists, it can be moved, first sideways and
then around what it touches, until it is a common tangent of two features (viewer, target, corners and round blockers).
Only these finitely many lines are tried, by integers, behind a filter in floating point (OLO-GEO-04, OLO-LOS-01).

Why the order along a line needs no point of intersection: viewer and blocker are disjoint and convex, so some line
separates them. Let m be its normal, pointing to the blocker. A line that meets both is not parallel to the
separating line, and passes the viewer first exactly if its direction has a positive product with m.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint64_t

from cext.geometry.board cimport (
    MAX_CORNERS, MAX_PARTS, Discs, Part, Scenery, compare_disc, compare_part, lowest,
)
from cext.geometry.line cimport Feature, Line, along, certain, meets_disc, meets_polygon, offset, tangent

cdef enum:
    MAX_NEAR = MAX_PARTS
    MAX_FEATURES = MAX_CORNERS + MAX_PARTS + 2


cdef struct Body:
    # A disc, or the part of a piece within the disc (x, y, r).
    int64_t x
    int64_t y
    int64_t r
    const Part* part


cdef struct Blocker:
    const Part* part
    # Normals of lines that separate the viewer and the target from it, pointing to it.
    int64_t ax
    int64_t ay
    int64_t bx
    int64_t by


cdef struct Query:
    const Scenery* scenery
    Body viewer
    Body target
    # From the viewer towards the target.
    int64_t tx
    int64_t ty
    int blockers
    int features
    # The blocker that cut the line before: likely to cut the next one.
    int last
    Blocker blocker[MAX_NEAR]
    Feature feature[MAX_FEATURES]


cdef inline void add_feature(Query* query, int64_t x, int64_t y, int64_t r) noexcept nogil:
    query.feature[query.features].x = x
    query.feature[query.features].y = y
    query.feature[query.features].r = r
    query.features += 1


# -- one line -------------------------------------------------------------------------------------------------------

cdef inline bint meets_body(const Line* line, const Scenery* scenery, const Body* body) noexcept nogil:
    if body.part == NULL or body.part.corners == 0:
        return meets_disc(line, body.x, body.y, body.r, 1)
    return meets_polygon(line, scenery, body.part, 1)


cdef bint cuts(const Query* query, const Line* line, int towards, const Blocker* blocker) noexcept nogil:
    """Whether a line that meets both bodies is cut by a blocker between them; ``towards``: the sign of its direction."""
    cdef const Part* part = blocker.part
    if fabs(offset(line, part.x, part.y)) > part.r + certain():
        return False
    if along(line, blocker.ax, blocker.ay) != towards or along(line, blocker.bx, blocker.by) != -towards:
        return False
    if part.corners == 0:
        return meets_disc(line, part.x, part.y, part.r, 0)
    return meets_polygon(line, query.scenery, part, 0)


cdef bint is_free(Query* query, const Line* line) noexcept nogil:
    cdef int towards, i
    if not meets_body(line, query.scenery, &query.viewer) or not meets_body(line, query.scenery, &query.target):
        return False
    if query.blockers == 0:
        return True
    towards = along(line, query.tx, query.ty)
    if cuts(query, line, towards, &query.blocker[query.last]):
        return False
    for i in range(query.blockers):
        if i != query.last and cuts(query, line, towards, &query.blocker[i]):
            query.last = i
            return False
    return True


# -- what stands in the way -----------------------------------------------------------------------------------------

cdef bint separating(
    const Scenery* scenery, const Body* body, const Part* part, int64_t* mx, int64_t* my
) noexcept nogil:
    """A normal of a line between a body and a part, pointing to the part; False if their insides meet."""
    if body.part != NULL and body.part.corners:
        if part.corners:
            return separating_polygons(scenery, body.part, part, mx, my)
        if compare_part(scenery, body.part, part.x, part.y, part.r) < 0:
            return False
        nearest_normal(scenery, body.part, part.x, part.y, mx, my)
        mx[0], my[0] = -mx[0], -my[0]
        return True
    if compare_part(scenery, part, body.x, body.y, body.r) < 0:
        return False
    if part.corners:
        nearest_normal(scenery, part, body.x, body.y, mx, my)
    else:
        mx[0], my[0] = part.x - body.x, part.y - body.y
    return True


cdef void nearest_normal(
    const Scenery* scenery, const Part* part, int64_t x, int64_t y, int64_t* mx, int64_t* my
) noexcept nogil:
    """From a point that is not inside a polygon to the nearest point of it: the direction."""
    cdef int64_t vx, vy, wx, wy, product, square, best = -1
    cdef int i
    for i in range(part.first, part.first + part.corners):
        vx = scenery.x[i + 1] - scenery.x[i]
        vy = scenery.y[i + 1] - scenery.y[i]
        wx = x - scenery.x[i]
        wy = y - scenery.y[i]
        product = vx * wx + vy * wy
        if vx * wy - vy * wx <= 0 and 0 <= product <= vx * vx + vy * vy:
            mx[0], my[0] = -vy, vx
            return
        square = wx * wx + wy * wy
        if best < 0 or square < best:
            best, mx[0], my[0] = square, -wx, -wy


cdef bint separating_polygons(
    const Scenery* scenery, const Part* one, const Part* other, int64_t* mx, int64_t* my
) noexcept nogil:
    cdef const Part* hull
    cdef const Part* points
    cdef int64_t vx, vy
    cdef int turn, i, j
    cdef bint outside
    for turn in range(2):
        hull, points = (one, other) if turn == 0 else (other, one)
        for i in range(hull.first, hull.first + hull.corners):
            vx = scenery.x[i + 1] - scenery.x[i]
            vy = scenery.y[i + 1] - scenery.y[i]
            outside = True
            for j in range(points.first, points.first + points.corners):
                if vx * (scenery.y[j] - scenery.y[i]) - vy * (scenery.x[j] - scenery.x[i]) > 0:
                    outside = False
                    break
            if outside:
                mx[0], my[0] = (vy, -vx) if turn == 0 else (-vy, vx)
                return True
    return False


cdef void collect(Query* query, int piece) noexcept nogil:
    """Find the blockers that reach into the corridor between the bodies, and their features inside it.

    A blocker that overlaps a body does not count (joints may), nor do the parts of the target ``piece``.
    """
    cdef const Scenery* scenery = query.scenery
    cdef const Part* part
    cdef Blocker* blocker
    cdef Body whole
    cdef double wx = query.target.x - query.viewer.x, wy = query.target.y - query.viewer.y
    cdef double length = sqrt(wx * wx + wy * wy), inverse = 1 / length if length else 0.0
    cdef double width = max(query.viewer.r, query.target.r) + 1, cross, dot
    # If the centres coincide, no part is ruled out.
    cdef double before = -query.viewer.r - 1, beyond = length + query.target.r + 1
    cdef int index, i, sides
    wx *= inverse
    wy *= inverse
    for index in range(scenery.lows, scenery.blockers):
        part = &scenery.part[index]
        cross = wx * (part.y - query.viewer.y) - wy * (part.x - query.viewer.x)
        dot = wx * (part.x - query.viewer.x) + wy * (part.y - query.viewer.y)
        if fabs(cross) > width + part.r or dot < before - part.r or dot > beyond + part.r:
            continue
        # Bits of sides: corners in the corridor, left of it, right of it, before it, beyond it.
        sides = 30 if part.corners else 1
        for i in range(part.first, part.first + part.corners):
            cross = wx * (scenery.y[i] - query.viewer.y) - wy * (scenery.x[i] - query.viewer.x)
            dot = wx * (scenery.x[i] - query.viewer.x) + wy * (scenery.y[i] - query.viewer.y)
            sides &= (cross > width) << 1 | (cross < -width) << 2 | (dot < before) << 3 | (dot > beyond) << 4
        if part.corners and sides:
            continue
        if piece >= 0 and (part.piece == piece or overlaps_piece(scenery, part, piece)):
            continue
        blocker = &query.blocker[query.blockers]
        if not separating(scenery, &query.viewer, part, &blocker.ax, &blocker.ay):
            continue
        if not separating(scenery, &query.target, part, &blocker.bx, &blocker.by):
            continue
        blocker.part = part
        query.blockers += 1
        if part.corners == 0:
            add_feature(query, part.x, part.y, part.r)
        for i in range(part.first, part.first + part.corners):
            cross = wx * (scenery.y[i] - query.viewer.y) - wy * (scenery.x[i] - query.viewer.x)
            dot = wx * (scenery.x[i] - query.viewer.x) + wy * (scenery.y[i] - query.viewer.y)
            if fabs(cross) <= width and before <= dot <= beyond:
                add_feature(query, scenery.x[i], scenery.y[i], 0)


cdef bint overlaps_piece(const Scenery* scenery, const Part* part, int piece) noexcept nogil:
    cdef Body body
    cdef int64_t mx, my
    cdef int i
    for i in range(scenery.piece_first[piece], scenery.piece_first[piece] + scenery.piece_parts[piece]):
        body_of(&body, &scenery.part[i])
        if not separating(scenery, &body, part, &mx, &my):
            return True
    return False


cdef inline void body_of(Body* body, const Part* part) noexcept nogil:
    body.x, body.y, body.r, body.part = part.x, part.y, part.r, part


# -- the question ---------------------------------------------------------------------------------------------------

cdef bint wall(Query* query) noexcept nogil:
    """Whether one blocker cuts both outer tangents of two discs between them: it then cuts every line of sight."""
    cdef Line left, right
    cdef int i
    if not tangent(&left, &query.feature[0], &query.feature[1], 1, 1):
        return False
    tangent(&right, &query.feature[0], &query.feature[1], 1, -1)
    for i in range(query.blockers):
        if cuts(query, &left, along(&left, query.tx, query.ty), &query.blocker[i]):
            if cuts(query, &right, along(&right, query.tx, query.ty), &query.blocker[i]):
                return True
    return False


cdef bint search(Query* query, Line* line) noexcept nogil:
    """Try the line of centres and all tangents of two features; the first free one is left in ``line``."""
    cdef Feature one, other
    cdef const Feature* first
    cdef const Feature* second
    cdef int i, j, side, p
    one.x, one.y, one.r = query.viewer.x, query.viewer.y, 0
    other.x, other.y, other.r = query.target.x, query.target.y, 0
    query.last = 0
    if tangent(line, &one, &other, 1, 1) and is_free(query, line):
        return True
    if query.target.part == NULL and wall(query):
        return False
    for i in range(query.features - 1):
        for j in range(i + 1, query.features):
            first, second = &query.feature[i], &query.feature[j]
            for side in range(1, -2, -2):
                for p in range(1, -2, -2):
                    if tangent(line, first, second, side, p) and is_free(query, line):
                        return True
                    if first.r == 0 and second.r == 0:
                        break
                # To a point, the tangents of the other side are the same two.
                if first.r == 0 or second.r == 0:
                    break
    return False


cdef void cut_to_bodies(const Query* query, const Line* line, double* segment) noexcept nogil:
    """The piece of a free line from the rim of the viewer to the rim of the target, for drawing: x, y, x, y in ticks."""
    cdef int towards = along(line, query.tx, query.ty)
    cdef double tx = -line.ny * towards, ty = line.nx * towards
    rim(query.scenery, &query.viewer, line, tx, ty, &segment[0])
    rim(query.scenery, &query.target, line, -tx, -ty, &segment[2])


cdef void rim(const Scenery* scenery, const Body* body, const Line* line, double tx, double ty, double* point) noexcept nogil:
    """The last point of a body on a line in direction (tx, ty)."""
    cdef double one, other, t, x, y, best = -1e300
    cdef int i
    if body.part == NULL or body.part.corners == 0:
        one = offset(line, body.x, body.y)
        t = sqrt(max(0, body.r * <double> body.r - one * one))
        point[0] = body.x - one * line.nx + t * tx
        point[1] = body.y - one * line.ny + t * ty
        return
    for i in range(body.part.first, body.part.first + body.part.corners):
        one = offset(line, scenery.x[i], scenery.y[i])
        other = offset(line, scenery.x[i + 1], scenery.y[i + 1])
        if fabs(one) <= certain():
            t = 0
        elif (one < 0) != (other < 0):
            t = one / (one - other)
        else:
            continue
        x = scenery.x[i] + t * (scenery.x[i + 1] - scenery.x[i])
        y = scenery.y[i] + t * (scenery.y[i + 1] - scenery.y[i])
        if x * tx + y * ty > best:
            best, point[0], point[1] = x * tx + y * ty, x, y


cdef bint sees_disc(
    const Scenery* scenery, int64_t ax, int64_t ay, int64_t ar, int64_t bx, int64_t by, int64_t br, double* segment
) noexcept nogil:
    """Whether two discs see each other (OLO-LOS-01, 04). Points are discs of radius 0.

    ``segment``, unless NULL, takes a free segment from rim to rim (x, y, x, y in ticks), for drawing.
    """
    cdef Query query
    cdef Line line
    cdef double length
    cdef int i
    cdef bint swapped = bx < ax or (bx == ax and (by < ay or (by == ay and br < ar)))
    if compare_disc(bx - ax, by - ay, ar + br) <= 0:
        if segment != NULL:
            length = ar / <double> (ar + br) if ar + br else 0.0
            segment[0] = segment[2] = ax + (bx - ax) * length
            segment[1] = segment[3] = ay + (by - ay) * length
        return True
    if swapped:
        ax, bx, ay, by, ar, br = bx, ax, by, ay, br, ar
    query.scenery = scenery
    query.viewer.x, query.viewer.y, query.viewer.r, query.viewer.part = ax, ay, ar, NULL
    query.target.x, query.target.y, query.target.r, query.target.part = bx, by, br, NULL
    query.tx, query.ty = bx - ax, by - ay
    query.blockers = query.features = 0
    add_feature(&query, ax, ay, ar)
    add_feature(&query, bx, by, br)
    collect(&query, -1)
    if segment == NULL and query.blockers == 0:
        return True
    if not search(&query, &line):
        return False
    if segment != NULL:
        cut_to_bodies(&query, &line, segment)
        if swapped:
            for i in range(2):
                segment[i], segment[i + 2] = segment[i + 2], segment[i]
    return True


cdef bint sees_piece(
    const Scenery* scenery, int64_t x, int64_t y, int64_t r, int piece, double* segment
) noexcept nogil:
    """Whether a disc sees a piece, 0 to 63, which itself blocks nothing then (OLO-LOS-06).

    Nor does a solid piece that stands on it, where it is a zone.
    """
    cdef int part
    for part in range(scenery.piece_first[piece], scenery.piece_first[piece] + scenery.piece_parts[piece]):
        if sees_part(scenery, x, y, r, &scenery.part[part], piece, segment):
            return True
    return False


cdef bint sees_part(
    const Scenery* scenery, int64_t x, int64_t y, int64_t r, const Part* part, int piece, double* segment
) noexcept nogil:
    cdef Query query
    cdef Line line
    cdef int i
    if compare_part(scenery, part, x, y, r) <= 0:
        if segment != NULL:
            segment[0] = segment[2] = x
            segment[1] = segment[3] = y
        return True
    query.scenery = scenery
    query.viewer.x, query.viewer.y, query.viewer.r, query.viewer.part = x, y, r, NULL
    body_of(&query.target, part)
    query.blockers = query.features = 0
    add_feature(&query, x, y, r)
    if part.corners == 0:
        add_feature(&query, part.x, part.y, part.r)
    for i in range(part.first, part.first + part.corners):
        add_feature(&query, scenery.x[i], scenery.y[i], 0)
    separating(scenery, &query.viewer, part, &query.tx, &query.ty)
    collect(&query, piece)
    if query.blockers and not search(&query, &line):
        return False
    if segment != NULL:
        if query.blockers == 0:
            search(&query, &line)
        cut_to_bodies(&query, &line, segment)
    return True


cdef uint64_t seen_of(
    const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, int64_t r, uint64_t among
) noexcept nogil:
    """The figures and markers, of the mask ``among``, that a disc sees."""
    cdef uint64_t found = 0
    cdef int i
    among &= discs.present
    while among:
        i = lowest(among)
        among &= among - 1
        if sees_disc(scenery, x, y, r, discs.x[i], discs.y[i], discs.r[i], NULL):
            found |= <uint64_t> 1 << i
    return found
