# Running a hostile by its Instinct (OLO-HPH-03, OLO-HOST, section 6.4).
#
# The line that applies is itself a decision with one option, so that a replay hangs on no verdict about places (OLO-GEO-07).

cdef enum:
    HOSTILE_BEGINNING = 0
    HOSTILE_DECIDING = 1
    HOSTILE_AIMING = 2
    HOSTILE_GOING = 3
    HOSTILE_STRIKING = 4
    HOSTILE_ACTED = 5
    NEVER = -1


cdef int hostile_step(StateBase m, Frame* frame, int code) except -1:
    cdef int hostile = frame.v[USER], pc = frame.pc
    cdef Figure* f = &m.t.figure[hostile]
    if pc == HOSTILE_BEGINNING:
        add_trace(m, EVENT_HOSTILE_ACTIVATED, hostile, frame.v[RUNNER])
        f.marches = f.attacks = 0
        frame.v[ACTS] = m.rules.card[f.card].acts
        frame.pc = HOSTILE_DECIDING
        if m.t.phase == HOSTILE_PHASE:
            # Also where an effect activates it (OLO-HPH-02).
            f.acted = 1
        if stunned(m, hostile):
            # Its activation frees it, and that is all (OLO-HOST-06).
            frame.v[ACTS] = 0
            if not m.rules.stun_stays:
                set_state(m, hostile, STATE_STUNNED, False)
        return 0
    if pc == HOSTILE_ACTED:
        frame.pc = HOSTILE_DECIDING
        return raise_event(m, TRIGGER_USED, hostile, -1)
    if not on_bloc(m, hostile) or stunned(m, hostile) or pc == HOSTILE_DECIDING and frame.v[ACTS] <= 0:
        add_trace(m, EVENT_HOSTILE_DONE, hostile)
        pop_frame(m, 1)
        return 0
    if pc == HOSTILE_DECIDING:
        if code < 0:
            return ask(m, DECISION_HOSTILE_LINE, frame.v[RUNNER])
        if code == VERB_NO:
            frame.v[ACTS] = 0
            return 0
        return follow(m, frame, first_argument(code))
    if pc == HOSTILE_AIMING:
        frame.v[AIM] = m.t.result
        return act(m, frame)
    if pc == HOSTILE_GOING:
        frame.pc = HOSTILE_STRIKING if line_of(m, frame).act == ACT_CHARGE else HOSTILE_ACTED
        if m.t.result >= 0:
            start_move(m, hostile, m.t.result)
        return 0
    frame.pc = HOSTILE_ACTED
    return start_attack(m, hostile, frame.v[AIM], ATTACK_KIND_FRONTAL, USE_CHARGE, True, -1)


cdef object line_of(StateBase m, const Frame* frame):
    return instinct_of(m, frame.v[USER])[frame.v[LINE]]


cdef tuple instinct_of(StateBase m, int hostile):
    return m.rules.ruleset.hostiles[m.t.figure[hostile].card - m.rules.profiles].instinct


cdef int line_that_applies(StateBase m, const Frame* frame) except -2:
    """The first line whose condition holds and whose action is possible; -1 for none."""
    cdef int32_t[VALUES] scope
    cdef int number, hostile = frame.v[USER]
    for number, line in enumerate(instinct_of(m, hostile)):
        new_scope(m, scope, hostile, -1)
        if line.cond is not None and not holds(m, line.cond, scope):
            continue
        if line.act == ACT_STOP or candidates(m, frame, line):
            return number
    return -1


cdef uint64_t candidates(StateBase m, const Frame* frame, object line) except? 0xFFFFFFFF:
    """The legal targets of a line's action; for one without target the hostile itself, if it is possible."""
    cdef int hostile = frame.v[USER], act = line.act, other, slot
    cdef Figure* f = &m.t.figure[hostile]
    cdef uint64_t left, found = 0
    if act == ACT_USE:
        slot = slot_of(m, hostile, line.capacity)
        return <uint64_t> 1 << hostile if slot >= 0 and usable(m, hostile, slot) else 0
    slot = generic_of(act)
    if forbidden(m, hostile, slot):
        return 0
    if (slot == USE_FRONTAL or slot == USE_RANGED or slot == USE_CHARGE) and f.attacks >= TOP_LIMIT + more_uses(m, hostile, slot):
        return 0
    if (slot == USE_MARCH or slot == USE_CHARGE) and f.marches >= TOP_LIMIT + more_uses(m, hostile, slot):
        return 0
    if act == ACT_FRONTAL:
        return frontal_targets(m, hostile, USE_FRONTAL) if stat_of(m, hostile, STAT_COMBAT) else 0
    if act == ACT_SHOOT:
        return ranged_targets(m, hostile, USE_RANGED) if stat_of(m, hostile, STAT_SHOOT) else 0
    if act == ACT_CHARGE:
        if not stat_of(m, hostile, STAT_COMBAT) or not (is_free(m, hostile) or lifted(m, hostile, USE_CHARGE, IGNORE_FREE)):
            return 0
        return charge_targets(m, hostile, USE_CHARGE)
    left = foes_of(m, hostile)
    if act == ACT_REST:
        left = 0
        for other in range(FIGURES):
            if is_hostile(m, other) and on_bloc(m, other) and stunned(m, other) and other != hostile:
                if within(m, hostile, other, INCH) and sees(m, hostile, other):
                    left |= <uint64_t> 1 << other
        return left
    while left:
        other = lowest(left)
        left &= left - 1
        if may_go(m, hostile, other, line.mode):
            found |= <uint64_t> 1 << other
    return found


