"""Abilities from their trigger to their end: the queue, reactions, windows (sections 7.5 and 7.6)."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from cext.state cimport Codes
from gamepacks.omen.engine.costs cimport start_cost
from gamepacks.omen.engine.lasting cimport may_play_in
from gamepacks.omen.engine.looks cimport end_looks
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport before, can_destroy, request
from gamepacks.omen.engine.picks cimport payable, push_cards, push_option, push_places, sort_options
from gamepacks.omen.engine.playing cimport playable
from gamepacks.omen.engine.stack cimport (
    begin, cap_triggers, context, dequeue, enqueue, env_of, front, here, in_steps, pop, push, right_turn, top,
)
from gamepacks.omen.engine.table cimport (
    Ability, Card, city_of, clear, Context, Env, EVERYONE, FR_BLOCK, FR_CURSE, FR_DRAIN, FR_REACT, FR_SPIRIT,
    FR_TRIUMPH, FR_WINDOW, Frame, has, insert, is_prize, Later, Queued, Record, relic_of, Set, side_of, Table,
)
from gamepacks.omen.engine.uses cimport cause_of, mark, unused, usable
from gamepacks.omen.engine.values cimport fits_event, holds
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport emit

# Stages of an ability.
cdef enum:
    STARTING = 0
    ASKING = 1
    MAY = 2
    PAYING = 3
    DOING = 4
    ENDING = 5


# -- one ability ------------------------------------------------------------------------------------------------------


cdef int run_ability(Table t, Frame* frame) except -1:
    """From the reactions to it to its end; the topmost context is its own."""
    cdef Context* ctx = context(t)
    cdef Ability* ability = &t.rules.ability[ctx.ability]
    cdef Env env
    here(t, &env)
    if frame.stage == STARTING:
        frame.stage = ASKING
        if before(t, EV_ABILITY, ctx.controller, ctx.controller, ctx.source, ctx.city, ability.hook, ctx.cause):
            return 0
    if frame.stage == ASKING:
        frame.stage = MAY
        if t.d.verdict:
            frame.stage = ENDING
        else:
            tell_ability(t, ctx, ability)
            if not holds(t, &env, ability.cond) or not payable(t, &env, ability.cost):
                frame.stage = ENDING
        t.d.verdict = 0
    if frame.stage == MAY:
        # Whoever used a card has decided to pay for it already.
        if ability.may or ability.cost and ability.hook != H_USE and ability.hook != H_REACT:
            t.d.ask, t.d.asked = ASK_MAY, ctx.controller
            return 0
        frame.stage = PAYING
    if frame.stage == PAYING:
        frame.stage = DOING
        if ability.cost:
            return start_cost(t, ability.cost)
    if frame.stage == DOING:
        frame.stage = ENDING
        if ability.do:
            push(t, FR_BLOCK).node = ability.do
            return 0
    end_looks(t)
    t.d.contexts -= 1
    pop(t)
    return 0


cdef int tell_ability(Table t, Context* ctx, Ability* ability) except -1:
    # Its card may be in the deck again by now: the context has it.
    cdef int face = t.d.token[ctx.source].card
    t.d.token[ctx.source].card = ctx.card
    emit(t, EV_ABILITY, ctx.controller, ctx.controller, ctx.source, ctx.city, ability.hook, NONE, ability.number,
         ctx.cause, EVERYONE)
    t.d.token[ctx.source].card = face
    return 0


cdef int start_later(Table t) except -1:
    """Carry out the first of what was put off to the end of the turn (OMENX-FX-33)."""
    cdef Later later = t.d.later[0]
    cdef int i, depth = t.d.depth
    for i in range(t.d.laters - 1):
        t.d.later[i] = t.d.later[i + 1]
    t.d.laters -= 1
    if t.d.triggers >= t.rules.trigger_cap:
        return cap_triggers(t)
    t.d.triggers += 1
    begin(t, later.ability, later.source, later.card, later.controller, later.city, later.cause, NULL)
    if t.d.depth > depth:
        # Its ability was told and paid for when it happened.
        top(t).stage = ENDING
        push(t, FR_BLOCK).node = later.node
    return 0


# -- the queue --------------------------------------------------------------------------------------------------------


cdef int run_drain(Table t, Frame* frame) except -1:
    """Resolve what was triggered, first in first out (OMENX-FX-06); then let cards react to what has happened."""
    cdef Frame* react
    cdef int i
    if t.d.queued:
        if front(t) > 1:
            t.d.ask, t.d.asked = ASK_ORDER, t.d.active
            return 0
        return resolve(t, 0)
    if t.d.afters:
        pop(t)
        push(t, FR_DRAIN)
        react = push(t, FR_REACT)
        react.event, react.c = t.d.after[0], 1
        for i in range(t.d.afters - 1):
            t.d.after[i] = t.d.after[i + 1]
        t.d.afters -= 1
        t.d.attended -= 1
        return 0
    if t.d.recheck:
        t.d.recheck = 0
        push(t, FR_TRIUMPH)
        return 0
    pop(t)
    return 0


cdef int resolve(Table t, int place) except -1:
    """Take an entry out of the queue and carry it out (OMENX-LOOP-01)."""
    cdef Queued entry = t.d.queue[place]
    cdef Frame* frame
    dequeue(t, place)
    if t.d.triggers >= t.rules.trigger_cap:
        return cap_triggers(t)
    t.d.triggers += 1
    if entry.trigger == Q_ABILITY:
        return begin(
            t, entry.ability, entry.token, entry.card, entry.controller, entry.city, cause_of(t, entry.card),
            &entry.event,
        )
    frame = push(t, FR_SPIRIT if entry.trigger == Q_SPIRIT else FR_CURSE)
    frame.token, frame.b, frame.seat, frame.city, frame.a, frame.event.card = (
        entry.token, entry.card, entry.controller, entry.city, entry.trigger, entry.card
    )
    return 0


cdef int run_spirit(Table t, Frame* frame) except -1:
    """Its owner chooses one ability (OMEN-SPIR-01), or which of an invoked Spirit's comes first."""
    if frame.stage:
        pop(t)
    else:
        t.d.ask, t.d.asked = ASK_SPIRIT, frame.seat
    return 0


