# Operations of the rules on cards and coins, each with the abilities that it triggers (section 7.2).
#
# An operation to which a card may react beforehand waits in a frame until the reactions are over. Drawing Units, taking
# prizes and looking at the top of a pile are here too.

# From where a Unit enters a side: Frame.m of an EVENT_TYPE_ENTER operation.
cdef enum:
    FROM_PLAY = 0
    FROM_DEPLOY = 1
    FROM_PLAYED_DEPLOY = 2
    FROM_MOVE = 3
    FROM_SIDE = 4


cdef int offer_reactions(CoreState s, int type, int by, int who, int token, int city, int n, int cause) except -1:
    """Offer reactions to an event that is about to happen; returns 1 if a frame was pushed. ``cancelled`` is its result."""
    cdef Frame* frame
    s.d.cancelled = 0
    if not s.config.react_before >> type & 1:
        return 0
    frame = push(s, FR_REACT)
    frame.event.type, frame.event.by, frame.event.who, frame.event.token = type, by, who, token
    frame.event.card = s.d.token[token].card if token != NONE else NONE
    frame.event.enraged = s.d.token[token].enraged if token != NONE else 0
    frame.event.city, frame.event.n, frame.event.cause = city, n, cause
    return 1


cdef int request(CoreState s, int type, int by, int who, int token, int city, int n, int cause, int extra) except -1:
    """Perform an operation now, or after the reactions to it."""
    cdef Frame op
    cdef Frame* frame = &op
    cdef bint waits = s.config.react_before >> type & 1
    if waits:
        frame = push(s, FR_OP)
    frame.stage = 0
    frame.a, frame.b, frame.c, frame.seat, frame.token, frame.city = type, cause, by, who, token, city
    frame.n, frame.m = n, extra
    if not waits:
        perform(s, frame)
    return 0


cdef int run_op(CoreState s, Frame* frame) except -1:
    """Continue an operation: offer reactions, then perform it unless it was cancelled."""
    cdef Frame op
    if frame.stage == 0:
        frame.stage = 1
        if offer_reactions(s, frame.a, frame.c, frame.seat, frame.token, frame.city, frame.n, frame.b):
            return 0
    op = frame[0]
    pop(s)
    if not s.d.cancelled:
        perform(s, &op)
    elif op.a == EVENT_TYPE_ENTER and (op.m == FROM_PLAY or op.m == FROM_PLAYED_DEPLOY):
        # OMENX-FX-18
        perform_discard(s, &op)
    s.d.cancelled = 0
    return 0


cdef int perform(CoreState s, Frame* op) except -1:
    if op.a == EVENT_TYPE_DISCARD:
        perform_discard(s, op)
    elif op.a == EVENT_TYPE_DESTROY:
        perform_destroy(s, op)
    elif op.a == EVENT_TYPE_RETURN_HAND:
        perform_return(s, op)
    elif op.a == EVENT_TYPE_ENTER:
        perform_enter(s, op)
    elif op.a == EVENT_TYPE_ENRAGE:
        perform_enrage(s, op)
    elif op.a == EVENT_TYPE_LOSE_COINS:
        if op.n > s.d.coins[op.seat]:
            op.n = s.d.coins[op.seat]
        s.d.coins[op.seat] -= op.n
        if s.d.supply != NO_LIMIT:
            s.d.supply += op.n
        emit_plain(s, EVENT_TYPE_LOSE_COINS, op.c, op.seat, op.n, op.b)
    else:
        if op.n > s.d.coins[op.seat]:
            op.n = s.d.coins[op.seat]
        s.d.coins[op.seat] -= op.n
        s.d.coins[1 - op.seat] += op.n
        emit_plain(s, EVENT_TYPE_TAKE_COINS, op.c, op.seat, op.n, op.b)
    return 0


# -- cards leaving hands and Cities -----------------------------------------------------------------------------------


cdef int enqueue_hook(CoreState s, int hook, int token, int card, int controller, int city, const EventRecord* event) except -1:
    # Queue all abilities of a card with a hook that wait for an event.
    cdef int number, first = 0
    cdef CompiledAbility* ability
    cdef Env env
    while True:
        number = ability_of(s, card, hook, first)
        if number < 0:
            return 0
        ability = &s.config.ability[number]
        first = ability.number + 1
        card_env(s, &env, controller, token, city)
        env.card, env.event = card, event
        if not has_uses_left(s, token, ability) or not right_turn(s, ability.turn, controller):
            continue
        if ability.when and not holds(s, &env, ability.when):
            continue
        if ability.event and (event == NULL or not fits_event(s, &env, ability.event, event)):
            continue
        mark_used(s, token, ability)
        enqueue(s, Q_ABILITY, number, token, card, controller, city, event)


