from libc.stdint cimport int64_t

from cext.geometry.board cimport DISCS, MAX_PARTS, Discs, Part, Scenery

cdef enum:
    MAX_NODES = 64


cdef inline double epsilon() noexcept nogil:
    """Tolerance in ticks: a pose that overlaps by no more than this counts as free."""
    return 12.7

cdef struct RulerSize:
    # Length and width, half of each, and half the diagonal, in ticks.
    int64_t length
    int64_t width
    double h
    double w
    double diagonal

cdef struct Pose:
    # A ruler on the board: its centre in ticks and the unit vectors of its long and its short axis.
    double x
    double y
    double ux
    double uy
    double nx
    double ny

cdef struct Near:
    # The possible obstacles of a ruler: discs and convex parts.
    const Scenery* scenery
    int discs
    int parts
    double x[DISCS]
    double y[DISCS]
    double r[DISCS]
    const Part* part[MAX_PARTS]

cdef struct Hint:
    # The pose that was free for the last destination, which is probably free for its neighbour. Kind: 0 none, 1 curve, 2 slide.
    int kind
    int curve
    double t

# A family of four curves of poses: their poses at t, from curve first to curve last. False where rounding left none.
ctypedef bint (*PosesAt)(const void* family, double t, int first, int last, Pose* poses) noexcept nogil

cdef class Ruler:
    cdef RulerSize size

cdef void gather(
    Near* near, const Scenery* scenery, const Discs* discs, int ignored, int64_t x, int64_t y, double reach
) noexcept nogil
cdef double depth(const Near* near, const RulerSize* ruler, const Pose* pose) noexcept nogil
cdef bint explore(
    const Near* near, const RulerSize* ruler, PosesAt poses_at, const void* family, int nodes, double t0, double t1,
    Hint* hint, Pose* pose
) noexcept nogil

cdef inline double half_tangent(double cosine, double sine) noexcept nogil:
    """The parameter of a direction in the first quadrant: cos = (1 - t t) / (1 + t t), sin = 2 t / (1 + t t)."""
    return sine / (1 + cosine)
