"""Guide: a pack's knowledge of its game for searches, as priors, an evaluation and a policy for play-outs."""

from libc.math cimport exp
from libc.stdint cimport int32_t, uint32_t

from cext.playout cimport pick_outcome
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes, State

cdef enum:
    # Weights of priors: approximately of the best action, and of an action with a very low evaluation.
    WEIGHTS = 10_000
    MIN_WEIGHT = 200


cdef class Guide:
    """Knowledge of a game that a search may use. A pack overrides what it has, in Python or compiled.

    ========================  ===================================  ===========================================
    what                      overridden in Python                 overridden in a compiled class (cdef)
    ========================  ===================================  ===========================================
    priors of legal actions   ``priors(state, seat, legal, rng)``  ``fill_priors(state, seat, legal, rng)``
    expected returns          ``values(state, rng)``               ``fill_values(state, values, seats, rng)``
    choice in a play-out      ``choose(state, seat, legal, rng)``  ``pick(state, seat, legal, rng)``
    evaluation for a seat     ``evaluate(state, seat, rng)``       the same
    parts of an action        ``continues(state, seat)``           the same
    ========================  ===================================  ===========================================

    The class attributes ``has_priors``, ``has_values`` and ``has_policy`` say which of the first three are defined, and
    ``playout_plies`` after how many steps of a play-out ``values()`` is asked (0: no play-out). The states are worlds of
    the search: nothing here may keep or change them.

    :meth:`evaluate_action` evaluates an action by the state at its end. An action ends where :meth:`continues` is
    false, or after ``action_depth`` decisions; at each of them ``action_breadth`` actions are tried, and at a chance node
    ``action_samples`` outcomes.
    """

    has_priors = False
    has_values = False
    has_policy = False
    playout_plies = 0
    action_depth = 3
    action_breadth = 12
    action_samples = 8
    softness = 1.0
    """The difference of two evaluations at which one action has e times the weight of the other."""

    def priors(self, State state, int seat, list legal, Rng rng):
        """Weights of the legal actions, whole numbers from 1; by default by :meth:`evaluate_action`."""
        return self.weights([self.evaluate_action(state, code, seat, rng) for code in legal])

    cpdef list weights(self, list evaluations):
        """Weights of actions by their evaluations, the softmax with the temperature ``softness``."""
        cdef double best = max(evaluations), softness = self.softness
        return [MIN_WEIGHT + <uint32_t> (WEIGHTS * exp((value - best) / softness)) for value in evaluations]

    def values(self, State state, Rng rng):
        """Estimated return of each seat, within the bounds of the game's returns."""
        raise NotImplementedError(f"{type(self).__name__} must define values()")

    def choose(self, State state, int seat, list legal, Rng rng):
        """Index in ``legal`` of the action that a play-out takes."""
        raise NotImplementedError(f"{type(self).__name__} must define choose()")

    cdef int fill_priors(self, State state, int seat, Codes legal, Rng rng) except -1:
        """Set ``legal.weight[i]`` for each legal action, from 1."""
        cdef Py_ssize_t i
        cdef list weights = list(self.priors(state, seat, legal.to_list(), rng))
        if len(weights) != legal.size:
            raise ValueError(f"priors() gives {len(weights)} weights for {legal.size} actions")
        for i in range(legal.size):
            legal.weight[i] = weights[i]
        return 0

    cpdef double evaluate(self, State state, int seat, Rng rng) except? -1e300:
        """Evaluation of a state for a seat, in any unit; by default its expected return."""
        if state.actor() == C_TERMINAL:
            return state.returns()[seat]
        return self.values(state, rng)[seat]

    cpdef bint continues(self, State state, int seat) except -1:
        """Whether the pending decision or chance node is part of the action that ``seat`` has taken.

        By default every chance node is, and no decision. It is never asked at the end of a game or at simultaneous
        decisions.
        """
        return state.actor() == C_CHANCE

    cpdef double evaluate_action(self, State state, int32_t code, int seat, Rng rng, int depth=-1) except? -1e300:
        """Evaluation for a seat of the state at the end of an action, with the best of the play that is tried.

        At the decisions that are part of the action the seat takes the best of the actions that are tried, and any
        other seat the worst for it. At the first chance node the evaluation is the mean over all outcomes or, if there are
        more than ``action_samples``, over that many outcomes that are drawn; at each further one a single outcome is
        drawn. ``depth``, from 0, replaces ``action_depth``.
        """
        cdef State after = state.clone()
        after.step(code, seat)
        return self.evaluate_end(after, seat, rng, self.action_depth if depth < 0 else depth, self.action_samples)

    cdef double evaluate_end(self, State state, int seat, Rng rng, int depth, int samples) except? -1e300:
        """Evaluation for a seat of the state at the end of the action that leads through ``state``."""
        cdef int actor = state.actor()
        cdef double value, best = 0.0
        cdef State after
        cdef Codes legal
        cdef Py_ssize_t i, tried
        if actor == C_TERMINAL or actor == C_SIMULTANEOUS or not self.continues(state, seat):
            return self.evaluate(state, seat, rng)
        if actor == C_CHANCE:
            return self.mean_of_outcomes(state, seat, rng, depth, samples)
        if depth == 0:
            return self.evaluate(state, seat, rng)
        legal = Codes()
        state.fill_legal(actor, legal)
        tried = min(legal.size, <Py_ssize_t> self.action_breadth)
        for i in range(tried):
            after = state.clone()
            # Spread over the list, in which similar actions are neighbours.
            after.step(legal.code[i * legal.size // tried], actor)
            value = self.evaluate_end(after, seat, rng, depth - 1, samples)
            if i == 0 or (value > best if actor == seat else value < best):
                best = value
        return best if tried else self.evaluate(state, seat, rng)

    cdef double mean_of_outcomes(self, State state, int seat, Rng rng, int depth, int samples) except? -1e300:
        """Mean of :meth:`evaluate_end` over outcomes at a chance node."""
        cdef Codes outcomes = Codes()
        cdef State after
        cdef bint all_outcomes
        cdef Py_ssize_t i, number
        cdef double total = 0.0, weights = 0.0, weight
        state.fill_chance(outcomes)
        all_outcomes = outcomes.size <= samples
        for number in range(outcomes.size if all_outcomes else samples):
            i = number if all_outcomes else pick_outcome(outcomes, rng)
            weight = outcomes.weight[i] if all_outcomes else 1.0
            after = state.clone()
            after.step(outcomes.code[i], -1)
            total += weight * self.evaluate_end(after, seat, rng, depth, 1)
            weights += weight
        return total / weights

    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1:
        """Set ``values[seat]`` for each seat."""
        cdef int seat
        estimated = self.values(state, rng)
        for seat in range(seats):
            values[seat] = estimated[seat]
        return 0

    cdef Py_ssize_t pick(self, State state, int seat, Codes legal, Rng rng) except -1:
        """Index of the action that a play-out takes."""
        cdef Py_ssize_t chosen = self.choose(state, seat, legal.to_list(), rng)
        if not 0 <= chosen < legal.size:
            raise ValueError(f"choose() gives {chosen} for {legal.size} actions")
        return chosen
