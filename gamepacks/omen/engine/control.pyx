"""Effects of control: choose, may, pay, if, for_each, repeat, let, name, choose_city (section 10.9)."""

from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport pay_coins
from gamepacks.omen.engine.picks cimport city_fits, lowest, payable, picks_unit, push_cards, push_option, push_places, sort_options
from gamepacks.omen.engine.stack cimport bind_cards, cap_triggers, context, here, pop, push, read_as, top
from gamepacks.omen.engine.table cimport (
    clear, Context, Env, FR_BLOCK, FR_COST, FR_WAR, Frame, insert, Later, MOST_LATER, remove, Set, size_of, Table, VAR_CITY,
    VAR_NUMBER, VAR_SEAT,
)
from gamepacks.omen.engine.values cimport amount, candidates, holds, seat_of
from gamepacks.omen.engine.vocabulary cimport *

cdef int MOST_NAMED = 20
cdef int MOST_COUNTED = 999
# Rounds of a repeat: enough for any text, few enough to end.
cdef int MOST_ROUNDS = 100


cdef int block(Table t, int node) except -1:
    if node:
        push(t, FR_BLOCK).node = node
    return 0


cdef void set_var(Table t, int slot, int kind, int value) noexcept:
    cdef Context* ctx = context(t)
    if slot >= 0:
        ctx.vars[slot].kind, ctx.vars[slot].value = kind, value
        clear(&ctx.vars[slot].cards)


cdef int asked_seat(Table t, int ref) noexcept:
    cdef Env env
    cdef int seat
    here(t, &env)
    seat = seat_of(t, &env, ref)
    return seat if seat < 2 else env.you


cdef int run_control(Table t, Frame* frame) except -1:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int op = e[0], n, node, city
    cdef Env env
    here(t, &env)
    if op == E_IF:
        node = e[2] if holds(t, &env, e[1]) else e[3]
        pop(t)
        return block(t, node)
    if op == E_LET:
        n = amount(t, &env, e[2])
        set_var(t, e[1], VAR_NUMBER, n)
        pop(t)
        return 0
    if op == E_CHOOSE:
        if frame.stage == 0:
            frame.stage, frame.n = 1, e[2] if e[2] > 0 else 1
        n = e[3]
        if frame.n <= 0 or __builtin_popcount(frame.m) >= n:
            pop(t)
        else:
            t.d.ask, t.d.asked = ASK_CHOOSE, asked_seat(t, e[1])
        return 0
    if op == E_MAY:
        t.d.ask, t.d.asked = ASK_MAY, asked_seat(t, e[1])
        return 0
    if op == E_PAY:
        return run_pay(t, frame)
    if op == E_REPEAT:
        if frame.stage == 0:
            frame.stage, frame.n = 1, amount(t, &env, e[1])
            if frame.n > MOST_ROUNDS:
                frame.n = MOST_ROUNDS
        if frame.n <= 0:
            pop(t)
        elif e[3]:
            t.d.ask, t.d.asked = ASK_MAY, env.you
        else:
            frame.n -= 1
            block(t, e[2])
        return 0
    if op == E_FOR_EACH:
        return run_each(t, frame)
    if op == E_ROLL:
        t.d.ask, t.d.asked = ASK_C_DIE, -1
        return 0
    if op == E_LATER:
        return put_off(t, frame)
    if op == E_COUNTER:
        node = seat_of(t, &env, e[1])
        n = amount(t, &env, e[3])
        pop(t)
        for city in range(2):
            if node >= 2 or node == city:
                n = n if e[2] else t.d.counter[city] + n
                t.d.counter[city] = 0 if n < 0 else MOST_COUNTED if n > MOST_COUNTED else n
                n = amount(t, &env, e[3])
        return 0
    if op == E_RESOLVE:
        n, node = 0, NONE
        for city in range(t.rules.cities):
            if resolvable(t, &env, e, city):
                n += 1
                node = city
        if n > 1:
            t.d.ask, t.d.asked = ASK_CITY, env.you
            return 0
        pop(t)
        if n:
            push(t, FR_WAR).city = node
        return 0
    if op == E_NAME:
        t.d.ask, t.d.asked = ASK_COUNT if e[1] == NAME_NUMBER else ASK_NAME, env.you
        return 0
    # choose_city
    t.d.ask, t.d.asked = ASK_CITY, env.you
    return 0


cdef int rolled(Table t, int n) except -1:
    """Chance has decided what a die shows (OMENX-CHANCE-08)."""
    cdef int32_t* e = &t.rules.code[top(t).node]
    set_var(t, e[2], VAR_NUMBER, n)
    pop(t)
    return 0


cdef int put_off(Table t, Frame* frame) except -1:
    # OMENX-FX-33
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Context* ctx = context(t)
    cdef Later* later
    pop(t)
    if not e[1]:
        return 0
    if t.d.laters == MOST_LATER:
        return cap_triggers(t)
    later = &t.d.later[t.d.laters]
    t.d.laters += 1
    later.source, later.card, later.controller, later.city = ctx.source, ctx.card, ctx.controller, ctx.city
    later.cause, later.ability, later.node = ctx.cause, ctx.ability, e[1]
    return 0


cdef bint resolvable(Table t, const Env* env, const int32_t* e, int city) noexcept:
    # Can a City be resolved by an effect?
    return t.d.left[city] and not t.d.razed >> city & 1 and city_fits(t, env, e[1], city, NONE)


cdef extern from *:
    int __builtin_popcount(unsigned int) noexcept nogil


