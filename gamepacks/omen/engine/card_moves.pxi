# Effects that look at, reveal or put cards, and those that bring cards to Cities (section 10.9).

cdef void record_trace(
    CoreState s, int type, int by, int who, int token, int city, int source, int to, int n, int cause, int seen, extra
):
    """Append an event with extra data to the trace."""
    if s.trace is not None:
        s.trace.append((
            type, by, who, s.d.token[token].card if token != NONE else NONE, city, source, to, n, cause, seen, extra,
        ))


cdef int run_look(CoreState s, Frame* frame) except -1:
    """Look at the top of a deck, a hand or the prizes of a City."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Context* ctx = context(s)
    cdef Env env
    cdef TokenSet cards
    cdef Frame* peek
    cdef int side, token, n, i, city, deck, zone
    ability_env(s, &env)
    side = seat_of(s, &env, e[2])
    side = env.you if side >= 2 else side
    n = amount(s, &env, e[4]) if e[4] else (MAX_CARDS if e[1] == ZONE_HAND else 1)
    n = 0 if n < 0 else MAX_CARDS if n > MAX_CARDS else n
    clear(&cards)
    if e[1] == ZONE_HAND:
        # A part of a hand is chosen at random.
        if frame.stage == 0:
            frame.stage, frame.n, frame.seat = 1, n, side
            clear(&frame.set)
        if count_unpicked(s, frame) > frame.n and frame.n > 0:
            s.d.decision, s.d.decider = DECISION_CHANCE_HAND, -1
            return 0
        token = s.d.head[PILE_HAND + side]
        while token != NONE:
            if frame.n > 0 and s.config.card[s.d.token[token].card].kind == KIND_UNIT:
                insert(&frame.set, token)
            token = s.d.token[token].next
        cards = frame.set
        zone = PILE_HAND + side
    elif e[1] == ZONE_PRIZE:
        city = city_ref(s, &env, e[3])
        if city >= s.config.cities:
            city = env.city
        if city >= s.config.cities:
            pop(s)
            return 0
        if frame.stage == 0:
            frame.stage = 1
            peek = push(s, FR_PEEK)
            peek.city, peek.n, peek.b = city, n, bit(env.you)
            return 0
        zone = PILE_PRIZES + city
        first_of_pile(s, zone, n, &cards)
    elif e[1] == ZONE_DECK:
        deck = deck_of(s, side)
        set_deck_aside(s, deck, &cards)
        ctx.searched |= bit(deck)
    else:
        deck = deck_of(s, side)
        if frame.stage == 0:
            frame.stage = 1
            return start_peek(s, deck, n, bit(env.you))
        set_aside(s, deck, n, &cards)
        zone = PILE_ASIDE
    for token in range(s.d.tokens):
        if has(&cards, token):
            show(s, token, bit(env.you))
            insert(&ctx.looked, token)
    bind_cards(s, e[5], &cards)
    faces = sorted([s.d.token[i].card for i in range(s.d.tokens) if has(&cards, i)])
    record_trace(s, EVENT_TYPE_LOOK, env.you, side, NONE, NONE, e[1], NONE, len(faces), ctx.cause, bit(env.you), tuple(faces))
    pop(s)
    return 0


cdef int count_unpicked(CoreState s, Frame* frame) noexcept:
    cdef int token = s.d.head[PILE_HAND + frame.seat], count = 0
    while token != NONE:
        count += not has(&frame.set, token) and s.config.card[s.d.token[token].card].kind == KIND_UNIT
        token = s.d.token[token].next
    return count


cdef void first_of_pile(CoreState s, int zone, int n, TokenSet* out) noexcept:
    cdef int token = s.d.head[zone]
    while token != NONE and n > 0:
        insert(out, token)
        token = s.d.token[token].next
        n -= 1


cdef void set_aside(CoreState s, int deck, int n, TokenSet* out) noexcept:
    # Set the top cards of a deck aside until the ability ends (OMENX-CHANCE-03).
    cdef int token
    while n > 0 and s.d.head[PILE_TOP + deck] != NONE:
        token = s.d.head[PILE_TOP + deck]
        take(s, token)
        put_last(s, token, PILE_ASIDE)
        insert(out, token)
        n -= 1


cdef void set_deck_aside(CoreState s, int deck, TokenSet* out) noexcept:
    # Set the whole deck aside until the ability ends, sorted by card: the order in the deck is lost.
    cdef int card, token, i
    cdef int[3] zones
    zones[0], zones[1], zones[2] = PILE_TOP + deck, PILE_DECK + deck, PILE_BOTTOM + deck
    for card in range(s.config.card_count):
        for i in range(3):
            token = find_card(s, zones[i], card)
            while token != NONE:
                take(s, token)
                put_last(s, token, PILE_ASIDE)
                insert(out, token)
                token = find_card(s, zones[i], card)


cdef int run_reveal(CoreState s, Frame* frame) except -1:
    """Reveal the top of a deck (cards of a hand are revealed by picking them)."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Context* ctx = context(s)
    cdef Env env
    cdef TokenSet cards
    cdef int side, n, deck, token, i
    ability_env(s, &env)
    side = seat_of(s, &env, e[2])
    side = env.you if side >= 2 else side
    n = amount(s, &env, e[3]) if e[3] else 1
    n = 0 if n < 0 else MAX_CARDS if n > MAX_CARDS else n
    deck = deck_of(s, side)
    if frame.stage == 0:
        frame.stage = 1
        return start_peek(s, deck, n, EVERYONE)
    clear(&cards)
    set_aside(s, deck, n, &cards)
    for token in range(s.d.tokens):
        if has(&cards, token):
            insert(&ctx.revealed, token)
    bind_cards(s, e[5], &cards)
    token = s.d.head[PILE_ASIDE]
    while token != NONE:
        if has(&cards, token):
            emit(s, EVENT_TYPE_REVEAL, env.you, side, token, NONE, ZONE_DECK, NONE, 1, ctx.cause, EVERYONE)
        token = s.d.token[token].next
    pop(s)
    return 0


