# Evaluation of a state, and the tactician's search, which plays out to the end of a phase and evaluates there.

# -- evaluation --------------------------------------------------------------------------------------------------------
# The unit is a victory point. The sum has the points scored, a value for each rouage that can still score some, penalties
# for wounds, Noirceur and Fiel, and a bonus for being near the markers of the agenda and near foes. It reads nothing
# hidden.

cdef enum:
    PHASES = 6

# Value of a rouage in play, of all its boxes, of a token at the start of a cycle, of being on the board, of being stunned.
cdef double WEIGHT_ALIVE = 1.0
cdef double WEIGHT_UNHURT = 2.0
cdef double WEIGHT_TOKEN = 0.1
cdef double WEIGHT_ON_BOARD = 0.4
cdef double WEIGHT_STUNNED = -0.6
# Value of a rouage's Noirceur and of a player's Fiel, by level.
cdef double[4] WEIGHT_NOIRCEUR = [0.0, -0.25, -0.6, -1.4]
cdef double[4] WEIGHT_FIEL = [0.0, -1.2, -3.5, -100.0]
# Value of being at a marker of the agenda, and within an inch of a foe; both fall to 0 at FAR inches.
cdef double NEAR_GOAL = 0.9
cdef double NEAR_FOE = 0.6
cdef double FAR = 14.0


cdef double evaluation(StateBase s, int player) except? -2.0:
    """The evaluation of a state for a player, from -1 (a sure loss) to 1 (a sure win)."""
    cdef double left, score
    if s.d.over:
        return s.d.won[player]
    # The part of the game that is still to come.
    left = (CYCLES - s.d.cycle + (PHASES - s.d.phase) / <double> PHASES) / CYCLES
    left = min(1.0, max(0.0, left))
    score = s.d.vp[player] - s.d.vp[1 - player] + WEIGHT_FIEL[s.d.fiel[player]] - WEIGHT_FIEL[s.d.fiel[1 - player]]
    score += (0.25 + 0.75 * left) * (cabale_value(s, player) - cabale_value(s, 1 - player))
    # The less time there is left, the surer a lead.
    return 2.0 / (1.0 + exp(-score * (0.2 + 0.5 * (1.0 - left)))) - 1.0


cdef double cabale_value(StateBase s, int player) except? -1000.0:
    """The value of a player's rouages in their present condition."""
    cdef double value = 0.0
    cdef Figure* f
    cdef const Card* card
    # Tokens that are left when the cycle ends are lost.
    cdef double token = WEIGHT_TOKEN * max(0, PHASES - 1 - s.d.phase) / (PHASES - 1.0)
    cdef int i
    for i in range(3 * player, 3 * player + 3):
        f = &s.d.figure[i]
        if f.where != PLACE_BLOC and f.where != PLACE_OFF:
            continue
        card = &s.rules.card[f.card]
        value += WEIGHT_ALIVE + WEIGHT_UNHURT * (card.boxes - f.ticked) / card.boxes + WEIGHT_NOIRCEUR[f.noirceur] + token * f.ap
        if stunned(s, i):
            value += WEIGHT_STUNNED
        if f.where == PLACE_BLOC:
            value += WEIGHT_ON_BOARD + NEAR_GOAL * (1.0 - goal_distance(s, i) / FAR)
            value += NEAR_FOE * card.stats[STAT_COMBAT] / 4.0 * (1.0 - foe_distance(s, i) / FAR)
    return value


cdef double gap(StateBase s, int one, int other) noexcept:
    """Inches between two elements, approximately."""
    cdef double dx = s.d.discs.x[one] - s.d.discs.x[other], dy = s.d.discs.y[one] - s.d.discs.y[other]
    return (sqrt(dx * dx + dy * dy) - s.d.discs.r[one] - s.d.discs.r[other]) / INCH


cdef double goal_distance(StateBase s, int figure) noexcept:
    """Inches to the zone of the nearest marker, or to an inch from it; 0 if it is reached."""
    cdef uint64_t left = s.d.discs.present >> FIGURES << FIGURES
    cdef double best = FAR, distance
    cdef int i
    while left:
        i = lowest(left)
        left &= left - 1
        distance = gap(s, figure, i) - (s.d.mark[i].zone / <double> INCH if s.d.mark[i].zone >= 0 else 1.0)
        best = min(best, max(0.0, distance))
    return best