cdef void fill_record(CoreState s, EventRecord* record, int type, int by, int who, int token, int city, int cause) noexcept:
    record.type, record.by, record.who, record.token, record.city, record.cause = type, by, who, token, city, cause
    record.card, record.enraged, record.n = s.d.token[token].card, s.d.token[token].enraged, 0
    record.source = record.to = NONE
    record.seen = EVERYONE


cdef int perform_discard(CoreState s, Frame* op) except -1:
    # A card goes from a hand, or from where it is being carried out, to the discard pile (OMENX-FX-14).
    cdef EventRecord event
    cdef int token = op.token, card = s.d.token[token].card
    if not in_hand(s.d.token[token].zone) and s.d.token[token].zone != PILE_RESOLVING:
        return 0
    open_move(s, token, PILE_DISCARD + pile_for(s, token))
    emit(s, EVENT_TYPE_DISCARD, op.c, op.seat, token, NONE, ZONE_HAND, ZONE_DISCARD, 0, op.b, EVERYONE)
    fill_record(s, &event, EVENT_TYPE_DISCARD, op.c, op.seat, token, NONE, op.b)
    enqueue_hook(s, H_DISCARDED, token, card, op.seat, NONE, &event)
    if s.config.card[card].traits >> TRAIT_WRATH & 1 and op.seat == s.d.active:
        # OMENT-WRATH-01
        enqueue(s, Q_WRATH, -1, token, card, op.seat, NONE, NULL)
    if op.b == CAUSE_OFFERING:
        # Queued abilities wait for the benefits (OMENT-OFFER-02).
        if s.config.card[card].traits >> TRAIT_CURSE & 1:
            enqueue(s, Q_CURSE, -1, token, card, op.seat, NONE, NULL)
        enqueue_hook(s, H_OFFERED, token, card, op.seat, NONE, &event)
    reshuffle(s)
    return 0


cdef bint can_destroy(CoreState s, int token) noexcept:
    return not forbidden(s, W_DESTROY, NONE, token)


cdef int perform_destroy(CoreState s, Frame* op) except -1:
    cdef EventRecord event
    cdef int token = op.token, zone = s.d.token[token].zone, card = s.d.token[token].card, seat
    if not in_city(zone):
        return 0
    seat = seat_of_side(zone)
    if s.d.phase == PHASE_WAR and s.config.card[card].traits >> TRAIT_VETERAN & 1:
        # OMENT-VETERAN-01
        open_move(s, token, PILE_HAND + seat)
        emit(s, EVENT_TYPE_RETURN_HAND, op.c, seat, token, city_of(zone), ZONE_CITY, ZONE_HAND, 0, op.b, EVERYONE)
        return 0
    fill_record(s, &event, EVENT_TYPE_DESTROY, op.c, seat, token, city_of(zone), op.b)
    open_move(s, token, PILE_DISCARD + pile_for(s, token))
    s.d.token[token].enraged = event.enraged
    emit(s, EVENT_TYPE_DESTROY, op.c, seat, token, city_of(zone), ZONE_CITY, ZONE_DISCARD, 0, op.b, EVERYONE)
    s.d.token[token].enraged = 0
    if not event.enraged:
        enqueue_hook(s, H_DESTROYED, token, card, seat, city_of(zone), &event)
    reshuffle(s)
    return 0


cdef int perform_return(CoreState s, Frame* op) except -1:
    # A Unit goes from a City to a hand, or on or under the deck (op.m is a Zone, op.seat the receiver).
    cdef int token = op.token, zone = s.d.token[token].zone, deck
    if not in_city(zone):
        return 0
    if op.m == ZONE_HAND:
        open_move(s, token, PILE_HAND + op.seat)
        emit(s, EVENT_TYPE_RETURN_HAND, op.c, op.seat, token, city_of(zone), ZONE_CITY, ZONE_HAND, 0, op.b, EVERYONE)
    else:
        deck = pile_for(s, token)
        open_move(s, token, PILE_BOTTOM + deck if op.m == ZONE_DECK_BOTTOM else PILE_TOP + deck)
        if op.m == ZONE_DECK_TOP:
            take(s, token)
            put_first(s, token, PILE_TOP + deck)
        emit(s, EVENT_TYPE_TO_DECK, op.c, op.seat, token, city_of(zone), ZONE_CITY, op.m, 0, op.b, EVERYONE)
    return 0


