"""Candidate places that a list has besides those of a lattice, and the direction words "towards" and "away from".

Candidates lie in contact with what stands near, at the edge of threat zones, and along a ray (OLO-GEO-60, 61, 75, 76).
All are rounded to the lattice in the same way on mirrored boards. A direction word refers to an element: the reference.
"""

from libc.math cimport floor, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memmove

from cext.geometry.board cimport (
    CONTACT, DISCS, INCH, LAST, SIDE, STEP, Discs, Part, Root, Scenery, compare_gap, compare_roots, lowest,
    point_at, root_to, x_of, y_of,
)
from cext.geometry.plan cimport CHARGE, Box, Plan, is_legal, outside, reach_of

# Distance of candidates from the rim of the element that they are about: in contact, at half an inch, just within an inch.
cdef int64_t TOUCHING = 113
cdef int64_t HALF = 6350
cdef int64_t THREAT = 12573

# Distance of the candidates along a ray, in lattice steps.
cdef int RAY_STEP = 2

# The directions of candidates around a disc, in thousandths, every 15 degrees counter-clockwise from east.
cdef int[24] DIRECTION_X = [
    1000, 966, 866, 707, 500, 259, 0, -259, -500, -707, -866, -966, -1000, -966, -866, -707, -500, -259, 0, 259, 500, 707, 866, 966,
]
cdef int[8] NEIGHBOUR_X = [1, 1, 0, -1, -1, -1, 0, 1]
cdef int[8] NEIGHBOUR_Y = [0, 1, 1, 1, 0, -1, -1, -1]


