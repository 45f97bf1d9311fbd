# Carrying out an ability; the queue of triggered abilities, reactions and windows.

# Stages of an ability.
cdef enum:
    STARTING = 0
    ASKING = 1
    MAY = 2
    PAYING = 3
    ABILITY_DOING = 4
    ENDING = 5


# -- one ability ------------------------------------------------------------------------------------------------------


cdef int run_ability(CoreState s, Frame* frame) except -1:
    """Continue the ability of the topmost context, from the reactions to it to its end."""
    cdef Context* ctx = context(s)
    cdef CompiledAbility* ability = &s.config.ability[ctx.ability]
    cdef Env env
    ability_env(s, &env)
    if frame.stage == STARTING:
        frame.stage = ASKING
        if offer_reactions(s, EVENT_TYPE_ABILITY, ctx.controller, ctx.controller, ctx.source, ctx.city, ability.hook, ctx.cause):
            return 0
    if frame.stage == ASKING:
        frame.stage = MAY
        if s.d.cancelled:
            frame.stage = ENDING
        else:
            emit_ability(s, ctx, ability)
            if not holds(s, &env, ability.cond) or not payable(s, &env, ability.cost):
                frame.stage = ENDING
        s.d.cancelled = 0
    if frame.stage == MAY:
        # Whoever chose to use a card or to react with it knew its cost, so there is no further decision.
        if ability.may or ability.cost and ability.hook != H_USE and ability.hook != H_REACT:
            s.d.decision, s.d.decider = DECISION_MAY, ctx.controller
            return 0
        frame.stage = PAYING
    if frame.stage == PAYING:
        frame.stage = ABILITY_DOING
        if ability.cost:
            return start_cost(s, ability.cost)
    if frame.stage == ABILITY_DOING:
        frame.stage = ENDING
        if ability.do:
            push(s, FR_BLOCK).node = ability.do
            return 0
    return_looked_at(s)
    s.d.contexts -= 1
    pop(s)
    return 0


cdef int emit_ability(CoreState s, Context* ctx, CompiledAbility* ability) except -1:
    # The token may have another face now, if the card was shuffled into the deck; the context keeps the card.
    cdef int face = s.d.token[ctx.source].card
    s.d.token[ctx.source].card = ctx.card
    emit(s, EVENT_TYPE_ABILITY, ctx.controller, ctx.controller, ctx.source, ctx.city, ability.hook, NONE, ability.number,
         ctx.cause, EVERYONE)
    s.d.token[ctx.source].card = face
    return 0


cdef int start_deferred(CoreState s) except -1:
    """Carry out the first deferred block of the turn (OMENX-FX-33)."""
    cdef Deferred later = s.d.deferred[0]
    cdef int i, depth = s.d.depth
    for i in range(s.d.deferred_count - 1):
        s.d.deferred[i] = s.d.deferred[i + 1]
    s.d.deferred_count -= 1
    if s.d.triggers >= s.config.trigger_cap:
        return cap_triggers(s)
    s.d.triggers += 1
    begin_ability(s, later.ability, later.source, later.card, later.controller, later.city, later.cause, NULL)
    if s.d.depth > depth:
        # The ability that deferred the block has recorded its event and paid its cost.
        top(s).stage = ENDING
        push(s, FR_BLOCK).node = later.node
    return 0


# -- the queue --------------------------------------------------------------------------------------------------------


cdef int run_drain(CoreState s, Frame* frame) except -1:
    """Resolve the queue of triggered abilities, first in first out (OMENX-FX-06), then offer reactions to open events."""
    cdef Frame* react
    cdef int i
    if s.d.queued:
        if simultaneous_count(s) > 1:
            s.d.decision, s.d.decider = DECISION_ORDER, s.d.active
            return 0
        return resolve_queued(s, 0)
    if s.d.open_events:
        pop(s)
        push(s, FR_DRAIN)
        react = push(s, FR_REACT)
        react.event, react.c = s.d.open_event[0], 1
        for i in range(s.d.open_events - 1):
            s.d.open_event[i] = s.d.open_event[i + 1]
        s.d.open_events -= 1
        s.d.open_events_seen -= 1
        return 0
    if s.d.check_triumph:
        s.d.check_triumph = 0
        push(s, FR_TRIUMPH)
        return 0
    pop(s)
    return 0