cdef double foe_distance(StateBase s, int figure) noexcept:
    """Inches to the nearest foe, less the inch of its own threat zone."""
    cdef double best = FAR
    cdef int i
    for i in range(FIGURES):
        if s.d.figure[i].where == PLACE_BLOC and are_foes(s, figure, i):
            best = min(best, max(0.0, gap(s, figure, i) - 1.0))
    return best


cdef class OlomocGuide(Guide):
    """Evaluation from -1 (a sure loss) to 1 (a sure win), which is also the expected return."""

    has_values = True
    action_breadth = 5
    action_samples = 4

    cpdef double evaluate(self, State state, int seat, Rng rng) except? -1e300:
        """The evaluation of a state for a seat. It reads nothing hidden."""
        return evaluation(<StateBase> state, seat ^ max((<StateBase> state).d.first_seat, 0))

    cpdef bint continues(self, State state, int seat) except -1:
        """Whether an action of a rouage is not resolved yet, and the other player need not decide."""
        cdef int actor = state.actor()
        return is_part_of_action((<StateBase> state).d.decision) and (actor == seat or actor == C_CHANCE)

    cpdef double evaluate_action(self, State state, int32_t code, int seat, Rng rng, int depth=-1) except? -1e300:
        """As in the base class; places within the action are those of a coarser list."""
        cdef StateBase coarse = state.clone()
        coarse.rules = coarse.rules.coarse().coarse()
        return Guide.evaluate_action(self, coarse, code, seat, rng, depth)

    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1:
        values[0] = evaluation(<StateBase> state, max((<StateBase> state).d.first_seat, 0))
        values[1] = -values[0]
        return 0


cdef class TacticianGuide(OlomocGuide):
    """The guide of the tactician: the decisions of the other player about an action are part of it, too."""

    action_depth = 5

    cpdef bint continues(self, State state, int seat) except -1:
        """Whether an action of a rouage is not resolved yet."""
        return is_part_of_action((<StateBase> state).d.decision)


# -- play-outs ---------------------------------------------------------------------------------------------------------
# Flat Monte Carlo search to the end of the game takes too long here: a game is long, and a decision about a place has a
# hundred legal actions. So only the actions of a coarser list with the highest evaluation are searched, both players take the
# best of a few actions, and a play-out ends with the phase, where the state is evaluated.

cdef enum:
    # Actions that are searched, and states over which their evaluations are averaged before.
    CANDIDATES = 5
    CANDIDATE_WORLDS = 4
    # Play-outs for which the evaluation of an action counts.
    EVALUATION_WEIGHT = 8
    # Actions that are evaluated for a step of a play-out, and the depth of the evaluation.
    SAMPLED_ACTIONS = 10
    SAMPLED_DEPTH = 2
    # Steps of a play-out.
    MAX_STEPS = 60

cdef TacticianGuide GUIDE = TacticianGuide()