cdef int return_looked_at(CoreState s) except -1:
    """At the end of an ability put the cards that it looked at back on the deck and discard those that it revealed
    (OMEN-DECK-04)."""
    cdef Context* ctx = context(s)
    cdef int token = s.d.tail[PILE_ASIDE], prev, deck
    while token != NONE:
        prev = s.d.token[token].prev
        deck = pile_for(s, token)
        if has(&ctx.looked, token) and not has(&ctx.revealed, token):
            take(s, token)
            put_first(s, token, PILE_TOP + deck)
        token = prev
    for deck in range(2):
        if ctx.searched >> deck & 1:
            shuffle_in(s, deck, NONE)
            emit(s, EVENT_TYPE_RESHUFFLE, ctx.controller, deck if s.d.drafted else NONE, NONE, NONE, NONE, NONE,
                 s.d.size[PILE_DECK + deck], ctx.cause, 0)
    token = s.d.head[PILE_ASIDE]
    while token != NONE:
        prev = s.d.token[token].next
        if has(&ctx.revealed, token):
            discard_revealed(s, token, ctx.controller, ctx.cause)
        token = prev
    return reshuffle(s)


cdef int discard_revealed(CoreState s, int token, int you, int cause) except -1:
    open_move(s, token, PILE_DISCARD + pile_for(s, token))
    emit(s, EVENT_TYPE_MILL, you, NONE, token, NONE, ZONE_DECK, ZONE_DISCARD, 0, cause, EVERYONE)
    return 0


