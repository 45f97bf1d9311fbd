"""Search for a legal place of a plan, or the best one for a direction word: exact, over the whole lattice.

The lattice is cut into squares. A square is dropped when no place in it can be legal, or none can be better than the best one so far; each
reason to drop one is a bound that holds for all of its places, so that the answers are those of asking
:func:`cext.geometry.plan.is_legal` everywhere (OLO-CAP-08, OLO-DIR-02).
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, realloc

from cext.geometry.board cimport (
    DISCS, FIGURES, INCH, LINKING_RADIUS, SIDE, STEP, Root, compare_disc, compare_gap, compare_part, compare_roots, lowest,
    point_at, root_to,
)
from cext.geometry.plan cimport CHARGE, ENTER, PLACE, PUSH, Box, Plan, box_of, is_legal, reach_of
from cext.geometry.poses cimport PoseTree, end_poses, may_touch, start_poses
from cext.geometry.candidates cimport update_best, try_likely_best
from cext.geometry.ruler cimport Near, gather
from cext.geometry.sight cimport sees_disc

cdef enum:
    # Sides in lattice steps: of the squares to begin with, and of those whose places are checked one by one.
    FIRST_SIDE = 128
    LAST_SIDE = 4
    FIRST_ROOM = 256

# Distances in ticks, in double precision, are certain to much less than this.
cdef double CERTAIN = 1e-3


cdef struct Square:
    # Its lowest corner and its side in lattice steps; squares with the lowest key come first.
    double key
    int32_t x
    int32_t y
    int32_t side


cdef struct Search:
    Plan* plan
    Box box
    # Whether the best place is wanted; else any.
    bint best
    # The distance from the reference at the start, and how far from the target the end of a charge may be, in ticks.
    double start
    int64_t zone
    # The obstacles of an entry's ruler, and the trees of poses if they were begun.
    Near near
    PoseTree move_poses
    PoseTree push_poses
    # A heap of squares.
    int count
    int room
    int64_t number
    Square* square


# -- the heap ---------------------------------------------------------------------------------------------------------

cdef int push_square(Search* search, double key, int x, int y, int side) except -1 nogil:
    cdef Square* grown
    cdef int place, above
    if search.count == search.room:
        place = 2 * search.room if search.room else FIRST_ROOM
        grown = <Square*> realloc(search.square, place * sizeof(Square))
        if grown == NULL:
            with gil:
                raise MemoryError
        search.square, search.room = grown, place
    place = search.count
    search.count += 1
    while place:
        above = (place - 1) // 2
        if search.square[above].key <= key:
            break
        search.square[place] = search.square[above]
        place = above
    search.square[place].key = key
    search.square[place].x, search.square[place].y, search.square[place].side = x, y, side
    return 0


cdef Square pop_square(Search* search) noexcept nogil:
    cdef Square first = search.square[0], last
    cdef int place = 0, below
    search.count -= 1
    last = search.square[search.count]
    while True:
        below = 2 * place + 1
        if below + 1 < search.count and search.square[below + 1].key < search.square[below].key:
            below += 1
        if below >= search.count or search.square[below].key >= last.key:
            break
        search.square[place] = search.square[below]
        place = below
    search.square[place] = last
    return first


# -- bounds -----------------------------------------------------------------------------------------------------------

cdef double distance_to_reference(const Plan* plan, int64_t x, int64_t y) noexcept nogil:
    """The distance from the reference, in ticks."""
    cdef int64_t radius
    return length_of(root_to(plan.scenery, plan.discs, x, y, plan.reference, &radius))


cdef inline double length_of(Root root) noexcept nogil:
    return fabs(<double> root.cross) / sqrt(<double> root.length) if root.length > 1 else sqrt(<double> root.square)


cdef bint is_covered(const Plan* plan, int64_t x, int64_t y, int64_t radius) noexcept nogil:
    """Whether the base is off the board, or overlaps one and the same obstacle, wherever within ``radius`` of a point it stands."""
    cdef uint64_t left = plan.discs.present
    cdef int i
    if min(min(x, y), SIDE - max(x, y)) + radius < plan.r:
        return True
    if plan.r <= radius:
        # Only what is larger than the base could, then: small squares will tell.
        return False
    if 0 <= plan.element < DISCS:
        left &= ~(<uint64_t> 1 << plan.element)
    while left:
        i = lowest(left)
        left &= left - 1
        if compare_disc(x - plan.discs.x[i], y - plan.discs.y[i], plan.r + plan.discs.r[i] - radius) < 0:
            return True
    for i in range(plan.scenery.solids):
        if compare_part(plan.scenery, &plan.scenery.part[i], x, y, plan.r - radius) < 0:
            return True
    return False


cdef bint may_be_reached(Search* search, int64_t x, int64_t y, int64_t radius) except -1 nogil:
    """Whether a way may lead to some place within ``radius`` of a point."""
    cdef Plan* plan = search.plan
    cdef int64_t dx = x - plan.x, dy = y - plan.y
    cdef double distance = sqrt(<double> (dx * dx + dy * dy)) - radius
    if plan.kind == PLACE:
        return True
    if plan.kind == ENTER:
        if search.move_poses.node == NULL:
            gather(&search.near, plan.scenery, plan.discs, plan.element, SIDE // 2, SIDE // 2, 2 * SIDE)
            start_poses(&search.move_poses, &search.near, plan.move_ruler, 0, 0, plan.r, plan.edge)
        return may_touch(&search.move_poses, x, y, radius)
    if distance > reach_of(plan) + 1:
        return False
    if plan.kind != PUSH and distance <= 2 * plan.r:
        return True
    if plan.push_ruler != NULL and distance <= 2 * (plan.push_ruler.diagonal + plan.r) + 1:
        if search.push_poses.node == NULL:
            start_poses(&search.push_poses, &plan.push_near, plan.push_ruler, plan.x, plan.y, plan.r, -1)
        if may_touch(&search.push_poses, x, y, radius):
            return True
    if plan.move_ruler == NULL:
        return False
    if search.move_poses.node == NULL:
        start_poses(&search.move_poses, &plan.move_near, plan.move_ruler, plan.x, plan.y, plan.r, -1)
    return may_touch(&search.move_poses, x, y, radius)


cdef int64_t middle_of_square(const Search* search, int x, int y, int side, int64_t* middle_x, int64_t* middle_y) noexcept nogil:
    """Set the middle of the part of a square in the box, in ticks; returns the largest distance of its places from it, -1 if it has none."""
    cdef int x0 = max(x, search.box.x0), x1 = min(x + side - 1, search.box.x1)
    cdef int y0 = max(y, search.box.y0), y1 = min(y + side - 1, search.box.y1)
    cdef double wide = (x1 - x0) * STEP / 2.0, high = (y1 - y0) * STEP / 2.0
    if x0 > x1 or y0 > y1:
        return -1
    middle_x[0], middle_y[0] = (x0 + x1) * STEP // 2, (y0 + y1) * STEP // 2
    # A tick for the halves that were dropped, and one for rounding.
    return <int64_t> sqrt(wide * wide + high * high) + 2


cdef int consider(Search* search, int x, int y, int side) except -1 nogil:
    """Put a square into the heap, unless it is soon seen to hold no place that is wanted."""
    cdef Plan* plan = search.plan
    cdef int64_t middle_x = 0, middle_y = 0, radius = middle_of_square(search, x, y, side, &middle_x, &middle_y)
    cdef double distance, key = search.number
    if radius < 0 or is_covered(plan, middle_x, middle_y, radius):
        return 0
    if plan.towards:
        distance = distance_to_reference(plan, middle_x, middle_y)
        if plan.towards * (distance - search.start) - radius > CERTAIN:
            return 0
        if search.best:
            key = plan.towards * distance - radius
            if key > plan.towards * length_of(plan.best) + CERTAIN:
                return 0
    if plan.kind == PLACE and compare_gap(
        plan.scenery, plan.discs, middle_x, middle_y, plan.r + radius, plan.target, plan.distance
    ) > 0:
        return 0
    if plan.kind == CHARGE and compare_disc(
        middle_x - plan.discs.x[plan.target], middle_y - plan.discs.y[plan.target], search.zone + radius
    ) > 0:
        return 0
    search.number += 1
    return push_square(search, key, x, y, side)


cdef bint may_be_legal(Search* search, const Square* square) except -1 nogil:
    """Whether a square may hold a legal place, looked at more closely."""
    cdef Plan* plan = search.plan
    cdef int64_t x = 0, y = 0, radius = middle_of_square(search, square.x, square.y, square.side, &x, &y)
    # A larger base sees more, and what it overlaps is in nobody's way.
    return (
        plan.kind != CHARGE or plan.blind or sees_disc(
            plan.scenery, x, y, plan.r + radius,
            plan.discs.x[plan.target], plan.discs.y[plan.target], plan.discs.r[plan.target], NULL,
        )
    ) and may_be_reached(search, x, y, radius)


# -- the search -------------------------------------------------------------------------------------------------------

cdef int begin(Search* search, Plan* plan, bint best) except -1 nogil:
    """Put the first squares into the heap. ``finish`` has to be called, whatever happens."""
    cdef uint64_t left = plan.discs.present >> FIGURES << FIGURES
    cdef int x, y
    search.plan, search.best, search.box = plan, best, box_of(plan)
    search.move_poses.node = search.push_poses.node = NULL
    search.count = search.room = 0
    search.number = 0
    search.square = NULL
    if plan.towards:
        search.start = length_of(plan.start)
    if plan.kind == CHARGE:
        search.zone = plan.r + plan.discs.r[plan.target] + INCH
        while left:
            if plan.discs.r[lowest(left)] == LINKING_RADIUS:
                # Two bases in contact with one marker between them are farther apart than an inch.
                search.zone = plan.r + plan.discs.r[plan.target] + 2 * INCH
            left &= left - 1
    x = search.box.x0
    while x <= search.box.x1:
        y = search.box.y0
        while y <= search.box.y1:
            consider(search, x, y, FIRST_SIDE)
            y += FIRST_SIDE
        x += FIRST_SIDE
    return 0


cdef void finish(Search* search) noexcept nogil:
    end_poses(&search.move_poses)
    end_poses(&search.push_poses)
    free(search.square)


cdef int32_t run(Search* search) except -2 nogil:
    """Go through the squares; returns the place that was found, packed, if any will do, else -1."""
    cdef Plan* plan = search.plan
    cdef Square square
    cdef int half, x, y, x1, y1
    while search.count:
        square = pop_square(search)
        if search.best and square.key > plan.towards * length_of(plan.best) + CERTAIN:
            break
        x1, y1 = min(square.x + square.side - 1, search.box.x1), min(square.y + square.side - 1, search.box.y1)
        x, y = (square.x + x1) // 2, (square.y + y1) // 2
        # If any place will do, the middle of a square that has one is mostly legal.
        if not search.best and is_legal(plan, x * STEP, y * STEP):
            return point_at(x, y)
        if not may_be_legal(search, &square):
            continue
        if square.side <= LAST_SIDE:
            for x in range(square.x, x1 + 1):
                for y in range(square.y, y1 + 1):
                    if search.best:
                        update_best(plan, x * STEP, y * STEP, False)
                    elif is_legal(plan, x * STEP, y * STEP):
                        return point_at(x, y)
            continue
        if search.best:
            update_best(plan, x * STEP, y * STEP, False)
        half = square.side // 2
        consider(search, square.x, square.y, half)
        consider(search, square.x, square.y + half, half)
        consider(search, square.x + half, square.y, half)
        consider(search, square.x + half, square.y + half, half)
    return -1


cdef int32_t find_place(Plan* plan) except -2 nogil:
    """A legal place of a plan, packed; -1 if there is none."""
    cdef Search search
    if plan.directly:
        return plan.best_place
    try:
        begin(&search, plan, False)
        return run(&search)
    finally:
        finish(&search)


cdef int find_best(Plan* plan) except -1 nogil:
    """Bind a plan with a direction word to its best places: as near as possible, or as far (OLO-DIR-02).

    ``best_place`` becomes -1 if none is nearer, or farther, than the start.
    """
    cdef Search search
    plan.best, plan.best_place, plan.directly = plan.start, -1, False
    try_likely_best(plan)
    try:
        begin(&search, plan, True)
        run(&search)
    finally:
        finish(&search)
    plan.directly = True
    return 0
