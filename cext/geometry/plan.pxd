from libc.stdint cimport int32_t, int64_t

from cext.geometry.board cimport STEP, Discs, Root, Scenery
from cext.geometry.ruler cimport Hint, Near, Pose, RulerSize
from cext.geometry.units_enums cimport *

cdef enum:
    # The ways of a move: a shift by the base's own size, or with either ruler. A placement has none.
    BY_SIZE = 0
    BY_PUSH_RULER = 1
    BY_MOVE_RULER = 2

cdef struct Box:
    # Lattice points, both ends included.
    int x0
    int y0
    int x1
    int y1

cdef struct Plan:
    # A change of place that is checked or searched. Made by the functions below.
    const Scenery* scenery
    const Discs* discs
    int kind
    # The element that moves, where it stands (not for ENTER and PLACE) and its radius, in ticks.
    int element
    int32_t x
    int32_t y
    int32_t r
    # NULL for a ruler that may not be used.
    const RulerSize* move_ruler
    const RulerSize* push_ruler
    int edge
    # The element that PLACE and CHARGE are about, the distance for PLACE, and whether a CHARGE may end without sight.
    int target
    int64_t distance
    bint blind
    # The direction word: towards (1), away (-1) or none (0), of which element; whether only the best places will do, the best
    # distance, and a place that has it (-1 if none fits). Distances are compared with that at the start.
    int towards
    int reference
    bint directly
    Root start
    Root best
    int32_t best_place
    Near move_near
    Near push_near
    Hint move_hint
    Hint push_hint
    # The way to the place that was last found legal, and the pose of its ruler.
    int way
    Pose pose

cdef void plan_move(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element,
    const RulerSize* move_ruler, const RulerSize* push_ruler
) noexcept nogil
cdef void plan_shift(Plan* plan, const Scenery* scenery, const Discs* discs, int element) noexcept nogil
cdef void plan_push(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, const RulerSize* push_ruler
) noexcept nogil
cdef void plan_entry(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, int32_t r, int edge, const RulerSize* move_ruler
) noexcept nogil
cdef void plan_placement(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, int32_t r, int target, int64_t distance
) noexcept nogil
cdef void plan_charge(
    Plan* plan, const Scenery* scenery, const Discs* discs, int element, int target,
    const RulerSize* move_ruler, const RulerSize* push_ruler
) noexcept nogil
cdef bint is_legal(Plan* plan, int32_t x, int32_t y) noexcept nogil
cdef double reach_of(const Plan* plan) noexcept nogil
cdef Box box_of(const Plan* plan) noexcept nogil

cdef inline int up_to(int value, int step) noexcept nogil:
    """The lowest multiple of a step from a value that is not negative."""
    return (value + step - 1) // step * step

cdef inline bint outside(const Box* box, int64_t x, int64_t y, int64_t radius) noexcept nogil:
    """Whether nothing within a radius of a point, in ticks, lies in a box."""
    return (
        x + radius < box.x0 * STEP or x - radius > box.x1 * STEP or y + radius < box.y0 * STEP or y - radius > box.y1 * STEP
    )
