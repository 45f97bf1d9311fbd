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
    """Set a record to that of no event."""
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
    """Set ``env`` to evaluate expressions for a seat instead of the controller."""
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
    """Start an ability on top of the stack; it is ignored if it is nested too deep inside others."""
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
    """Record, once a turn, that the cap of triggered abilities is reached (OMENX-LOOP-01)."""
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


cdef bint has_uses_left(CoreState s, int token, CompiledAbility* ability) noexcept nogil:
    if ability.limit == LIMIT_TURN:
        return not s.d.token[token].turn_uses >> (ability.number & 7) & 1
    return ability.limit != LIMIT_GAME or not s.d.token[token].game_uses >> (ability.number & 7) & 1


cdef void mark_used(CoreState s, int token, CompiledAbility* ability) noexcept nogil:
    if ability.limit:
        s.d.token[token].turn_uses |= 1 << (ability.number & 7)
        s.d.token[token].game_uses |= 1 << (ability.number & 7)


cdef int next_ability(CoreState s, int hook, int token, int seat, int city, int first) noexcept:
    """The next ability of a card with a hook that may happen now, from its ability ``first`` on; -1 for none."""
    cdef int number = ability_of(s, s.d.token[token].card, hook, first)
    cdef CompiledAbility* ability
    cdef Env env
    while number >= 0:
        ability = &s.config.ability[number]
        card_env(s, &env, seat, token, city)
        if has_uses_left(s, token, ability) and holds(s, &env, ability.when):
            return number
        number = ability_of(s, s.d.token[token].card, hook, ability.number + 1)
    return -1


cdef int usable(CoreState s, int seat, int token, int hook, const EventRecord* event, bint before_) noexcept:
    """The ability (USE or REACT) by which a seat may use a card now; -1 for none."""
    cdef CompiledCard* card = &s.config.card[s.d.token[token].card]
    cdef CompiledAbility* ability
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
        if s.d.phase < PHASE_WEALTH or not has_uses_left(s, token, ability):
            continue
        card_env(s, &env, seat, token, city)
        env.event = event
        if event != NULL and (ability.before != before_ or not fits_event(s, &env, ability.event, event)):
            continue
        if holds(s, &env, ability.when) and payable(s, &env, ability.cost):
            return card.first_ability + i
    return -1