cdef int32_t to_lattice(double ticks) noexcept nogil:
    """The nearest lattice coordinate; halves go towards the board's middle, so that mirrored boards have mirrored lists."""
    cdef double steps = ticks / STEP, whole = floor(steps), rest = steps - whole
    if rest > 0.5 or (rest == 0.5 and steps < LAST // 2):
        whole += 1
    return <int32_t> whole


cdef bint is_related(const Plan* plan, int element, int64_t distance, int32_t x, int32_t y) noexcept nogil:
    """Whether a place, in lattice steps, is in contact with an element, or where distance is not CONTACT, so near it."""
    if compare_gap(plan.scenery, plan.discs, x * STEP, y * STEP, plan.r, element, distance) > 0:
        return False
    return distance != CONTACT or compare_gap(plan.scenery, plan.discs, x * STEP, y * STEP, plan.r, element, 0) >= 0


cdef void add_related(
    Plan* plan, Candidates* candidates, int element, int64_t distance, double px, double py
) noexcept nogil:
    """Add the lattice point nearest to (px, py), or the first of its neighbours, that is at ``distance`` of the element."""
    cdef int32_t x = to_lattice(px), y = to_lattice(py)
    cdef int i
    if not is_related(plan, element, distance, x, y):
        for i in range(8):
            if is_related(plan, element, distance, x + NEIGHBOUR_X[i], y + NEIGHBOUR_Y[i]):
                x += NEIGHBOUR_X[i]
                y += NEIGHBOUR_Y[i]
                break
        else:
            return
    add_place(plan, candidates, x, y)


cdef void add_place(Plan* plan, Candidates* candidates, int32_t x, int32_t y) noexcept nogil:
    """Insert a place, in lattice steps, if it is legal, new, and there is room."""
    cdef int32_t place = point_at(x, y)
    cdef int low = 0, high = candidates.count, middle
    if not (0 <= x <= LAST and 0 <= y <= LAST) or candidates.count == candidates.limit:
        return
    while low < high:
        middle = (low + high) // 2
        if candidates.place[middle] < place:
            low = middle + 1
        else:
            high = middle
    if (low == candidates.count or candidates.place[low] != place) and is_legal(plan, x * STEP, y * STEP):
        memmove(&candidates.place[low + 1], &candidates.place[low], (candidates.count - low) * sizeof(int32_t))
        candidates.place[low] = place
        candidates.count += 1


cdef void add_around_disc(
    Plan* plan, Candidates* candidates, int element, int64_t gap, int64_t distance, int turn
) noexcept nogil:
    """Add candidates in 12 directions around a disc (``turn`` 2) or 24 (``turn`` 1)."""
    cdef int64_t reach = plan.r + plan.discs.r[element] + gap
    cdef int i
    for i in range(24):
        if i % turn:
            continue
        add_related(
            plan, candidates, element, distance,
            plan.discs.x[element] + DIRECTION_X[i] * reach / 1000.0, plan.discs.y[element] + DIRECTION_X[(i + 18) % 24] * reach / 1000.0,
        )


cdef void add_around_piece(Plan* plan, Candidates* candidates, int piece) noexcept nogil:
    """Add candidates in contact with each side's middle and each corner; in 12 directions around a round piece."""
    cdef const Scenery* scenery = plan.scenery
    cdef const Part* part
    cdef double reach = plan.r + TOUCHING, nx, ny, length
    cdef int p, i, before
    for p in range(scenery.piece_first[piece], scenery.piece_first[piece] + scenery.piece_parts[piece]):
        part = &scenery.part[p]
        if part.corners == 0:
            for i in range(12):
                length = (reach + part.r) / 1000.0
                add_related(
                    plan, candidates, DISCS + piece, CONTACT,
                    part.x + DIRECTION_X[2 * i] * length, part.y + DIRECTION_X[(2 * i + 18) % 24] * length,
                )
        for i in range(part.first, part.first + part.corners):
            add_related(
                plan, candidates, DISCS + piece, CONTACT,
                (scenery.x[i] + scenery.x[i + 1]) / 2.0 + scenery.nx[i] * reach,
                (scenery.y[i] + scenery.y[i + 1]) / 2.0 + scenery.ny[i] * reach,
            )
            before = i - 1 if i > part.first else part.first + part.corners - 1
            nx, ny = scenery.nx[before] + scenery.nx[i], scenery.ny[before] + scenery.ny[i]
            length = sqrt(nx * nx + ny * ny)
            add_related(
                plan, candidates, DISCS + piece, CONTACT, scenery.x[i] + nx / length * reach, scenery.y[i] + ny / length * reach
            )


cdef void add_candidates(Plan* plan, Candidates* candidates, const Box* box, uint64_t foes) noexcept nogil:
    """Add the candidates around everything near, threat zones first, and those of a ray."""
    cdef const Discs* discs = plan.discs
    cdef double ray_x = 0, ray_y = 0
    cdef uint64_t left
    cdef const Part* part
    cdef int i
    if plan.kind == CHARGE:
        add_around_disc(plan, candidates, plan.target, TOUCHING, CONTACT, 1)
        add_around_disc(plan, candidates, plan.target, HALF, INCH, 1)
        add_around_disc(plan, candidates, plan.target, THREAT, INCH, 1)
        return
    left = foes & discs.present
    while left:
        i = lowest(left)
        left &= left - 1
        if i != plan.element and not outside(box, discs.x[i], discs.y[i], plan.r + discs.r[i] + INCH):
            add_around_disc(plan, candidates, i, THREAT, INCH, 2)
    left = discs.present
    while left:
        i = lowest(left)
        left &= left - 1
        if i != plan.element and not outside(box, discs.x[i], discs.y[i], plan.r + discs.r[i] + INCH):
            add_around_disc(plan, candidates, i, TOUCHING, CONTACT, 2)
    for i in range(plan.scenery.pieces):
        part = &plan.scenery.part[plan.scenery.piece_first[i]]
        if plan.scenery.piece_first[i] < plan.scenery.solids:
            if plan.scenery.piece_parts[i] > 1 or not outside(box, part.x, part.y, part.r + plan.r + INCH):
                add_around_piece(plan, candidates, i)
    if plan.towards:
        for i in range(1, ray_steps(plan, &ray_x, &ray_y) + 1):
            add_place(plan, candidates, to_lattice(plan.x + i * ray_x), to_lattice(plan.y + i * ray_y))


# -- direction words --------------------------------------------------------------------------------------------------

cdef void set_direction(Plan* plan, int reference, int towards) noexcept nogil:
    """Bind a move or push to a direction word: towards (1) or away from (-1) an element (OLO-DIR-01)."""
    cdef int64_t radius
    plan.reference, plan.towards, plan.directly = reference, towards, False
    plan.start = root_to(plan.scenery, plan.discs, plan.x, plan.y, reference, &radius)


cdef void set_best(Plan* plan, int32_t place) noexcept nogil:
    """Bind a plan with a direction word to the best places, of which one is known; -1 if none fits (OLO-DIR-02)."""
    cdef int64_t radius
    plan.directly, plan.best_place, plan.best = True, place, plan.start
    if place >= 0:
        plan.best = root_to(plan.scenery, plan.discs, x_of(place) * STEP, y_of(place) * STEP, plan.reference, &radius)


cdef int ray_steps(const Plan* plan, double* x, double* y) noexcept nogil:
    """Set the step of the ray from the start towards, or away from, the middle of the reference; return the number in reach."""
    cdef double length
    middle_of(plan, plan.reference, x, y)
    x[0] = (x[0] - plan.x) * plan.towards
    y[0] = (y[0] - plan.y) * plan.towards
    length = sqrt(x[0] * x[0] + y[0] * y[0])
    if length == 0:
        return 0
    x[0] *= RAY_STEP * STEP / length
    y[0] *= RAY_STEP * STEP / length
    return <int> (reach_of(plan) / (RAY_STEP * STEP))


cdef void middle_of(const Plan* plan, int element, double* x, double* y) noexcept nogil:
    """The centre of a disc, or the middle of the box around a piece, in ticks."""
    cdef const Scenery* scenery = plan.scenery
    cdef const Part* part
    cdef double x0 = SIDE, y0 = SIDE, x1 = 0, y1 = 0
    cdef int p, i
    if element < DISCS:
        x[0], y[0] = plan.discs.x[element], plan.discs.y[element]
        return
    element -= DISCS
    for p in range(scenery.piece_first[element], scenery.piece_first[element] + scenery.piece_parts[element]):
        part = &scenery.part[p]
        if part.corners == 0:
            x[0], y[0] = part.x, part.y
            return
        for i in range(part.first, part.first + part.corners):
            x0, x1 = min(x0, scenery.x[i]), max(x1, scenery.x[i])
            y0, y1 = min(y0, scenery.y[i]), max(y1, scenery.y[i])
    x[0], y[0] = (x0 + x1) / 2, (y0 + y1) / 2


cdef void try_likely_best(Plan* plan) noexcept nogil:
    """Try the places of the ray and those in contact with the reference: the best place is likely to be among them."""
    cdef Candidates candidates
    cdef double ray_x = 0, ray_y = 0
    cdef int i
    for i in range(ray_steps(plan, &ray_x, &ray_y), 0, -1):
        update_best(plan, to_lattice(plan.x + i * ray_x) * STEP, to_lattice(plan.y + i * ray_y) * STEP, False)
    candidates.count, candidates.limit = 0, MAX_CANDIDATES
    if plan.reference < DISCS:
        add_around_disc(plan, &candidates, plan.reference, TOUCHING, CONTACT, 2)
    elif plan.scenery.piece_first[plan.reference - DISCS] < plan.scenery.solids:
        add_around_piece(plan, &candidates, plan.reference - DISCS)
    for i in range(candidates.count):
        update_best(plan, x_of(candidates.place[i]) * STEP, y_of(candidates.place[i]) * STEP, True)


cdef void update_best(Plan* plan, int32_t x, int32_t y, bint known_legal) noexcept nogil:
    """Keep a place as the best so far, if it is better and legal."""
    cdef int64_t radius
    cdef Root root = root_to(plan.scenery, plan.discs, x, y, plan.reference, &radius)
    if compare_roots(root, plan.best, 0) == -plan.towards and (known_legal or is_legal(plan, x, y)):
        plan.best, plan.best_place = root, point_at(x // STEP, y // STEP)
