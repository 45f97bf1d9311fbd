"""Exact geometry of discs among scenery: distance, contact, threat zones, free places.

The board of a skirmish is a square of 16 inches. Places are points of a lattice of 1/100 inch; all is computed in ticks
of 2 micrometres, in which millimetres and inches are both whole numbers, so every predicate here is decided by
integers (OLO-GEO-01 to 05). Elements have numbers: figures 0 to 15, markers 16 to 63, both discs; pieces of scenery
from 64 on. Compiled packs cimport these functions; :class:`cext.geometry.table.Table` is the same for Python.

A gap is the distance between the nearest points of two elements; less than 0 when they overlap (OLO-MEAS-02).
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free

from cext.geometry.shapes import ShapeError, joints

MAX_PIECES = ELEMENTS - DISCS


cdef int compare_part(const Scenery* scenery, const Part* part, int64_t x, int64_t y, int64_t reach) noexcept nogil:
    """The sign of (distance of a point from a part - reach), for a reach of at least 0; -1 inside a polygon."""
    cdef int64_t dx = x - part.x, dy = y - part.y, square = dx * dx + dy * dy
    cdef int64_t limit = reach + part.r
    cdef int64_t vx, vy, wx, wy, length, along, cross
    cdef int i, sign, result = 1
    cdef bint inside = True
    if part.corners == 0 or square > limit * limit:
        limit = limit * limit
        return (square > limit) - (square < limit)
    limit = reach * reach
    for i in range(part.first, part.first + part.corners):
        vx = scenery.x[i + 1] - scenery.x[i]
        vy = scenery.y[i + 1] - scenery.y[i]
        wx = x - scenery.x[i]
        wy = y - scenery.y[i]
        cross = vx * wy - vy * wx
        # The nearest side has the point on its outer side.
        if cross > 0:
            continue
        inside = False
        length = vx * vx + vy * vy
        sign = compare_offset(cross, reach, length)
        if sign > 0:
            return 1
        along = vx * wx + vy * wy
        if along <= 0:
            square = wx * wx + wy * wy
            sign = (square > limit) - (square < limit)
        elif along >= length:
            wx -= vx
            wy -= vy
            square = wx * wx + wy * wy
            sign = (square > limit) - (square < limit)
        if sign < result:
            result = sign
    return -1 if inside else result


cdef int compare_piece(const Scenery* scenery, int piece, int64_t x, int64_t y, int64_t reach) noexcept nogil:
    """The sign of (distance of a point from a piece, 0 to 63, - reach); -1 inside."""
    cdef int part, sign, result = 1
    for part in range(scenery.piece_first[piece], scenery.piece_first[piece] + scenery.piece_parts[piece]):
        sign = compare_part(scenery, &scenery.part[part], x, y, reach)
        if sign < result:
            result = sign
    return result


cdef int compare_gap(
    const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, int64_t r, int element, int64_t distance
) noexcept nogil:
    """The sign of (gap - distance) between a disc and an element, for a distance of at least 0 (OLO-GEO-04)."""
    if element < DISCS:
        return compare_disc(x - discs.x[element], y - discs.y[element], r + discs.r[element] + distance)
    return compare_piece(scenery, element - DISCS, x, y, r + distance)


cdef bint spot_free(const Scenery* scenery, const Discs* discs, int32_t x, int32_t y, int32_t r, int ignored) noexcept nogil:
    """Whether a disc lies on the board and overlaps no figure, marker or solid piece but element ``ignored``."""
    cdef uint64_t left = discs.present
    cdef int i
    if not on_board(x, y, r):
        return False
    if 0 <= ignored < DISCS:
        left &= ~(<uint64_t> 1 << ignored)
    while left:
        i = lowest(left)
        left &= left - 1
        if compare_disc(x - discs.x[i], y - discs.y[i], r + discs.r[i]) < 0:
            return False
    for i in range(scenery.solids):
        if compare_part(scenery, &scenery.part[i], x, y, r) < 0:
            return False
    return True


cdef bint touches_piece(const Scenery* scenery, int piece, int64_t x, int64_t y, int64_t r) noexcept nogil:
    """Whether a disc is in contact with a piece, 0 to 63; standing on a zone is contact, too (OLO-MEAS-04)."""
    if compare_piece(scenery, piece, x, y, r + CONTACT) > 0:
        return False
    return is_zone(scenery, piece) or compare_piece(scenery, piece, x, y, r) >= 0


cdef uint64_t touched_discs(const Discs* discs, int64_t x, int64_t y, int64_t r, int ignored) noexcept nogil:
    """The figures and markers, but ``ignored``, that a disc is in contact with."""
    cdef uint64_t left = discs.present, found = 0
    cdef int64_t dx, dy, reach
    cdef int i
    while left:
        i = lowest(left)
        left &= left - 1
        if i != ignored:
            dx, dy, reach = x - discs.x[i], y - discs.y[i], r + discs.r[i]
            if compare_disc(dx, dy, reach + CONTACT) <= 0 and compare_disc(dx, dy, reach) >= 0:
                found |= <uint64_t> 1 << i
    return found


cdef uint64_t touched_pieces(const Scenery* scenery, int64_t x, int64_t y, int64_t r) noexcept nogil:
    """The pieces of scenery that a disc is in contact with: bit 0 is element 64."""
    cdef uint64_t found = 0
    cdef int piece
    for piece in range(scenery.pieces):
        if touches_piece(scenery, piece, x, y, r):
            found |= <uint64_t> 1 << piece
    return found


cdef bint in_cover(const Scenery* scenery, int64_t x, int64_t y, int64_t r) noexcept nogil:
    """Whether a disc is in contact with scenery other than a zone (OLO-COVER-01)."""
    cdef int piece
    for piece in range(scenery.pieces):
        if not is_zone(scenery, piece) and touches_piece(scenery, piece, x, y, r):
            return True
    return False


cdef inline uint64_t linking(const Discs* discs) noexcept nogil:
    """The markers that bring two figures in contact with them within 1 inch."""
    cdef uint64_t left = discs.present >> FIGURES << FIGURES, found = 0
    cdef int i
    while left:
        i = lowest(left)
        left &= left - 1
        if discs.r[i] == LINKING_RADIUS:
            found |= <uint64_t> 1 << i
    return found


cdef bint is_within(
    const Scenery* scenery, const Discs* discs, int figure, int64_t x, int64_t y, int64_t r, int element, int64_t distance
) noexcept nogil:
    """Whether element ``figure``, standing at (x, y), is at ``distance`` of another element (OLO-MEAS-03, 05)."""
    cdef uint64_t shared
    if compare_gap(scenery, discs, x, y, r, element, distance) <= 0:
        return True
    if distance < INCH or figure >= FIGURES or element >= FIGURES:
        return False
    shared = linking(discs)
    if shared == 0:
        return False
    shared &= touched_discs(discs, x, y, r, element)
    return shared & touched_discs(discs, discs.x[element], discs.y[element], discs.r[element], element) != 0


cdef uint64_t within_mask(
    const Scenery* scenery, const Discs* discs, int figure, int64_t x, int64_t y, int64_t r, int64_t distance
) noexcept nogil:
    """The figures and markers that element ``figure``, standing at (x, y), is at ``distance`` of; never itself."""
    cdef uint64_t left = discs.present, found = 0
    cdef int i
    while left:
        i = lowest(left)
        left &= left - 1
        if i != figure and is_within(scenery, discs, figure, x, y, r, i, distance):
            found |= <uint64_t> 1 << i
    return found


cdef Root root_to_part(const Scenery* scenery, const Part* part, int64_t x, int64_t y) noexcept nogil:
    """The distance of a point from a polygon, 0 inside; for a round part from its centre."""
    cdef Root best, root
    cdef int64_t vx, vy, wx, wy, cross, along
    cdef int i
    best.square = (x - part.x) * (x - part.x) + (y - part.y) * (y - part.y)
    best.cross, best.length = 0, 1
    if part.corners == 0:
        return best
    best.square = -1
    for i in range(part.first, part.first + part.corners):
        vx = scenery.x[i + 1] - scenery.x[i]
        vy = scenery.y[i + 1] - scenery.y[i]
        wx = x - scenery.x[i]
        wy = y - scenery.y[i]
        cross = vx * wy - vy * wx
        if cross > 0:
            continue
        root.length = vx * vx + vy * vy
        root.cross, root.square = cross, 0
        along = vx * wx + vy * wy
        if along <= 0 or along >= root.length:
            if along > 0:
                wx -= vx
                wy -= vy
            root.square, root.cross, root.length = wx * wx + wy * wy, 0, 1
        if best.square < 0 or compare_roots(root, best, 0) < 0:
            best = root
    if best.square < 0:
        best.square = 0
    return best


cdef Root root_to(
    const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, int element, int64_t* radius
) noexcept nogil:
    """The distance from a point to an element less its ``radius``: gap = root - radius - own radius."""
    cdef Root best, root
    cdef int part
    if element < DISCS:
        radius[0] = discs.r[element]
        best.square = (x - discs.x[element]) * (x - discs.x[element]) + (y - discs.y[element]) * (y - discs.y[element])
        best.cross, best.length = 0, 1
        return best
    element -= DISCS
    part = scenery.piece_first[element]
    radius[0] = 0 if scenery.part[part].corners else scenery.part[part].r
    best = root_to_part(scenery, &scenery.part[part], x, y)
    for part in range(part + 1, part + scenery.piece_parts[element]):
        root = root_to_part(scenery, &scenery.part[part], x, y)
        if compare_roots(root, best, 0) < 0:
            best = root
    return best


cdef uint64_t nearest_of(const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, uint64_t among) noexcept nogil:
    """The figures and markers, of the mask ``among``, with the smallest gap to a disc at (x, y): several on a tie."""
    cdef uint64_t found = 0
    cdef int64_t radius, best_radius = 0
    cdef Root root, best
    cdef int i, sign
    while among:
        i = lowest(among)
        among &= among - 1
        root = root_to(scenery, discs, x, y, i, &radius)
        sign = compare_roots(root, best, radius - best_radius) if found else -1
        if sign < 0:
            found, best, best_radius = 0, root, radius
        if sign <= 0:
            found |= <uint64_t> 1 << i
    return found


cdef class Board:
    """Scenery made ready for play: immutable, shared by all states of a match. ``pieces``: at most 64 of ``Piece``.

    Piece i is element 64 + i. Raises ShapeError when there are too many pieces, parts or corners. Whether pieces keep their distances
    from each other is a rule of the set-up: :func:`cext.geometry.shapes.setup_fault`.
    """

    def __init__(self, pieces=()):
        cdef list order, parts
        cdef int index, corner = 0
        self.pieces = tuple(pieces)
        if len(self.pieces) > MAX_PIECES:
            raise ShapeError(f"a board has at most {MAX_PIECES} pieces of scenery, not {len(self.pieces)}")
        parts = [piece.parts() for piece in self.pieces]
        self.joints = tuple(
            joints([split if piece.obstructing else () for piece, split in zip(self.pieces, parts)])
        )
        corners = sum(len(part.points) + 1 for split in parts for part in split)
        if sum(map(len, parts)) + len(self.joints) > MAX_PARTS or corners > MAX_CORNERS:
            raise ShapeError(f"the scenery has more than {MAX_PARTS} convex parts or {MAX_CORNERS} corners")
        self.allocate(sum(map(len, parts)) + len(self.joints), corners)
        for wanted in ("low", "obstructing", "zone"):
            order = [
                index for index, piece in enumerate(self.pieces)
                if wanted == ("zone" if piece.zone else "obstructing" if piece.obstructing else "low")
            ]
            for index in order:
                self.scenery.piece_first[index] = self.scenery.parts
                self.scenery.piece_parts[index] = len(parts[index])
                for part in parts[index]:
                    corner = self.add(part, index, corner)
            if wanted == "low":
                self.scenery.lows = self.scenery.parts
            elif wanted == "obstructing":
                self.scenery.solids = self.scenery.parts
                for joint in self.joints:
                    self.scenery.part[self.scenery.parts] = Part(0, 0, joint.x, joint.y, joint.radius, joint.piece)
                    self.scenery.parts += 1
                self.scenery.blockers = self.scenery.parts
        self.scenery.pieces = len(self.pieces)

    def __dealloc__(self):
        free(self.scenery.part)
        free(self.scenery.x)
        free(self.scenery.y)
        free(self.scenery.nx)
        free(self.scenery.ny)

    def __reduce__(self):
        return Board, (self.pieces,)

    cdef int allocate(self, int parts, int corners) except -1:
        if self.scenery.part != NULL:
            raise TypeError("a board is made once")
        self.scenery.part = <Part*> calloc(parts + 1, sizeof(Part))
        self.scenery.x = <int32_t*> calloc(corners + 1, sizeof(int32_t))
        self.scenery.y = <int32_t*> calloc(corners + 1, sizeof(int32_t))
        self.scenery.nx = <double*> calloc(corners + 1, sizeof(double))
        self.scenery.ny = <double*> calloc(corners + 1, sizeof(double))
        if NULL in (self.scenery.part, self.scenery.x, self.scenery.y, self.scenery.nx, self.scenery.ny):
            raise MemoryError
        return 0

    cdef int add(self, object part, int piece, int corner) except -1:
        """Append a part whose corners start at ``corner``; returns where the next one's may start."""
        cdef Part* new = &self.scenery.part[self.scenery.parts]
        cdef list points = list(part.points)
        cdef int64_t dx, dy, square, largest = 0
        cdef double length
        cdef int i
        self.scenery.parts += 1
        new.piece = piece
        if len(points) == 1:
            new.x, new.y = points[0]
            new.r = part.radius
            return corner
        new.corners, new.first = len(points), corner
        xs, ys = zip(*points)
        new.x, new.y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
        for i, (x, y) in enumerate([*points, points[0]]):
            self.scenery.x[corner + i], self.scenery.y[corner + i] = x, y
            dx, dy = x - new.x, y - new.y
            square = dx * dx + dy * dy
            if square > largest:
                largest = square
        new.r = <int32_t> sqrt(<double> largest) + 1
        for i in range(corner, corner + new.corners):
            dx = self.scenery.x[i + 1] - self.scenery.x[i]
            dy = self.scenery.y[i + 1] - self.scenery.y[i]
            length = sqrt(<double> (dx * dx + dy * dy))
            self.scenery.nx[i], self.scenery.ny[i] = dy / length, -dx / length
        return corner + new.corners + 1
