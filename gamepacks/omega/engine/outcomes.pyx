"""Chance: what can come at each node, and what it does (section 15.5 of RULES.md)."""

from libc.stdint cimport int32_t, uint64_t

from cext.state cimport Codes
from gamepacks.omega.engine.pieces cimport from_bag, note, top
from gamepacks.omega.engine.table cimport (
    CARDS, F_BAG_DRAW, F_FLIP, F_LOOK, H_PHASE, NONE, P_DEAL, P_DRAW, P_MAIN, P_SETUP_ARCANA, P_SETUP_GALLERY, P_START_PLAYER,
    P_UPKEEP_GALLERY, Rules, SLOTS, TYPES, Table, V_ALTAR_RUNE, V_BAG_RUNE, V_DEAL, V_FLIP, V_GALLERY_CARD, V_LOOK,
    V_START_PLAYER,
)

cdef int[3][4] HANDS
# OMEGA-SETUP-06, added up
HANDS[0][:] = [4, 9, 9, 9]
HANDS[1][:] = [4, 9, 15, 15]
HANDS[2][:] = [4, 9, 14, 20]


cdef bint all_dealt(Rules rules, const Table* t) noexcept nogil:
    return t.dealt >= HANDS[rules.players - 2][rules.players - 1]


cdef int receiver(Rules rules, const Table* t) noexcept nogil:
    """The seat to which the next rune is dealt."""
    cdef int place = 0
    while t.dealt >= HANDS[rules.players - 2][place]:
        place += 1
    return (t.start + place) % rules.players


cdef int push_outcomes(Rules rules, const Table* t, Codes out) except -1:
    """The outcomes of a chance node with their weights."""
    cdef int kind = t.stack[t.depth - 1].kind if t.depth else 0
    cdef int phase = t.phase, i
    if kind == F_FLIP or kind == 0 and phase == P_SETUP_ARCANA:
        for i in range(rules.kinds):
            if t.pool[i]:
                out.push_weighted(V_FLIP | i, t.pool[i])
    elif kind == F_LOOK or kind == 0 and (phase == P_SETUP_GALLERY or phase == P_UPKEEP_GALLERY):
        for i in range(CARDS):
            if t.deck >> i & 1:
                out.push_weighted((V_LOOK if kind else V_GALLERY_CARD) | i, 1)
    elif kind == 0 and phase == P_START_PLAYER:
        for i in range(rules.players):
            out.push_weighted(V_START_PLAYER | i, 1)
    else:
        for i in range(TYPES):
            if t.bag[i]:
                if kind == F_BAG_DRAW:
                    out.push_weighted(V_BAG_RUNE | i, t.bag[i])
                else:
                    out.push_weighted((V_DEAL if phase == P_DEAL else V_ALTAR_RUNE) | i, t.bag[i])
    return 0


cdef void begin_main(Table* t) noexcept nogil:
    """The rune of the Draw phase is in the pyramid, or there was none (OMEGA-DRAW-03): the main phase begins."""
    t.phase = P_MAIN
    note(t, H_PHASE, P_MAIN, 0, 0)


cdef void happen(Rules rules, Table* t, int32_t code) noexcept nogil:
    """Take one of them."""
    cdef int verb = code & ~0xFFFFFF, what = code & 0xFF, i = 0
    if verb == V_ALTAR_RUNE:
        # OMEGA-SETUP-01, OMEGA-UPKEEP-01
        from_bag(t, what)
        t.altar[what] += 1
        t.altar_size += 1
    elif verb == V_DEAL:
        # OMEGA-SETUP-06, OMEGA-SETUP-07
        from_bag(t, what)
        t.player[receiver(rules, t)].pyramid[what] += 1
        t.dealt += 1
    elif verb == V_BAG_RUNE:
        # OMEGA-DRAW-02
        t.depth -= 1
        from_bag(t, what)
        t.player[t.active].pyramid[what] += 1
        if t.phase == P_DRAW:
            begin_main(t)
    elif verb == V_GALLERY_CARD:
        # OMEGA-SETUP-02, OMEGA-UPKEEP-02
        t.deck &= ~(<uint64_t> 1 << what)
        for i in range(SLOTS):
            if t.gallery[i] == NONE:
                t.gallery[i] = what
                break
    elif verb == V_LOOK:
        # OMEGA-KEY-01
        t.deck &= ~(<uint64_t> 1 << what)
        t.looked |= <uint64_t> 1 << what
        top(t).a -= 1
    elif verb == V_FLIP:
        # OMEGA-SETUP-03, OMEGA-ARCANA-02
        if t.depth:
            i = top(t).a
            t.depth -= 1
        else:
            while t.top[i] != NONE:
                i += 1
        t.top[i] = what
        t.hidden[i] -= 1
        t.pool[what] -= 1
    else:
        # OMEGA-SETUP-05
        t.start = t.active = what
