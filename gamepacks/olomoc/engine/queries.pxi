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


cdef bint exists(StateBase m, int element) noexcept:
    """Whether an element lies on the board."""
    if element >= DISCS:
        return element < DISCS + m.board.scenery.pieces
    return element >= 0 and m.t.discs.present >> element & 1


cdef bint within(StateBase m, int one, int other, int64_t distance) noexcept:
    """Whether two elements on the board are at a distance of each other (OLO-MEAS-03, 05)."""
    if one >= DISCS:
        if other >= DISCS:
            return False
        one, other = other, one
    return is_within(
        &m.board.scenery, &m.t.discs, one, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], other, distance
    )


cdef bint in_zone(StateBase m, int figure, int element) noexcept:
    """Whether an element is in the threat zone of a figure (OLO-THREAT-01, 02)."""
    return (
        figure != element and on_bloc(m, figure) and not stunned(m, figure) and exists(m, element)
        and within(m, figure, element, INCH)
    )


cdef bint engages(StateBase m, int figure, int other) noexcept:
    """Whether a figure engages another one (OLO-THREAT-03)."""
    return are_foes(m, figure, other) and in_zone(m, figure, other)


cdef bint engaged(StateBase m, int figure) noexcept:
    """Whether a figure on the board is in a foe's threat zone (OLO-THREAT-03)."""
    cdef uint64_t left = foes_of(m, figure)
    cdef int foe
    while left:
        foe = lowest(left)
        left &= left - 1
        if in_zone(m, foe, figure):
            return True
    return False


cdef bint is_free(StateBase m, int figure) noexcept:
    """Whether a figure on the board is not engaged (OLO-THREAT-03, 06)."""
    return on_bloc(m, figure) and not engaged(m, figure)


cdef bint supported(StateBase m, int figure, int target) noexcept:
    """Whether another figure of the same side has the target in its threat zone (OLO-ROLL-02)."""
    cdef int i
    for i in range(FIGURES):
        if i != figure and i != target and m.t.figure[i].player == m.t.figure[figure].player and in_zone(m, i, target):
            return True
    return False


cdef bint touches(StateBase m, int one, int other) noexcept:
    """Whether two elements on the board are in contact (OLO-MEAS-04)."""
    if one >= DISCS:
        one, other = other, one
    if one >= DISCS:
        return False
    if other >= DISCS:
        return touches_piece(&m.board.scenery, other - DISCS, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one])
    return touched_discs(&m.t.discs, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], one) >> other & 1


cdef bint sees(StateBase m, int one, int other) except -1:
    """Whether there is a line of sight from a figure or marker to an element (OLO-LOS-01 to 06)."""
    if one == other:
        return exists(m, one)
    if not exists(m, one) or not exists(m, other):
        return False
    if sight_rule(m, one, 1) == 0 or (other < FIGURES and sight_rule(m, other, 1) == 0):
        return True
    if other >= DISCS:
        return sees_piece(
            &m.board.scenery, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], other - DISCS, NULL
        )
    return sees_disc(
        &m.board.scenery, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one],
        m.t.discs.x[other], m.t.discs.y[other], m.t.discs.r[other], NULL,
    )


cdef bint covered(StateBase m, int figure) except -1:
    """Whether a figure is in cover (OLO-COVER-01)."""
    cdef int ruled = sight_rule(m, figure, 0)
    if ruled >= 0:
        return ruled
    return in_cover(&m.board.scenery, m.t.discs.x[figure], m.t.discs.y[figure], m.t.discs.r[figure])


cdef bint far(StateBase m, int one, int other) noexcept:
    """Whether the gap of two figures is more than 4 inches (OLO-SHOT-05)."""
    return compare_gap(
        &m.board.scenery, &m.t.discs, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], other, LONG_RANGE
    ) > 0


cdef uint64_t figures_where(StateBase m, int where) noexcept:
    """The figures on the board, or off it."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(FIGURES):
        if m.t.figure[i].where == where:
            found |= <uint64_t> 1 << i
    return found


cdef uint64_t foes_of(StateBase m, int figure) noexcept:
    """The foes of a figure that are on the board."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(FIGURES):
        if m.t.figure[i].where == PLACE_BLOC and m.t.figure[i].player != m.t.figure[figure].player:
            found |= <uint64_t> 1 << i
    return found


cdef uint64_t in_zone_of_tag(StateBase m, int figure, int tag) except? 0xFFFFFFFF:
    """The zones of a tag (any: -1) that a figure is in: markers as bits 16 to 63; bit 0 stands for a zone of the scenery."""
    cdef uint64_t left = m.t.discs.present >> FIGURES << FIGURES, found = 0
    cdef int i
    if not on_bloc(m, figure):
        return 0
    while left:
        i = lowest(left)
        left &= left - 1
        if m.t.mark[i].zone >= 0 and (tag < 0 or m.t.mark[i].tag == tag) and within(m, figure, i, m.t.mark[i].zone):
            found |= <uint64_t> 1 << i
    for i in range(m.board.scenery.pieces):
        if is_zone(&m.board.scenery, i) and (tag < 0 or tag_of(m, DISCS + i) == tag) and touches(m, figure, DISCS + i):
            found |= 1
    return found


cdef int tag_of(StateBase m, int element) except -2:
    """The tag of a marker or piece of scenery; -1 for none."""
    if element >= DISCS:
        return m.piece_tags[element - DISCS]
    return m.t.mark[element].tag if element >= FIGURES else -1
