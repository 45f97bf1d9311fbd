"""The Ritual Disc and the Arcana (section 9 of RULES.md)."""

from gamepacks.omega.engine.pieces cimport note, push, top
from gamepacks.omega.engine.table cimport F_ARCANA, F_FLIP, H_PAWN, NONE, Player, Rules, TOKENS, Table


cdef void advance(Rules rules, Table* t, int squares, int cause) noexcept nogil:
    # OMEGA-DISC-01 to OMEGA-DISC-03
    cdef Player* player = &t.player[t.active]
    cdef int before = rules.passed(player.steps), passings
    player.steps += squares
    if squares:
        note(t, H_PAWN, cause, player.steps - squares, player.steps)
    passings = rules.passed(player.steps) - before
    if passings > 0:
        # Beyond all tokens a passing gives nothing (OMEGA-ARCANA-03).
        push(t, F_ARCANA, TOKENS if passings > TOKENS else passings, 0, 0)


cdef void take_token(Table* t, int stack) noexcept nogil:
    # OMEGA-ARCANA-01, OMEGA-ARCANA-02
    cdef Player* player = &t.player[t.active]
    player.token[player.held] = t.top[stack]
    player.held += 1
    t.top[stack] = NONE
    top(t).a -= 1
    push(t, F_FLIP, stack, 0, 0)
