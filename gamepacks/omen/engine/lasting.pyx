"""Changes that last for a while: mod, grant and forbid (section 10.9)."""

from libc.stdint cimport int32_t

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.picks cimport begin_pick, go_on_picking, lowest
from gamepacks.omen.engine.stack cimport bind_cards, here, pop
from gamepacks.omen.engine.table cimport Env, Frame, Mod, MOST_MODS, remove, Table, TG_CARD
from gamepacks.omen.engine.values cimport amount, city_ref, seat_of
from gamepacks.omen.engine.vocabulary cimport *

cdef int WIDEST = 30000


cdef bint uses_variable(Table t, int sel) noexcept nogil:
    # A selector that names a variable is bound to cards at once.
    cdef int32_t* s = &t.rules.code[sel]
    return (
        s[S_SIDE] >= VAR or s[S_CITY] >= VAR or s[S_TYPE] < 0 or s[S_TRAIT] < 0 or s[S_SAME_AS] >= 0 or s[S_NOT] >= 0
        or s[S_ZONE] == Z_SET or s[S_ZONE] == Z_REVEAL or s[S_COST] or s[S_OFFERING] or s[S_STRENGTH] or s[S_TOP]
        or s[S_AS] >= 0 or s[S_PICK]
    )


cdef int run_lasting(Table t, Frame* frame) except -1:
    """A mod, grant or forbid."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Env env
    cdef int sel = 0, token, value, until, what = e[1], seat, i
    here(t, &env)
    if e[0] == E_MOD:
        until, sel = e[6], e[3] if e[2] == TG_SEL else 0
    elif e[0] == E_FORBID:
        until, sel = e[4], e[3] if e[2] == TG_SEL else 0
    else:
        until, sel = e[4], e[5] if what == W_PORTENT_USE else 0
    if sel and what != W_PORTENT_USE and t.rules.code[sel + S_COUNT] == N_ALL and not uses_variable(t, sel):
        # It holds for every card that fits while it lasts.
        pop(t)
        return add(t, &env, e, TG_SEL, NONE, sel, until)
    if sel:
        if frame.stage == 0:
            frame.stage = 1
            begin_pick(t, frame, sel)
        if not go_on_picking(t, frame, sel):
            return 0
        bind_cards(t, t.rules.code[sel + S_AS], &frame.set)
        while lowest(t, &frame.set) != NONE:
            token = lowest(t, &frame.set)
            remove(&frame.set, token)
            if what == W_PORTENT_USE and e[0] == E_GRANT:
                # One more use counts as a triggered ability: Oracles may renew each other (OMENX-LOOP-01).
                if t.d.token[token].used and t.d.triggers < t.rules.trigger_cap:
                    t.d.triggers += 1
                    t.d.token[token].used = 0
            else:
                add(t, &env, e, TG_CARD, token, 0, until)
        pop(t)
        return 0
    pop(t)
    if e[0] != E_GRANT and e[2] == TG_CITY:
        value = city_ref(t, &env, e[3])
        for i in range(t.rules.cities):
            if value == i or e[3] == CR_ANY or e[3] == CR_OTHER and i != env.city:
                add(t, &env, e, TG_CITY, i, 0, until)
        return 0
    seat = seat_of(t, &env, e[2] if e[0] == E_GRANT else e[3])
    for i in range(2):
        if seat >= 2 or seat == i:
            add(t, &env, e, TG_SEAT, i, 0, until)
    return 0


cdef int add(Table t, const Env* env, const int32_t* e, int target, int who, int sel, int until) except -1:
    cdef Mod* mod
    cdef int value = 1
    if t.d.mods == MOST_MODS:
        # The oldest gives way; so many at once are no game, but may not stop it.
        for value in range(MOST_MODS - 1):
            t.d.mod[value] = t.d.mod[value + 1]
        t.d.mods -= 1
        value = 1
    mod = &t.d.mod[t.d.mods]
    t.d.mods += 1
    mod.what, mod.target, mod.who, mod.sel = e[1], target, who, sel
    mod.controller, mod.city, mod.source, mod.until = env.you, env.city, env.source, until
    mod.is_set = 0
    if e[0] == E_MOD:
        value = amount(t, env, e[5])
        mod.is_set = e[4]
    elif e[0] == E_GRANT:
        value = amount(t, env, e[3])
        if e[1] == W_PLAY_IN:
            value = e[6]
    mod.value = WIDEST if value > WIDEST else -WIDEST if value < -WIDEST else value
    # To the end of the controller's next turn: the end of the present one does not count.
    mod.left = 2 if t.d.active == env.you else 1
    t.d.stuck = 0
    return 0


cdef void end_mods(Table t, int until, int seat) noexcept:
    """End what lasts so long: FOR_WAR, FOR_STEP, FOR_TURN at the end of a seat's turn, or FOR_YOUR_NEXT_TURN at its
    beginning (OMENX-FX-23)."""
    cdef int i, kept = 0
    cdef Mod* mod
    for i in range(t.d.mods):
        mod = &t.d.mod[i]
        if mod.until == until and (until != FOR_YOUR_NEXT_TURN or mod.controller == seat):
            continue
        if until == FOR_TURN and mod.until == FOR_NEXT_OWN_TURN and mod.controller == seat:
            mod.left -= 1
            if not mod.left:
                continue
        if kept != i:
            t.d.mod[kept] = mod[0]
        kept += 1
    t.d.mods = kept


cdef bint may_play_in(Table t, int seat) noexcept:
    """Has a seat been granted to play Units in this step?"""
    cdef int i
    for i in range(t.d.mods):
        if t.d.mod[i].what == W_PLAY_IN and t.d.mod[i].who == seat and t.d.phase >= PH_WEALTH:
            if t.d.mod[i].value >> (t.d.phase - PH_WEALTH) & 1:
                return True
    return False
