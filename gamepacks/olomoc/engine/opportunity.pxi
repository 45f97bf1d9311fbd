# The window for opportunity attacks when a move is announced (OLO-OPP, 5.7).

cdef enum:
    OPPORTUNITY_NEXT = 0
    OPPORTUNITY_ORDERED = 1
    OPPORTUNITY_CHOSEN = 2
    OPPORTUNITY_ROLLING = 3
    OPPORTUNITY_STRIKING = 4


cdef bint attack_under_way(const Frame* frame) noexcept:
    """Whether an opportunity attack is being made."""
    return frame.pc >= OPPORTUNITY_ROLLING


cdef uint64_t window_class(StateBase s, const Frame* frame) except? 0xFFFFFFFF:
    """The figures that are next to decide: hostiles, then the priority holder's, then the other player's (OLO-OPP-04)."""
    cdef uint64_t left = <uint64_t> frame.v[WAITING] & zones_left(s, frame.v[USER], frame.v[MOVE_GOAL]), found = 0
    cdef int i, order, first = 3
    while left:
        i = lowest(left)
        left &= left - 1
        if not may_attack_mover(s, i, frame.v[USER]):
            continue
        order = 0 if is_hostile(s, i) else 1 if s.d.figure[i].player == s.d.priority else 2
        if order < first:
            first, found = order, 0
        if order == first:
            found |= <uint64_t> 1 << i
    return found


cdef int window_step(StateBase s, Frame* frame, int code) except -1:
    """Let each figure decide when the one before it is resolved (A34); a hostile attacks if it may."""
    cdef uint64_t ready
    cdef int mover = frame.v[USER], reactor, player
    cdef Pool pool
    if frame.pc == OPPORTUNITY_NEXT or frame.pc == OPPORTUNITY_ORDERED:
        ready = window_class(s, frame) if on_bloc(s, mover) else 0
        if not ready:
            pop_frame(s, 0)
            return 0
        if ready & (ready - 1):
            frame.pc = OPPORTUNITY_ORDERED
            reactor = lowest(ready)
            if code < 0:
                return ask(s, DECISION_ORDER, s.d.priority if is_hostile(s, reactor) else s.d.figure[reactor].player)
            for _ in range(first_argument(code)):
                ready &= ready - 1
        reactor = lowest(ready)
        frame.v[REACTOR] = reactor
        frame.v[WAITING] &= ~(1 << reactor)
        frame.pc = OPPORTUNITY_CHOSEN
        add_trace(s, EVENT_OPPORTUNITY_OFFERED, reactor, mover)
        return 0
    reactor = frame.v[REACTOR]
    if frame.pc == OPPORTUNITY_CHOSEN:
        if not is_hostile(s, reactor):
            if code < 0:
                return ask(s, DECISION_OPPORTUNITY, s.d.figure[reactor].player)
            if code != VERB_YES:
                frame.pc = OPPORTUNITY_NEXT
                add_trace(s, EVENT_OPPORTUNITY_DECLINED, reactor, mover)
                return 0
        pay_reaction(s, reactor, USE_OPPORTUNITY)
        add_trace(s, EVENT_OPPORTUNITY_ATTACK, reactor, mover)
        pool = fixed_pool(s, reactor, STAT_COMBAT, ROLE_ATTACKER, USE_OPPORTUNITY, mover, False, False)
        frame.v[DICE], frame.v[DIFFICULTY], frame.v[ADDED] = pool.dice, pool.difficulty, pool.added
        frame.pc = OPPORTUNITY_ROLLING
        ask_roll(s, reactor, STAT_COMBAT, pool.dice, pool.difficulty)
    elif frame.pc == OPPORTUNITY_ROLLING:
        frame.v[SUCCESSES] = s.d.result
        frame.pc = OPPORTUNITY_STRIKING
        raise_event(s, TRIGGER_ROLLED, reactor, mover)
    else:
        frame.pc = OPPORTUNITY_NEXT
        wound(s, mover, max(0, frame.v[SUCCESSES] + frame.v[ADDED]), reactor, True)
        end_within(s, UNTIL_ATTACK, s.d.depth - 1)
        end_within(s, UNTIL_ROLL, s.d.depth - 1)
    return 0
