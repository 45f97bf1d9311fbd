"""A change of place that is being considered: how an element goes, and whether it may end at one place.

A plan is made once and then asked about many places: what may lie in its way is gathered once, and the pose of the
ruler that served one place is tried first for the next.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from cext.geometry.board cimport (
    DISCS, INCH, LAST, SIDE, STEP, Discs, Part, Root, Scenery, compare_disc, compare_gap, compare_roots, is_within, root_to,
    spot_free,
)
from cext.geometry.entry cimport find_entry
from cext.geometry.reach cimport find_pose, in_range
from cext.geometry.ruler cimport RulerSize, gather
from cext.geometry.sight cimport sees_disc

# "As much as possible" is within 0.10 inch of the best place found (OLO-DIR-02).
cdef int64_t TOLERANCE = 1270


cdef void plan_move(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element,
    const RulerSize* move_ruler, const RulerSize* push_ruler
) noexcept nogil:
    """A move: with either ruler, or by at most the base's own size (OLO-MOVE-05)."""
    start_plan(plan, MOVE, scenery, discs, element, discs.x[element], discs.y[element], discs.r[element])
    plan.move_ruler, plan.push_ruler = move_ruler, push_ruler
    gather(&plan.move_near, scenery, discs, element, plan.x, plan.y, 2 * move_ruler.diagonal + plan.r)
    gather(&plan.push_near, scenery, discs, element, plan.x, plan.y, 2 * push_ruler.diagonal + plan.r)


cdef void plan_shift(Plan* plan, const Scenery* scenery, const Discs* discs, int element) noexcept nogil:
    """A move by at most the base's own size, without a ruler."""
    start_plan(plan, MOVE, scenery, discs, element, discs.x[element], discs.y[element], discs.r[element])
    plan.move_ruler = plan.push_ruler = NULL


cdef void plan_push(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, const RulerSize* push_ruler
) noexcept nogil:
    """A push: with the push ruler only (OLO-PUSH-01)."""
    start_plan(plan, PUSH, scenery, discs, element, discs.x[element], discs.y[element], discs.r[element])
    plan.move_ruler, plan.push_ruler = NULL, push_ruler
    gather(&plan.push_near, scenery, discs, element, plan.x, plan.y, 2 * push_ruler.diagonal + plan.r)


cdef void plan_entry(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, int32_t r, int edge, const RulerSize* move_ruler
) noexcept nogil:
    """Entering from a deployment line, edges 0 to 3 being north, east, south, west (OLO-ENTER-02)."""
    start_plan(plan, ENTER, scenery, discs, element, 0, 0, r)
    plan.edge, plan.move_ruler = edge, move_ruler


cdef void plan_placement(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, int32_t r, int target, int64_t distance
) noexcept nogil:
    """A placement at ``distance`` of element ``target`` (OLO-PLACE-01, OLO-GEO-72)."""
    start_plan(plan, PLACE, scenery, discs, element, 0, 0, r)
    plan.target, plan.distance = target, distance


cdef void plan_charge(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, int target,
    const RulerSize* move_ruler, const RulerSize* push_ruler
) noexcept nogil:
    """The march of a charge: a move that ends with the target in threat zone and in sight (OLO-GEO-76)."""
    plan_move(plan, scenery, discs, element, move_ruler, push_ruler)
    plan.kind, plan.target = CHARGE, target


cdef void start_plan(
    Plan* plan, int kind, const Scenery* scenery, const Discs* discs, int element, int32_t x, int32_t y, int32_t r
) noexcept nogil:
    plan.kind, plan.scenery, plan.discs, plan.element = kind, scenery, discs, element
    plan.x, plan.y, plan.r = x, y, r
    plan.towards = 0
    plan.directly = plan.blind = False
    plan.move_hint.kind = plan.push_hint.kind = 0


cdef bint is_legal(Plan* plan, int32_t x, int32_t y) noexcept nogil:
    """Whether the plan may end at a place, given in ticks on the lattice. Staying is not a move; nor is it a push here."""
    if plan.kind == ENTER:
        if not spot_free(plan.scenery, plan.discs, x, y, plan.r, plan.element):
            return False
        plan.way = BY_MOVE_RULER
        gather(&plan.move_near, plan.scenery, plan.discs, plan.element, x, y, 2 * plan.move_ruler.diagonal + plan.r)
        return find_entry(&plan.move_near, plan.move_ruler, plan.edge, plan.r, x, y, &plan.pose)
    if plan.kind == PLACE:
        return (
            compare_gap(plan.scenery, plan.discs, x, y, plan.r, plan.target, plan.distance) <= 0
            and spot_free(plan.scenery, plan.discs, x, y, plan.r, plan.element)
        )
    if x == plan.x and y == plan.y:
        return False
    if plan.towards and not fits_direction(plan, x, y):
        return False
    if plan.kind != CHARGE:
        return can_go(plan, x, y)
    return (
        is_within(plan.scenery, plan.discs, plan.element, x, y, plan.r, plan.target, INCH)
        and can_go(plan, x, y)
        and (plan.blind or sees_disc(
            plan.scenery, x, y, plan.r,
            plan.discs.x[plan.target], plan.discs.y[plan.target], plan.discs.r[plan.target], NULL,
        ))
    )


