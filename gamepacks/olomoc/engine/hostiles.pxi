# Running a hostile by its Instinct (OLO-HPH-03, OLO-HOST, section 6.4).
#
# The line that applies is itself a decision with one option, so that a replay does not depend on a check of places (OLO-GEO-07).

cdef enum:
    HOSTILE_BEGINNING = 0
    HOSTILE_DECIDING = 1
    HOSTILE_AIMING = 2
    HOSTILE_GOING = 3
    HOSTILE_STRIKING = 4
    HOSTILE_ACTED = 5


cdef int hostile_step(StateBase s, Frame* frame, int code) except -1:
    cdef int hostile = frame.v[USER], pc = frame.pc
    cdef Figure* f = &s.d.figure[hostile]
    if pc == HOSTILE_BEGINNING:
        add_trace(s, EVENT_HOSTILE_ACTIVATED, hostile, frame.v[RUNNER])
        f.marches = f.attacks = 0
        frame.v[ACTS] = s.rules.card[f.card].acts
        frame.pc = HOSTILE_DECIDING
        if s.d.phase == HOSTILE_PHASE:
            # An activation by an effect counts, too (OLO-HPH-02).
            f.acted = 1
        if stunned(s, hostile):
            # Its activation only removes the stun (OLO-HOST-06).
            frame.v[ACTS] = 0
            if not s.rules.stun_stays:
                set_state(s, hostile, STATE_STUNNED, False)
        return 0
    if pc == HOSTILE_ACTED:
        frame.pc = HOSTILE_DECIDING
        return raise_event(s, TRIGGER_USED, hostile, -1)
    if not on_bloc(s, hostile) or stunned(s, hostile) or pc == HOSTILE_DECIDING and frame.v[ACTS] <= 0:
        add_trace(s, EVENT_HOSTILE_DONE, hostile)
        pop_frame(s, 1)
        return 0
    if pc == HOSTILE_DECIDING:
        if code < 0:
            return ask(s, DECISION_HOSTILE_LINE, frame.v[RUNNER])
        if code == VERB_NO:
            frame.v[ACTS] = 0
            return 0
        return follow_line(s, frame, first_argument(code))
    if pc == HOSTILE_AIMING:
        frame.v[AIM] = s.d.result
        return carry_out_line(s, frame)
    if pc == HOSTILE_GOING:
        frame.pc = HOSTILE_STRIKING if line_of(s, frame).act == ACT_CHARGE else HOSTILE_ACTED
        if s.d.result >= 0:
            start_move(s, hostile, s.d.result)
        return 0
    frame.pc = HOSTILE_ACTED
    return start_attack(s, hostile, frame.v[AIM], ATTACK_KIND_FRONTAL, USE_CHARGE, True, -1)


cdef object line_of(StateBase s, const Frame* frame):
    return instinct_of(s, frame.v[USER])[frame.v[LINE]]


cdef tuple instinct_of(StateBase s, int hostile):
    return s.rules.ruleset.hostiles[s.d.figure[hostile].card - s.rules.profiles].instinct


cdef int line_that_applies(StateBase s, const Frame* frame) except -2:
    """The first line whose condition holds and whose action is possible; -1 for none."""
    cdef int32_t[VALUES] scope
    cdef int number, hostile = frame.v[USER]
    for number, line in enumerate(instinct_of(s, hostile)):
        new_scope(s, scope, hostile, -1)
        if line.cond is not None and not holds(s, line.cond, scope):
            continue
        if line.act == ACT_STOP or candidates(s, frame, line):
            return number
    return -1


cdef uint64_t candidates(StateBase s, const Frame* frame, object line) except? 0xFFFFFFFF:
    """The legal targets of a line's action; for one without target the hostile itself, if it is possible."""
    cdef int hostile = frame.v[USER], act = line.act, other, slot
    cdef Figure* f = &s.d.figure[hostile]
    cdef uint64_t left, found = 0
    if act == ACT_USE:
        slot = slot_of(s, hostile, line.capacity)
        return <uint64_t> 1 << hostile if slot >= 0 and usable(s, hostile, slot) else 0
    slot = generic_of(act)
    if forbidden(s, hostile, slot):
        return 0
    if (slot == USE_FRONTAL or slot == USE_RANGED or slot == USE_CHARGE) and f.attacks >= PHASE_LIMIT + more_uses(s, hostile, slot):
        return 0
    if (slot == USE_MARCH or slot == USE_CHARGE) and f.marches >= PHASE_LIMIT + more_uses(s, hostile, slot):
        return 0
    if act == ACT_FRONTAL:
        return frontal_targets(s, hostile, USE_FRONTAL) if stat_of(s, hostile, STAT_COMBAT) else 0
    if act == ACT_SHOOT:
        return ranged_targets(s, hostile, USE_RANGED) if stat_of(s, hostile, STAT_SHOOT) else 0
    if act == ACT_CHARGE:
        if not stat_of(s, hostile, STAT_COMBAT) or not (is_free(s, hostile) or lifted(s, hostile, USE_CHARGE, IGNORE_FREE)):
            return 0
        return charge_targets(s, hostile, USE_CHARGE)
    left = foes_of(s, hostile)
    if act == ACT_REST:
        left = 0
        for other in range(FIGURES):
            if is_hostile(s, other) and on_bloc(s, other) and stunned(s, other) and other != hostile:
                if within(s, hostile, other, INCH) and sees(s, hostile, other):
                    left |= <uint64_t> 1 << other
        return left
    while left:
        other = lowest(left)
        left &= left - 1
        if may_go(s, hostile, other, line.mode):
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