cdef int run_put(CoreState s, Frame* frame, bint preparing) except -1:
    """Move a picked card between piles. With ``preparing``, before the pick, make the top cards of a deck known; returns 1
    if a frame was pushed for that."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int32_t* q = &s.config.code[e[1]]
    cdef Env env
    cdef int side, n, seen = 0
    ability_env(s, &env)
    if not preparing:
        return put_one(s, frame.token, e[2], seat_of(s, &env, e[3]), city_ref(s, &env, e[4]))
    if q[S_ZONE] != ZONE_DECK_TOP or frame.b:
        return 0
    frame.b = 1
    side = seat_of(s, &env, q[S_SIDE])
    n = q[S_TOP] if q[S_TOP] else frame.n
    if n > frame.n >= 0 or filters_by_face(s, e[1]):
        seen = bit(env.you)
    if n < 0:
        return 0
    start_peek(s, deck_of(s, env.you if side >= 2 else side), n, seen)
    return 1


cdef int put_one(CoreState s, int token, int to, int who, int city) except -1:
    cdef Context* ctx = context(s)
    cdef int zone = s.d.token[token].zone, you = ctx.controller, seen, owner, source, deck
    cdef bint open_ = zone == PILE_DISCARD or zone == PILE_DISCARD_B or to == ZONE_DISCARD or to == ZONE_OUT
    who = you if who >= 2 else who
    source = ZONE_HAND if in_hand(zone) else ZONE_DISCARD if open_ and to != ZONE_DISCARD and to != ZONE_OUT else ZONE_DECK
    if zone == PILE_USED or zone == PILE_USED_B:
        source = ZONE_USED
    if to == ZONE_DISCARD and in_hand(zone):
        return request(s, EVENT_TYPE_DISCARD, you, zone - PILE_HAND, token, NONE, 0, ctx.cause, 0)
    # The controller sees the card that moves; other viewers see it if they can follow it.
    seen = bit(you)
    if in_hand(zone):
        seen |= bit(zone - PILE_HAND)
    else:
        seen |= s.d.token[token].known
    if to == ZONE_HAND:
        seen |= bit(who)
    if open_ or seen == EVERYONE:
        seen = EVERYONE
    deck = pile_for(s, token)
    if to == ZONE_HAND:
        hidden_move(s, token, PILE_HAND + who, seen, True)
        emit(s, EVENT_TYPE_TO_HAND, you, who, token, NONE, source, ZONE_HAND, 0, ctx.cause, seen)
    elif to == ZONE_DECK_TOP:
        hidden_move(s, token, PILE_TOP + deck, seen, False)
        emit(s, EVENT_TYPE_TO_DECK, you, who, token, NONE, source, ZONE_DECK_TOP, 0, ctx.cause, seen)
    elif to == ZONE_DECK_BOTTOM:
        hidden_move(s, token, PILE_BOTTOM + deck, seen, True)
        emit(s, EVENT_TYPE_TO_DECK, you, who, token, NONE, source, ZONE_DECK_BOTTOM, 0, ctx.cause, seen)
    elif to == ZONE_USED:
        hidden_move(s, token, PILE_USED + who, seen, True)
        emit(s, EVENT_TYPE_PRIZE_SHED, you, who, token, NONE, source, ZONE_USED, 0, ctx.cause, seen)
    elif to == ZONE_PRIZE:
        if city >= s.config.cities or s.d.razed >> city & 1 or s.d.left[city] >= s.config.prizes_per_city:
            return 0
        hidden_move(s, token, PILE_PRIZES + city, seen, False)
        s.d.left[city] += 1
        emit(s, EVENT_TYPE_TO_DECK, you, who, token, city, source, ZONE_PRIZE, 0, ctx.cause, seen)
    elif to == ZONE_DISCARD:
        discard_revealed(s, token, you, ctx.cause)
    else:
        open_move(s, token, PILE_OUT)
        emit(s, EVENT_TYPE_MILL, you, NONE, token, NONE, source, ZONE_OUT, 0, ctx.cause, EVERYONE)
    s.d.token[token].laid = to == ZONE_USED
    if is_prize(s.config.card[s.d.token[token].card].kind) and to == ZONE_HAND:
        s.d.token[token].fresh = 1
    elif to != ZONE_USED:
        s.d.token[token].fresh = 0
    return reshuffle(s)


cdef int place_relic(CoreState s, int token, int city, int you, int cause) except -1:
    """Place a Relic on a seat's side of a City, or with NONE remove it; a Relic already there is removed (OMEN-RELIC-04)."""
    cdef int seat, other, old = s.d.token[token].zone
    if relic_in_city(old):
        open_move(s, token, PILE_RELICS)
        emit(s, EVENT_TYPE_RELIC_REMOVED, you, old & 1, token, city_of(old), NONE, NONE, 0, cause, EVERYONE)
    if city == NONE:
        return 0
    for seat in range(2):
        while s.d.head[relic_of(city, seat)] != NONE:
            other = s.d.head[relic_of(city, seat)]
            open_move(s, other, PILE_RELICS)
            emit(s, EVENT_TYPE_RELIC_REMOVED, you, seat, other, city, NONE, NONE, 0, cause, EVERYONE)
    open_move(s, token, relic_of(city, you))
    emit(s, EVENT_TYPE_RELIC_PLACED, you, you, token, city, NONE, NONE, 0, cause, EVERYONE)
    return 0