cdef int generic_of(int act) noexcept:
    """The generic capacity of a line's action, as a number in USE (OLO-HOST-04)."""
    if act == ACT_FRONTAL:
        return USE_FRONTAL
    if act == ACT_SHOOT:
        return USE_RANGED
    if act == ACT_CHARGE:
        return USE_CHARGE
    return USE_MARCH if act == ACT_MOVE else USE_REST


cdef int slot_of(StateBase m, int figure, int capacity) noexcept:
    cdef int i
    for i in range(m.t.specific[figure].count):
        if m.t.specific[figure].capacity[i] == capacity:
            return m.t.specific[figure].slot[i]
    return -1


cdef bint may_go(StateBase m, int hostile, int target, int word) except -1:
    """Whether a move with a direction word has an end place."""
    cdef Frame frame
    simple_frame(&frame, MOVE, hostile)
    frame.v[WORD], frame.v[REFERENCE] = word, target
    return any_end(m, &frame)


cdef int follow(StateBase m, Frame* frame, int number) except -1:
    """Carry out a line: pick its target by the criteria; the active player chooses among several that remain (A51, A53)."""
    cdef uint64_t best
    frame.v[LINE] = number
    frame.v[ACTS] -= 1
    line = line_of(m, frame)
    add_trace(m, EVENT_HOSTILE_LINE, frame.v[USER], number)
    if line.act == ACT_STOP:
        frame.v[ACTS] = 0
        return 0
    best = picked(m, frame.v[USER], candidates(m, frame, line), line.criteria)
    if best & (best - 1):
        frame.pc = HOSTILE_AIMING
        return ask_pick(m, DECISION_HOSTILE_TARGET, frame.v[RUNNER], best, 0, False)
    frame.v[AIM] = lowest(best)
    return act(m, frame)


cdef uint64_t picked(StateBase m, int hostile, uint64_t among, tuple criteria) except? 0xFFFFFFFF:
    """The candidates that remain after the criteria in their order, and then the nearest of them (A51, A78)."""
    cdef uint64_t left, best
    cdef int criterion, measure, highest, other
    for criterion in (*criteria, CRITERION_NEAREST):
        if not among & (among - 1):
            break
        best, highest, left = 0, -1000, among
        if criterion == CRITERION_NEAREST:
            among = nearest_of(&m.board.scenery, &m.t.discs, m.t.discs.x[hostile], m.t.discs.y[hostile], among)
            continue
        if criterion == CRITERION_FARTHEST:
            while left:
                best = left
                left &= ~nearest_of(&m.board.scenery, &m.t.discs, m.t.discs.x[hostile], m.t.discs.y[hostile], left)
            among = best
            continue
        while left:
            other = lowest(left)
            left &= left - 1
            measure = measured(m, hostile, other, criterion)
            if measure > highest:
                highest, best = measure, 0
            if measure == highest:
                best |= <uint64_t> 1 << other
        among = best
    return among


cdef uint64_t wanted_by_instinct(StateBase m, int figure, uint64_t among) except? 0xFFFFFFFF:
    """Reduce the targets of the top capacity to those that the Instinct line of its hostile picks; players keep all (6.4)."""
    cdef const Frame* below = frame_at(m, m.t.depth - 2)
    if below.kind != F_HOSTILE or below.v[USER] != figure or among >> FIGURES:
        return among
    return picked(m, figure, among, line_of(m, below).criteria)


cdef int measured(StateBase m, int hostile, int other, int criterion) except -2000:
    """The weight that a criterion gives to a target."""
    cdef Figure* f = &m.t.figure[other]
    if criterion == CRITERION_HIGHEST_RANK:
        return rank_of(m, other)
    if criterion == CRITERION_LOWEST_RANK:
        return -rank_of(m, other)
    if criterion == CRITERION_MOST_NOIRCEUR:
        return f.noirceur
    if criterion == CRITERION_FEWEST_BOXES:
        return f.ticked - m.rules.card[f.card].boxes
    if criterion == CRITERION_CORRUPTED_FIRST:
        return f.noirceur == CORRUPTED
    if criterion == CRITERION_ENGAGED_BY_ME:
        return engages(m, hostile, other)
    return sees(m, hostile, other)


cdef int act(StateBase m, Frame* frame) except -1:
    """Carry out the line's action on its target."""
    cdef int hostile = frame.v[USER], target = frame.v[AIM], act
    cdef Figure* f = &m.t.figure[hostile]
    line = line_of(m, frame)
    act = line.act
    if act == ACT_USE:
        frame.pc = HOSTILE_DECIDING
        return use(m, hostile, slot_of(m, hostile, line.capacity))
    frame.pc = HOSTILE_ACTED
    f.used[generic_of(act)] = min(255, f.used[generic_of(act)] + 1)
    if act == ACT_FRONTAL or act == ACT_SHOOT:
        f.attacks += 1
        return start_attack(
            m, hostile, target, ATTACK_KIND_FRONTAL if act == ACT_FRONTAL else ATTACK_KIND_RANGED, USE_FRONTAL if act == ACT_FRONTAL else USE_RANGED, False, -1
        )
    if act == ACT_REST:
        return set_state(m, target, STATE_STUNNED, False)
    frame.pc = HOSTILE_GOING
    f.marches += 1
    if act == ACT_CHARGE:
        f.attacks += 1
        ask_go(m, CHARGE, hostile, DECISION_HOSTILE_GO, frame.v[RUNNER])
        top(m).v[ABOUT] = target
    else:
        ask_go(m, MOVE, hostile, DECISION_HOSTILE_GO, frame.v[RUNNER])
        top(m).v[WORD], top(m).v[REFERENCE] = line.mode, target
    return 0
