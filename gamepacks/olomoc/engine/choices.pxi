# Lists of legal actions and of chance outcomes (5.5, 5.8).

cdef int fill_choices(StateBase s, int player, Codes out) except -1:
    """List the legal actions of the deciding player; places are sampled (OLO-GEO-60)."""
    cdef Frame* frame = top(s)
    cdef int what = s.d.decision, code
    if what == DECISION_GO or what == DECISION_ENTER or what == DECISION_PUSH or what == DECISION_HOSTILE_GO:
        return push_places(s, frame, out)
    if what == DECISION_CHARGE:
        return push_charges(s, frame.v[USER], charge_targets(s, frame.v[USER], USE_CHARGE), out)
    if what == DECISION_TARGET or what == DECISION_PICK or what == DECISION_HOSTILE_TARGET:
        return push_elements(frame, out)
    if what == DECISION_OPPORTUNITY or what == DECISION_FATE or what == DECISION_TRIGGER:
        out.push(VERB_NO)
        out.push(VERB_YES)
        return 0
    for code in choice_list(s, frame, what, player):
        out.push(code)
    return 0


cdef list choice_list(StateBase s, Frame* frame, int what, int player):
    """Legal actions of a decision that is not about places or elements."""
    cdef list found = []
    cdef int i
    if what == DECISION_ACT:
        push_acts(s, frame, found)
    elif what == DECISION_PLAN_MINISTRY or what == DECISION_PLAN_CARD:
        push_plan(s, player, what == DECISION_PLAN_MINISTRY, found)
    elif what == DECISION_BUILD or what == DECISION_DRAFT or what == DECISION_GEAR:
        push_build(s, player, found)
    elif what == DECISION_REACT:
        found.append(VERB_NO)
        push_reactions(s, frame, found)
    elif what == DECISION_TACTIC:
        found = [VERB_NO, VERB_TACTIC, VERB_TACTIC | 1 << FIRST_SHIFT]
        if not on_bloc(s, frame.v[DEFENDER]):
            found.pop()
        elif frame.v[NET] >= 2 and not stunned(s, frame.v[DEFENDER]):
            found.append(VERB_TACTIC | 2 << FIRST_SHIFT)
    elif what == DECISION_REST:
        push_rests(s, frame.v[USER], found)
    elif what == DECISION_PROPAGANDA:
        push_propaganda(s, player, found)
    elif what == DECISION_PROPAGANDA_TOKENS:
        found = [
            VERB_CHOOSE | i << FIRST_SHIFT for i in range(3)
            if i == 0 or s.d.figure[frame.v[CHOSEN]].ap + i <= s.d.figure[frame.v[CHOSEN]].ap_given
        ]
    elif what == DECISION_ORDER:
        found = [VERB_FIRST | i << FIRST_SHIFT for i in range(waiting_count(s, frame))]
    elif what == DECISION_CHOICE:
        node = s.rules.programs[frame.v[RUNNING_PROGRAM]][frame.pc]
        found = [VERB_CHOOSE | i << FIRST_SHIFT for i in range(len(node.options))]
        if node.flag:
            found.insert(0, VERB_NO)
    elif what == DECISION_HOSTILE:
        found = [VERB_HOSTILE | i << FIRST_SHIFT for i in range(PLAYERS_FIGURES, FIGURES) if on_bloc(s, i) and not s.d.figure[i].acted]
    elif what == DECISION_HOSTILE_LINE:
        i = line_that_applies(s, frame)
        found.append(VERB_NO if i < 0 else VERB_CHOOSE | i << FIRST_SHIFT)
    elif what == DECISION_EDGE:
        found = sorted([VERB_EDGE | <int> edge << FIRST_SHIFT for edge in s.rules.ruleset.agendas[s.d.agenda].edges])
    elif what == DECISION_SCENERY:
        found = scenery_codes(s)
    return found


cdef int waiting_count(StateBase s, Frame* frame) except -1:
    """The number of effects that wait for their order."""
    cdef uint64_t ready
    cdef int count = 0
    if frame.kind == F_WINDOW:
        ready = window_class(s, frame)
        while ready:
            ready &= ready - 1
            count += 1
        return count
    if frame.kind == F_EFFECTS:
        return count_left(frame)
    return len(waiting_items(s))


cdef bint may_stay(StateBase s, const Frame* frame) except -1:
    """Whether NO is allowed: for a push without a direction word, if it may be declined, or if there is no place."""
    if frame.v[DECLINABLE] or frame.v[WAY_KIND] == PUSH and frame.v[WORD] == DIRECTION_NONE:
        return True
    return not has_end_place(s, frame)


