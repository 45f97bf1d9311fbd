# Queries of the board: distance, contact, threat, engagement, support, sight and cover (OLO-MEAS, OLO-LOS, OLO-THREAT,
# OLO-COVER, OLO-ROLL-02).
#
# Elements are numbered: figures 0 to 15, markers to 63, scenery from 64.

cdef struct Elements:
    # Figures and markers, and pieces of scenery.
    uint64_t discs
    uint64_t pieces

cdef struct Pool:
    int dice
    int difficulty
    # Successes that are added.
    int added


cdef int64_t LONG_RANGE = LONG_RANGE_INCHES * INCH


cdef bint exists(StateBase s, int element) noexcept:
    """Whether an element lies on the board."""
    if element >= DISCS:
        return element < DISCS + s.board.scenery.pieces
    return element >= 0 and s.d.discs.present >> element & 1


cdef bint within(StateBase s, int one, int other, int64_t distance) noexcept:
    """Whether two elements on the board are within a distance of each other (OLO-MEAS-03, 05)."""
    if one >= DISCS:
        if other >= DISCS:
            return False
        one, other = other, one
    return is_within(
        &s.board.scenery, &s.d.discs, one, s.d.discs.x[one], s.d.discs.y[one], s.d.discs.r[one], other, distance
    )


cdef bint in_zone(StateBase s, int figure, int element) noexcept:
    """Whether an element is in the threat zone of a figure (OLO-THREAT-01, 02)."""
    return (
        figure != element and on_bloc(s, figure) and not stunned(s, figure) and exists(s, element)
        and within(s, figure, element, INCH)
    )


cdef bint engages(StateBase s, int figure, int other) noexcept:
    """Whether a figure engages another one (OLO-THREAT-03)."""
    return are_foes(s, figure, other) and in_zone(s, figure, other)


cdef bint engaged(StateBase s, int figure) noexcept:
    """Whether a figure on the board is in a foe's threat zone (OLO-THREAT-03)."""
    cdef uint64_t left = foes_of(s, figure)
    cdef int foe
    while left:
        foe = lowest(left)
        left &= left - 1
        if in_zone(s, foe, figure):
            return True
    return False


cdef bint is_free(StateBase s, int figure) noexcept:
    """Whether a figure on the board is not engaged (OLO-THREAT-03, 06)."""
    return on_bloc(s, figure) and not engaged(s, figure)


cdef bint supported(StateBase s, int figure, int target) noexcept:
    """Whether another figure of the same side has the target in its threat zone (OLO-ROLL-02)."""
    cdef int i
    for i in range(FIGURES):
        if i != figure and i != target and s.d.figure[i].player == s.d.figure[figure].player and in_zone(s, i, target):
            return True
    return False


cdef bint touches(StateBase s, int one, int other) noexcept:
    """Whether two elements on the board are in contact (OLO-MEAS-04)."""
    if one >= DISCS:
        one, other = other, one
    if one >= DISCS:
        return False
    if other >= DISCS:
        return touches_piece(&s.board.scenery, other - DISCS, s.d.discs.x[one], s.d.discs.y[one], s.d.discs.r[one])
    return touched_discs(&s.d.discs, s.d.discs.x[one], s.d.discs.y[one], s.d.discs.r[one], one) >> other & 1


cdef bint sees(StateBase s, int one, int other) except -1:
    """Whether there is a line of sight from a figure or marker to an element (OLO-LOS-01 to 06)."""
    if one == other:
        return exists(s, one)
    if not exists(s, one) or not exists(s, other):
        return False
    if sight_rule(s, one, 1) == 0 or (other < FIGURES and sight_rule(s, other, 1) == 0):
        return True
    if other >= DISCS:
        return sees_piece(
            &s.board.scenery, s.d.discs.x[one], s.d.discs.y[one], s.d.discs.r[one], other - DISCS, NULL
        )
    return sees_disc(
        &s.board.scenery, s.d.discs.x[one], s.d.discs.y[one], s.d.discs.r[one],
        s.d.discs.x[other], s.d.discs.y[other], s.d.discs.r[other], NULL,
    )


cdef bint covered(StateBase s, int figure) except -1:
    """Whether a figure is in cover (OLO-COVER-01)."""
    cdef int ruled = sight_rule(s, figure, 0)
    if ruled >= 0:
        return ruled
    return in_cover(&s.board.scenery, s.d.discs.x[figure], s.d.discs.y[figure], s.d.discs.r[figure])


cdef bint far(StateBase s, int one, int other) noexcept:
    """Whether the gap of two figures is more than 4 inches (OLO-SHOT-05)."""
    return compare_gap(
        &s.board.scenery, &s.d.discs, s.d.discs.x[one], s.d.discs.y[one], s.d.discs.r[one], other, LONG_RANGE
    ) > 0


cdef uint64_t figures_where(StateBase s, int where) noexcept:
    """The figures on the board, or off it."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(FIGURES):
        if s.d.figure[i].where == where:
            found |= <uint64_t> 1 << i
    return found


cdef uint64_t foes_of(StateBase s, int figure) noexcept:
    """The foes of a figure that are on the board."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(FIGURES):
        if s.d.figure[i].where == PLACE_BLOC and s.d.figure[i].player != s.d.figure[figure].player:
            found |= <uint64_t> 1 << i
    return found


cdef uint64_t in_zone_of_tag(StateBase s, int figure, int tag) except? 0xFFFFFFFF:
    """The zones of a tag (any: -1) that a figure is in: markers as bits 16 to 63; bit 0 stands for a zone of the scenery."""
    cdef uint64_t left = s.d.discs.present >> FIGURES << FIGURES, found = 0
    cdef int i
    if not on_bloc(s, figure):
        return 0
    while left:
        i = lowest(left)
        left &= left - 1
        if s.d.mark[i].zone >= 0 and (tag < 0 or s.d.mark[i].tag == tag) and within(s, figure, i, s.d.mark[i].zone):
            found |= <uint64_t> 1 << i
    for i in range(s.board.scenery.pieces):
        if is_zone(&s.board.scenery, i) and (tag < 0 or tag_of(s, DISCS + i) == tag) and touches(s, figure, DISCS + i):
            found |= 1
    return found


cdef int tag_of(StateBase s, int element) except -2:
    """The tag of a marker or piece of scenery; -1 for none."""
    if element >= DISCS:
        return s.piece_tags[element - DISCS]
    return s.d.mark[element].tag if element >= FIGURES else -1