cdef int resolve_queued(CoreState s, int place) except -1:
    """Remove an entry from the queue and carry it out (OMENX-LOOP-01)."""
    cdef QueuedTrigger entry = s.d.queue[place]
    cdef Frame* frame
    dequeue(s, place)
    if s.d.triggers >= s.config.trigger_cap:
        return cap_triggers(s)
    s.d.triggers += 1
    if entry.trigger == Q_ABILITY:
        return begin_ability(
            s, entry.ability, entry.token, entry.card, entry.controller, entry.city, cause_of(s, entry.card),
            &entry.event,
        )
    frame = push(s, FR_SPIRIT if entry.trigger == Q_SPIRIT else FR_CURSE)
    frame.token, frame.b, frame.seat, frame.city, frame.a, frame.event.card = (
        entry.token, entry.card, entry.controller, entry.city, entry.trigger, entry.card
    )
    return 0


cdef int run_spirit(CoreState s, Frame* frame) except -1:
    """Ask the owner for one of the two abilities (OMEN-SPIR-01), or which of them comes first if it was invoked."""
    if frame.stage:
        pop(s)
    else:
        s.d.decision, s.d.decider = DECISION_SPIRIT, frame.seat
    return 0


cdef int apply_spirit(CoreState s, Frame* frame, int which) except -1:
    cdef int token = frame.token, card = frame.b, seat = frame.seat, city = frame.city
    cdef bint both = frame.a == NONE
    cdef int first = s.config.card[card].first_ability
    frame.stage = 1
    if both:
        # The other one follows.
        begin_ability(s, first + 1 - which, token, card, seat, city, CAUSE_INVOKE, NULL)
    begin_ability(s, first + which, token, card, seat, city, CAUSE_INVOKE if both else CAUSE_ABILITY, NULL)
    return 0


cdef int run_curse(CoreState s, Frame* frame) except -1:
    """Carry out CURSE (OMENT-CURSE-01) or WRATH (OMENT-WRATH-01)."""
    if frame.stage:
        pop(s)
        return 0
    if frame.a == Q_CURSE:
        s.d.decision, s.d.decider = DECISION_UNIT, frame.seat
    else:
        s.d.decision, s.d.decider = DECISION_CARD, 1 - frame.seat
    return 0


cdef int curse_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1:
    cdef int token, city
    cdef TokenSet cards
    clear(&cards)
    if frame.a == Q_CURSE:
        for city in range(s.config.cities):
            token = s.d.head[side_of(city, 1 - frame.seat)]
            while token != NONE:
                if can_destroy(s, token):
                    insert(&cards, token)
                token = s.d.token[token].next
        push_places(s, V_UNIT, &cards, out, tokens)
    else:
        token = s.d.head[PILE_HAND + 1 - frame.seat]
        while token != NONE:
            if s.config.card[s.d.token[token].card].kind == KIND_UNIT:
                insert(&cards, token)
            token = s.d.token[token].next
        push_cards(s, V_CARD, &cards, out, tokens)
    return sort_options(out, tokens)


cdef int apply_curse(CoreState s, Frame* frame, int token) except -1:
    cdef int seat = frame.seat
    frame.stage = 1
    if token == NONE:
        return 0
    if frame.a == Q_CURSE:
        return request(s, EVENT_TYPE_DESTROY, seat, 1 - seat, token, city_of(s.d.token[token].zone), 0, CAUSE_ABILITY, 0)
    return request(s, EVENT_TYPE_DISCARD, seat, 1 - seat, token, NONE, 0, CAUSE_ABILITY, 0)


# -- events -----------------------------------------------------------------------------------------------------------


cdef int queue_auto_abilities(CoreState s) except -1:
    """Queue the automatic abilities that the newest events trigger; keep the events to which cards may react."""
    cdef EventRecord event
    cdef int kept
    while s.d.open_events_seen < s.d.open_events:
        event = s.d.open_event[s.d.open_events_seen]
        if s.config.auto_events >> event.type & 1:
            queue_autos(s, &event)
        if s.config.react_after >> event.type & 1:
            s.d.open_events_seen += 1
        else:
            for kept in range(s.d.open_events_seen, s.d.open_events - 1):
                s.d.open_event[kept] = s.d.open_event[kept + 1]
            s.d.open_events -= 1
    return 0