cdef int destroy_units(CoreState s, const TokenSet* cards, int by, int cause) except -1:
    """Destroy Units in Cities together (OMEN-WAR-15)."""
    cdef int city, seat, token, next_
    for city in range(s.config.cities):
        for seat in range(2):
            token = s.d.head[side_of(city, seat)]
            while token != NONE:
                next_ = s.d.token[token].next
                if has(cards, token):
                    request(s, EVENT_TYPE_DESTROY, by, seat, token, city, 0, cause, 0)
                token = next_
    return 0


cdef int run_raze(CoreState s, Frame* frame) except -1:
    """Raze a City without Kraters: destroy all Units there and close it (OMENT-RAZE-01)."""
    cdef TokenSet cards
    cdef int city = frame.city, seat, token
    if frame.stage == 0:
        frame.stage = 1
        s.d.razed |= 1 << city
        emit(s, EVENT_TYPE_CITY_RAZED, s.d.active, NONE, NONE, city, NONE, NONE, 0, CAUSE_RAZE, EVERYONE)
        clear(&cards)
        for seat in range(2):
            token = s.d.head[side_of(city, seat)]
            while token != NONE:
                insert(&cards, token)
                token = s.d.token[token].next
        destroy_units(s, &cards, s.d.active, CAUSE_RAZE)
        return 0
    pop(s)
    return 0


# -- cards entering Cities --------------------------------------------------------------------------------------------


cdef bint can_enter(CoreState s, int token, int seat, int city, int leaving) noexcept:
    """Whether a Unit may enter a side of a City. ``leaving``: a Unit that leaves it at the same time, or NONE."""
    cdef int weight, there
    if city >= s.config.cities or s.d.razed >> city & 1:
        return False
    if forbidden(s, W_ENTER, seat, token) or entry_forbidden(s, city, seat):
        return False
    there = units_on(s, city, seat)
    if leaving != NONE and s.d.token[leaving].zone == side_of(city, seat):
        there -= weight_of(s, leaving)
    if s.d.token[token].zone == side_of(city, seat):
        return False
    weight = weight_of(s, token)
    return there + weight <= limit_on(s, city, seat)


cdef int perform_enter(CoreState s, Frame* op) except -1:
    cdef int token = op.token, seat = op.seat, city = op.city, zone = s.d.token[token].zone, how = op.m, source
    if not can_enter(s, token, seat, city, NONE):
        if how == FROM_PLAY or how == FROM_PLAYED_DEPLOY:
            perform_discard(s, op)
        return 0
    source = city_of(zone) if in_city(zone) else NONE
    open_move(s, token, side_of(city, seat))
    if how == FROM_MOVE:
        emit(s, EVENT_TYPE_MOVE, op.c, seat, token, city, source, city, 0, op.b, EVERYONE)
    elif how == FROM_SIDE:
        emit(s, EVENT_TYPE_CHANGE_SIDE, op.c, seat, token, city, 1 - seat, seat, 0, op.b, EVERYONE)
    elif how != FROM_PLAY:
        emit(s, EVENT_TYPE_DEPLOY, op.c, seat, token, city, NONE, city, 0, op.b, EVERYONE)
    if how == FROM_PLAYED_DEPLOY:
        emit(s, EVENT_TYPE_PLAY, op.c, seat, token, city, ZONE_HAND, ZONE_CITY, 0, op.b, EVERYONE)
    emit(s, EVENT_TYPE_ENTER, op.c, seat, token, city, NONE, city, 0, op.b, EVERYONE)
    queue_entry_triggers(s, token, seat, city, how == FROM_PLAY or how == FROM_PLAYED_DEPLOY)
    reshuffle(s)
    return 0


cdef int queue_entry_triggers(CoreState s, int token, int seat, int city, bint played) except -1:
    # Queue the triggers of the entry of a Unit (OMEN-SOLD-01, OMEN-SPIR-01, OMENT-BOLSTER-01).
    cdef int card = s.d.token[token].card, type = type_of(s, token)
    cdef EventRecord event
    if not s.config.card[card].hooks >> H_ENTER & 1 or s.d.token[token].enraged:
        return 0
    if s.config.omega:
        if type != UNIT_TYPE_SOLDIER and type != UNIT_TYPE_SPIRIT or not s.config.enter_opposing and s.d.active != seat:
            return 0
        if type == UNIT_TYPE_SPIRIT and s.config.card[card].type == UNIT_TYPE_SPIRIT:
            if played or not s.config.spirit_played:
                enqueue(s, Q_SPIRIT, -1, token, card, seat, city, NULL)
            return 0
    elif s.d.phase != PHASE_SURGE or s.d.active != seat:
        # OMENT-BOLSTER-02
        return 0
    fill_record(s, &event, EVENT_TYPE_ENTER, seat, seat, token, city, CAUSE_ABILITY)
    enqueue_hook(s, H_ENTER, token, card, seat, city, &event)
    return 0