cdef bint can_go(Plan* plan, int32_t x, int32_t y) noexcept nogil:
    """Whether the way there exists: with a ruler, or as a shift by the base's own size."""
    cdef int64_t dx = x - plan.x, dy = y - plan.y
    cdef bint by_size = plan.kind != PUSH and compare_disc(dx, dy, 2 * plan.r) <= 0
    cdef bint by_push = plan.push_ruler != NULL and in_range(plan.push_ruler, dx, dy, plan.r)
    cdef bint by_move = plan.move_ruler != NULL and in_range(plan.move_ruler, dx, dy, plan.r)
    if not (by_size or by_push or by_move) or not spot_free(plan.scenery, plan.discs, x, y, plan.r, plan.element):
        return False
    plan.way = BY_SIZE
    if by_size:
        return True
    plan.way = BY_PUSH_RULER
    if by_push and find_pose(
        &plan.push_near, plan.push_ruler, plan.x, plan.y, plan.r, x, y, &plan.push_hint, &plan.pose
    ):
        return True
    plan.way = BY_MOVE_RULER
    return by_move and find_pose(
        &plan.move_near, plan.move_ruler, plan.x, plan.y, plan.r, x, y, &plan.move_hint, &plan.pose
    )


cdef bint fits_direction(const Plan* plan, int32_t x, int32_t y) noexcept nogil:
    cdef int64_t radius
    cdef Root root = root_to(plan.scenery, plan.discs, x, y, plan.reference, &radius)
    if compare_roots(root, plan.start, 0) != -plan.towards:
        return False
    if not plan.directly:
        return True
    return compare_roots(root, plan.best, plan.towards * TOLERANCE) != plan.towards


# -- where to look --------------------------------------------------------------------------------------------------

cdef double reach_of(const Plan* plan) noexcept nogil:
    """Maximum distance of a move or push from centre to centre, in ticks."""
    cdef double diagonal = 0
    if plan.push_ruler != NULL:
        diagonal = plan.push_ruler.diagonal
    if plan.move_ruler != NULL:
        diagonal = max(diagonal, plan.move_ruler.diagonal)
    return 2 * (diagonal + plan.r)


cdef Box box_of(const Plan* plan) noexcept nogil:
    """The lattice points among which all legal ones are."""
    cdef Box box
    cdef int64_t margin
    if plan.kind == PLACE:
        return box_around(plan, plan.target, plan.r + plan.distance)
    if plan.kind == ENTER:
        box.x0 = box.y0 = 0
        box.x1 = box.y1 = LAST
        margin = <int64_t> ((2 * plan.move_ruler.diagonal + plan.r) / STEP) + 1
        if plan.edge == 0:
            box.y0 = LAST - margin
        elif plan.edge == 1:
            box.x0 = LAST - margin
        elif plan.edge == 2:
            box.y1 = margin
        else:
            box.x1 = margin
    else:
        margin = <int64_t> (reach_of(plan) / STEP) + 1
        box.x0, box.x1 = plan.x // STEP - margin, plan.x // STEP + margin
        box.y0, box.y1 = plan.y // STEP - margin, plan.y // STEP + margin
        if plan.kind == CHARGE:
            # Two bases in contact with one marker between them are farther apart than an inch.
            box = common(box, box_around(plan, plan.target, plan.r + 2 * INCH))
    return clipped(box)


cdef Box box_around(const Plan* plan, int element, int64_t margin) noexcept nogil:
    cdef const Part* part
    cdef int64_t x0 = SIDE, y0 = SIDE, x1 = 0, y1 = 0
    cdef int i
    cdef Box box
    if element < DISCS:
        x0 = x1 = plan.discs.x[element]
        y0 = y1 = plan.discs.y[element]
        margin += plan.discs.r[element]
    else:
        element -= DISCS
        for i in range(plan.scenery.piece_first[element], plan.scenery.piece_first[element] + plan.scenery.piece_parts[element]):
            part = &plan.scenery.part[i]
            x0, x1 = min(x0, part.x - part.r), max(x1, part.x + part.r)
            y0, y1 = min(y0, part.y - part.r), max(y1, part.y + part.r)
    box.x0, box.x1 = <int> max(0, x0 - margin) // STEP, <int> (x1 + margin) // STEP + 1
    box.y0, box.y1 = <int> max(0, y0 - margin) // STEP, <int> (y1 + margin) // STEP + 1
    return clipped(box)


cdef inline Box common(Box one, Box other) noexcept nogil:
    one.x0, one.y0 = max(one.x0, other.x0), max(one.y0, other.y0)
    one.x1, one.y1 = min(one.x1, other.x1), min(one.y1, other.y1)
    return one


cdef inline Box clipped(Box box) noexcept nogil:
    box.x0, box.y0 = max(box.x0, 0), max(box.y0, 0)
    box.x1, box.y1 = min(box.x1, LAST), min(box.y1, LAST)
    return box
