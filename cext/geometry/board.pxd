from libc.stdint cimport int32_t, int64_t, uint64_t

from cext.geometry.units_enums cimport *

cdef enum:
    # Two figures in contact with one marker of this radius (30 mm) are 1 inch apart.
    LINKING_RADIUS = 7500
    MAX_DISC_RADIUS = 25400
    # Limits of a board: convex parts with joints, and their corners (each first one counted twice).
    MAX_PARTS = 256
    MAX_CORNERS = 1024
    COORDINATE_MASK = (1 << COORDINATE_BITS) - 1

cdef extern from *:
    """
    #ifndef OMNILUDE_EXACT
    #define OMNILUDE_EXACT
    #include <stdint.h>

    typedef __int128 omni_wide;
    typedef unsigned __int128 omni_natural;

    /* The root of square / length, where square is cross * cross if length > 1. */
    typedef struct { int64_t square, cross, length; } Root;

    static inline int omni_sign(omni_wide value) { return (value > 0) - (value < 0); }

    /* The sign of p * sqrt(s) + q, for s >= 0 and p * p * s and q * q below 2**127. */
    static inline int sign_of_root(int64_t p, int64_t s, int64_t q) {
        int first = s ? (p > 0) - (p < 0) : 0, second = (q > 0) - (q < 0);
        if (first * second >= 0) return first ? first : second;
        omni_wide left = (omni_wide) p * p * s, right = (omni_wide) q * q;
        return left > right ? first : left < right ? second : 0;
    }

    /* The sign of cross * cross - reach * reach * length. */
    static inline int compare_offset(int64_t cross, int64_t reach, int64_t length) {
        return omni_sign((omni_wide) cross * cross - (omni_wide) (reach * reach) * length);
    }

    static inline void omni_product(omni_natural a, omni_natural b, omni_natural *high, omni_natural *low) {
        omni_natural mask = UINT64_MAX, a0 = a & mask, a1 = a >> 64, b0 = b & mask, b1 = b >> 64;
        omni_natural lowest = a0 * b0, cross = a1 * b0 + (lowest >> 64), other = a0 * b1 + (cross & mask);
        *low = (other << 64) | (lowest & mask);
        *high = a1 * b1 + (cross >> 64) + (other >> 64);
    }

    /* The sign of one - other - shift, for a shift below 2**20 in size. */
    static inline int compare_roots(Root one, Root other, int64_t shift) {
        omni_wide n1 = one.length > 1 ? (omni_wide) one.cross * one.cross : one.square;
        omni_wide n2 = other.length > 1 ? (omni_wide) other.cross * other.cross : other.square;
        omni_wide d1 = one.length, d2 = other.length, left;
        omni_natural left_high, left_low, right_high, right_low, factor;
        int first, second, larger;
        if (shift < 0 && n2 < (omni_wide) (shift * shift) * d2) return 1;
        /* Both sides are at least 0: compare their squares, multiplied by d1 * d2. */
        left = n1 * d2 - n2 * d1 - (omni_wide) (shift * shift) * (d1 * d2);
        first = omni_sign(left);
        second = n2 ? (shift > 0) - (shift < 0) : 0;
        if (first != second || first == 0) return (first > second) - (first < second);
        factor = (omni_natural) (2 * (shift < 0 ? -shift : shift)) * d1;
        omni_product(left < 0 ? -left : left, left < 0 ? -left : left, &left_high, &left_low);
        omni_product(factor * factor, (omni_natural) (n2 * d2), &right_high, &right_low);
        if (left_high == right_high && left_low == right_low) return 0;
        larger = left_high > right_high || (left_high == right_high && left_low > right_low);
        return larger ? first : -first;
    }
    #endif
    """
    ctypedef struct Root:
        int64_t square
        int64_t cross
        int64_t length

    int sign_of_root(int64_t p, int64_t s, int64_t q) noexcept nogil
    int compare_offset(int64_t cross, int64_t reach, int64_t length) noexcept nogil
    int compare_roots(Root one, Root other, int64_t shift) noexcept nogil
    int __builtin_ctzll(unsigned long long) noexcept nogil

cdef struct Discs:
    # The figures and markers on the board, in ticks; bit i of present tells whether element i is there.
    uint64_t present
    int32_t x[DISCS]
    int32_t y[DISCS]
    int32_t r[DISCS]