cdef int answer_spirit(Table t, Frame* frame, int which) except -1:
    cdef int token = frame.token, card = frame.b, seat = frame.seat, city = frame.city
    cdef bint both = frame.a == NONE
    cdef int first = t.rules.card[card].first_ability
    frame.stage = 1
    if both:
        # The other one follows.
        begin(t, first + 1 - which, token, card, seat, city, BY_INVOKE, NULL)
    begin(t, first + which, token, card, seat, city, BY_INVOKE if both else BY_ABILITY, NULL)
    return 0


cdef int run_curse(Table t, Frame* frame) except -1:
    """CURSE (OMENT-CURSE-01) and WRATH (OMENT-WRATH-01)."""
    if frame.stage:
        pop(t)
        return 0
    if frame.a == Q_CURSE:
        t.d.ask, t.d.asked = ASK_UNIT, frame.seat
    else:
        t.d.ask, t.d.asked = ASK_CARD, 1 - frame.seat
    return 0


cdef int curse_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1:
    cdef int token, city
    cdef Set cards
    clear(&cards)
    if frame.a == Q_CURSE:
        for city in range(t.rules.cities):
            token = t.d.head[side_of(city, 1 - frame.seat)]
            while token != NONE:
                if can_destroy(t, token):
                    insert(&cards, token)
                token = t.d.token[token].next
        push_places(t, V_UNIT, &cards, out, tokens)
    else:
        token = t.d.head[PILE_HAND + 1 - frame.seat]
        while token != NONE:
            if t.rules.card[t.d.token[token].card].kind == K_UNIT:
                insert(&cards, token)
            token = t.d.token[token].next
        push_cards(t, V_CARD, &cards, out, tokens)
    return sort_options(out, tokens)


cdef int answer_curse(Table t, Frame* frame, int token) except -1:
    cdef int seat = frame.seat
    frame.stage = 1
    if token == NONE:
        return 0
    if frame.a == Q_CURSE:
        return request(t, EV_DESTROY, seat, 1 - seat, token, city_of(t.d.token[token].zone), 0, BY_ABILITY, 0)
    return request(t, EV_DISCARD, seat, 1 - seat, token, NONE, 0, BY_ABILITY, 0)


# -- events -----------------------------------------------------------------------------------------------------------


cdef int attend(Table t) except -1:
    """Queue the automatic abilities that wait for what has just happened; keep what cards may react to."""
    cdef Record event
    cdef int kept
    while t.d.attended < t.d.afters:
        event = t.d.after[t.d.attended]
        if t.rules.auto >> event.type & 1:
            autos(t, &event)
        if t.rules.after >> event.type & 1:
            t.d.attended += 1
        else:
            for kept in range(t.d.attended, t.d.afters - 1):
                t.d.after[kept] = t.d.after[kept + 1]
            t.d.afters -= 1
    return 0


