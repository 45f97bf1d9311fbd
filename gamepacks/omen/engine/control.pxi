# Effects of control: choose, may, pay, if, for_each, repeat, let, name, choose_city (section 10.9).

cdef int MAX_NAMED = 20
# Rounds of a repeat at most.
cdef int MAX_REPEATS = 100


cdef int push_block(CoreState s, int node) except -1:
    if node:
        push(s, FR_BLOCK).node = node
    return 0


cdef void set_var(CoreState s, int slot, int kind, int value) noexcept:
    cdef Context* ctx = context(s)
    if slot >= 0:
        ctx.vars[slot].kind, ctx.vars[slot].value = kind, value
        clear(&ctx.vars[slot].cards)


cdef int choosing_seat(CoreState s, int ref) noexcept:
    cdef Env env
    cdef int seat
    ability_env(s, &env)
    seat = seat_of(s, &env, ref)
    return seat if seat < 2 else env.you


cdef int run_control(CoreState s, Frame* frame) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int op = e[0], n, node, city
    cdef Env env
    ability_env(s, &env)
    if op == E_IF:
        node = e[2] if holds(s, &env, e[1]) else e[3]
        pop(s)
        return push_block(s, node)
    if op == E_LET:
        n = amount(s, &env, e[2])
        set_var(s, e[1], VAR_NUMBER, n)
        pop(s)
        return 0
    if op == E_CHOOSE:
        if frame.stage == 0:
            frame.stage, frame.n = 1, e[2] if e[2] > 0 else 1
        n = e[3]
        if frame.n <= 0 or __builtin_popcount(frame.m) >= n:
            pop(s)
        else:
            s.d.decision, s.d.decider = DECISION_CHOOSE, choosing_seat(s, e[1])
        return 0
    if op == E_MAY:
        s.d.decision, s.d.decider = DECISION_MAY, choosing_seat(s, e[1])
        return 0
    if op == E_PAY:
        return run_pay(s, frame)
    if op == E_REPEAT:
        if frame.stage == 0:
            frame.stage, frame.n = 1, amount(s, &env, e[1])
            if frame.n > MAX_REPEATS:
                frame.n = MAX_REPEATS
        if frame.n <= 0:
            pop(s)
        elif e[3]:
            s.d.decision, s.d.decider = DECISION_MAY, env.you
        else:
            frame.n -= 1
            push_block(s, e[2])
        return 0
    if op == E_FOR_EACH:
        return run_each(s, frame)
    if op == E_ROLL:
        s.d.decision, s.d.decider = DECISION_CHANCE_DIE, -1
        return 0
    if op == E_LATER:
        return defer(s, frame)
    if op == E_COUNTER:
        node = seat_of(s, &env, e[1])
        n = amount(s, &env, e[3])
        pop(s)
        for city in range(2):
            if node >= 2 or node == city:
                n = n if e[2] else s.d.counter[city] + n
                s.d.counter[city] = 0 if n < 0 else MAX_COUNTER if n > MAX_COUNTER else n
                n = amount(s, &env, e[3])
        return 0
    if op == E_RESOLVE:
        n, node = 0, NONE
        for city in range(s.config.cities):
            if resolvable(s, &env, e, city):
                n += 1
                node = city
        if n > 1:
            s.d.decision, s.d.decider = DECISION_CITY, env.you
            return 0
        pop(s)
        if n:
            push(s, FR_WAR).city = node
        return 0
    if op == E_NAME:
        s.d.decision, s.d.decider = DECISION_COUNT if e[1] == NAME_NUMBER else DECISION_NAME, env.you
        return 0
    # choose_city
    s.d.decision, s.d.decider = DECISION_CITY, env.you
    return 0


cdef int apply_roll(CoreState s, int n) except -1:
    """Apply the outcome of a die (OMENX-CHANCE-08)."""
    cdef int32_t* e = &s.config.code[top(s).node]
    set_var(s, e[2], VAR_NUMBER, n)
    pop(s)
    return 0


cdef int defer(CoreState s, Frame* frame) except -1:
    # OMENX-FX-33
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Context* ctx = context(s)
    cdef Deferred* later
    pop(s)
    if not e[1]:
        return 0
    if s.d.deferred_count == MAX_DEFERRED:
        return cap_triggers(s)
    later = &s.d.deferred[s.d.deferred_count]
    s.d.deferred_count += 1
    later.source, later.card, later.controller, later.city = ctx.source, ctx.card, ctx.controller, ctx.city
    later.cause, later.ability, later.node = ctx.cause, ctx.ability, e[1]
    return 0


cdef bint resolvable(CoreState s, const Env* env, const int32_t* e, int city) noexcept:
    # Whether an effect can resolve a City.
    return s.d.left[city] and not s.d.razed >> city & 1 and city_fits(s, env, e[1], city, NONE)


cdef extern from *:
    int __builtin_popcount(unsigned int) noexcept nogil


cdef int run_pay(CoreState s, Frame* frame) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Env env
    cdef int node
    ability_env(s, &env)
    set_reader(&env, choosing_seat(s, e[1]))
    if frame.stage == 0:
        if payable(s, &env, e[2]):
            s.d.decision, s.d.decider = DECISION_MAY, env.you
            return 0
        frame.stage = 2
    node = e[3] if frame.stage == 1 else e[4]
    pop(s)
    return push_block(s, node)