# -- cards that go to Cities ------------------------------------------------------------------------------------------


cdef int count_open_cities(CoreState s, Frame* frame, int token, int* only) except -1:
    """Count the Cities that a picked card can go to; ``only`` becomes one of them."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Env env
    cdef int city, count = 0, zone = s.d.token[token].zone, seat
    ability_env(s, &env)
    only[0] = NONE
    for city in range(s.config.cities):
        if city_open(s, frame, &env, token, city):
            only[0] = city
            count += 1
    return count


cdef bint city_open(CoreState s, Frame* frame, const Env* env, int token, int city) noexcept:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int zone = s.d.token[token].zone, seat
    if e[0] == E_RELIC:
        return city_fits(s, env, e[3], city, NONE)
    if e[0] == E_MOVE:
        return (
            in_city(zone) and city_fits(s, env, e[2], city, city_of(zone))
            and can_enter(s, token, seat_of_side(zone), city, NONE)
        )
    seat = seat_of(s, env, e[3])
    return (
        not in_city(zone) and city_fits(s, env, e[2], city, NONE) and can_enter(s, token, seat, city, NONE)
        and deploy_cost(s, env, frame.node, token, city) <= s.d.coins[env.you]
    )


cdef int place_next(CoreState s, Frame* frame) except -1:
    # Move the next picked card (a moved or deployed Unit, a Relic) to its City.
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int city
    if frame.token == NONE:
        if not has_any(&frame.set):
            pop(s)
            return 0
        frame.token = first_in_order(s, &frame.set)
        remove(&frame.set, frame.token)
    if e[0] == E_RELIC and e[1]:
        city = frame.token
        frame.token = NONE
        return place_relic(s, city, NONE, context(s).controller, context(s).cause)
    if count_open_cities(s, frame, frame.token, &city) > 1:
        s.d.decision, s.d.decider = DECISION_CITY, context(s).controller
    elif city != NONE:
        place_in_city(s, frame, city)
    else:
        frame.token = NONE
    return 0


cdef int place_in_city(CoreState s, Frame* frame, int city) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int token = frame.token, you = context(s).controller, cause = context(s).cause
    cdef Env env
    frame.token = NONE
    ability_env(s, &env)
    if e[0] == E_RELIC:
        place_relic(s, token, city, you, cause)
    elif e[0] == E_MOVE:
        request(s, EVENT_TYPE_ENTER, you, seat_of_side(s.d.token[token].zone), token, city, 0, cause, FROM_MOVE)
    else:
        pay_coins(s, you, deploy_cost(s, &env, frame.node, token, city), cause)
        request(s, EVENT_TYPE_ENTER, you, seat_of(s, &env, e[3]), token, city, 0, cause, (
            FROM_PLAYED_DEPLOY if e[6] else FROM_DEPLOY
        ))
    return 0


cdef int swap_units(CoreState s, Frame* frame) except -1:
    # Two Units change places; the picks have checked the limits.
    cdef int one = frame.token, other = NONE, i, zone1, zone2, you = context(s).controller, cause = context(s).cause
    for i in range(s.d.tokens):
        if has(&frame.set, i) and i != one:
            other = i
    pop(s)
    if other == NONE:
        return 0
    zone1, zone2 = s.d.token[one].zone, s.d.token[other].zone
    open_move(s, one, zone2)
    open_move(s, other, zone1)
    emit_swap(s, one, zone1, zone2, you, cause)
    emit_swap(s, other, zone2, zone1, you, cause)
    return 0


cdef int emit_swap(CoreState s, int token, int from_, int to, int you, int cause) except -1:
    cdef int seat = seat_of_side(to), city = city_of(to)
    if city_of(from_) != city:
        emit(s, EVENT_TYPE_MOVE, you, seat, token, city, city_of(from_), city, 0, cause, EVERYONE)
    if seat_of_side(from_) != seat:
        emit(s, EVENT_TYPE_CHANGE_SIDE, you, seat, token, city, seat_of_side(from_), seat, 0, cause, EVERYONE)
    emit(s, EVENT_TYPE_ENTER, you, seat, token, city, NONE, city, 0, cause, EVERYONE)
    return queue_entry_triggers(s, token, seat, city, False)
