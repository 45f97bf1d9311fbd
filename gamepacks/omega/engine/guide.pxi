# The guide of tree searches in OMEGA: random play-outs to the end of the turn, as the planner bot makes them.

cdef enum:
    # Play-outs for each legal action; play-outs for the evaluation of a state.
    PRIOR_PLAYOUTS = 6
    VALUE_PLAYOUTS = 8

# An evaluation that is nearly as good as a won game.
cdef double LEAD = 3000.0
# The difference of two evaluations at which one action is e times as promising as the other.
cdef double SOFTNESS = 400.0


cdef class OmegaGuide(Guide):
    """Priors and evaluation by the best of a few random ends of the turn."""

    has_priors = has_values = True

    cdef int fill_priors(self, State state, int seat, Codes legal, Rng rng) except -1:
        cdef Py_ssize_t i
        cdef int number
        cdef int32_t value, best
        cdef Codes buffer = Codes()
        cdef list values = []
        for i in range(legal.size):
            best = -0x7FFFFFFF
            for number in range(PRIOR_PLAYOUTS):
                value = playout_value(<OmegaState> state, legal.code[i], seat, rng, buffer)
                if value > best:
                    best = value
            values.append(best)
        return self.set_weights(legal, values, SOFTNESS)

    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1:
        cdef int seat
        cdef OmegaState end = best_end(<OmegaState> state, VALUE_PLAYOUTS, rng, Codes())
        for seat in range(seats):
            values[seat] = tanh(evaluate(end.rules, &end.data, seat) / LEAD)
        return 0
