"""Lists of places where an element may go, for people and bots to choose from.

A list is a sample of the legal places: a lattice of the wanted step and the candidates of :mod:`cext.geometry.candidates`. The check
of a plan accepts every legal point of the lattice of 1/100 inch, and every listed place passes it (OLO-GEO-62, 63). It is empty only
where no place is legal.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t

from cext.geometry.board cimport (
    LAST, SIDE, STEP, Discs, Root, Scenery, compare_part, lowest, point_at, root_to_part, spot_free,
)
from cext.geometry.branch_and_bound cimport find_place
from cext.geometry.plan cimport Box, Plan, box_of, is_legal, up_to
from cext.geometry.candidates cimport MAX_CANDIDATES, Candidates, add_candidates

# The radius in which a free place is looked for, in lattice steps.
cdef int SEARCH_RADIUS = 400


# -- lists ----------------------------------------------------------------------------------------------------------

cdef int list_capacity(int step) noexcept nogil:
    """Maximum number of places of a list at a step (OLO-GEO-63)."""
    return 640 * 2500 // (step * step)


cdef int list_places(Plan* plan, int step, uint64_t foes, int32_t* out, int capacity) except -1 nogil:
    """Write the listed places, packed, ascending; returns how many. Candidates come first where not all fit.

    Where the list at this step is empty it is that at a quarter of the step, or else one place, if there is any (OLO-CAP-08).
    ``foes``: the figures whose threat zones matter.
    """
    cdef int count = list_at_step(plan, step, foes, out, capacity)
    cdef int32_t place
    if count or capacity == 0:
        return count
    place = find_place(plan)
    if place < 0:
        return 0
    count = list_at_step(plan, max(1, step // 4), foes, out, capacity)
    if count == 0:
        out[0] = place
        return 1
    return count


cdef int list_at_step(Plan* plan, int step, uint64_t foes, int32_t* out, int capacity) noexcept nogil:
    """Write the legal places of a lattice and the candidates, merged in ascending order."""
    cdef Candidates candidates
    cdef Box box = box_of(plan)
    cdef int x, y, count = 0, next_candidate = 0, room
    cdef int32_t place
    candidates.count, candidates.limit = 0, min(capacity, MAX_CANDIDATES)
    add_candidates(plan, &candidates, &box, foes)
    room = capacity - candidates.count
    x = up_to(box.x0, step)
    while x <= box.x1:
        y = up_to(box.y0, step)
        while y <= box.y1 and room > 0:
            place = point_at(x, y)
            while next_candidate < candidates.count and candidates.place[next_candidate] < place:
                out[count] = candidates.place[next_candidate]
                next_candidate += 1
                count += 1
            if not (next_candidate < candidates.count and candidates.place[next_candidate] == place) and is_legal(plan, x * STEP, y * STEP):
                out[count] = place
                count += 1
                room -= 1
            y += step
        x += step
    while next_candidate < candidates.count:
        out[count] = candidates.place[next_candidate]
        next_candidate += 1
        count += 1
    return count


# -- all places, to draw them ---------------------------------------------------------------------------------------

cdef Raster raster_of(const Plan* plan, int step) noexcept nogil:
    """The multiples of a step among which all legal places are."""
    cdef Box box = box_of(plan)
    cdef Raster raster
    raster.x, raster.y = up_to(box.x0, step), up_to(box.y0, step)
    raster.columns = max(0, (box.x1 - raster.x) // step + 1)
    raster.rows = max(0, (box.y1 - raster.y) // step + 1)
    return raster


cdef void fill_raster(Plan* plan, const Raster* raster, int step, uint8_t* bits) noexcept nogil:
    """Set the bit of every legal place. Rows from south to north, each in whole bytes, the lowest bit first."""
    cdef int row, column, width = (raster.columns + 7) // 8
    for row in range(raster.rows):
        for column in range(raster.columns):
            if is_legal(plan, (raster.x + column * step) * STEP, (raster.y + row * step) * STEP):
                bits[row * width + column // 8] |= <uint8_t> (1 << column % 8)


# -- the nearest free place -----------------------------------------------------------------------------------------

cdef int blocked_steps(
    const Scenery* scenery, const Discs* discs, int32_t x, int32_t y, int32_t r, int direction
) noexcept nogil:
    """Number of lattice steps west (-1) or east (1) that a disc which is not free can be moved without becoming free before; at least 1.

    A lower bound: past what blocks it by its distance in the row, or in any direction.
    """
    cdef double across = max(r - x, x + r - SIDE) if direction * (x - SIDE // 2) < 0 else 0
    cdef double dx, dy, reach
    cdef uint64_t left = discs.present
    cdef Root root
    cdef int i
    if y < r or y > SIDE - r or (x < r and direction < 0) or (x > SIDE - r and direction > 0):
        return LAST
    while left:
        i = lowest(left)
        left &= left - 1
        dx, dy, reach = direction * (discs.x[i] - x), discs.y[i] - y, r + discs.r[i]
        if dx * dx + dy * dy < reach * reach:
            across = max(across, dx + sqrt(reach * reach - dy * dy))
    for i in range(scenery.solids):
        if compare_part(scenery, &scenery.part[i], x, y, r) >= 0:
            continue
        root = root_to_part(scenery, &scenery.part[i], x, y)
        dx = fabs(<double> root.cross) / sqrt(<double> root.length) if root.length > 1 else sqrt(<double> root.square)
        across = max(across, r - dx if scenery.part[i].corners else r + scenery.part[i].r - dx)
    # Less a tick for rounding.
    return max(1, <int> ((across - 1) / STEP))


cdef int32_t nearest_free(
    const Scenery* scenery, const Discs* discs, int32_t x, int32_t y, int32_t r
) noexcept nogil:
    """The free place, packed, nearest to a wanted one (lattice steps), at most 4 inches away; -1 if there is none.

    Ties go to the lower y, then the lower x (OLO-GEO-73).
    """
    cdef int best = SEARCH_RADIUS * SEARCH_RADIUS, best_x = 0, best_y = 0
    cdef int row, flip, direction, dx, square, at_x, at_y
    cdef bint found = False
    for row in range(SEARCH_RADIUS + 1):
        if row * row > best:
            break
        for flip in range(-1, 2, 2):
            at_y = y + flip * row
            for direction in range(-1, 2, 2):
                dx = 0
                while dx * dx + row * row <= best:
                    at_x = x + direction * dx
                    if spot_free(scenery, discs, at_x * STEP, at_y * STEP, r, -1):
                        square = dx * dx + row * row
                        if not found or square < best or at_y < best_y or (at_y == best_y and at_x < best_x):
                            found, best, best_x, best_y = True, square, at_x, at_y
                        break
                    dx += blocked_steps(scenery, discs, at_x * STEP, at_y * STEP, r, direction)
    return point_at(best_x, best_y) if found else -1
