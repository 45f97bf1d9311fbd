"""Monte Carlo tree search over any :class:`cext.state.State`.

One search serves games with perfect information, with chance, with hidden information and with simultaneous decisions,
for any number of players:

* UCT (Kocsis and Szepesvari 2006) with the returns of every seat (max^n): each seat prefers what is best for itself.
* Chance nodes are nodes of the tree: their outcomes are drawn by the weights of the rules.
* With hidden information every iteration plays in a world of its own, drawn by ``root.resample(seat, rng)``
  (information-set tree search, Cowling, Powley and Whitehouse 2012): the tree's edges are shared by all worlds, and an
  edge is compared only with the visits at which it was legal. The true state is never used.
* At simultaneous decisions each seat chooses by statistics of its own, without seeing what the others take (decoupled
  UCT).
* Long lists of legal actions are widened step by step (progressive widening, Coulom 2007).

A :class:`cext.guide.Guide` gives it what a pack knows about its game: priors, a policy for play-outs, an evaluation where
a play-out is cut off. With a budget of iterations alone the result depends on the state, the settings and the generator
only.
"""

from libc.math cimport INFINITY, log, pow, sqrt
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from cext.clock cimport now
from cext.guide cimport Guide
from cext.playout cimport pick_outcome, random_step, yield_if_due
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes, State, lowest_seat

# Seats of edges that no seat chooses.
cdef enum:
    BY_CHANCE = -1
    JOINT = -2  # JOINT - seat: a seat's part of a joint action; its statistics are on another edge, with the seat itself

cdef enum:
    INITIAL_TABLE_SIZE = 1 << 10
    EDGES_PER_NODE = 8  # maximum of the average: limits the memory of trees with long lists of actions


cdef void* enlarge(void* items, Py_ssize_t* capacity, size_t size_of_item) except NULL:
    """Enlarge the memory to twice as many items and 64 more; returns its address and sets ``capacity``."""
    cdef Py_ssize_t larger = 2 * capacity[0] + 64
    cdef void* moved = realloc(items, larger * size_of_item)
    if moved == NULL:
        raise MemoryError()
    capacity[0] = larger
    return moved


cdef inline int append(Indices* indices, int32_t index) except -1:
    if indices.size == indices.capacity:
        indices.item = <int32_t*> enlarge(indices.item, &indices.capacity, sizeof(int32_t))
    indices.item[indices.size] = index
    indices.size += 1
    return 0


