# Effects that change rules for a time: mod, grant, forbid (section 10.9).

cdef bint uses_variable(CoreState s, int sel) noexcept nogil:
    # Whether the selector must be evaluated now, because it names a variable or something that may change.
    cdef int32_t* q = &s.config.code[sel]
    return (
        q[S_SIDE] >= VAR or q[S_CITY] >= VAR or q[S_TYPE] < 0 or q[S_TRAIT] < 0 or q[S_SAME_AS] >= 0 or q[S_NOT] >= 0
        or q[S_ZONE] == ZONE_SET or q[S_ZONE] == ZONE_REVEAL or q[S_COST] or q[S_OFFERING] or q[S_STRENGTH] or q[S_TOP]
        or q[S_AS] >= 0 or q[S_PICK]
    )


cdef int run_modifier(CoreState s, Frame* frame) except -1:
    """Carry out a mod, grant or forbid: add its modifiers."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Env env
    cdef int sel = 0, token, value, until, what = e[1], seat, i
    ability_env(s, &env)
    if e[0] == E_MOD:
        until, sel = e[6], e[3] if e[2] == TG_SEL else 0
    elif e[0] == E_FORBID:
        until, sel = e[4], e[3] if e[2] == TG_SEL else 0
    else:
        until, sel = e[4], e[5] if what == W_PORTENT_USE else 0
    if sel and what != W_PORTENT_USE and s.config.code[sel + S_COUNT] == N_ALL and not uses_variable(s, sel):
        # It applies to every card that matches while it lasts.
        pop(s)
        return add_modifier(s, &env, e, TG_SEL, NONE, sel, until, NONE)
    if sel:
        if frame.stage == 0:
            frame.stage = 1
            begin_pick(s, frame, sel)
        if not continue_pick(s, frame, sel):
            return 0
        bind_cards(s, s.config.code[sel + S_AS], &frame.set)
        while first_in_order(s, &frame.set) != NONE:
            token = first_in_order(s, &frame.set)
            remove(&frame.set, token)
            if what == W_PORTENT_USE and e[0] == E_GRANT:
                # One more use counts as a triggered ability: Oracles may renew each other (OMENX-LOOP-01).
                if s.d.token[token].used and s.d.triggers < s.config.trigger_cap:
                    s.d.triggers += 1
                    s.d.token[token].used = 0
            else:
                add_modifier(s, &env, e, TG_CARD, token, 0, until, NONE)
        pop(s)
        return 0
    pop(s)
    if e[0] != E_GRANT and e[2] == TG_CITY:
        value = city_ref(s, &env, e[3])
        # OMENX-FX-34: it may hold for one seat alone.
        seat = e[7] if e[0] == E_MOD else e[5]
        seat = seat_of(s, &env, seat) if seat >= 0 else NONE
        for i in range(s.config.cities):
            if value == i or e[3] == CR_ANY or e[3] == CR_OTHER and i != env.city:
                add_modifier(s, &env, e, TG_CITY, i, 0, until, seat if seat < 2 else NONE)
        return 0
    seat = seat_of(s, &env, e[2] if e[0] == E_GRANT else e[3])
    for i in range(2):
        if seat >= 2 or seat == i:
            add_modifier(s, &env, e, TG_SEAT, i, 0, until, NONE)
    return 0


cdef int add_modifier(
    CoreState s, const Env* env, const int32_t* e, int target, int who, int sel, int until, int seat
) except -1:
    cdef ActiveMod* mod
    cdef int value = 1
    if s.d.mods == MAX_MODS:
        # The oldest modifier is dropped; no known card set reaches this limit.
        for value in range(MAX_MODS - 1):
            s.d.mod[value] = s.d.mod[value + 1]
        s.d.mods -= 1
        value = 1
    mod = &s.d.mod[s.d.mods]
    s.d.mods += 1
    mod.what, mod.target, mod.who, mod.sel = e[1], target, who, sel
    mod.controller, mod.city, mod.source, mod.until = env.you, env.city, env.source, until
    mod.is_set, mod.seat = 0, seat
    if e[0] == E_MOD:
        value = amount(s, env, e[5])
        mod.is_set = e[4]
    elif e[0] == E_GRANT:
        value = amount(s, env, e[3])
        if e[1] == W_PLAY_IN:
            value = e[6]
    mod.value = MAX_VALUE if value > MAX_VALUE else -MAX_VALUE if value < -MAX_VALUE else value
    # The number of ends of own turns that it lasts; for "next own turn" the end of the present turn does not count.
    mod.left = 2 if s.d.active == env.you else 1
    s.d.war_blocked = 0
    return 0


cdef void end_modifiers(CoreState s, int until, int seat) noexcept:
    """Remove the modifiers of a duration: FOR_WAR, FOR_STEP, FOR_TURN at the end of a seat's turn, or FOR_YOUR_NEXT_TURN
    at its beginning (OMENX-FX-23)."""
    cdef int i, kept = 0
    cdef ActiveMod* mod
    for i in range(s.d.mods):
        mod = &s.d.mod[i]
        if mod.until == until and (until != FOR_YOUR_NEXT_TURN or mod.controller == seat):
            continue
        if until == FOR_TURN and mod.until == FOR_NEXT_OWN_TURN and mod.controller == seat:
            mod.left -= 1
            if not mod.left:
                continue
        if kept != i:
            s.d.mod[kept] = mod[0]
        kept += 1
    s.d.mods = kept


cdef bint may_play_in(CoreState s, int seat) noexcept:
    """Whether a seat has been granted to play Units in this step."""
    cdef int i
    for i in range(s.d.mods):
        if s.d.mod[i].what == W_PLAY_IN and s.d.mod[i].who == seat and s.d.mod[i].value >> s.d.phase & 1:
            return True
    return False
