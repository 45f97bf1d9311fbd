# Activating a rouage: entering the board, using capacities, coordinating another one (OLO-ACT, ENTER, COORD).

cdef enum:
    ACTIVATION_BEGINNING = 0
    ACTIVATION_READY = 1
    ACTIVATION_GOING_IN = 2
    ACTIVATION_CLOSING = 3
    SKIP_WHOLE = 4


cdef bint may_act(StateBase m, const Frame* frame, int figure) noexcept:
    """Whether a rouage is active in this activation and in play."""
    return (
        (figure == frame.v[MAIN] or figure == frame.v[OTHER]) and 0 <= figure < PLAYERS_FIGURES
        and (m.t.figure[figure].where == PLACE_BLOC or m.t.figure[figure].where == PLACE_OFF)
    )


cdef bint may_coordinate(StateBase m, const Frame* frame, int figure) except -1:
    """Whether a rouage can be coordinated: an own one of lower rank, in play, whose card was revealed in this cycle (OLO-COORD)."""
    cdef int main = frame.v[MAIN], player = m.t.figure[main].player, slot
    if frame.v[BY] != ACTIVATED_BY_CARD or frame.v[OTHER] >= 0 or not 0 <= figure < PLAYERS_FIGURES or m.t.figure[figure].player != player:
        return False
    if m.t.figure[figure].where != PLACE_BLOC and m.t.figure[figure].where != PLACE_OFF or m.t.figure[main].where == PLACE_OUT:
        return False
    if rank_of(m, figure) >= rank_of(m, main):
        return False
    for slot in range(1, 6):
        if slot != m.t.phase and m.t.shown[player] >> slot & 1 and m.t.plan[player][slot] == figure % 3:
            return True
    return False


cdef bint must_enter(StateBase m, const Frame* frame, int figure) except -1:
    """Whether a rouage must enter before it pays for anything else, with the option ``entry`` = first_token (OLO-ENTER-01)."""
    return (
        not m.rules.enter_first and m.t.figure[figure].where == PLACE_OFF and m.t.figure[figure].ap > 0
        and not frame.v[SKIPPED] & (1 if figure == frame.v[MAIN] else 2) and could_enter(m, figure)
    )


cdef int push_acts(StateBase m, const Frame* frame, list found) except -1:
    """The actions of an activation: capacities of the active rouages, a coordination, the end."""
    cdef int turn, figure, slot, i
    cdef bint first
    for turn in range(2):
        figure = frame.v[MAIN + turn]
        if not may_act(m, frame, figure):
            continue
        for slot in range(USE_CHARGE + 1):
            if usable(m, figure, slot):
                found.append(VERB_USE | figure << FIRST_SHIFT | slot << SECOND_SHIFT)
        if not frame.v[SKIPPED] >> turn & 1 and usable(m, figure, USE_ENTER):
            found.append(VERB_USE | figure << FIRST_SHIFT | USE_ENTER << SECOND_SHIFT)
        first = must_enter(m, frame, figure)
        for i in range(m.t.specific[figure].count):
            slot = m.t.specific[figure].slot[i]
            if usable(m, figure, slot) and not (first and cost_of(m, figure, slot)):
                found.append(VERB_USE | figure << FIRST_SHIFT | slot << SECOND_SHIFT)
    for figure in range(PLAYERS_FIGURES):
        if may_coordinate(m, frame, figure):
            found.append(VERB_COORD | figure << FIRST_SHIFT)
    found.append(VERB_END)
    return 0


cdef int activation_step(StateBase m, Frame* frame, int code) except -1:
    cdef int main = frame.v[MAIN], other = frame.v[OTHER], figure, turn
    if frame.pc == ACTIVATION_BEGINNING:
        frame.pc = ACTIVATION_READY
        add_trace(m, EVENT_ROUAGE_ACTIVATED, main, frame.v[BY])
        return raise_event(m, TRIGGER_ACTIVATED, main, -1)
    if frame.pc == ACTIVATION_GOING_IN:
        frame.pc = ACTIVATION_READY
        figure = main if frame.v[ENTERED] >> 2 == 0 else other
        frame.v[ENTERED] &= 3
        if m.t.result >= 0 and m.t.figure[figure].where == PLACE_OFF:
            change_ap(m, figure, -1, CHANGE_CAUSE_ENTRY)
            relocate(m, figure, m.t.result, MOVEMENT_MOVE)
        return 0
    if frame.pc == ACTIVATION_CLOSING:
        pop_frame(m, 1)
        return 0
    if frame.v[SKIPPED] & SKIP_WHOLE or not may_act(m, frame, main) and not may_act(m, frame, other):
        return close(m, frame)
    for turn in range(2):
        figure = frame.v[MAIN + turn]
        if must_go_in(m, frame, turn, figure):
            # With the place it pays; where there is none, NO is recorded (OLO-GEO-07).
            frame.v[ENTERED] |= 1 << turn
            frame.v[ENTERED] |= turn << 2
            frame.pc = ACTIVATION_GOING_IN
            ask_go(m, ENTER, figure, DECISION_ENTER, m.t.figure[figure].player)
            top(m).v[ABOUT] = m.t.line[m.t.figure[figure].player]
            return 0
    if code < 0:
        return ask(m, DECISION_ACT, m.t.figure[main].player)
    if code == VERB_END:
        return close(m, frame)
    figure = first_argument(code)
    if code & VERB_MASK == VERB_USE:
        return use(m, figure, second_argument(code))
    frame.v[OTHER] = figure
    add_trace(m, EVENT_COORDINATION_ANNOUNCED, main, figure)
    return raise_event(m, TRIGGER_COORDINATED, main, figure)


cdef bint must_go_in(StateBase m, const Frame* frame, int turn, int figure) noexcept:
    """Whether an active rouage off the board enters before anything else (OLO-ENTER-01)."""
    return (
        m.rules.enter_first and may_act(m, frame, figure) and m.t.figure[figure].where == PLACE_OFF and m.t.figure[figure].ap > 0
        and not (frame.v[ENTERED] | frame.v[SKIPPED]) >> turn & 1
    )


cdef int close(StateBase m, Frame* frame) except -1:
    frame.pc = ACTIVATION_CLOSING
    add_trace(m, EVENT_ACTIVATION_ENDED, frame.v[MAIN])
    return raise_event(m, TRIGGER_ACTIVATION_END, frame.v[MAIN], -1)
