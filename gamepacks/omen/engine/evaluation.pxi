# The evaluation of a state for a seat, which the greedy bot maximises and which guides tree searches.

# Weights of the evaluation: of a point, of a point of Strength in a City, of the lead in a City that is at war, of a Feat
# whose condition holds before the Feat step.
#
# Coins and cards have no weight: a bot that values them saves them, and loses to one that plays all it can (measured
# over mirror games).
cdef double POINT = 1.0
cdef double STRENGTH = 0.25
cdef double WAR_LEAD = 2.0
cdef double FEAT = 1.9

# An evaluation that is nearly as good as a won game.
cdef double LEAD = 16.0


cdef class OmenGuide(Guide):
    """Evaluation in points, as priors and as an expected return."""

    has_priors = has_values = True
    softness = 2.0

    cpdef double evaluate(self, State state, int seat, Rng rng) except? -1e300:
        """Points, Feats, and Strength in the Cities, each as the difference between the players."""
        return evaluation(<OmenState> state, seat)

    cpdef bint continues(self, State state, int seat) except -1:
        """Whether the seat has to decide a part of the move that it has begun."""
        cdef int decision = (<OmenState> state).d.decision
        return (<OmenState> state).d.decider == seat and (
            DECISION_MODE <= decision <= DECISION_SPIRIT or DECISION_UNIT <= decision <= DECISION_NAME
        )

    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1:
        values[0] = tanh(evaluation(<OmenState> state, 0) / LEAD)
        values[1] = -values[0]
        return 0


cdef double evaluation(OmenState state, int seat) except? -1e300:
    """The evaluation of a state for a seat, in points."""
    cdef TokenSet cards
    cdef int city, own, theirs, mine, foes, other = 1 - seat
    cdef double war_progress, value = POINT * (score_of(state, seat) - score_of(state, other))
    if state.d.active < 2 and state.d.phase <= PHASE_FEAT:
        value += (FEAT if state.d.active == seat else -FEAT) * met_claims(state, PILE_FEATS_UP + state.d.active, &cards)
    for city in range(state.config.cities):
        own, theirs = strength_on(state, city, seat), strength_on(state, city, other)
        value += STRENGTH * (own - theirs)
        if not state.d.left[city]:
            continue
        mine, foes = units_on(state, city, seat), units_on(state, city, other)
        if mine or foes:
            war_progress = min(1.0, max(<double> (mine + foes - 1), 1.5 * mine, 1.5 * foes) / 4.5)
            value += WAR_LEAD * war_progress * war_progress * max(-1.0, min(1.0, (own - theirs) / 3.0))
    return value
