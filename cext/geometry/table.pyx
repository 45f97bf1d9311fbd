"""Figures and markers on a board, and the queries of the geometry about them, for Python.

Places are lattice points of 1/100 inch, 0 to 1600; radii and distances are ticks (12,700 to the inch). Elements have
numbers: figures 0 to 15, markers 16 to 63, pieces of scenery from 64 on; sets of elements are masks, bit i for
element i. Lists of places are arrays of packed points (see ``POINT_BITS``), ascending. Compiled packs hold the struct
:class:`cext.geometry.Discs` themselves and cimport the functions that are called here.
"""

from cpython cimport array
import array

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from cext.geometry.board cimport (
    DISCS, INCH, STEP, Board, Discs, Root, compare_gap, compare_roots, in_cover,
    is_within, nearest_of, on_board, root_to, spot_free, touched_discs, touched_pieces, touches_piece, within_mask,
)
from cext.geometry.places cimport Raster, fill_raster, list_capacity, list_places, nearest_free, raster_of
from cext.geometry.branch_and_bound cimport find_best, find_place
from cext.geometry.limits cimport check_distance, check_place, check_radius, check_step
from cext.geometry.plan cimport (
    BY_PUSH_RULER, BY_SIZE, MOVE, PLACE, PUSH, is_legal, plan_charge, plan_entry, plan_move, plan_placement, plan_push,
    plan_shift,
)
from cext.geometry.reach cimport can_reach
from cext.geometry.candidates cimport set_direction
from cext.geometry.ruler cimport Pose, Ruler
from cext.geometry.sight cimport seen_of, sees_disc, sees_piece

cdef array.array INTS = array.array("i")

