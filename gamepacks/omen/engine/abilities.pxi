# Abilities from their trigger to their end (sections 7.5, 7.6 and 10.4).
#
# The stack of frames, the contexts of the abilities being carried out, the queue of triggered abilities, when a card may
# be used or may react, and the windows in which seats may do so.

# == frames and contexts ==============================================================================================


# Frames that one ability can need above its own: blocks and effects, 8 deep (V-15), and what they start.
cdef int FRAMES_PER_ABILITY = 40
# Bits of Data.caps.
cdef int TRIGGERS = 1
cdef int ACTIONS = 2


cdef void no_record(EventRecord* record) noexcept nogil:
    """Set a record to: no event."""
    memset(record, 0, sizeof(EventRecord))
    record.type = record.by = record.who = record.token = record.card = record.city = NONE
    record.source = record.to = NONE
    record.seen = EVERYONE


cdef Frame* push(CoreState s, int kind) except NULL:
    """Push an empty frame and return it."""
    cdef Frame* frame
    if s.d.depth == MAX_FRAMES:
        raise OverflowError("too much is pending at once")
    frame = &s.d.frame[s.d.depth]
    memset(frame, 0, sizeof(Frame))
    frame.kind = kind
    frame.token = frame.city = NONE
    no_record(&frame.event)
    s.d.depth += 1
    return frame


cdef Frame* top(CoreState s) noexcept nogil:
    return &s.d.frame[s.d.depth - 1]


cdef void pop(CoreState s) noexcept nogil:
    s.d.depth -= 1


cdef Context* context(CoreState s) noexcept nogil:
    """The context of the ability that is being carried out."""
    return &s.d.context[s.d.contexts - 1]


cdef void bind_cards(CoreState s, int slot, const TokenSet* cards) noexcept nogil:
    """Bind cards to a variable of the current ability; slot -1 binds nothing."""
    cdef Context* ctx = context(s)
    if slot >= 0:
        ctx.vars[slot].kind, ctx.vars[slot].cards = VAR_CARDS, cards[0]
        unite(&ctx.present, cards)


cdef void ability_env(CoreState s, Env* env) noexcept nogil:
    """Set ``env`` to evaluate expressions of the ability that is being carried out."""
    cdef Context* ctx = context(s)
    env.you, env.city, env.source, env.card = ctx.controller, ctx.city, ctx.source, ctx.card
    env.reader = bit(ctx.controller)
    env.printed, env.context, env.event = False, ctx, &ctx.event


cdef void set_reader(Env* env, int seat) noexcept nogil:
    """Evaluate the expressions for a seat instead of the controller."""
    env.you, env.reader = seat, bit(seat)


cdef void card_env(CoreState s, Env* env, int you, int token, int city) noexcept nogil:
    """Set ``env`` to evaluate expressions of a card whose ability has not started."""
    env.you, env.city, env.source, env.reader = you, city, token, bit(you)
    env.card = s.d.token[token].card if token != NONE else NONE
    env.printed, env.context, env.event = False, NULL, NULL


cdef bint in_steps(CoreState s, int steps) noexcept nogil:
    """Whether the current step is in a mask of steps (0: any step)."""
    return not steps or steps >> s.d.phase & 1


cdef bint right_turn(CoreState s, int turn, int seat) noexcept nogil:
    return turn == TURN_ANY or (turn == TURN_OWN) == (s.d.active == seat)


cdef int ability_of(CoreState s, int card, int hook, int first) noexcept nogil:
    """The next ability of a card with a hook, from its ability ``first`` on; -1 for none."""
    cdef int i
    if not s.config.card[card].hooks >> hook & 1:
        return -1
    for i in range(first, s.config.card[card].abilities):
        if s.config.ability[s.config.card[card].first_ability + i].hook == hook:
            return s.config.card[card].first_ability + i
    return -1


# -- abilities --------------------------------------------------------------------------------------------------------


cdef bint can_begin(CoreState s) noexcept nogil:
    """Whether one more ability can be carried out inside those that are being carried out."""
    return s.d.contexts < MAX_CONTEXTS and s.d.depth < MAX_FRAMES - FRAMES_PER_ABILITY


cdef int begin_ability(
    CoreState s, int ability, int token, int card, int controller, int city, int cause, const EventRecord* event
) except -1:
    """Start an ability on top of the stack. Nested too deep inside others it is dropped."""
    cdef Context* ctx
    if not can_begin(s):
        return cap_triggers(s)
    ctx = &s.d.context[s.d.contexts]
    memset(ctx, 0, sizeof(Context))
    ctx.source, ctx.card, ctx.controller, ctx.city, ctx.cause = token, card, controller, city, cause
    ctx.ability = ability
    ctx.logged = s.d.logged
    if event == NULL:
        no_record(&ctx.event)
    else:
        memcpy(&ctx.event, event, sizeof(EventRecord))
    s.d.contexts += 1
    push(s, FR_ABILITY)
    return 0


cdef int cap_triggers(CoreState s) except -1:
    if not s.d.caps & TRIGGERS:
        s.d.caps |= TRIGGERS
        emit_plain(s, EVENT_TYPE_TRIGGER_CAP_HIT, NONE, NONE, s.d.triggers, CAUSE_RULE)
    return 0


cdef int count_action(CoreState s) except -1:
    """Count a main action, a used card or a reaction (OMENX-LOOP-03)."""
    s.d.actions += 1
    if s.d.actions >= s.config.action_cap and not s.d.caps & ACTIONS:
        s.d.caps |= ACTIONS
        emit_plain(s, EVENT_TYPE_ACTION_CAP_HIT, NONE, NONE, s.d.actions, CAUSE_RULE)
    return 0