cdef struct Part:
    # A convex part of a piece, or a joint. Round: corners is 0 and (x, y, r) is the disc; else it is a disc around it.
    int32_t corners
    int32_t first
    int32_t x
    int32_t y
    int32_t r
    # Of the piece that it belongs to; -1 for a joint between pieces.
    int32_t piece

cdef struct Scenery:
    # Parts in the order: solid and low (blocks no sight), solid and obstructing, joints, zones. Solid are those from 0 to
    # solids - 1, blocking sight those from lows to blockers - 1.
    int lows
    int solids
    int blockers
    int parts
    int pieces
    Part* part
    # The corners of part p are those from first to first + corners - 1, counter-clockwise, and the first one again.
    int32_t* x
    int32_t* y
    # The outward unit normal of the side from each corner to the next one.
    double* nx
    double* ny
    # The parts of each piece lie side by side.
    int32_t piece_first[ELEMENTS - DISCS]
    int32_t piece_parts[ELEMENTS - DISCS]

cdef class Board:
    cdef Scenery scenery
    cdef readonly tuple pieces
    cdef readonly tuple joints
    cdef int allocate(self, int parts, int corners) except -1
    cdef int add(self, object part, int piece, int corner) except -1

cdef inline int lowest(uint64_t mask) noexcept nogil:
    """The lowest bit of a mask that is not empty."""
    return __builtin_ctzll(mask)

cdef inline int compare_disc(int64_t dx, int64_t dy, int64_t reach) noexcept nogil:
    """The sign of (distance - reach) for a vector and a reach in ticks."""
    cdef int64_t square = dx * dx + dy * dy
    cdef int64_t limit = reach * reach
    if reach < 0:
        return 1
    return (square > limit) - (square < limit)

cdef inline bint is_zone(const Scenery* scenery, int piece) noexcept nogil:
    """Whether a piece, 0 to 63, is a zone."""
    return scenery.piece_first[piece] >= scenery.blockers

cdef inline bint on_board(int32_t x, int32_t y, int32_t r) noexcept nogil:
    """Whether a disc lies wholly on the board."""
    return r <= x <= SIDE - r and r <= y <= SIDE - r

cdef int compare_part(const Scenery* scenery, const Part* part, int64_t x, int64_t y, int64_t reach) noexcept nogil
cdef int compare_piece(const Scenery* scenery, int piece, int64_t x, int64_t y, int64_t reach) noexcept nogil
cdef int compare_gap(
    const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, int64_t r, int element, int64_t distance
) noexcept nogil
cdef bint spot_free(const Scenery* scenery, const Discs* discs, int32_t x, int32_t y, int32_t r, int ignored) noexcept nogil
cdef bint touches_piece(const Scenery* scenery, int piece, int64_t x, int64_t y, int64_t r) noexcept nogil
cdef uint64_t touched_discs(const Discs* discs, int64_t x, int64_t y, int64_t r, int ignored) noexcept nogil
cdef uint64_t touched_pieces(const Scenery* scenery, int64_t x, int64_t y, int64_t r) noexcept nogil
cdef bint in_cover(const Scenery* scenery, int64_t x, int64_t y, int64_t r) noexcept nogil
cdef bint is_within(
    const Scenery* scenery, const Discs* discs, int figure, int64_t x, int64_t y, int64_t r, int element, int64_t distance
) noexcept nogil
cdef uint64_t within_mask(
    const Scenery* scenery, const Discs* discs, int figure, int64_t x, int64_t y, int64_t r, int64_t distance
) noexcept nogil
cdef Root root_to_part(const Scenery* scenery, const Part* part, int64_t x, int64_t y) noexcept nogil
cdef Root root_to(
    const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, int element, int64_t* radius
) noexcept nogil
cdef uint64_t nearest_of(const Scenery* scenery, const Discs* discs, int64_t x, int64_t y, uint64_t among) noexcept nogil

cdef inline int32_t point_at(int32_t x, int32_t y) noexcept nogil:
    """Returns a lattice point, packed."""
    return x << COORDINATE_BITS | y

cdef inline int32_t x_of(int32_t point) noexcept nogil:
    """Returns x of a packed point; bits above the point are ignored."""
    return point >> COORDINATE_BITS & COORDINATE_MASK

cdef inline int32_t y_of(int32_t point) noexcept nogil:
    """Returns y of a packed point."""
    return point & COORDINATE_MASK