cdef bint can_enrage(CoreState s, int token) noexcept:
    """Whether a Unit can become Enraged (OMEN-ENRAGE-01, -04, -08, -09)."""
    cdef int zone = s.d.token[token].zone, type = type_of(s, token), seat, city
    if not in_city(zone) or type == UNIT_TYPE_BEAST or type == UNIT_TYPE_SPIRIT or not s.config.omega:
        return False
    if s.config.card[s.d.token[token].card].type == UNIT_TYPE_SPIRIT or forbidden(s, W_ENRAGE, NONE, token):
        return False
    seat, city = seat_of_side(zone), city_of(zone)
    return units_on(s, city, seat) - weight_of(s, token) + 2 <= limit_on(s, city, seat)


cdef int perform_enrage(CoreState s, Frame* op) except -1:
    cdef int zone = s.d.token[op.token].zone
    if not can_enrage(s, op.token):
        return 0
    s.d.token[op.token].enraged = 1
    s.d.war_blocked &= ~(1 << city_of(zone))
    emit(s, EVENT_TYPE_ENRAGE, op.c, seat_of_side(zone), op.token, city_of(zone), NONE, NONE, 0, op.b, EVERYONE)
    return 0


# -- coins ------------------------------------------------------------------------------------------------------------


cdef int gain_coins(CoreState s, int by, int who, int n, int cause) except -1:
    """Give a seat coins, as far as the supply has them (OMENX-FX-09)."""
    if forbidden(s, W_COINS, who, NONE):
        return 0
    if s.d.supply != NO_LIMIT and n > s.d.supply:
        n = s.d.supply
    if n > MAX_VALUE - s.d.coins[who]:
        n = MAX_VALUE - s.d.coins[who]
    if n <= 0:
        return 0
    s.d.coins[who] += n
    if s.d.supply != NO_LIMIT:
        s.d.supply -= n
    emit_plain(s, EVENT_TYPE_GAIN_COINS, by, who, n, cause)
    return 0


cdef int pay_coins(CoreState s, int who, int n, int cause) except -1:
    """Pay coins that the seat has. A cost below 0 is 0 (OMENX-FX-11)."""
    if n <= 0:
        return 0
    s.d.coins[who] -= n
    if s.d.supply != NO_LIMIT:
        s.d.supply += n
    emit_plain(s, EVENT_TYPE_PAY, who, who, n, cause)
    return 0


# == drawing and prizes ===============================================================================================


cdef int start_draws(CoreState s, int seat, int n, bint optional, int cause) except -1:
    """Let a seat draw n Units, one by one; ``optional``: it is asked before each (OMENX-FX-12)."""
    cdef Frame* frame
    if n <= 0:
        return 0
    frame = push(s, FR_DRAW)
    frame.seat, frame.n, frame.a, frame.b = seat, n, optional, cause
    return 0


cdef int run_draws(CoreState s, Frame* frame) except -1:
    cdef int seat = frame.seat, deck = deck_of(s, seat)
    if frame.n <= 0 or not deck_size(s, deck) and not s.d.size[PILE_DISCARD + deck] or forbidden(s, W_DRAW, seat, NONE):
        pop(s)
        return 0
    if frame.a and frame.stage == 0:
        s.d.decision, s.d.decider = DECISION_MAY, seat
        return 0
    if not deck_size(s, deck):
        # The whole deck is set aside: draw from the discard pile.
        reshuffle_for_draw(s, deck)
    if s.d.size[PILE_TOP + deck]:
        take_drawn(s, s.d.head[PILE_TOP + deck])
    elif s.d.size[PILE_DECK + deck]:
        s.d.decision, s.d.decider = DECISION_CHANCE_UNIT, -1
    else:
        take_drawn(s, s.d.head[PILE_BOTTOM + deck])
    return 0


cdef int reshuffle_for_draw(CoreState s, int deck) except -1:
    cdef int size = s.d.size[PILE_DISCARD + deck]
    shuffle_in(s, deck, PILE_DISCARD + deck)
    emit(s, EVENT_TYPE_RESHUFFLE, NONE, deck if s.d.drafted else NONE, NONE, NONE, NONE, NONE, size, CAUSE_RULE, 0)
    return 0


cdef int apply_draw(CoreState s, int card) except -1:
    """Apply the outcome of a draw."""
    return take_drawn(s, find_card(s, PILE_DECK + deck_of(s, top(s).seat), card))