cdef int queue_autos(CoreState s, const EventRecord* event) except -1:
    cdef int city, seat, token, i
    cdef int[2] zones
    for city in range(s.config.cities):
        for seat in range(2):
            zones[0], zones[1] = side_of(city, seat), relic_of(city, seat)
            for i in range(2):
                token = s.d.head[zones[i]]
                while token != NONE:
                    queue_auto(s, token, seat, city, event)
                    token = s.d.token[token].next
    return 0


cdef int queue_auto(CoreState s, int token, int seat, int city, const EventRecord* event) except -1:
    cdef CompiledCard* card = &s.config.card[s.d.token[token].card]
    cdef CompiledAbility* ability
    cdef Env env
    cdef int i
    if not card.hooks >> H_AUTO & 1 or s.d.token[token].enraged or card.type == UNIT_TYPE_BEAST and card.kind == KIND_UNIT:
        return 0
    for i in range(card.abilities):
        ability = &s.config.ability[card.first_ability + i]
        if ability.hook != H_AUTO or not ability.event or not in_steps(s, ability.steps):
            continue
        card_env(s, &env, seat, token, event.city if event.city != NONE else city)
        env.event = event
        if not right_turn(s, ability.turn, seat) or not fits_event(s, &env, ability.event, event):
            continue
        if not has_uses_left(s, token, ability) or not holds(s, &env, ability.when):
            continue
        mark_used(s, token, ability)
        enqueue(s, Q_ABILITY, card.first_ability + i, token, s.d.token[token].card, seat, env.city, event)
    return 0


# -- reactions and windows --------------------------------------------------------------------------------------------


cdef int usable_cards(CoreState s, int seat, int hook, const EventRecord* event, bint before_, TokenSet* out) except -1:
    # Collect the cards of a seat that can be used or can react: Heroes, Whims and Relics.
    cdef int token = s.d.head[PILE_HAND + seat], city
    while token != NONE:
        if not is_prize(s.config.card[s.d.token[token].card].kind):
            if usable(s, seat, token, hook, event, before_) >= 0:
                insert(out, token)
        token = s.d.token[token].next
    for city in range(s.config.cities):
        token = s.d.head[relic_of(city, seat)]
        while token != NONE:
            if usable(s, seat, token, hook, event, before_) >= 0:
                insert(out, token)
            token = s.d.token[token].next
    return 0


cdef int react_options(CoreState s, Frame* frame, int seat, Codes out, uint8_t* tokens) except -1:
    """List the cards with which a seat may react, or that it may use or play in a window; without any, the list is empty."""
    cdef TokenSet cards
    cdef int token
    clear(&cards)
    if frame.kind == FR_REACT:
        usable_cards(s, seat, H_REACT, &frame.event, not frame.c, &cards)
        push_cards(s, V_REACT, &cards, out, tokens)
    else:
        if s.d.phase != PHASE_SURGE or seat != s.d.active:
            usable_cards(s, seat, H_USE, NULL, False, &cards)
            if may_play_in(s, seat) and s.d.actions < s.config.action_cap:
                token = s.d.head[PILE_HAND + seat]
                while token != NONE:
                    if playable(s, seat, token):
                        insert(&cards, token)
                    token = s.d.token[token].next
        push_cards(s, V_ACT, &cards, out, tokens)
    sort_options(out, tokens)
    if out.size:
        push_option(out, tokens, V_PASS, NONE)
    return 0


cdef int run_react(CoreState s, Frame* frame) except -1:
    """Ask for reactions, or for cards to use in a window: the Active player first, then the other, until both have
    declined in a row (OMENX-WIN-02).

    In the frame, ``a`` counts the declines in a row, ``m`` says who is next (0: the Active player), and ``b`` whether the
    event was cancelled.
    """
    cdef Codes out = s.scratch
    cdef uint8_t[MAX_CARDS] tokens
    cdef int seat
    if frame.kind == FR_WINDOW and (s.d.queued or s.d.open_events or s.d.check_triumph):
        push(s, FR_DRAIN)
        return 0
    while frame.a < 2 and not frame.b:
        seat = s.d.active if frame.m == 0 else 1 - s.d.active
        out.size = 0
        react_options(s, frame, seat, out, tokens)
        if out.size:
            s.d.decision, s.d.decider = DECISION_REACT if frame.kind == FR_REACT else DECISION_ACT, seat
            return 0
        frame.a += 1
        frame.m = 1 - frame.m
    s.d.cancelled = frame.b
    pop(s)
    return 0