cdef class Table:
    """A board with figures and markers on it, and the two rulers of the game (default 3.00 x 0.80 and 1.00 x 0.80 inch).

    Every method raises ValueError for an element that is not on the board, a place off the lattice, or a number out of
    its range.
    """

    def __init__(self, Board board, Ruler move_ruler=None, Ruler push_ruler=None):
        self.board = board
        self.move_ruler = Ruler(300, 80) if move_ruler is None else move_ruler
        self.push_ruler = Ruler(100, 80) if push_ruler is None else push_ruler

    # -- who stands where ------------------------------------------------------------------------------------------

    def put(self, int element, int x, int y, int radius):
        """Set a figure or marker down, or move it, without asking any rule but that it lies wholly on the board."""
        if not 0 <= element < DISCS:
            raise ValueError(f"figures and markers are elements 0 to {DISCS - 1}, not {element}")
        check_radius(radius)
        if not on_board(x * STEP, y * STEP, radius):
            raise ValueError(f"a disc of radius {radius} ticks at ({x}, {y}) is not wholly on the board")
        self.discs.present |= <uint64_t> 1 << element
        self.discs.x[element], self.discs.y[element], self.discs.r[element] = x * STEP, y * STEP, radius

    def remove(self, int element):
        """Take a figure or marker off the board."""
        self.check_disc(element)
        self.discs.present &= ~(<uint64_t> 1 << element)

    def place(self, int element):
        """The place of a figure or marker: x, y on the lattice and its radius in ticks."""
        self.check_disc(element)
        return self.discs.x[element] // STEP, self.discs.y[element] // STEP, self.discs.r[element]

    @property
    def present(self):
        """The mask of figures and markers on the board."""
        return self.discs.present

    def copy(self):
        """Another table with the same things on it; the board is shared."""
        cdef Table other = Table(self.board, self.move_ruler, self.push_ruler)
        other.discs = self.discs
        return other

    cdef int check_disc(self, int element) except -1:
        if not (0 <= element < DISCS and self.discs.present >> element & 1):
            raise ValueError(f"no figure or marker {element} is on the board")
        return 0

    cdef int check_element(self, int element) except -1:
        if DISCS <= element < DISCS + self.board.scenery.pieces:
            return 0
        return self.check_disc(element)

    # -- distances ---------------------------------------------------------------------------------------------------

    def gap(self, int element, int other):
        """The gap between a figure or marker and an element, in inches; below 0 if they overlap. For showing only."""
        cdef int64_t radius = 0
        cdef Root root
        self.check_disc(element)
        self.check_element(other)
        root = root_to(&self.board.scenery, &self.discs, self.discs.x[element], self.discs.y[element], other, &radius)
        distance = fabs(<double> root.cross) / sqrt(<double> root.length) if root.length > 1 else sqrt(<double> root.square)
        return (distance - radius - self.discs.r[element]) / INCH

    def compare_gap(self, int element, int other, int64_t distance):
        """The sign of (gap - distance), exactly."""
        self.check_disc(element)
        self.check_element(other)
        check_distance(distance)
        return compare_gap(
            &self.board.scenery, &self.discs, self.discs.x[element], self.discs.y[element], self.discs.r[element], other, distance
        )

    def is_within(self, int element, int other, int64_t distance):
        """Whether a figure or marker is at ``distance`` of an element (OLO-MEAS-03, 05)."""
        self.check_disc(element)
        self.check_element(other)
        check_distance(distance)
        return is_within(
            &self.board.scenery, &self.discs, element,
            self.discs.x[element], self.discs.y[element], self.discs.r[element], other, distance,
        )

    def within(self, int element, int64_t distance):
        """The figures and markers that one is at ``distance`` of, as a mask."""
        self.check_disc(element)
        return self.within_at(
            element, self.discs.x[element] // STEP, self.discs.y[element] // STEP, distance
        )

    def within_at(self, int element, int x, int y, int64_t distance):
        """The same, if it stood at another place."""
        self.check_disc(element)
        check_place(x, y)
        check_distance(distance)
        return within_mask(
            &self.board.scenery, &self.discs, element, x * STEP, y * STEP, self.discs.r[element], distance
        )

    def touches(self, int element, int other):
        """Whether a figure or marker is in contact with an element (OLO-MEAS-04)."""
        self.check_element(other)
        return bool(self.touching(element) >> other & 1)

    def touching(self, int element):
        """The elements that a figure or marker is in contact with: a mask that includes scenery, from bit 64 on."""
        self.check_disc(element)
        return self.touching_at(element, self.discs.x[element] // STEP, self.discs.y[element] // STEP)

    def touching_at(self, int element, int x, int y):
        """The same, if it stood at another place."""
        cdef int64_t r
        self.check_disc(element)
        check_place(x, y)
        r = self.discs.r[element]
        pieces = touched_pieces(&self.board.scenery, x * STEP, y * STEP, r)
        return touched_discs(&self.discs, x * STEP, y * STEP, r, element) | pieces << DISCS

    def in_cover(self, int element):
        """Whether a figure or marker is in contact with scenery other than a zone (OLO-COVER-01)."""
        self.check_disc(element)
        return bool(
            in_cover(&self.board.scenery, self.discs.x[element], self.discs.y[element], self.discs.r[element])
        )

    def nearest(self, int element, uint64_t among):
        """The elements, of a mask, with the smallest gap to a figure or marker: several on an exact tie."""
        self.check_disc(element)
        among &= self.discs.present & ~(<uint64_t> 1 << element)
        return nearest_of(&self.board.scenery, &self.discs, self.discs.x[element], self.discs.y[element], among)

    def compare_after(self, int element, int x, int y, int other):
        """The sign of the change of the gap to ``other``, if a figure or marker stood at another place (OLO-GEO-74)."""
        cdef int64_t radius = 0
        self.check_disc(element)
        self.check_element(other)
        check_place(x, y)
        return compare_roots(
            root_to(&self.board.scenery, &self.discs, x * STEP, y * STEP, other, &radius),
            root_to(&self.board.scenery, &self.discs, self.discs.x[element], self.discs.y[element], other, &radius),
            0,
        )

    # -- sight -------------------------------------------------------------------------------------------------------

    def sight(self, int element, int other):
        """Whether a figure or marker sees an element (OLO-LOS-01); always itself."""
        self.check_disc(element)
        if other >= DISCS:
            self.check_element(other)
            return bool(sees_piece(
                &self.board.scenery, self.discs.x[element], self.discs.y[element], self.discs.r[element], other - DISCS, NULL
            ))
        self.check_disc(other)
        return bool(sees_disc(
            &self.board.scenery, self.discs.x[element], self.discs.y[element], self.discs.r[element],
            self.discs.x[other], self.discs.y[other], self.discs.r[other], NULL,
        ))

    def sight_line(self, int element, int other):
        """A free segment from rim to rim (x, y, x, y in ticks, not rounded), for drawing; None if there is no sight."""
        cdef double[4] segment
        cdef bint seen
        self.check_disc(element)
        self.check_element(other)
        if other >= DISCS:
            seen = sees_piece(
                &self.board.scenery, self.discs.x[element], self.discs.y[element], self.discs.r[element], other - DISCS, segment
            )
        else:
            seen = sees_disc(
                &self.board.scenery, self.discs.x[element], self.discs.y[element], self.discs.r[element],
                self.discs.x[other], self.discs.y[other], self.discs.r[other], segment,
            )
        return (segment[0], segment[1], segment[2], segment[3]) if seen else None

    def sight_from(self, int element, int x, int y, int other):
        """Whether a figure or marker would see another one from another place."""
        self.check_disc(element)
        self.check_disc(other)
        check_place(x, y)
        return bool(sees_disc(
            &self.board.scenery, x * STEP, y * STEP, self.discs.r[element],
            self.discs.x[other], self.discs.y[other], self.discs.r[other], NULL,
        ))

    def seen(self, int element, uint64_t among=0xFFFFFFFFFFFFFFFF):
        """The figures and markers, of a mask, that one sees; itself included."""
        self.check_disc(element)
        return seen_of(
            &self.board.scenery, &self.discs, self.discs.x[element], self.discs.y[element], self.discs.r[element], among
        )

    # -- one place ---------------------------------------------------------------------------------------------------

    def spot_free(self, int x, int y, int radius, int ignored=-1):
        """Whether a disc may stand at a place, as if element ``ignored`` were not there (OLO-MOVE-01, 04)."""
        check_place(x, y)
        check_radius(radius)
        return bool(spot_free(&self.board.scenery, &self.discs, x * STEP, y * STEP, radius, ignored))

    def reach(self, int element, int x, int y, Ruler ruler not None):
        """Whether a figure or marker can be set at a free place along a ruler (section 4.7)."""
        cdef Pose pose
        self.check_disc(element)
        check_place(x, y)
        return bool(can_reach(
            &self.board.scenery, &self.discs, element, &ruler.size,
            self.discs.x[element], self.discs.y[element], self.discs.r[element], x * STEP, y * STEP, &pose,
        ))

    def nearest_free(self, int x, int y, int radius):
        """The free place nearest to a wanted one, packed; None if there is none within 4 inches (OLO-GEO-73)."""
        check_place(x, y)
        check_radius(radius)
        place = nearest_free(&self.board.scenery, &self.discs, x, y, radius)
        return place if place >= 0 else None

    # -- changes of place --------------------------------------------------------------------------------------------

    def move(self, int element, str way="any"):
        """A move, as things stand: with either ruler, or by at most the base's own size (OLO-MOVE-05, 07).

        ``way``: "base", "push" or "move" for only one of them.
        """
        self.check_disc(element)
        if way not in ("any", "base", "push", "move"):
            raise ValueError(f"the ways of a move are any, base, push and move, not {way!r}")
        cdef Displacement displacement = Displacement.__new__(Displacement, self)
        if way == "any":
            plan_move(
                &displacement.plan, &self.board.scenery, &displacement.discs, element,
                &self.move_ruler.size, &self.push_ruler.size,
            )
        elif way == "base":
            plan_shift(&displacement.plan, &self.board.scenery, &displacement.discs, element)
        else:
            # A move with one ruler allows the same places as a push with that ruler.
            plan_push(
                &displacement.plan, &self.board.scenery, &displacement.discs, element,
                &self.push_ruler.size if way == "push" else &self.move_ruler.size,
            )
        return displacement

    def push(self, int element):
        """A push: with the push ruler only. Staying, which is allowed, is not among its places (OLO-PUSH-01, 04)."""
        self.check_disc(element)
        cdef Displacement displacement = Displacement.__new__(Displacement, self)
        plan_push(&displacement.plan, &self.board.scenery, &displacement.discs, element, &self.push_ruler.size)
        return displacement

    def enter(self, int edge, int radius):
        """Entering from a deployment line, 0 to 3: north, east, south, west (OLO-ENTER-02)."""
        if not 0 <= edge <= 3:
            raise ValueError(f"edges are 0 to 3 for north, east, south and west, not {edge}")
        check_radius(radius)
        cdef Displacement displacement = Displacement.__new__(Displacement, self)
        plan_entry(&displacement.plan, &self.board.scenery, &displacement.discs, -1, radius, edge, &self.move_ruler.size)
        return displacement

    def placement(self, int target, int64_t distance, int radius):
        """Placing a disc that is off the board at ``distance`` of an element (OLO-PLACE-01)."""
        self.check_element(target)
        check_distance(distance)
        check_radius(radius)
        cdef Displacement displacement = Displacement.__new__(Displacement, self)
        plan_placement(&displacement.plan, &self.board.scenery, &displacement.discs, -1, radius, target, distance)
        return displacement

    def charge(self, int element, int target):
        """The march of a charge: it ends with the target within 1 inch and in sight (OLO-GEO-76)."""
        self.check_disc(element)
        self.check_disc(target)
        if element == target:
            raise ValueError("a figure cannot charge itself")
        cdef Displacement displacement = Displacement.__new__(Displacement, self)
        plan_charge(
            &displacement.plan, &self.board.scenery, &displacement.discs, element, target,
            &self.move_ruler.size, &self.push_ruler.size,
        )
        return displacement


cdef class Displacement:
    """A change of place, for the board as it stood when :class:`Table` made it."""

    def __cinit__(self, Table table):
        self.table = table
        self.discs = table.discs

    def towards(self, int element, bint away=False, bint directly=False):
        """Bind a move or push to a direction word: (directly) towards an element, or away from it; returns itself.

        ``directly`` looks for the best place there is; what comes within 0.10 inch of it fits (OLO-DIR-01, 02, OLO-GEO-75).
        """
        self.table.check_element(element)
        if self.plan.kind != MOVE and self.plan.kind != PUSH:
            raise ValueError("only a move or push has a direction")
        set_direction(&self.plan, element, -1 if away else 1)
        if directly:
            with nogil:
                find_best(&self.plan)
        return self

    def allows(self, int x, int y):
        """Whether it may end at a place: exact, for every lattice point."""
        check_place(x, y)
        return bool(is_legal(&self.plan, x * STEP, y * STEP))

    def pose(self, int x, int y):
        """The way to a place, for drawing: "base", "push" or "move" for the base's own size or a ruler, and the ruler's
        centre in ticks and long unit vector (x, y, ux, uy; 0 without a ruler). None if it may not end there.
        """
        check_place(x, y)
        if self.plan.kind == PLACE or not is_legal(&self.plan, x * STEP, y * STEP):
            return None
        if self.plan.way == BY_SIZE:
            return "base", (0.0, 0.0, 0.0, 0.0)
        pose = &self.plan.pose
        return "push" if self.plan.way == BY_PUSH_RULER else "move", (pose.x, pose.y, pose.ux, pose.uy)

    def places(self, int step=50, uint64_t foes=0):
        """The listed places where it may end (OLO-GEO-60): a lattice of ``step`` and places that matter more.

        ``foes``: the figures whose threat zones get places just inside their edge. Cut at 640 places for a step of 50. Empty only
        if there is no place on the whole lattice.
        """
        cdef array.array places
        cdef int count, capacity
        check_step(step)
        capacity = list_capacity(step)
        places = array.clone(INTS, capacity, zero=False)
        with nogil:
            count = list_places(&self.plan, step, foes, <int32_t*> places.data.as_ints, capacity)
        array.resize(places, count)
        return places

    def raster(self, int step=10):
        """Returns a raster of the places where it may end: (x, y, columns, rows, bits) of the multiples of a step.

        (x, y) is the first point, the most south-western; rows go from south to north, each in whole bytes, the first
        point in the lowest bit. Other threads may run meanwhile.
        """
        cdef Raster raster
        cdef uint8_t* bits
        check_step(step)
        raster = raster_of(&self.plan, step)
        filled = bytearray((raster.columns + 7) // 8 * raster.rows)
        if raster.columns and raster.rows:
            bits = filled
            with nogil:
                fill_raster(&self.plan, &raster, step, bits)
        return raster.x, raster.y, raster.columns, raster.rows, bytes(filled)

    def find(self):
        """A place where it may end, packed; None if there is none on the whole lattice (OLO-CAP-08)."""
        cdef int32_t place
        with nogil:
            place = find_place(&self.plan)
        return place if place >= 0 else None

    @property
    def best(self):
        """The best place of a direction word that is meant directly, packed; None if none fits."""
        return self.plan.best_place if self.plan.directly and self.plan.best_place >= 0 else None