cdef int autos(Table t, const Record* event) except -1:
    cdef int city, seat, token, i
    cdef int[2] zones
    for city in range(t.rules.cities):
        for seat in range(2):
            zones[0], zones[1] = side_of(city, seat), relic_of(city, seat)
            for i in range(2):
                token = t.d.head[zones[i]]
                while token != NONE:
                    auto(t, token, seat, city, event)
                    token = t.d.token[token].next
    return 0


cdef int auto(Table t, int token, int seat, int city, const Record* event) except -1:
    cdef Card* card = &t.rules.card[t.d.token[token].card]
    cdef Ability* ability
    cdef Env env
    cdef int i
    if not card.hooks >> H_AUTO & 1 or t.d.token[token].enraged or card.type == T_BEAST and card.kind == K_UNIT:
        return 0
    for i in range(card.abilities):
        ability = &t.rules.ability[card.first_ability + i]
        if ability.hook != H_AUTO or not ability.event or not in_steps(t, ability.steps):
            continue
        env_of(t, &env, seat, token, event.city if event.city != NONE else city)
        env.event = event
        if not right_turn(t, ability.turn, seat) or not fits_event(t, &env, ability.event, event):
            continue
        if not unused(t, token, ability) or not holds(t, &env, ability.when):
            continue
        mark(t, token, ability)
        enqueue(t, Q_ABILITY, card.first_ability + i, token, t.d.token[token].card, seat, env.city, event)
    return 0


# -- reactions and windows --------------------------------------------------------------------------------------------


cdef int gather(Table t, int seat, int hook, const Record* event, bint before_, Set* out) except -1:
    # The cards of a seat that can be used or react: Heroes, Whims and Relics.
    cdef int token = t.d.head[PILE_HAND + seat], city
    while token != NONE:
        if not is_prize(t.rules.card[t.d.token[token].card].kind):
            if usable(t, seat, token, hook, event, before_) >= 0:
                insert(out, token)
        token = t.d.token[token].next
    for city in range(t.rules.cities):
        token = t.d.head[relic_of(city, seat)]
        while token != NONE:
            if usable(t, seat, token, hook, event, before_) >= 0:
                insert(out, token)
            token = t.d.token[token].next
    return 0


cdef int react_options(Table t, Frame* frame, int seat, Codes out, uint8_t* tokens) except -1:
    """The cards with which a seat may react, or in a window those that it may use or play; nothing for none."""
    cdef Set cards
    cdef int token
    clear(&cards)
    if frame.kind == FR_REACT:
        gather(t, seat, H_REACT, &frame.event, not frame.c, &cards)
        push_cards(t, V_REACT, &cards, out, tokens)
    else:
        if t.d.phase != PH_SURGE or seat != t.d.active:
            gather(t, seat, H_USE, NULL, False, &cards)
            if may_play_in(t, seat) and t.d.actions < t.rules.action_cap:
                token = t.d.head[PILE_HAND + seat]
                while token != NONE:
                    if playable(t, seat, token):
                        insert(&cards, token)
                    token = t.d.token[token].next
        push_cards(t, V_ACT, &cards, out, tokens)
    sort_options(out, tokens)
    if out.size:
        push_option(out, tokens, V_PASS, NONE)
    return 0


cdef int run_react(Table t, Frame* frame) except -1:
    """Ask for reactions, or open a window: the Active player first, then the other, until both decline in a row
    (OMENX-WIN-02). ``a``: who declined in a row; ``m``: who is next (0 the Active player); ``b``: cancelled."""
    cdef Codes out = t.scratch
    cdef uint8_t[MAX_CARDS] tokens
    cdef int seat
    if frame.kind == FR_WINDOW and (t.d.queued or t.d.afters or t.d.recheck):
        push(t, FR_DRAIN)
        return 0
    while frame.a < 2 and not frame.b:
        seat = t.d.active if frame.m == 0 else 1 - t.d.active
        out.size = 0
        react_options(t, frame, seat, out, tokens)
        if out.size:
            t.d.ask, t.d.asked = ASK_REACT if frame.kind == FR_REACT else ASK_ACT, seat
            return 0
        frame.a += 1
        frame.m = 1 - frame.m
    t.d.verdict = frame.b
    pop(t)
    return 0