cdef int slot_of(StateBase s, int figure, int capacity) noexcept:
    cdef int i
    for i in range(s.d.specific[figure].count):
        if s.d.specific[figure].capacity[i] == capacity:
            return s.d.specific[figure].slot[i]
    return -1


cdef bint may_go(StateBase s, int hostile, int target, int word) except -1:
    """Whether a move with a direction word has an end place."""
    cdef Frame frame
    set_go_frame(&frame, MOVE, hostile)
    frame.v[WORD], frame.v[REFERENCE] = word, target
    return has_end_place(s, &frame)


cdef int follow_line(StateBase s, Frame* frame, int number) except -1:
    """Carry out a line: pick its target by the criteria; the active player chooses among several that remain (A51, A53)."""
    cdef uint64_t best
    frame.v[LINE] = number
    frame.v[ACTS] -= 1
    line = line_of(s, frame)
    add_trace(s, EVENT_HOSTILE_LINE, frame.v[USER], number)
    if line.act == ACT_STOP:
        frame.v[ACTS] = 0
        return 0
    best = best_by_criteria(s, frame.v[USER], candidates(s, frame, line), line.criteria)
    if best & (best - 1):
        frame.pc = HOSTILE_AIMING
        return ask_pick(s, DECISION_HOSTILE_TARGET, frame.v[RUNNER], best, 0, False)
    frame.v[AIM] = lowest(best)
    return carry_out_line(s, frame)


cdef uint64_t best_by_criteria(StateBase s, int hostile, uint64_t among, tuple criteria) except? 0xFFFFFFFF:
    """The candidates that remain after the criteria in their order, and then the nearest of them (A51, A78)."""
    cdef uint64_t left, best
    cdef int criterion, measure, highest, other
    for criterion in (*criteria, CRITERION_NEAREST):
        if not among & (among - 1):
            break
        best, highest, left = 0, -1000, among
        if criterion == CRITERION_NEAREST:
            among = nearest_of(&s.board.scenery, &s.d.discs, s.d.discs.x[hostile], s.d.discs.y[hostile], among)
            continue
        if criterion == CRITERION_FARTHEST:
            while left:
                best = left
                left &= ~nearest_of(&s.board.scenery, &s.d.discs, s.d.discs.x[hostile], s.d.discs.y[hostile], left)
            among = best
            continue
        while left:
            other = lowest(left)
            left &= left - 1
            measure = criterion_weight(s, hostile, other, criterion)
            if measure > highest:
                highest, best = measure, 0
            if measure == highest:
                best |= <uint64_t> 1 << other
        among = best
    return among


cdef uint64_t wanted_by_instinct(StateBase s, int figure, uint64_t among) except? 0xFFFFFFFF:
    """Reduce the targets of the top capacity to those that the Instinct line of its hostile picks; players keep all (6.4)."""
    cdef const Frame* below = frame_at(s, s.d.depth - 2)
    if below.kind != F_HOSTILE or below.v[USER] != figure or among >> FIGURES:
        return among
    return best_by_criteria(s, figure, among, line_of(s, below).criteria)


cdef int criterion_weight(StateBase s, int hostile, int other, int criterion) except -2000:
    """The weight that a criterion gives to a target."""
    cdef Figure* f = &s.d.figure[other]
    if criterion == CRITERION_HIGHEST_RANK:
        return rank_of(s, other)
    if criterion == CRITERION_LOWEST_RANK:
        return -rank_of(s, other)
    if criterion == CRITERION_MOST_NOIRCEUR:
        return f.noirceur
    if criterion == CRITERION_FEWEST_BOXES:
        return f.ticked - s.rules.card[f.card].boxes
    if criterion == CRITERION_CORRUPTED_FIRST:
        return f.noirceur == CORRUPTED
    if criterion == CRITERION_ENGAGED_BY_ME:
        return engages(s, hostile, other)
    return sees(s, hostile, other)


cdef int carry_out_line(StateBase s, Frame* frame) except -1:
    """Carry out the line's action on its target."""
    cdef int hostile = frame.v[USER], target = frame.v[AIM], act
    cdef Figure* f = &s.d.figure[hostile]
    line = line_of(s, frame)
    act = line.act
    if act == ACT_USE:
        frame.pc = HOSTILE_DECIDING
        return use_capacity(s, hostile, slot_of(s, hostile, line.capacity))
    frame.pc = HOSTILE_ACTED
    f.used[generic_of(act)] = min(255, f.used[generic_of(act)] + 1)
    if act == ACT_FRONTAL or act == ACT_SHOOT:
        f.attacks += 1
        return start_attack(
            s, hostile, target, ATTACK_KIND_FRONTAL if act == ACT_FRONTAL else ATTACK_KIND_RANGED, USE_FRONTAL if act == ACT_FRONTAL else USE_RANGED, False, -1
        )
    if act == ACT_REST:
        return set_state(s, target, STATE_STUNNED, False)
    frame.pc = HOSTILE_GOING
    f.marches += 1
    if act == ACT_CHARGE:
        f.attacks += 1
        ask_go(s, CHARGE, hostile, DECISION_HOSTILE_GO, frame.v[RUNNER])
        top(s).v[ABOUT] = target
    else:
        ask_go(s, MOVE, hostile, DECISION_HOSTILE_GO, frame.v[RUNNER])
        top(s).v[WORD], top(s).v[REFERENCE] = line.mode, target
    return 0
