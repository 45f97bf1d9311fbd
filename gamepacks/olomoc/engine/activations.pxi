# Activating a rouage: entering the board, using capacities, coordinating another one (OLO-ACT, ENTER, COORD).

cdef enum:
    ACTIVATION_BEGINNING = 0
    ACTIVATION_READY = 1
    ACTIVATION_ENTERING = 2
    ACTIVATION_CLOSING = 3
    SKIPPED_ACTIVATION = 4


cdef bint may_act(StateBase s, const Frame* frame, int figure) noexcept:
    """Whether a rouage is active in this activation and in play."""
    return (
        (figure == frame.v[MAIN] or figure == frame.v[OTHER]) and 0 <= figure < PLAYERS_FIGURES
        and (s.d.figure[figure].where == PLACE_BLOC or s.d.figure[figure].where == PLACE_OFF)
    )


cdef bint may_coordinate(StateBase s, const Frame* frame, int figure) except -1:
    """Whether a rouage can be coordinated: one of the same player, of lower rank and in play, whose card was revealed in this cycle (OLO-COORD)."""
    cdef int main = frame.v[MAIN], player = s.d.figure[main].player, slot
    if frame.v[BY] != ACTIVATED_BY_CARD or frame.v[OTHER] >= 0 or not 0 <= figure < PLAYERS_FIGURES or s.d.figure[figure].player != player:
        return False
    if s.d.figure[figure].where != PLACE_BLOC and s.d.figure[figure].where != PLACE_OFF or s.d.figure[main].where == PLACE_OUT:
        return False
    if rank_of(s, figure) >= rank_of(s, main):
        return False
    for slot in range(1, 6):
        if slot != s.d.phase and s.d.shown[player] >> slot & 1 and s.d.plan[player][slot] == figure % 3:
            return True
    return False


cdef bint must_enter(StateBase s, const Frame* frame, int figure) except -1:
    """Whether a rouage must enter before it pays for anything else, with the option ``entry`` = first_token (OLO-ENTER-01)."""
    return (
        not s.rules.enter_first and s.d.figure[figure].where == PLACE_OFF and s.d.figure[figure].ap > 0
        and not frame.v[SKIPPED] & (1 if figure == frame.v[MAIN] else 2) and could_enter(s, figure)
    )


cdef int push_acts(StateBase s, const Frame* frame, list found) except -1:
    """The actions of an activation: capacities of the active rouages, a coordination, the end."""
    cdef int turn, figure, slot, i
    cdef bint first
    for turn in range(2):
        figure = frame.v[MAIN + turn]
        if not may_act(s, frame, figure):
            continue
        for slot in range(USE_CHARGE + 1):
            if usable(s, figure, slot):
                found.append(VERB_USE | figure << FIRST_SHIFT | slot << SECOND_SHIFT)
        if not frame.v[SKIPPED] >> turn & 1 and usable(s, figure, USE_ENTER):
            found.append(VERB_USE | figure << FIRST_SHIFT | USE_ENTER << SECOND_SHIFT)
        first = must_enter(s, frame, figure)
        for i in range(s.d.specific[figure].count):
            slot = s.d.specific[figure].slot[i]
            if usable(s, figure, slot) and not (first and cost_of(s, figure, slot)):
                found.append(VERB_USE | figure << FIRST_SHIFT | slot << SECOND_SHIFT)
    for figure in range(PLAYERS_FIGURES):
        if may_coordinate(s, frame, figure):
            found.append(VERB_COORD | figure << FIRST_SHIFT)
    found.append(VERB_END)
    return 0


cdef int activation_step(StateBase s, Frame* frame, int code) except -1:
    cdef int main = frame.v[MAIN], other = frame.v[OTHER], figure, turn
    if frame.pc == ACTIVATION_BEGINNING:
        frame.pc = ACTIVATION_READY
        add_trace(s, EVENT_ROUAGE_ACTIVATED, main, frame.v[BY])
        return raise_event(s, TRIGGER_ACTIVATED, main, -1)
    if frame.pc == ACTIVATION_ENTERING:
        frame.pc = ACTIVATION_READY
        figure = main if frame.v[ENTERED] >> 2 == 0 else other
        frame.v[ENTERED] &= 3
        if s.d.result >= 0 and s.d.figure[figure].where == PLACE_OFF:
            change_ap(s, figure, -1, CHANGE_CAUSE_ENTRY)
            relocate(s, figure, s.d.result, MOVEMENT_MOVE)
        return 0
    if frame.pc == ACTIVATION_CLOSING:
        pop_frame(s, 1)
        return 0
    if frame.v[SKIPPED] & SKIPPED_ACTIVATION or not may_act(s, frame, main) and not may_act(s, frame, other):
        return close_activation(s, frame)
    for turn in range(2):
        figure = frame.v[MAIN + turn]
        if must_enter_first(s, frame, turn, figure):
            # With the place it pays; where there is none, NO is recorded (OLO-GEO-07).
            frame.v[ENTERED] |= 1 << turn
            frame.v[ENTERED] |= turn << 2
            frame.pc = ACTIVATION_ENTERING
            ask_go(s, ENTER, figure, DECISION_ENTER, s.d.figure[figure].player)
            top(s).v[ABOUT] = s.d.line[s.d.figure[figure].player]
            return 0
    if code < 0:
        return ask(s, DECISION_ACT, s.d.figure[main].player)
    if code == VERB_END:
        return close_activation(s, frame)
    figure = first_argument(code)
    if code & VERB_MASK == VERB_USE:
        return use_capacity(s, figure, second_argument(code))
    frame.v[OTHER] = figure
    add_trace(s, EVENT_COORDINATION_ANNOUNCED, main, figure)
    return raise_event(s, TRIGGER_COORDINATED, main, figure)


cdef bint must_enter_first(StateBase s, const Frame* frame, int turn, int figure) noexcept:
    """Whether an active rouage off the board enters before anything else (OLO-ENTER-01)."""
    return (
        s.rules.enter_first and may_act(s, frame, figure) and s.d.figure[figure].where == PLACE_OFF and s.d.figure[figure].ap > 0
        and not (frame.v[ENTERED] | frame.v[SKIPPED]) >> turn & 1
    )


cdef int close_activation(StateBase s, Frame* frame) except -1:
    frame.pc = ACTIVATION_CLOSING
    add_trace(s, EVENT_ACTIVATION_ENDED, frame.v[MAIN])
    return raise_event(s, TRIGGER_ACTIVATION_END, frame.v[MAIN], -1)