# -- the queue --------------------------------------------------------------------------------------------------------


cdef int enqueue(
    CoreState s, int trigger, int ability, int token, int card, int controller, int city, const EventRecord* event
) except -1:
    """Put a triggered ability into the queue (OMENX-FX-06)."""
    cdef QueuedTrigger* queued
    if s.d.queued == MAX_QUEUED:
        return cap_triggers(s)
    queued = &s.d.queue[s.d.queued]
    queued.trigger, queued.ability, queued.token, queued.card = trigger, ability, token, card
    queued.controller, queued.city, queued.moment = controller, city, s.d.moment
    if event == NULL:
        no_record(&queued.event)
    else:
        memcpy(&queued.event, event, sizeof(EventRecord))
    s.d.queued += 1
    return 0


cdef int simultaneous_count(CoreState s) noexcept nogil:
    """Number of abilities at the front of the queue that were triggered at the same moment."""
    cdef int count = 0
    while count < s.d.queued and s.d.queue[count].moment == s.d.queue[0].moment:
        count += 1
    return count


cdef void dequeue(CoreState s, int place) noexcept nogil:
    cdef int i
    for i in range(place, s.d.queued - 1):
        s.d.queue[i] = s.d.queue[i + 1]
    s.d.queued -= 1


# == use and reaction =================================================================================================


cdef int cause_of(CoreState s, int card) noexcept nogil:
    """The cause that the effects of a card have."""
    cdef int kind = s.config.card[card].kind
    if kind == KIND_REWARD:
        return CAUSE_REWARD
    if kind == KIND_KRATER:
        return CAUSE_KRATER
    if kind == KIND_WHIM:
        return CAUSE_WHIM
    if kind == KIND_RELIC:
        return CAUSE_RELIC
    return CAUSE_ABILITY


cdef bint not_used_up(CoreState s, int token, Ability* ability) noexcept nogil:
    if ability.limit == LIMIT_TURN:
        return not s.d.token[token].turn_uses >> (ability.number & 7) & 1
    return ability.limit != LIMIT_GAME or not s.d.token[token].game_uses >> (ability.number & 7) & 1


cdef void mark_used(CoreState s, int token, Ability* ability) noexcept nogil:
    if ability.limit:
        s.d.token[token].turn_uses |= 1 << (ability.number & 7)
        s.d.token[token].game_uses |= 1 << (ability.number & 7)


cdef int next_ability(CoreState s, int hook, int token, int seat, int city, int first) noexcept:
    """The next ability of a card with a hook that may happen now, from its ability ``first`` on; -1 for none."""
    cdef int number = ability_of(s, s.d.token[token].card, hook, first)
    cdef Ability* ability
    cdef Env env
    while number >= 0:
        ability = &s.config.ability[number]
        card_env(s, &env, seat, token, city)
        if not_used_up(s, token, ability) and holds(s, &env, ability.when):
            return number
        number = ability_of(s, s.d.token[token].card, hook, ability.number + 1)
    return -1


cdef int usable(CoreState s, int seat, int token, int hook, const EventRecord* event, bint before_) noexcept:
    """The ability (USE or REACT) by which a seat may use a card now; -1 for none."""
    cdef Card* card = &s.config.card[s.d.token[token].card]
    cdef Ability* ability
    cdef Env env
    cdef int i, zone = s.d.token[token].zone, city = NONE
    if not card.hooks >> hook & 1 or s.d.actions >= s.config.action_cap:
        return -1
    if relic_in_city(zone):
        city = city_of(zone)
    if event != NULL and event.city != NONE:
        city = event.city
    for i in range(card.abilities):
        ability = &s.config.ability[card.first_ability + i]
        if ability.hook != hook or not in_steps(s, ability.steps) or not right_turn(s, ability.turn, seat):
            continue
        if s.d.phase < PHASE_WEALTH or not not_used_up(s, token, ability):
            continue
        card_env(s, &env, seat, token, city)
        env.event = event
        if event != NULL and (ability.before != before_ or not fits_event(s, &env, ability.event, event)):
            continue
        if holds(s, &env, ability.when) and payable(s, &env, ability.cost):
            return card.first_ability + i
    return -1


# == carrying out an ability ==========================================================================================


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
    cdef Ability* ability = &s.config.ability[ctx.ability]
    cdef Env env
    ability_env(s, &env)
    if frame.stage == STARTING:
        frame.stage = ASKING
        if before(s, EVENT_TYPE_ABILITY, ctx.controller, ctx.controller, ctx.source, ctx.city, ability.hook, ctx.cause):
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
        # A used or reacting card was chosen with its cost in view: nothing more is asked.
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


cdef int emit_ability(CoreState s, Context* ctx, Ability* ability) except -1:
    # The token may have another face by now (a card shuffled into the deck); the context keeps the card.
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
        # Event and cost belong to the ability that deferred it.
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
        return resolve(s, 0)
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


cdef int resolve(CoreState s, int place) except -1:
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
    cdef Card* card = &s.config.card[s.d.token[token].card]
    cdef Ability* ability
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
        if not not_used_up(s, token, ability) or not holds(s, &env, ability.when):
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
    """List the cards with which a seat may react, or that it may use or play in a window; no option at all if there are none."""
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
    declined in a row (OMENX-WIN-02). Frame: ``a`` declines in a row, ``m`` who is next (0: the Active player), ``b`` the
    event was cancelled."""
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