def best_action(StateBase state not None, int seat, Rng rng not None, int playouts=0, double seconds=0.0):
    """The action with the highest mean evaluation after short play-outs; ``seconds`` limits the time (0: no limit).

    The actions with the highest evaluation are played out, and their evaluation counts for EVALUATION_WEIGHT play-outs.
    The play-outs are shared by successive halving, as in :func:`cext.search.flat_monte_carlo`, each pass in a
    resampled state of its own. Cabales, edges, scenery, plans and the order of effects are chosen at random: short
    play-outs hardly tell them apart, and a predictable plan is a weakness.
    """
    cdef StateBase root, sampled
    cdef Codes buffer = Codes()
    cdef list codes, ranked
    cdef int player = seat ^ max(state.d.first_seat, 0), number, rounds, share, turn, used = 0
    cdef double deadline = now() + seconds
    if is_long_term(state.d.decision):
        return rng.choice(state.legal(seat))
    root = state.clone()
    root.rules = root.rules.coarse()
    codes = [code for code in root.legal(seat) if state.is_legal(code, seat)]
    if not codes or codes == [VERB_NO]:
        # There may be places that the coarser list has not.
        root.rules = state.rules
    ranked = rank_by_evaluation(root, seat, rng, GUIDE, CANDIDATE_WORLDS, seconds=seconds / 2)
    ranked = [(code, value) for code, value in ranked if state.is_legal(code, seat)][:CANDIDATES]
    codes = [code for code, _ in ranked]
    if len(codes) == 1:
        return codes[0]
    # Play-outs pass through many places, so their lists are coarser still.
    root.rules = state.rules.coarse().coarse()
    sums = {code: EVALUATION_WEIGHT * value for code, value in ranked}
    counts = dict.fromkeys(codes, EVALUATION_WEIGHT)
    rounds = max(1, (len(codes) - 1).bit_length())
    for number in range(rounds):
        share = max(1, (playouts - used) // (rounds - number) // len(codes)) if playouts > 0 else 1_000_000
        for turn in range(share):
            if seconds > 0 and used and now() > deadline - seconds * (rounds - number - 1) / rounds:
                break
            sampled = root.resample(seat, rng)
            for code in codes:
                sums[code] += play_out(sampled, code, seat, player, rng, buffer)
                counts[code] += 1
            used += len(codes)
        codes.sort(key=lambda code: -sums[code] / counts[code])
        codes = codes[: (len(codes) + 1) // 2]
    return codes[0]


cdef double play_out(StateBase sampled, int32_t code, int seat, int player, Rng rng, Codes buffer) except? -2.0:
    """Evaluation at the end of the phase in which the play-out begins."""
    cdef StateBase end = sampled.clone()
    cdef int cycle = end.d.cycle, phase = end.d.phase, steps = 0
    end.step(code, seat)
    while steps < MAX_STEPS and end.d.cycle == cycle and end.d.phase == phase and play_step(end, rng, buffer):
        steps += 1
    return evaluation(end, player)


cdef int play_step(StateBase state, Rng rng, Codes buffer) except -1:
    """Take the best of a few actions, or a random outcome; returns 0 if the play-out ends here, else 1."""
    cdef int actor = state.actor(), seat = actor
    cdef Py_ssize_t i, tried, start
    cdef int32_t code, best_code = 0
    cdef double value, best = -2.0
    cdef StateBase after
    if actor == C_TERMINAL or actor == C_CHANCE:
        return random_step(state, rng, buffer)
    if actor == C_SIMULTANEOUS:
        seat = 0 if state.seats_to_act() & 1 else 1
    state.fill_legal(seat, buffer)
    if buffer.size == 0:
        # A charge that leads to no place of the coarser list: here the play-out ends.
        return 0
    start = rng.bounded(<uint32_t> buffer.size)
    tried = 1 if is_long_term(state.d.decision) else min(buffer.size, <Py_ssize_t> SAMPLED_ACTIONS)
    for i in range(tried):
        code = buffer.code[(start + i * buffer.size // tried) % buffer.size]
        if tried == 1:
            best_code = code
            break
        after = state.clone()
        after.step(code, seat)
        value = GUIDE.evaluate_end(after, seat, rng, SAMPLED_DEPTH, 1)
        if value > best:
            best, best_code = value, code
    state.step(best_code, seat)
    return 1


cdef bint is_part_of_action(int what) noexcept:
    """Whether a decision or chance node belongs to an action of a rouage that is not resolved yet."""
    return DECISION_REST <= what <= DECISION_PICK or what == DECISION_CHANCE_POOL or what == DECISION_CHANCE_DIE


cdef bint is_long_term(int what) noexcept:
    """Whether a decision has its effect only after the phase, or hardly any effect."""
    return (
        what == DECISION_DRAFT or what == DECISION_GEAR or what == DECISION_BUILD or what == DECISION_EDGE
        or what == DECISION_SCENERY or what == DECISION_PLAN_MINISTRY
        or what == DECISION_PLAN_CARD or what == DECISION_ORDER or what == DECISION_HOSTILE
    )