cdef int run_pay(Table t, Frame* frame) except -1:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Env env
    cdef int node
    here(t, &env)
    read_as(&env, asked_seat(t, e[1]))
    if frame.stage == 0:
        if payable(t, &env, e[2]):
            t.d.ask, t.d.asked = ASK_MAY, env.you
            return 0
        frame.stage = 2
    node = e[3] if frame.stage == 1 else e[4]
    pop(t)
    return block(t, node)


cdef int run_each(Table t, Frame* frame) except -1:
    # One round after the other; ``set`` holds the cards still to come, ``n`` the Cities or seats that were.
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Env env
    cdef int token
    cdef Set only
    here(t, &env)
    if e[1] == OVER_SEL:
        if frame.stage == 0:
            frame.stage = 1
            # What is gone through is read, card by card.
            candidates(t, &env, e[2], True, &frame.set)
        if size_of(&frame.set) > 1:
            t.d.ask, t.d.asked = ASK_UNIT if picks_unit(t, e[2]) else ASK_CARD, env.you
        elif size_of(&frame.set) == 1:
            round_of(t, frame, lowest(t, &frame.set))
        else:
            pop(t)
        return 0
    if e[1] == OVER_SEATS:
        if frame.n == 2:
            pop(t)
            return 0
        set_var(t, e[3], VAR_SEAT, t.d.active if frame.n == 0 else 1 - t.d.active)
        frame.n += 1
        return block(t, e[4])
    while frame.n < t.rules.cities and t.d.razed >> frame.n & 1:
        frame.n += 1
    if frame.n >= t.rules.cities:
        pop(t)
        return 0
    set_var(t, e[3], VAR_CITY, frame.n)
    frame.n += 1
    return block(t, e[4])


cdef int round_of(Table t, Frame* frame, int token) except -1:
    cdef int slot = t.rules.code[frame.node + 3]
    cdef Set one
    remove(&frame.set, token)
    clear(&one)
    insert(&one, token)
    bind_cards(t, slot, &one)
    return block(t, t.rules.code[frame.node + 4])


cdef int control_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int op = e[0], i, last
    cdef Env env
    here(t, &env)
    if op == E_CHOOSE:
        for i in range(e[3]):
            if not frame.m >> i & 1:
                push_option(out, tokens, V_CHOOSE | i, NONE)
    elif op == E_MAY or op == E_PAY or op == E_REPEAT:
        push_option(out, tokens, V_DO, NONE)
        push_option(out, tokens, V_SKIP, NONE)
    elif op == E_FOR_EACH:
        if picks_unit(t, e[2]):
            push_places(t, V_UNIT, &frame.set, out, tokens)
        else:
            push_cards(t, V_CARD, &frame.set, out, tokens)
        sort_options(out, tokens)
    elif op == E_NAME:
        if e[1] == NAME_NUMBER:
            last = e[3] if e[3] < MOST_NAMED else MOST_NAMED
            for i in range(last + 1):
                push_option(out, tokens, V_COUNT | i, NONE)
        else:
            last = 13 if e[1] == NAME_TRAIT else 2 if e[1] == NAME_SEAT else 5
            for i in range(last):
                push_option(out, tokens, V_NAME | i, NONE)
    elif op == E_RESOLVE:
        for i in range(t.rules.cities):
            if resolvable(t, &env, e, i):
                push_option(out, tokens, V_CITY | i, NONE)
    else:
        for i in range(t.rules.cities):
            if t.d.razed >> i & 1 or e[2] == CR_OTHER and i == env.city:
                continue
            if e[3] and not holds_in(t, &env, e[3], i):
                continue
            push_option(out, tokens, V_CITY | i, NONE)
    return 0


cdef bint holds_in(Table t, const Env* env, int pred, int city) noexcept:
    cdef Env there = env[0]
    there.city = city
    return holds(t, &there, pred)


cdef int answer_control(Table t, Frame* frame, int32_t code, int token) except -1:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int op = e[0], verb = code & ~0xFFFFFF, n = code & 0xFF, node, cost, seat
    cdef Frame* paying
    cdef Env env
    if op == E_CHOOSE:
        frame.n -= 1
        frame.m |= 1 << n
        return block(t, t.rules.code[frame.node + 5 + 2 * n])
    if op == E_MAY:
        node = e[2]
        pop(t)
        return block(t, node) if verb == V_DO else 0
    if op == E_REPEAT:
        frame.n = frame.n - 1 if verb == V_DO else 0
        return block(t, e[2]) if verb == V_DO else 0
    if op == E_PAY:
        if verb != V_DO:
            frame.stage = 2
            return 0
        frame.stage = 1
        seat, cost = asked_seat(t, e[1]), e[2]
        if not cost:
            return 0
        here(t, &env)
        read_as(&env, seat)
        if t.rules.code[cost] == COST_COINS:
            return pay_coins(t, seat, amount(t, &env, t.rules.code[cost + 1]), context(t).cause)
        paying = push(t, FR_COST)
        paying.node, paying.a = cost, seat + 1
        return 0
    if op == E_FOR_EACH:
        return round_of(t, frame, token)
    if op == E_RESOLVE:
        pop(t)
        if code != -1:
            push(t, FR_WAR).city = n
        return 0
    if op == E_NAME:
        set_var(t, e[2], VAR_SEAT if e[1] == NAME_SEAT else VAR_NUMBER, n)
    elif code != -1:
        set_var(t, e[1], VAR_CITY, n)
    else:
        set_var(t, e[1], VAR_CITY, NONE)
    pop(t)
    return 0
