# The evaluation of a state for a seat, which the greedy bot maximises and which guides tree searches. The unit is a
# hundredth of a point. All numbers are whole, so that the bot plays the same on every machine.

cdef enum:
    POINT = 100
    # A die of a group that is there and not scored yet.
    GROUPED = 90
    PAIR = 20
    # Three dice of a god with free cells beside them: one more die makes four points.
    THREE = 110
    # The same for a seat that is about to add the fitting die.
    SURE_FOUR = 390
    # Weight of the values of other seats; that of the seat that plays next is higher, since it can score first.
    NEXT_PERCENT = 120
    OTHER_PERCENT = 60
    # A won game.
    WON = 5000

# The evaluation divided by this is the argument of tanh in the expected return.
cdef double SCALE = 1500.0


cdef class OminoesGuide(Guide):
    """Evaluation in hundredths of a point, as priors and as an expected return."""

    has_priors = has_values = True
    softness = 100.0

    cpdef double evaluate(self, State state, int seat, Rng rng) except? -1e300:
        """The points of a seat and the values of its gods' dice, less those of the others."""
        return evaluation(<OminoesState> state, seat)

    cpdef bint continues(self, State state, int seat) except -1:
        """Whether a die is being rerolled, or the seat scores."""
        cdef OminoesState game = <OminoesState> state
        return game.data.active == seat and (
            game.data.phase == PHASE_REROLLING or game.data.phase == PHASE_SCORE_AFTER_MOVE
            or game.data.phase == PHASE_SCORE_AFTER_ADD
        )

    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1:
        cdef int seat
        for seat in range(seats):
            values[seat] = tanh(evaluation(<OminoesState> state, seat) / SCALE)
        return 0


cdef int32_t evaluation(OminoesState state, int seat) noexcept nogil:
    """As :meth:`OminoesGuide.evaluate`."""
    cdef int other, i, god, weight, following = (seat + 1) % state.rules.players
    cdef int32_t[FACE_KHEPRI + 1] god_values
    cdef int32_t result = 0
    cdef bint adds
    if state.data.phase == PHASE_OVER:
        for other in range(state.rules.players):
            if state.data.scores[other] > state.data.scores[seat]:
                return -WON
        return WON
    adds = state.data.phase == PHASE_ADD and state.data.active == seat
    for god in range(FACE_HORUS, FACE_KHEPRI + 1):
        god_values[god] = value_of_god(state, god, False)
    for other in range(state.rules.players):
        weight = 100 if other == seat else -NEXT_PERCENT if other == following else -OTHER_PERCENT
        result += weight * state.data.scores[other] * POINT // 100
        for i in range(state.rules.collected_count[other]):
            god = state.rules.collected[other][i]
            if other == seat and adds and (state.data.rolled == god or state.data.rolled >= FACE_YAY_RA):
                result += value_of_god(state, god, True)
            else:
                result += weight * god_values[god] // 100
    return result


cdef int32_t value_of_god(OminoesState state, int god, bint adds) noexcept nogil:
    """The value of a god's dice for a seat that collects it; ``adds``: the seat is about to add a fitting die."""
    cdef WideSet left, group, free
    cdef uint64_t free64
    cdef int i
    cdef int32_t result = 0
    cdef bint sure = False
    members_of(&state.data, god, &left)
    if state.rules.narrow:
        free64 = state.rules.open.w[0] & ~state.data.dice[0].w[0]
        while left.w[0]:
            group.w[0] = component64(&state.rules.shape, left.w[0], left.w[0] & (0 - left.w[0]))
            left.w[0] &= ~group.w[0]
            result += value_of_group(count64(group.w[0]), free_beside64(&state.rules.shape, group.w[0], free64), adds, &sure)
        return result
    for i in range(3):
        free.w[i] = state.rules.open.w[i] & ~state.data.dice[0].w[i]
    while wide_any(&left):
        wide_component(&left, wide_lowest(&left), &group)
        for i in range(3):
            left.w[i] &= ~group.w[i]
        result += value_of_group(wide_count(&group), wide_free_beside(&group, &free), adds, &sure)
    return result


cdef inline int32_t value_of_group(int dice, int room, bint adds, bint* sure) noexcept nogil:
    """The value of connected dice with ``room`` free cells beside them; ``sure``: the die to add is counted already."""
    if dice >= GROUP:
        return dice * GROUPED
    if room == 0:
        return 0
    if dice == 3:
        if adds and not sure[0]:
            sure[0] = True
            return SURE_FOUR + room
        return THREE + room
    return PAIR + room if dice == 2 else room


cdef inline int free_beside64(const Shape* shape, uint64_t group, uint64_t free) noexcept nogil:
    """Free neighbours of the cells of a group, summed over the cells."""
    return (
        count64((group << shape.columns) & free) + count64((group >> shape.columns) & free)
        + count64((group & shape.but_last_column) << 1 & free) + count64((group & shape.but_first_column) >> 1 & free)
    )


cdef inline int wide_free_beside(const WideSet* group, const WideSet* free) noexcept nogil:
    """Free neighbours of the cells of a group, summed over the cells."""
    cdef uint64_t a = group.w[0], b = group.w[1], c = group.w[2]
    return (
        count64((a << 1) & free.w[0]) + count64((a >> 1) & free.w[0]) + count64((b << 1) & free.w[1])
        + count64((b >> 1) & free.w[1]) + count64((c << 1) & free.w[2]) + count64((c >> 1) & free.w[2])
        + count64((a << 16) & free.w[0]) + count64((a >> 16 | b << 48) & free.w[0])
        + count64((b << 16 | a >> 48) & free.w[1]) + count64((b >> 16 | c << 48) & free.w[1])
        + count64((c << 16 | b >> 48) & free.w[2]) + count64((c >> 16) & free.w[2])
    )
