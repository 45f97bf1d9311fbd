# The evaluation of a state for a seat, which the greedy bot maximises and which guides tree searches.

# Search depth in decisions that are parts of one move, and how many of their options are tried.
cdef enum:
    DEPTH = 3
    BREADTH = 12

# Weights of the evaluation: a point, a point of Strength in a City, the lead in a City that is at war, a Feat whose
# condition holds before the Feat step.
#
# Coins and cards have no weight: a bot that values them saves them, and loses to one that plays all it can (measured
# over mirror games).
cdef double POINT = 1.0
cdef double SIDE = 0.25
cdef double HEAT = 2.0
cdef double FEAT = 1.9

# An evaluation that is nearly as good as a won game.
cdef double LEAD = 16.0
# The difference of two evaluations at which one action is e times as promising as the other.
cdef double SOFTNESS = 2.0


def best_actions(OmenState state not None, int seat, bint quick=False, object evaluator=None):
    """The legal actions of the seat to act with the highest evaluation: one, or several that are equal.

    The seat's own decisions that are parts of the same move are searched through; ``quick``: not beyond the first.
    ``evaluator(state, seat)`` takes the place of :func:`evaluate`.
    """
    cdef Codes legal = Codes()
    cdef double value, best = 0.0
    cdef Py_ssize_t i
    cdef list actions = []
    state.fill_legal(seat, legal)
    for i in range(legal.size):
        value = value_of(state, legal.code[i], seat, 1 if quick else DEPTH, evaluator)
        if not actions or value > best:
            best, actions = value, []
        if value == best:
            actions.append(legal.code[i])
    return actions


def evaluate(OmenState state not None, int seat):
    """The evaluation of a state for a seat, in points."""
    return evaluation(state, seat)


cdef class OmenGuide(Guide):
    """Guide of tree searches: the greedy bot's evaluation, as priors and as an expected return."""

    has_priors = has_values = True

    cdef int fill_priors(self, State state, int seat, Codes legal, Rng rng) except -1:
        cdef Py_ssize_t i
        cdef list values = [value_of(<OmenState> state, legal.code[i], seat, DEPTH, None) for i in range(legal.size)]
        return self.set_weights(legal, values, SOFTNESS)

    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1:
        values[0] = tanh(evaluation(<OmenState> state, 0) / LEAD)
        values[1] = -values[0]
        return 0


cdef bint is_part(int decision) noexcept:
    """Whether the decision is a part of a move that an earlier decision began."""
    return DECISION_MODE <= decision <= DECISION_SPIRIT or DECISION_UNIT <= decision <= DECISION_NAME


cdef double value_of(OmenState state, int32_t code, int seat, int depth, object evaluator) except? -1e300:
    """The evaluation for a seat after a code and the best of its decisions that belong to the same move."""
    cdef OmenState after = state.clone()
    cdef Codes legal
    cdef double value, best = -1e299
    cdef Py_ssize_t i
    after.step(code, seat)
    if depth and after.d.decider == seat and is_part(after.d.decision):
        legal = Codes()
        after.fill_legal(seat, legal)
        for i in range(min(legal.size, <Py_ssize_t> BREADTH)):
            value = value_of(after, legal.code[i], seat, depth - 1, evaluator)
            if value > best:
                best = value
        return best
    return evaluation(after, seat) if evaluator is None else evaluator(after, seat)


cdef double evaluation(OmenState state, int seat) except? -1e300:
    """The evaluation of a state for a seat, in points."""
    cdef TokenSet cards
    cdef int city, own, theirs, mine, foes, other = 1 - seat
    cdef double heat, value = POINT * (score_of(state, seat) - score_of(state, other))
    if state.d.active < 2 and state.d.phase <= PHASE_FEAT:
        value += (FEAT if state.d.active == seat else -FEAT) * met_claims(state, PILE_FEATS_UP + state.d.active, &cards)
    for city in range(state.config.cities):
        own, theirs = strength_on(state, city, seat), strength_on(state, city, other)
        value += SIDE * (own - theirs)
        if not state.d.left[city]:
            continue
        mine, foes = units_on(state, city, seat), units_on(state, city, other)
        if mine or foes:
            heat = min(1.0, max(<double> (mine + foes - 1), 1.5 * mine, 1.5 * foes) / 4.5)
            value += HEAT * heat * heat * max(-1.0, min(1.0, (own - theirs) / 3.0))
    return value