cdef int push_places(StateBase s, Frame* frame, Codes out) except -1:
    cdef bint stay = frame.v[DECLINABLE] or frame.v[WAY_KIND] == PUSH and frame.v[WORD] == DIRECTION_NONE
    if stay:
        out.push(VERB_NO)
    push_end_places(s, frame, VERB_GO, out)
    if out.size == 0:
        out.push(VERB_NO)
    return 0


cdef int push_elements(Frame* frame, Codes out) except -1:
    cdef uint64_t left = picked_discs(frame)
    if frame.v[DECLINABLE]:
        out.push(VERB_NO)
    while left:
        out.push(VERB_TARGET | lowest(left) << FIRST_SHIFT)
        left &= left - 1
    left = picked_pieces(frame)
    while left:
        out.push(VERB_TARGET | (DISCS + lowest(left)) << FIRST_SHIFT)
        left &= left - 1
    return 0


cdef bint is_choice(StateBase s, int player, int32_t code) except -1:
    """Whether a code is legal for the deciding player; a place may be any point of the lattice (OLO-GEO-62)."""
    cdef Frame* frame = top(s)
    cdef int what = s.d.decision, x = x_of(code), y = y_of(code), target
    cdef Plan plan
    cdef Codes out
    if code < 0:
        return False
    if what == DECISION_GO or what == DECISION_ENTER or what == DECISION_PUSH or what == DECISION_HOSTILE_GO:
        if code == VERB_NO:
            return may_stay(s, frame)
        if code & ~POINT_MASK != VERB_GO or x > LAST or y > LAST:
            return False
        make_plan(s, frame, &plan)
        return is_legal(&plan, x * STEP, y * STEP)
    if what == DECISION_CHARGE:
        target = code >> POINT_BITS & 15
        if code & VERB_MASK != VERB_CHARGE or x > LAST or y > LAST:
            return False
        return may_charge(s, frame.v[USER], target, x, y)
    if what == DECISION_SCENERY and code & VERB_MASK == VERB_SCENERY:
        if x > LAST or y > LAST or s.rules.ruleset.pool[s.d.laid].radius and code >> POINT_BITS & 15:
            return False
        return scenery_fault(s, code >> POINT_BITS & 15, x, y) is None
    out = Codes()
    fill_choices(s, player, out)
    for x in range(<int> out.size):
        if out.code[x] == code:
            return True
    return False


# -- chance ---------------------------------------------------------------------------------------------------------------

cdef int fill_outcomes(StateBase s, Codes out) except -1:
    """The outcomes of a chance node with their weights (5.8)."""
    cdef int what = s.d.decision, i, count
    cdef Frame* frame = top(s)
    if what == DECISION_CHANCE_POOL:
        return fill_pool(frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY], out)
    if what == DECISION_CHANCE_DIE:
        for i in range(1, frame.v[SIDES] + 1):
            out.push_weighted(VERB_FACE | i << FIRST_SHIFT, 1)
    elif what == DECISION_CHANCE_CARD:
        for i in range(MAX_ARTEFACTS):
            if s.d.pile[i]:
                out.push_weighted(VERB_CARD | i << FIRST_SHIFT, s.d.pile[i])
    else:
        count = 2
        if what == DECISION_CHANCE_AGENDA:
            count = len(s.rules.ruleset.agendas)
        elif what == DECISION_CHANCE_LAYOUT:
            count = len(s.rules.ruleset.layouts)
        elif what == DECISION_CHANCE_FALLEN:
            count = 7
        elif what == DECISION_CHANCE_HAND:
            count = 20
        for i in range(count):
            out.push_weighted(outcome_verb(what) | i << FIRST_SHIFT, 1)
    return 0


cdef int outcome_verb(int what) noexcept:
    if what == DECISION_CHANCE_NUMBER:
        return VERB_SEAT
    if what == DECISION_CHANCE_AGENDA:
        return VERB_AGENDA
    return VERB_LAYOUT if what == DECISION_CHANCE_LAYOUT else VERB_DEAL


cdef int fill_pool(int dice, int difficulty, Codes out) except -1:
    """k successes of n dice have the weight C(n, k) (7 - T)^k (T - 1)^(n - k)."""
    cdef uint64_t choose = 1, weight
    cdef int k, i
    for k in range(dice + 1):
        weight = choose
        for i in range(k):
            weight *= 7 - difficulty
        for i in range(dice - k):
            weight *= difficulty - 1
        out.push_weighted(VERB_SUCCESSES | k << FIRST_SHIFT, <uint32_t> weight)
        choose = choose * (dice - k) // (k + 1)
    return 0