cdef int run_each(CoreState s, Frame* frame) except -1:
    # Start the next round. ``set`` holds the cards that are left, ``n`` the number of Cities or seats that are done.
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Env env
    cdef int token
    cdef TokenSet only
    ability_env(s, &env)
    if e[1] == OVER_SEL:
        if frame.stage == 0:
            frame.stage = 1
            # Each card is read in its round, so the reader must know its face.
            candidates(s, &env, e[2], True, &frame.set)
        if size_of(&frame.set) > 1:
            s.d.decision, s.d.decider = DECISION_UNIT if picks_unit(s, e[2]) else DECISION_CARD, env.you
        elif size_of(&frame.set) == 1:
            start_round(s, frame, first_in_order(s, &frame.set))
        else:
            pop(s)
        return 0
    if e[1] == OVER_SEATS:
        if frame.n == 2:
            pop(s)
            return 0
        set_var(s, e[3], VAR_SEAT, s.d.active if frame.n == 0 else 1 - s.d.active)
        frame.n += 1
        return push_block(s, e[4])
    while frame.n < s.config.cities and s.d.razed >> frame.n & 1:
        frame.n += 1
    if frame.n >= s.config.cities:
        pop(s)
        return 0
    set_var(s, e[3], VAR_CITY, frame.n)
    frame.n += 1
    return push_block(s, e[4])


cdef int start_round(CoreState s, Frame* frame, int token) except -1:
    cdef int slot = s.config.code[frame.node + 3]
    cdef TokenSet one
    remove(&frame.set, token)
    clear(&one)
    insert(&one, token)
    bind_cards(s, slot, &one)
    return push_block(s, s.config.code[frame.node + 4])


cdef int control_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int op = e[0], i, first, last
    cdef Env env
    ability_env(s, &env)
    if op == E_CHOOSE:
        for i in range(e[3]):
            if not frame.m >> i & 1:
                push_option(out, tokens, V_CHOOSE | i, NONE)
    elif op == E_MAY or op == E_PAY or op == E_REPEAT:
        push_option(out, tokens, V_DO, NONE)
        push_option(out, tokens, V_SKIP, NONE)
    elif op == E_FOR_EACH:
        if picks_unit(s, e[2]):
            push_places(s, V_UNIT, &frame.set, out, tokens)
        else:
            push_cards(s, V_CARD, &frame.set, out, tokens)
        sort_options(out, tokens)
    elif op == E_NAME:
        if e[1] == NAME_NUMBER:
            last = e[3] if e[3] < MAX_NAMED else MAX_NAMED
            for i in range(last + 1):
                push_option(out, tokens, V_COUNT | i, NONE)
        else:
            first = 0 if e[1] == NAME_SEAT else 1
            last = 1 if e[1] == NAME_SEAT else TRAIT_CURSE if e[1] == NAME_TRAIT else UNIT_TYPE_HERO
            for i in range(first, last + 1):
                push_option(out, tokens, V_NAME | i, NONE)
    elif op == E_RESOLVE:
        for i in range(s.config.cities):
            if resolvable(s, &env, e, i):
                push_option(out, tokens, V_CITY | i, NONE)
    else:
        for i in range(s.config.cities):
            if s.d.razed >> i & 1 or e[2] == CR_OTHER and i == env.city:
                continue
            if e[3] and not holds_in(s, &env, e[3], i):
                continue
            push_option(out, tokens, V_CITY | i, NONE)
    return 0


cdef bint holds_in(CoreState s, const Env* env, int pred, int city) noexcept:
    cdef Env there = env[0]
    there.city = city
    return holds(s, &there, pred)


cdef int apply_control(CoreState s, Frame* frame, int32_t code, int token) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int op = e[0], verb = code & ~0xFFFFFF, n = code & 0xFF, node, cost, seat
    cdef Frame* paying
    cdef Env env
    if op == E_CHOOSE:
        frame.n -= 1
        frame.m |= 1 << n
        return push_block(s, s.config.code[frame.node + 5 + 2 * n])
    if op == E_MAY:
        node = e[2]
        pop(s)
        return push_block(s, node) if verb == V_DO else 0
    if op == E_REPEAT:
        frame.n = frame.n - 1 if verb == V_DO else 0
        return push_block(s, e[2]) if verb == V_DO else 0
    if op == E_PAY:
        if verb != V_DO:
            frame.stage = 2
            return 0
        frame.stage = 1
        seat, cost = choosing_seat(s, e[1]), e[2]
        if not cost:
            return 0
        ability_env(s, &env)
        set_reader(&env, seat)
        if s.config.code[cost] == COST_COINS:
            return pay_coins(s, seat, amount(s, &env, s.config.code[cost + 1]), context(s).cause)
        paying = push(s, FR_COST)
        paying.node, paying.a = cost, seat + 1
        return 0
    if op == E_FOR_EACH:
        return start_round(s, frame, token)
    if op == E_RESOLVE:
        pop(s)
        if code != -1:
            push(s, FR_WAR).city = n
        return 0
    if op == E_NAME:
        set_var(s, e[2], VAR_SEAT if e[1] == NAME_SEAT else VAR_NUMBER, n)
    elif code != -1:
        set_var(s, e[1], VAR_CITY, n)
    else:
        set_var(s, e[1], VAR_CITY, NONE)
    pop(s)
    return 0