cdef int take_drawn(CoreState s, int token) except -1:
    cdef Frame* frame = top(s)
    cdef int seat = frame.seat
    frame.n -= 1
    frame.stage = 0
    take(s, token)
    show(s, token, bit(seat))
    put_last(s, token, PILE_HAND + seat)
    emit(s, EVENT_TYPE_DRAW, seat, seat, token, NONE, ZONE_DECK, ZONE_HAND, 1, frame.b, s.d.token[token].known)
    reshuffle(s)
    return 0


cdef int start_prize(CoreState s, int city, int seat, int cause) except -1:
    """Let a seat take the top prize of a City, unseen by the other player (OMEN-WAR-10, OMENT-WAR-05)."""
    cdef Frame* frame
    if not s.d.left[city]:
        return 0
    frame = push(s, FR_PRIZE)
    frame.city, frame.seat, frame.b = city, seat, cause
    return 0


cdef int run_prize(CoreState s, Frame* frame) except -1:
    if frame.stage:
        pop(s)
    elif s.d.size[PILE_PRIZES + frame.city]:
        take_prize(s, s.d.head[PILE_PRIZES + frame.city])
    else:
        s.d.decision, s.d.decider = DECISION_CHANCE_PRIZE, -1
    return 0


cdef int apply_prize(CoreState s, int card) except -1:
    """Apply the outcome of a prize that is taken or looked at."""
    cdef Frame* frame = top(s)
    cdef int token = find_card(s, PILE_PRIZE_POOL, card)
    if frame.kind == FR_PRIZE:
        return take_prize(s, token)
    # A look at the prizes of a City (FR_PEEK).
    take(s, token)
    show(s, token, frame.b)
    put_last(s, token, PILE_PRIZES + frame.city)
    return 0


cdef int take_prize(CoreState s, int token) except -1:
    cdef Frame* frame = top(s)
    cdef int seat = frame.seat, city = frame.city, cause = frame.b
    pop(s)
    take(s, token)
    show(s, token, bit(seat))
    put_last(s, token, PILE_HAND + seat)
    s.d.token[token].fresh = 1
    s.d.left[city] -= 1
    emit(s, EVENT_TYPE_PRIZE_TAKEN, seat, seat, token, city, ZONE_PRIZE, ZONE_HAND, 0, cause, s.d.token[token].known)
    if not s.d.left[city]:
        emit(s, EVENT_TYPE_CITY_DEPLETED, seat, NONE, NONE, city, NONE, NONE, 0, cause, EVERYONE)
        if not s.config.omega and cause != CAUSE_WAR:
            push(s, FR_RAZE).city = city
    return 0


cdef int start_peek(CoreState s, int deck, int n, int seen_by) except -1:
    """Determine the first n cards of a deck, and show them to some viewers (possibly none)."""
    cdef Frame* frame = push(s, FR_PEEK)
    frame.a, frame.n, frame.b = deck, n, seen_by
    return 0


cdef int run_peek(CoreState s, Frame* frame) except -1:
    """Continue to determine the first cards of a deck, or of the prizes of a City (``city``)."""
    cdef int deck = frame.a, token, i
    if frame.city != NONE:
        if frame.n > s.d.left[frame.city]:
            frame.n = s.d.left[frame.city]
        if s.d.size[PILE_PRIZES + frame.city] < frame.n:
            s.d.decision, s.d.decider = DECISION_CHANCE_PRIZE, -1
            return 0
        token = s.d.head[PILE_PRIZES + frame.city]
    else:
        if s.d.size[PILE_TOP + deck] < frame.n:
            if s.d.size[PILE_DECK + deck]:
                s.d.decision, s.d.decider = DECISION_CHANCE_UNIT, -1
                return 0
            while s.d.size[PILE_TOP + deck] < frame.n and s.d.size[PILE_BOTTOM + deck]:
                token = s.d.head[PILE_BOTTOM + deck]
                take(s, token)
                put_last(s, token, PILE_TOP + deck)
        token = s.d.head[PILE_TOP + deck]
    for i in range(frame.n):
        if token == NONE:
            break
        show(s, token, frame.b)
        token = s.d.token[token].next
    pop(s)
    return 0


cdef int apply_peek(CoreState s, int card) except -1:
    """Apply the outcome of the next card of a deck."""
    cdef Frame* frame = top(s)
    cdef int token = find_card(s, PILE_DECK + frame.a, card)
    take(s, token)
    put_last(s, token, PILE_TOP + frame.a)
    show(s, token, frame.b)
    return 0