cdef class TreeSearch:
    """A search tree that grows with every call of :meth:`run`.

    ``min_return`` and ``max_return`` bound the returns of a seat. ``hidden``: draw a world for each iteration, for
    games with hidden information or simultaneous decisions. ``exploration`` is UCT's constant for returns scaled to
    0..1. With ``widening`` > 0 a node considers at most ``widening * visits ** widening_power`` actions (at least one).
    A play-out ends after ``playout_plies`` steps and is then valued by the guide, or by ``returns()``; by default it has
    the length that the guide says, and without an evaluation goes on to the end of the game. The tree stops growing at
    ``max_nodes`` nodes, or EDGES_PER_NODE times as many edges; the search then goes on in the tree that it has.

    Raises ValueError for settings out of range.
    """

    def __init__(
        self,
        int players,
        *,
        bint hidden=False,
        double min_return=-1.0,
        double max_return=1.0,
        Guide guide=None,
        double exploration=0.7,
        double widening=0.0,
        double widening_power=0.5,
        object playout_plies=None,
        int max_plies=100_000,
        int max_nodes=500_000,
    ):
        cdef bint evaluated = guide is not None and guide.has_values
        if playout_plies is None:
            playout_plies = guide.playout_plies if evaluated else max_plies
        if players < 1 or min_return >= max_return or exploration < 0 or widening < 0 or playout_plies < 0:
            raise ValueError("players from 1, min_return below max_return, and settings from 0 are needed")
        if not 0 <= widening_power <= 1 or max_plies < 1 or max_nodes < 1:
            raise ValueError("widening_power is from 0 to 1, max_plies and max_nodes from 1")
        self.players = players
        self.hidden = hidden
        self.guide = guide
        self.exploration = exploration
        self.widening = widening
        self.widening_power = widening_power
        self.playout_plies = playout_plies
        self.max_plies = max_plies
        self.max_nodes = max_nodes
        self._low = min_return
        self._span = max_return - min_return
        self._has_priors = guide is not None and guide.has_priors
        self._has_values = evaluated
        self._has_policy = guide is not None and guide.has_policy
        self._legal = Codes()
        self._playout_legal = Codes()
        self._values = <double*> calloc(players, sizeof(double))
        self._sums = <double*> calloc(players, sizeof(double))
        if self._values == NULL or self._sums == NULL:
            raise MemoryError()
        self.reset()

    def __dealloc__(self):
        free(self._nodes)
        free(self._edges)
        free(self._table)
        free(self._path.item)
        free(self._visited.item)
        free(self._values)
        free(self._sums)

    def run(self, State root not None, int seat, Rng rng not None, long iterations=0, double seconds=0.0):
        """Grow the tree from ``root`` by ``iterations`` or for ``seconds``, whichever ends first (0: no such limit).

        ``seat`` is the seat for which worlds are drawn in games with hidden information. The tree of an earlier run is
        continued: ``root`` must be the state of that run, or the state after the steps given to :meth:`advance`.

        Raises ValueError without a budget.
        """
        cdef State world
        cdef long done = 0
        cdef double deadline = now() + seconds
        if iterations <= 0 and seconds <= 0:
            raise ValueError("a search needs a budget of iterations or seconds")
        while (iterations <= 0 or done < iterations) and (seconds <= 0 or done == 0 or now() < deadline):
            world = root.resample(seat, rng) if self.hidden else root.clone()
            self.iterate(world, rng)
            yield_if_due()
            done += 1
        self.iterations += done
        return done

    def ranking(self, int seat):
        """Root actions of ``seat`` as ``[(code, visits, mean return)]``, most visited first."""
        cdef int32_t edge = self._nodes[self._root].first_edge
        cdef list found = []
        while edge >= 0:
            if self._edges[edge].seat == seat and self._edges[edge].visits > 0:
                mean = self._edges[edge].total / self._edges[edge].visits * self._span + self._low
                found.append((self._edges[edge].code, self._edges[edge].visits, mean))
            edge = self._edges[edge].next
        found.sort(key=lambda entry: (-entry[1], -entry[2]))
        return found

    def principal_line(self, int max_steps=32):
        """The most visited actions and outcomes from the root on, as ``[(seat, code)]``; the seat is -1 for chance."""
        cdef list line = []
        cdef int32_t node = self._root
        cdef int32_t edge, best
        while node >= 0 and len(line) < max_steps:
            best = -1
            edge = self._nodes[node].first_edge
            while edge >= 0:
                # Of the edges of a joint action only those that lead to a node count.
                if self._edges[edge].child >= 0 and (
                    best < 0 or self._edges[edge].visits > self._edges[best].visits
                ):
                    best = edge
                edge = self._edges[edge].next
            if best < 0:
                break
            seat = self._edges[best].seat
            line.append((JOINT - seat if seat <= JOINT else seat, self._edges[best].code))
            node = self._edges[best].child
        return line

    def mean_returns(self):
        """Mean return of each seat over all iterations; zeros before the first."""
        cdef int seat
        if self.iterations == 0:
            return (0.0,) * self.players
        return tuple(self._sums[seat] / self.iterations * self._span + self._low for seat in range(self.players))

    @property
    def nodes(self):
        """Nodes in memory."""
        return self._node_count

    def advance(self, steps):
        """Make the node after ``steps``, an iterable of ``(seat, code)`` with seat -1 for chance, the root.

        The tree below that node is kept; if the tree has no such node, it begins anew. Returns whether it was kept.
        """
        cdef int32_t node = self._root
        cdef int32_t edge
        for seat, code in steps:
            edge = self.find_edge(node, seat, code)
            if seat >= 0 and (edge < 0 or self._edges[edge].child < 0):
                edge = self.find_edge(node, JOINT - seat, code)
            if edge < 0 or self._edges[edge].child < 0:
                self.reset()
                return False
            node = self._edges[edge].child
        self._root = node
        self.iterations = 0
        memset(self._sums, 0, self.players * sizeof(double))
        return True

    cdef int reset(self) except -1:
        self._node_count = self._edge_count = 0
        self._hashed = 0
        self.iterations = 0
        memset(self._sums, 0, self.players * sizeof(double))
        if self._table == NULL:
            self._table = <int32_t*> malloc(INITIAL_TABLE_SIZE * sizeof(int32_t))
            if self._table == NULL:
                raise MemoryError()
            self._table_mask = INITIAL_TABLE_SIZE - 1
        memset(self._table, 0xFF, (self._table_mask + 1) * sizeof(int32_t))
        self._root = self.add_node()
        return 0

    # -- one iteration -------------------------------------------------------------------------------------------------

    cdef int iterate(self, State state, Rng rng) except -1:
        """Descend from the root in ``state``, which is changed; add a node; play out; update the statistics."""
        cdef int32_t node = self._root
        cdef int32_t edge, link, first, code
        cdef int actor, seat
        cdef int plies = 0
        cdef uint32_t deciding
        cdef Py_ssize_t i
        cdef double value
        self._path.size = self._visited.size = 0
        while True:
            append(&self._visited, node)
            actor = state.actor()
            if actor == C_TERMINAL or plies > self.max_plies:
                break
            if self._nodes[node].visits == 0 and node != self._root and actor != C_CHANCE:
                break  # a new leaf: the play-out begins here
            plies += 1
            if actor == C_CHANCE:
                state.fill_chance(self._legal)
                i = pick_outcome(self._legal, rng)
                link = self.find_edge(node, BY_CHANCE, self._legal.code[i])
                if link < 0:
                    link = self.add_edge(node, BY_CHANCE, self._legal.code[i])
                append(&self._path, link)
                state.step(self._legal.code[i], -1)
            elif actor == C_SIMULTANEOUS:
                # Each seat chooses by what it knows: the node before any of these decisions.
                deciding = state.seats_to_act()
                first = node
                link = -1
                seat = 0
                while deciding:
                    if deciding & 1:
                        if link >= 0:
                            if not self.extend(link):
                                break
                            node = self._edges[link].child
                        edge = self.choose_open(state, first, seat, rng)
                        append(&self._path, edge)
                        code = self._edges[edge].code
                        link = self.find_edge(node, JOINT - seat, code)
                        if link < 0:
                            link = self.add_edge(node, JOINT - seat, code)
                        append(&self._path, link)
                        state.step(code, seat)
                    deciding >>= 1
                    seat += 1
                if deciding:
                    break
            else:
                if self.hidden:
                    link = self.choose_open(state, node, actor, rng)
                else:
                    link = self.choose_listed(state, node, actor, rng)
                append(&self._path, link)
                state.step(self._edges[link].code, actor)
            if not self.extend(link):
                break  # no more room: the play-out begins here
            node = self._edges[link].child
        self.play_out(state, rng)
        for seat in range(self.players):
            value = (self._values[seat] - self._low) / self._span
            self._values[seat] = value
            self._sums[seat] += value
        for i in range(self._visited.size):
            self._nodes[self._visited.item[i]].visits += 1
        for i in range(self._path.size):
            edge = self._path.item[i]
            self._edges[edge].visits += 1
            seat = self._edges[edge].seat
            if seat >= 0:
                self._edges[edge].total += self._values[seat]
        return 0

    # -- choosing ------------------------------------------------------------------------------------------------------

    cdef int32_t choose_listed(self, State state, int32_t node, int seat, Rng rng) except -2:
        """The edge to follow where the legal actions are the same at every visit: they are listed at the first."""
        cdef int32_t edge, best = -1
        cdef uint32_t visits = self._nodes[node].visits
        cdef double limit, score, mean, parent, best_score = -INFINITY
        cdef int32_t last
        if not self._nodes[node].expanded:
            self.list_edges(state, node, seat, rng)
        edge = self._nodes[node].first_edge
        last = edge + self._nodes[node].edge_count
        limit = self.considered(visits)
        if limit < self._nodes[node].edge_count:
            last = edge + <int32_t> limit
        if self._has_priors:
            return self.best_by_priors(edge, last, visits)
        parent = log(visits) if visits > 1 else 0.0
        while edge < last:
            if self._edges[edge].visits == 0:
                return edge
            mean = self._edges[edge].total / self._edges[edge].visits
            score = mean + self.exploration * sqrt(parent / self._edges[edge].visits)
            if score > best_score:
                best_score = score
                best = edge
            edge += 1
        return best

    cdef int32_t best_by_priors(self, int32_t edge, int32_t last, uint32_t visits) noexcept:
        """The best edge of a range by PUCT; an edge without a visit has the mean value of those that have some."""
        cdef int32_t best = edge, each
        cdef double total = 0.0, score, mean, best_score = -INFINITY
        cdef double reach = self.exploration * sqrt(<double> visits + 1.0)
        cdef double unseen
        cdef uint32_t seen = 0
        for each in range(edge, last):
            total += self._edges[each].total
            seen += self._edges[each].visits
        unseen = total / seen if seen else 0.5
        for each in range(edge, last):
            mean = self._edges[each].total / self._edges[each].visits if self._edges[each].visits else unseen
            score = mean + reach * self._edges[each].prior / (1.0 + self._edges[each].visits)
            if score > best_score:
                best_score = score
                best = each
        return best

    cdef int list_edges(self, State state, int32_t node, int seat, Rng rng) except -1:
        """Make the edges of a node's legal actions, next to each other: those with the highest priors first, or in random order."""
        cdef Py_ssize_t i, j, size
        cdef double total = 0.0
        cdef int32_t edge
        cdef int32_t first
        state.fill_legal(seat, self._legal)
        size = self._legal.size
        if size == 0:
            raise ValueError(f"seat {seat} is to act and has no legal action")
        # Shuffled, so that neither ties nor small budgets favour what the pack lists first.
        for i in range(size - 1, 0, -1):
            j = rng.bounded(<uint32_t> (i + 1))
            self._legal.code[i], self._legal.code[j] = self._legal.code[j], self._legal.code[i]
        if self._has_priors:
            self.guide.fill_priors(state, seat, self._legal, rng)
            if self.widening > 0:
                self.sort_by_weight()
            for i in range(size):
                total += self._legal.weight[i]
        first = self._edge_count
        for i in range(size):
            edge = self.new_edge(node, seat, self._legal.code[i])
            self._edges[edge].next = edge + 1 if i + 1 < size else -1
            if total > 0:
                self._edges[edge].prior = self._legal.weight[i] / total
        self._nodes[node].first_edge = first
        self._nodes[node].edge_count = <int32_t> size
        self._nodes[node].expanded = True
        return 0

    cdef int sort_by_weight(self) except -1:
        """Sort the legal actions by falling weight; those of equal weight stay in their order."""
        cdef Py_ssize_t i
        cdef list weights = [self._legal.weight[i] for i in range(self._legal.size)]
        cdef list order = sorted(range(self._legal.size), key=weights.__getitem__, reverse=True)
        cdef list codes = self._legal.to_list()
        for i in range(self._legal.size):
            self._legal.code[i], self._legal.weight[i] = codes[order[i]], weights[order[i]]
        return 0

    cdef int32_t choose_open(self, State state, int32_t node, int seat, Rng rng) except -2:
        """The edge to follow where the legal actions depend on the world: one that is legal in this one.

        With priors all legal actions have edges. Otherwise an action is added at a time, as long as there are legal
        ones without an edge and widening allows it.
        """
        cdef Py_ssize_t i
        cdef Py_ssize_t fresh = -1
        cdef uint32_t unknown = 0, known = 0
        cdef int32_t edge, best = -1
        cdef double score, mean, best_score = -INFINITY
        state.fill_legal(seat, self._legal)
        if self._legal.size == 0:
            raise ValueError(f"seat {seat} is to act and has no legal action")
        if self._has_priors:
            return self.best_open_by_priors(state, node, seat, rng)
        for i in range(self._legal.size):
            edge = self.find_edge(node, seat, self._legal.code[i])
            if edge < 0:
                unknown += 1
                # Each of them is equally likely.
                if rng.bounded(unknown) == 0:
                    fresh = i
                continue
            known += 1
            self._edges[edge].offers += 1
            if self._edges[edge].visits == 0:
                score = INFINITY
            else:
                mean = self._edges[edge].total / self._edges[edge].visits
                score = mean + self.exploration * sqrt(
                    log(<double> self._edges[edge].offers) / self._edges[edge].visits
                )
            if score > best_score:
                best_score = score
                best = edge
        if fresh >= 0 and (best < 0 or (best_score < INFINITY and known < self.considered(self._nodes[node].visits))):
            best = self.add_edge(node, seat, self._legal.code[fresh])
            self._edges[best].offers = 1
        return best

    cdef int32_t best_open_by_priors(self, State state, int32_t node, int seat, Rng rng) except -2:
        """The best edge of the actions in ``_legal`` by PUCT. The edges that are missing are made."""
        cdef Py_ssize_t i
        cdef int32_t edge, best = -1
        cdef double mean, score, unseen, weights = 0.0, total = 0.0, best_score = -INFINITY
        cdef uint32_t visits = 0
        cdef Py_ssize_t seen = 0
        cdef bint missing = False, more
        for i in range(self._legal.size):
            edge = self.find_edge(node, seat, self._legal.code[i])
            if edge < 0:
                missing = True
            elif self._edges[edge].visits:
                seen += 1
                visits += self._edges[edge].visits
                total += self._edges[edge].total
        if missing:
            self.guide.fill_priors(state, seat, self._legal, rng)
            for i in range(self._legal.size):
                weights += self._legal.weight[i]
            for i in range(self._legal.size):
                if self.find_edge(node, seat, self._legal.code[i]) < 0:
                    edge = self.add_edge(node, seat, self._legal.code[i])
                    self._edges[edge].prior = self._legal.weight[i] / weights
        unseen = total / visits if visits else 0.5
        more = seen == 0 or seen < self.considered(self._nodes[node].visits)
        for i in range(self._legal.size):
            edge = self.find_edge(node, seat, self._legal.code[i])
            self._edges[edge].offers += 1
            if self._edges[edge].visits == 0 and not more:
                continue
            mean = self._edges[edge].total / self._edges[edge].visits if self._edges[edge].visits else unseen
            score = mean + self.exploration * self._edges[edge].prior * sqrt(<double> self._edges[edge].offers) / (
                1.0 + self._edges[edge].visits
            )
            if score > best_score:
                best_score = score
                best = edge
        return best

    cdef double considered(self, uint32_t visits) noexcept:
        """Number of actions of a node that are considered."""
        cdef double limit
        if self.widening <= 0:
            return INFINITY
        limit = self.widening * pow(visits, self.widening_power)
        return limit if limit > 1.0 else 1.0

    # -- play-outs -----------------------------------------------------------------------------------------------------

    cdef int play_out(self, State state, Rng rng) except -1:
        """Play on to the end or the cut-off, and set ``_values`` to the returns."""
        cdef int plies = 0
        cdef int limit = self.playout_plies if 0 <= self.playout_plies < self.max_plies else self.max_plies
        if self._has_policy:
            while plies < limit and self.guided_step(state, rng):
                plies += 1
        else:
            while plies < limit and random_step(state, rng, self._playout_legal):
                plies += 1
        if self._has_values and plies == limit and state.actor() != C_TERMINAL:
            self.guide.fill_values(state, self._values, self.players, rng)
            return 0
        return self.read_values(state)

    cdef bint guided_step(self, State state, Rng rng) except -1:
        """Take one step of a play-out by the guide's policy; 0 at the end of the game, else 1."""
        cdef int actor = state.actor()
        cdef int seat = actor
        if actor == C_TERMINAL or actor == C_CHANCE:
            return random_step(state, rng, self._playout_legal)
        if actor == C_SIMULTANEOUS:
            seat = lowest_seat(state.seats_to_act())
        state.fill_legal(seat, self._playout_legal)
        if self._playout_legal.size == 0:
            raise ValueError(f"seat {seat} is to act and has no legal action")
        state.step(self._playout_legal.code[self.guide.pick(state, seat, self._playout_legal, rng)], seat)
        return 1

    cdef int read_values(self, State state) except -1:
        cdef int seat
        cdef tuple returns = state.returns()
        if len(returns) != self.players:
            raise ValueError(f"returns() gives {len(returns)} numbers for {self.players} seats")
        for seat in range(self.players):
            self._values[seat] = returns[seat]
        return 0

    # -- memory --------------------------------------------------------------------------------------------------------

    cdef uint32_t slot(self, int32_t node, int seat, int32_t code) noexcept:
        cdef uint64_t mixed = (<uint64_t> <uint32_t> node << 32 | <uint32_t> code) * 0x9E3779B97F4A7C15ULL
        mixed ^= <uint64_t> <uint32_t> seat * 0xC2B2AE3D27D4EB4FULL
        mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ULL
        return <uint32_t> (mixed >> 32) & self._table_mask

    cdef int32_t find_edge(self, int32_t node, int seat, int32_t code) noexcept:
        """The edge of a node for a seat and a code; -1 where there is none."""
        cdef int32_t edge
        cdef uint32_t at
        if self._nodes[node].expanded:
            edge = self._nodes[node].first_edge
            while edge >= 0 and not (self._edges[edge].code == code and self._edges[edge].seat == seat):
                edge = self._edges[edge].next
            return edge
        at = self.slot(node, seat, code)
        while self._table[at] >= 0:
            edge = self._table[at]
            if self._edges[edge].parent == node and self._edges[edge].code == code and self._edges[edge].seat == seat:
                return edge
            at = (at + 1) & self._table_mask
        return -1

    cdef int32_t new_edge(self, int32_t node, int seat, int32_t code) except -1:
        cdef int32_t edge = self._edge_count
        if edge == self._edge_capacity:
            self._edges = <Edge*> enlarge(self._edges, &self._edge_capacity, sizeof(Edge))
        self._edge_count = edge + 1
        memset(&self._edges[edge], 0, sizeof(Edge))
        self._edges[edge].parent = node
        self._edges[edge].code = code
        self._edges[edge].seat = seat
        self._edges[edge].child = -1
        self._edges[edge].next = -1
        return edge

    cdef int32_t add_edge(self, int32_t node, int seat, int32_t code) except -1:
        """A new edge of a node whose edges are added one by one."""
        cdef int32_t edge = self.new_edge(node, seat, code)
        cdef uint32_t at
        self._edges[edge].next = self._nodes[node].first_edge
        self._nodes[node].first_edge = edge
        self._nodes[node].edge_count += 1
        self._hashed += 1
        if 2 * self._hashed > self._table_mask:
            self.grow_table()
            return edge
        at = self.slot(node, seat, code)
        while self._table[at] >= 0:
            at = (at + 1) & self._table_mask
        self._table[at] = edge
        return edge

    cdef int grow_table(self) except -1:
        cdef uint32_t size = 2 * (self._table_mask + 1)
        cdef void* grown = realloc(self._table, size * sizeof(int32_t))
        cdef int32_t edge
        cdef uint32_t at
        if grown == NULL:
            raise MemoryError()
        self._table = <int32_t*> grown
        self._table_mask = size - 1
        memset(self._table, 0xFF, size * sizeof(int32_t))
        for edge in range(self._edge_count):
            if not self._nodes[self._edges[edge].parent].expanded:
                at = self.slot(self._edges[edge].parent, self._edges[edge].seat, self._edges[edge].code)
                while self._table[at] >= 0:
                    at = (at + 1) & self._table_mask
                self._table[at] = edge
        return 0

    cdef int32_t add_node(self) except -2:
        """A new node; -1 if there is no room for one."""
        cdef int32_t node = self._node_count
        if node >= self.max_nodes or self._edge_count >= EDGES_PER_NODE * self.max_nodes:
            return -1
        if node == self._node_capacity:
            self._nodes = <Node*> enlarge(self._nodes, &self._node_capacity, sizeof(Node))
        self._node_count = node + 1
        self._nodes[node].visits = 0
        self._nodes[node].first_edge = -1
        self._nodes[node].edge_count = 0
        self._nodes[node].expanded = False
        return node

    cdef bint extend(self, int32_t edge) except -1:
        """Make sure that an edge leads to a node; returns 0 if there is no room for one."""
        if self._edges[edge].child < 0:
            node = self.add_node()
            if node < 0:
                return 0
            self._edges[edge].child = node
        return 1
