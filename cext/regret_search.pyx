"""Search for mixed strategies by Monte Carlo counterfactual regret minimisation, over any :class:`cext.state.State`.

Where a seat must not be predictable (poker, bids in secret), the most visited action of a tree search is not enough:
good play is a distribution over the actions of each information state. :class:`RegretSearch` finds it by external
sampling (Lanctot, Waugh, Zinkevich and Bowling 2009). In games of two players that are zero-sum its average strategies
approach an equilibrium.
"""

from libc.stdint cimport int32_t

from cext.clock cimport now
from cext.playout cimport pick_outcome, random_step, yield_if_due
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes, State, lowest_seat


cdef enum:
    MAX_DEPTH = 64  # an information state is a tuple that is nested as deep as there were steps


cdef class RegretSearch:
    """Regrets and average strategies of the information states below a root.

    An information state of a seat is what it knew of the root (its view there) and of each step since
    (``Game.knows_code``), so a seat forgets nothing. Every iteration plays in a world drawn by
    ``root.resample(seat, rng)``; the true state is never used.

    All actions of a seat are tried in its first decision of an iteration, and in later ones as long as that does not
    make more than ``max_leaves`` lines of play; a random play-out values the rest of each line, also after MAX_DEPTH
    steps. Raises ValueError for settings out of range.
    """

    cdef readonly int players
    cdef readonly int max_leaves
    cdef readonly int max_plies
    cdef readonly long iterations
    cdef dict _nodes
    cdef tuple _roots
    cdef int _seat
    cdef Codes _legal

    def __init__(self, int players, *, int max_leaves=256, int max_plies=100_000):
        if players < 1 or max_leaves < 1 or max_plies < 1:
            raise ValueError("players, max_leaves and max_plies are from 1")
        self.players = players
        self.max_leaves = max_leaves
        self.max_plies = max_plies
        self._nodes = {}
        self._legal = Codes()

    def run(self, State root not None, int seat, Rng rng not None, long iterations=0, double seconds=0.0):
        """Search from ``root`` by ``iterations`` or for ``seconds``, whichever ends first (0: no such limit).

        An iteration updates the regrets of each seat once. Returns how many were made. Raises ValueError without a
        budget.
        """
        cdef long done = 0
        cdef int each
        cdef double deadline = now() + seconds
        cdef State world
        if iterations <= 0 and seconds <= 0:
            raise ValueError("a search needs a budget of iterations or seconds")
        self._seat = seat
        while (iterations <= 0 or done < iterations) and (seconds <= 0 or done == 0 or now() < deadline):
            world = root.resample(seat, rng)
            self._roots = first_keys(world, self.players)
            for each in range(self.players):
                self.visit(world.clone(), self._roots, each, 1, 0, rng)
            yield_if_due()
            done += 1
        self.iterations += done
        return done

    def strategy(self, State root not None, int seat, steps=()):
        """Average strategy of ``seat`` after ``steps`` from ``root``: ``[(code, probability)]``.

        ``steps`` are pairs of a seat (-1 for chance) and a code. Empty where the information state was not visited.
        """
        cdef State state = root.clone()
        cdef tuple keys = first_keys(state, self.players)
        cdef list codes, sums
        for actor, code in steps:
            after = state.clone()
            after.step(code, actor)
            keys = self.next_keys(state, actor, code, keys)
            state = after
        entry = self._nodes.get(keys[seat])
        if entry is None:
            return []
        codes, _, sums = entry
        total = sum(sums)
        if total == 0:
            return [(code, 1.0 / len(codes)) for code in codes]
        return [(code, part / total) for code, part in zip(codes, sums)]

    cdef double visit(self, State state, tuple keys, int traverser, long leaves, int plies, Rng rng) except? -1e300:
        """The sampled value of a state, which is changed, for the traverser; updates regrets and strategies.

        ``leaves``: lines of play that the decisions of the traverser have made so far.
        """
        cdef int actor = state.actor(), seat
        cdef int32_t code
        cdef Py_ssize_t i, chosen
        cdef double value, mean, total, pick
        cdef list codes, regrets, sums, values, strategy
        cdef State after
        cdef tuple after_keys
        if actor == C_TERMINAL or plies >= self.max_plies:
            return state.returns()[traverser]
        if plies >= MAX_DEPTH:
            return self.played_out(state, traverser, plies, rng)
        if actor == C_CHANCE:
            state.fill_chance(self._legal)
            code = self._legal.code[pick_outcome(self._legal, rng)]
            keys = self.next_keys(state, -1, code, keys)
            state.step(code, -1)
            return self.visit(state, keys, traverser, leaves, plies + 1, rng)
        seat = actor
        if actor == C_SIMULTANEOUS:
            # Decisions of one node are independent; the seat of the search comes first, so that the root is its own.
            seat = self._seat if plies == 0 and state.seats_to_act() >> self._seat & 1 else lowest_seat(state.seats_to_act())
        entry = self._nodes.get(keys[seat])
        if entry is None:
            codes = state.legal(seat)
            if not codes:
                raise ValueError(f"seat {seat} is to act and has no legal action")
            entry = (codes, [0.0] * len(codes), [0.0] * len(codes))
            self._nodes[keys[seat]] = entry
        codes, regrets, sums = entry
        if seat == traverser and leaves > 1 and leaves * len(codes) > self.max_leaves:
            return self.played_out(state, traverser, plies, rng)
        strategy = matched(regrets)
        if seat != traverser:
            pick = rng.bounded(1 << 30) / <double> (1 << 30)
            chosen = -1
            total = 0.0
            for i in range(len(codes)):
                sums[i] += strategy[i]
                total += strategy[i]
                if chosen < 0 and (pick < total or i == len(codes) - 1):
                    chosen = i
            code = codes[chosen]
            keys = self.next_keys(state, seat, code, keys)
            state.step(code, seat)
            return self.visit(state, keys, traverser, leaves, plies + 1, rng)
        values = []
        mean = 0.0
        for i in range(len(codes)):
            code = codes[i]
            after = state.clone()
            after.step(code, seat)
            after_keys = self.next_keys(state, seat, code, keys)
            value = self.visit(after, after_keys, traverser, leaves * len(codes), plies + 1, rng)
            values.append(value)
            mean += strategy[i] * value
        for i in range(len(codes)):
            regrets[i] += values[i] - mean
        return mean

    cdef double played_out(self, State state, int traverser, int plies, Rng rng) except? -1e300:
        """The return of the traverser after random play to the end of the game."""
        while plies < self.max_plies and random_step(state, rng, self._legal):
            plies += 1
        return state.returns()[traverser]

    cdef tuple next_keys(self, State before, int seat, int32_t code, tuple keys):
        """The information state of each seat after a step."""
        cdef list following = []
        cdef int viewer
        cdef bint declined = seat >= 0 and before.decline_code() == code
        cdef object actor = None if seat < 0 else seat
        for viewer in range(self.players):
            if declined and viewer != seat:
                following.append(keys[viewer])
            elif before.game.knows_code(before, actor, code, viewer):
                following.append((keys[viewer], seat, code))
            else:
                following.append((keys[viewer], seat, None))
        return tuple(following)


cdef tuple first_keys(State root, int players):
    """The information state of each seat at the root: its number and its view."""
    return tuple([
        (seat, root.game.view(root, seat).SerializeToString(deterministic=True)) for seat in range(players)
    ])


cdef list matched(list regrets):
    """The strategy in proportion to the positive regrets; uniform if there is none."""
    cdef double total = 0.0, regret
    for regret in regrets:
        if regret > 0:
            total += regret
    if total == 0:
        return [1.0 / len(regrets)] * len(regrets)
    return [regret / total if regret > 0 else 0.0 for regret in regrets]
