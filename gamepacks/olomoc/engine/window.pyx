"""The window for opportunity attacks when a move is announced (OLO-OPP, 5.7)."""

from cext.geometry.board cimport lowest
from gamepacks.olomoc.engine.asking cimport ask_roll, first_argument
from gamepacks.olomoc.engine.harm cimport wound
from gamepacks.olomoc.engine.moves cimport zones_left
from gamepacks.olomoc.engine.modifiers cimport Pool, fixed_pool
from gamepacks.olomoc.engine.table cimport (
    ADDED, DICE, DIFFICULTY, D_OPP, D_ORDER, OPPORTUNITY, REACTOR, SUCCESSES, USER, V_YES, WAITING, ask, end_within,
    is_hostile, note, on_bloc, pop_frame, raise_event, WAY_OUT,
)
from gamepacks.olomoc.engine.targets cimport may_seize, pay_reaction
from gamepacks.olomoc.terms cimport (
    N_OPPORTUNITY_ATTACK, N_OPPORTUNITY_DECLINED, N_OPPORTUNITY_OFFERED, ROLE_ATTACKER, STAT_COMBAT, T_ROLLED,
    U_ATTACK, U_ROLL,
)

cdef enum:
    NEXT = 0
    ORDERED = 1
    CHOSEN = 2
    ROLLING = 3
    STRIKING = 4


cdef bint attack_under_way(const Frame* frame) noexcept:
    """Whether an opportunity attack is being made."""
    return frame.pc >= ROLLING


cdef uint64_t window_class(OlomocTable m, const Frame* frame) except? 0xFFFFFFFF:
    """Those whose turn it is: hostiles, then the priority holder's, then the other player's (OLO-OPP-04)."""
    cdef uint64_t left = <uint64_t> frame.v[WAITING] & zones_left(m, frame.v[USER], frame.v[WAY_OUT]), found = 0
    cdef int i, order, first = 3
    while left:
        i = lowest(left)
        left &= left - 1
        if not may_seize(m, i, frame.v[USER]):
            continue
        order = 0 if is_hostile(m, i) else 1 if m.t.figure[i].player == m.t.priority else 2
        if order < first:
            first, found = order, 0
        if order == first:
            found |= <uint64_t> 1 << i
    return found


cdef int window_step(OlomocTable m, Frame* frame, int code) except -1:
    """Each reactor decides after the one before is resolved (A34); a hostile attacks if it may."""
    cdef uint64_t ready
    cdef int mover = frame.v[USER], reactor, player
    cdef Pool pool
    if frame.pc == NEXT or frame.pc == ORDERED:
        ready = window_class(m, frame) if on_bloc(m, mover) else 0
        if not ready:
            pop_frame(m, 0)
            return 0
        if ready & (ready - 1):
            frame.pc = ORDERED
            reactor = lowest(ready)
            if code < 0:
                return ask(m, D_ORDER, m.t.priority if is_hostile(m, reactor) else m.t.figure[reactor].player)
            for _ in range(first_argument(code)):
                ready &= ready - 1
        reactor = lowest(ready)
        frame.v[REACTOR] = reactor
        frame.v[WAITING] &= ~(1 << reactor)
        frame.pc = CHOSEN
        note(m, N_OPPORTUNITY_OFFERED, reactor, mover)
        return 0
    reactor = frame.v[REACTOR]
    if frame.pc == CHOSEN:
        if not is_hostile(m, reactor):
            if code < 0:
                return ask(m, D_OPP, m.t.figure[reactor].player)
            if code != V_YES:
                frame.pc = NEXT
                note(m, N_OPPORTUNITY_DECLINED, reactor, mover)
                return 0
        pay_reaction(m, reactor, OPPORTUNITY)
        note(m, N_OPPORTUNITY_ATTACK, reactor, mover)
        pool = fixed_pool(m, reactor, STAT_COMBAT, ROLE_ATTACKER, OPPORTUNITY, mover, False, False)
        frame.v[DICE], frame.v[DIFFICULTY], frame.v[ADDED] = pool.dice, pool.difficulty, pool.added
        frame.pc = ROLLING
        ask_roll(m, reactor, STAT_COMBAT, pool.dice, pool.difficulty)
    elif frame.pc == ROLLING:
        frame.v[SUCCESSES] = m.t.result
        frame.pc = STRIKING
        raise_event(m, T_ROLLED, reactor, mover)
    else:
        frame.pc = NEXT
        wound(m, mover, max(0, frame.v[SUCCESSES] + frame.v[ADDED]), reactor, True)
        end_within(m, U_ATTACK, m.t.depth - 1)
        end_within(m, U_ROLL, m.t.depth - 1)
    return 0
