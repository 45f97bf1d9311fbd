"""Activating a rouage: entering the board, using capacities, coordinating another one (OLO-ACT, ENTER, COORD)."""

from cext.geometry.board cimport FIGURES
from cext.geometry.plan cimport ENTER
from gamepacks.olomoc.engine.asking cimport first_argument, second_argument
from gamepacks.olomoc.engine.capacities cimport cost_of, usable, use
from gamepacks.olomoc.engine.harm cimport change_ap
from gamepacks.olomoc.engine.moves cimport ask_go, could_enter, relocate
from gamepacks.olomoc.engine.table cimport (
    ABOUT, BLOC, BY, CHARGE_UP, D_ACT, D_ENTER, ENTERED, ENTERING, MAIN, OFF, OTHER, OUT, PLAYERS_FIGURES, SKIPPED, V_COORD, V_END,
    V_USE, VERB, ask, is_hostile, note, pop_frame, raise_event, rank_of, top,
)
from gamepacks.olomoc.terms cimport (
    HOW_MOVE, N_ACTIVATION_ENDED, N_COORDINATION_ANNOUNCED, N_ROUAGE_ACTIVATED, T_ACTIVATED, T_ACTIVATION_END, T_COORDINATED,
    WHY_ENTRY,
)

cdef enum:
    BEGINNING = 0
    READY = 1
    GOING_IN = 2
    CLOSING = 3
    BY_CARD = 0
    SKIP_WHOLE = 4


cdef bint may_act(OlomocTable m, const Frame* frame, int figure) noexcept:
    """Whether a rouage is active in this activation and in play."""
    return (
        (figure == frame.v[MAIN] or figure == frame.v[OTHER]) and 0 <= figure < PLAYERS_FIGURES
        and (m.t.figure[figure].where == BLOC or m.t.figure[figure].where == OFF)
    )


cdef bint may_coordinate(OlomocTable m, const Frame* frame, int figure) except -1:
    """OLO-COORD-01, 02, 04: one own rouage of lower rank, in play, whose card was revealed before in this cycle."""
    cdef int main = frame.v[MAIN], player = m.t.figure[main].player, slot
    if frame.v[BY] != BY_CARD or frame.v[OTHER] >= 0 or not 0 <= figure < PLAYERS_FIGURES or m.t.figure[figure].player != player:
        return False
    if m.t.figure[figure].where != BLOC and m.t.figure[figure].where != OFF or m.t.figure[main].where == OUT:
        return False
    if rank_of(m, figure) >= rank_of(m, main):
        return False
    for slot in range(1, 6):
        if slot != m.t.phase and m.t.shown[player] >> slot & 1 and m.t.plan[player][slot] == figure % 3:
            return True
    return False


cdef bint must_enter(OlomocTable m, const Frame* frame, int figure) except -1:
    """With ``entry`` = first_token nothing else that costs a token while the rouage can enter (OLO-ENTER-01)."""
    return (
        not m.rules.enter_first and m.t.figure[figure].where == OFF and m.t.figure[figure].ap > 0
        and not frame.v[SKIPPED] & (1 if figure == frame.v[MAIN] else 2) and could_enter(m, figure)
    )


cdef int push_acts(OlomocTable m, const Frame* frame, list found) except -1:
    """What may be done next: capacities of the active rouages, a coordination, the end."""
    cdef int turn, figure, slot, i
    cdef bint first
    for turn in range(2):
        figure = frame.v[MAIN + turn]
        if not may_act(m, frame, figure):
            continue
        for slot in range(CHARGE_UP + 1):
            if usable(m, figure, slot):
                found.append(V_USE | figure << 18 | slot << 10)
        if not frame.v[SKIPPED] >> turn & 1 and usable(m, figure, ENTERING):
            found.append(V_USE | figure << 18 | ENTERING << 10)
        first = must_enter(m, frame, figure)
        for i in range(m.t.specific[figure].count):
            slot = m.t.specific[figure].slot[i]
            if usable(m, figure, slot) and not (first and cost_of(m, figure, slot)):
                found.append(V_USE | figure << 18 | slot << 10)
    for figure in range(PLAYERS_FIGURES):
        if may_coordinate(m, frame, figure):
            found.append(V_COORD | figure << 18)
    found.append(V_END)
    return 0


cdef int activation_step(OlomocTable m, Frame* frame, int code) except -1:
    cdef int main = frame.v[MAIN], other = frame.v[OTHER], figure, turn
    if frame.pc == BEGINNING:
        frame.pc = READY
        note(m, N_ROUAGE_ACTIVATED, main, frame.v[BY])
        return raise_event(m, T_ACTIVATED, main, -1)
    if frame.pc == GOING_IN:
        frame.pc = READY
        figure = main if frame.v[ENTERED] >> 2 == 0 else other
        frame.v[ENTERED] &= 3
        if m.t.result >= 0 and m.t.figure[figure].where == OFF:
            change_ap(m, figure, -1, WHY_ENTRY)
            relocate(m, figure, m.t.result, HOW_MOVE)
        return 0
    if frame.pc == CLOSING:
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
            frame.pc = GOING_IN
            ask_go(m, ENTER, figure, D_ENTER, m.t.figure[figure].player)
            top(m).v[ABOUT] = m.t.line[m.t.figure[figure].player]
            return 0
    if code < 0:
        return ask(m, D_ACT, m.t.figure[main].player)
    if code == V_END:
        return close(m, frame)
    figure = first_argument(code)
    if code & VERB == V_USE:
        return use(m, figure, second_argument(code))
    frame.v[OTHER] = figure
    note(m, N_COORDINATION_ANNOUNCED, main, figure)
    return raise_event(m, T_COORDINATED, main, figure)


cdef bint must_go_in(OlomocTable m, const Frame* frame, int turn, int figure) noexcept:
    """Whether an active rouage off the board enters before anything else (OLO-ENTER-01)."""
    return (
        m.rules.enter_first and may_act(m, frame, figure) and m.t.figure[figure].where == OFF and m.t.figure[figure].ap > 0
        and not (frame.v[ENTERED] | frame.v[SKIPPED]) >> turn & 1
    )


cdef int close(OlomocTable m, Frame* frame) except -1:
    frame.pc = CLOSING
    note(m, N_ACTIVATION_ENDED, frame.v[MAIN])
    return raise_event(m, T_ACTIVATION_END, frame.v[MAIN], -1)
