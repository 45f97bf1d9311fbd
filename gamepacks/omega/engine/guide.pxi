# The guide of tree searches in OMEGA: random play-outs to the end of the turn, as the planner bot makes them.

cdef enum:
    # Play-outs for each legal action; play-outs for the evaluation of a state.
    PRIOR_PLAYOUTS = 6
    VALUE_PLAYOUTS = 8

# An evaluation that is nearly as good as a won game.
cdef double LEAD = 3000.0

cdef class OmegaGuide(Guide):
    """Priors and expected returns by the best of a few random play-outs of the turn; evaluation in hundredths of a point."""

    has_priors = has_values = True
    softness = 400.0

    cpdef double evaluate(self, State state, int seat, Rng rng) except? -1e300:
        """The value of the state as it is for a seat, less that of its opponents."""
        return evaluate((<OmegaState> state).rules, &(<OmegaState> state).data, seat)

    cpdef bint continues(self, State state, int seat) except -1:
        """Whether a power of the action that the seat has taken is not resolved yet."""
        return (<OmegaState> state).data.depth > 0

    def priors(self, State state, int seat, list legal, Rng rng):
        """Weights by the best of ``PRIOR_PLAYOUTS`` random play-outs of the turn after each action."""
        cdef Codes buffer = Codes()
        cdef int number
        cdef list values = []
        for code in legal:
            values.append(max([
                playout_value(<OmegaState> state, code, seat, rng, buffer) for number in range(PRIOR_PLAYOUTS)
            ]))
        return self.weights(values)

    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1:
        cdef int seat
        cdef OmegaState end = best_end(<OmegaState> state, VALUE_PLAYOUTS, rng, Codes())
        for seat in range(seats):
            values[seat] = tanh(evaluate(end.rules, &end.data, seat) / LEAD)
        return 0
