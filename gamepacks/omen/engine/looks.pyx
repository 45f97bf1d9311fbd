"""Effects on what lies hidden: look, reveal, put; and Relics (section 10.9)."""

from libc.stdint cimport int32_t

from gamepacks.omen.engine.beliefs cimport show
from gamepacks.omen.engine.drawing cimport start_peek
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport request
from gamepacks.omen.engine.stack cimport bind_cards, context, here, pop, push
from gamepacks.omen.engine.table cimport (
    bit, city_of, clear, Context, Env, EVERYONE, FR_PEEK, Frame, has, in_hand, insert, is_prize, relic_in_city,
    relic_of, Set, Table,
)
from gamepacks.omen.engine.values cimport amount, by_face, city_ref, seat_of
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport deck_of, emit, find_card, hidden_move, open_move, pile_for, put_first, put_last, reshuffle, shuffle_in, take


cdef void story(
    Table t, int type, int by, int who, int token, int city, int source, int to, int n, int cause, int seen, extra
):
    """Tell something with more to it than :func:`emit` has."""
    if t.story is not None:
        t.story.append((
            type, by, who, t.d.token[token].card if token != NONE else NONE, city, source, to, n, cause, seen, extra,
        ))


cdef int run_look(Table t, Frame* frame) except -1:
    """Look at the top of a deck, a hand or the prizes of a City."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Context* ctx = context(t)
    cdef Env env
    cdef Set cards
    cdef Frame* peek
    cdef int side, token, n, i, city, deck, zone
    here(t, &env)
    side = seat_of(t, &env, e[2])
    side = env.you if side >= 2 else side
    n = amount(t, &env, e[4]) if e[4] else (MAX_CARDS if e[1] == Z_HAND else 1)
    n = 0 if n < 0 else MAX_CARDS if n > MAX_CARDS else n
    clear(&cards)
    if e[1] == Z_HAND:
        # A part of a hand is a random part.
        if frame.stage == 0:
            frame.stage, frame.n, frame.seat = 1, n, side
            clear(&frame.set)
        if hand_left(t, frame) > frame.n and frame.n > 0:
            t.d.ask, t.d.asked = ASK_C_HAND, -1
            return 0
        token = t.d.head[PILE_HAND + side]
        while token != NONE:
            if frame.n > 0 and t.rules.card[t.d.token[token].card].kind == K_UNIT:
                insert(&frame.set, token)
            token = t.d.token[token].next
        cards = frame.set
        zone = PILE_HAND + side
    elif e[1] == Z_PRIZE:
        city = city_ref(t, &env, e[3])
        if city >= t.rules.cities:
            city = env.city
        if city >= t.rules.cities:
            pop(t)
            return 0
        if frame.stage == 0:
            frame.stage = 1
            peek = push(t, FR_PEEK)
            peek.city, peek.n, peek.b = city, n, bit(env.you)
            return 0
        zone = PILE_PRIZES + city
        first_of_pile(t, zone, n, &cards)
    elif e[1] == Z_DECK:
        deck = deck_of(t, side)
        lay_out_deck(t, deck, &cards)
        ctx.searched |= bit(deck)
    else:
        deck = deck_of(t, side)
        if frame.stage == 0:
            frame.stage = 1
            return start_peek(t, deck, n, bit(env.you))
        set_aside(t, deck, n, &cards)
        zone = PILE_ASIDE
    for token in range(t.d.tokens):
        if has(&cards, token):
            show(t, token, bit(env.you))
            insert(&ctx.looked, token)
    bind_cards(t, e[5], &cards)
    faces = sorted([t.d.token[i].card for i in range(t.d.tokens) if has(&cards, i)])
    story(t, EV_LOOK, env.you, side, NONE, NONE, e[1], NONE, len(faces), ctx.cause, bit(env.you), tuple(faces))
    pop(t)
    return 0


cdef int hand_left(Table t, Frame* frame) noexcept:
    cdef int token = t.d.head[PILE_HAND + frame.seat], count = 0
    while token != NONE:
        count += not has(&frame.set, token) and t.rules.card[t.d.token[token].card].kind == K_UNIT
        token = t.d.token[token].next
    return count


cdef void first_of_pile(Table t, int zone, int n, Set* out) noexcept:
    cdef int token = t.d.head[zone]
    while token != NONE and n > 0:
        insert(out, token)
        token = t.d.token[token].next
        n -= 1


cdef void set_aside(Table t, int deck, int n, Set* out) noexcept:
    # The first cards of a deck lie apart until the ability is over (OMENX-CHANCE-03).
    cdef int token
    while n > 0 and t.d.head[PILE_TOP + deck] != NONE:
        token = t.d.head[PILE_TOP + deck]
        take(t, token)
        put_last(t, token, PILE_ASIDE)
        insert(out, token)
        n -= 1


cdef void lay_out_deck(Table t, int deck, Set* out) noexcept:
    # The whole deck lies apart until the ability is over, by card: where they lay in it is lost.
    cdef int card, token, i
    cdef int[3] zones
    zones[0], zones[1], zones[2] = PILE_TOP + deck, PILE_DECK + deck, PILE_BOTTOM + deck
    for card in range(t.rules.card_count):
        for i in range(3):
            token = find_card(t, zones[i], card)
            while token != NONE:
                take(t, token)
                put_last(t, token, PILE_ASIDE)
                insert(out, token)
                token = find_card(t, zones[i], card)


cdef int run_reveal(Table t, Frame* frame) except -1:
    """Reveal the top of a deck (cards of a hand are revealed by picking them)."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Context* ctx = context(t)
    cdef Env env
    cdef Set cards
    cdef int side, n, deck, token, i
    here(t, &env)
    side = seat_of(t, &env, e[2])
    side = env.you if side >= 2 else side
    n = amount(t, &env, e[3]) if e[3] else 1
    n = 0 if n < 0 else MAX_CARDS if n > MAX_CARDS else n
    deck = deck_of(t, side)
    if frame.stage == 0:
        frame.stage = 1
        return start_peek(t, deck, n, EVERYONE)
    clear(&cards)
    set_aside(t, deck, n, &cards)
    for token in range(t.d.tokens):
        if has(&cards, token):
            insert(&ctx.revealed, token)
    bind_cards(t, e[5], &cards)
    token = t.d.head[PILE_ASIDE]
    while token != NONE:
        if has(&cards, token):
            emit(t, EV_REVEAL, env.you, side, token, NONE, Z_DECK, NONE, 1, ctx.cause, EVERYONE)
        token = t.d.token[token].next
    pop(t)
    return 0


cdef int end_looks(Table t) except -1:
    """An ability is over: what it looked at is back on the deck, what it revealed is in the discard pile
    (OMEN-DECK-04)."""
    cdef Context* ctx = context(t)
    cdef int token = t.d.tail[PILE_ASIDE], prev, deck
    while token != NONE:
        prev = t.d.token[token].prev
        deck = pile_for(t, token)
        if has(&ctx.looked, token) and not has(&ctx.revealed, token):
            take(t, token)
            put_first(t, token, PILE_TOP + deck)
        token = prev
    for deck in range(2):
        if ctx.searched >> deck & 1:
            shuffle_in(t, deck, NONE)
            emit(t, EV_RESHUFFLE, ctx.controller, deck if t.d.drafted else NONE, NONE, NONE, NONE, NONE,
                 t.d.size[PILE_DECK + deck], ctx.cause, 0)
    token = t.d.head[PILE_ASIDE]
    while token != NONE:
        prev = t.d.token[token].next
        if has(&ctx.revealed, token):
            mill(t, token, ctx.controller, ctx.cause)
        token = prev
    return reshuffle(t)


cdef int mill(Table t, int token, int you, int cause) except -1:
    open_move(t, token, PILE_DISCARD + pile_for(t, token))
    emit(t, EV_MILL, you, NONE, token, NONE, Z_DECK, Z_DISCARD, 0, cause, EVERYONE)
    return 0


cdef int run_put(Table t, Frame* frame, bint preparing) except -1:
    """Move a picked card between piles. ``preparing``: before the pick, let the top of a deck have its cards; 1 if that
    takes a frame of its own."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int32_t* s = &t.rules.code[e[1]]
    cdef Env env
    cdef int side, n, seen = 0
    here(t, &env)
    if not preparing:
        return put_one(t, frame.token, e[2], seat_of(t, &env, e[3]), city_ref(t, &env, e[4]))
    if s[S_ZONE] != Z_DECK_TOP or frame.b:
        return 0
    frame.b = 1
    side = seat_of(t, &env, s[S_SIDE])
    n = s[S_TOP] if s[S_TOP] else frame.n
    if n > frame.n >= 0 or by_face(t, e[1]):
        seen = bit(env.you)
    if n < 0:
        return 0
    start_peek(t, deck_of(t, env.you if side >= 2 else side), n, seen)
    return 1


cdef int put_one(Table t, int token, int to, int who, int city) except -1:
    cdef Context* ctx = context(t)
    cdef int zone = t.d.token[token].zone, you = ctx.controller, seen, owner, source, deck
    cdef bint open_ = zone == PILE_DISCARD or zone == PILE_DISCARD_B or to == Z_DISCARD or to == Z_OUT
    who = you if who >= 2 else who
    source = Z_HAND if in_hand(zone) else Z_DISCARD if open_ and to != Z_DISCARD and to != Z_OUT else Z_DECK
    if zone == PILE_USED or zone == PILE_USED_B:
        source = Z_USED
    if to == Z_DISCARD and in_hand(zone):
        return request(t, EV_DISCARD, you, zone - PILE_HAND, token, NONE, 0, ctx.cause, 0)
    # Those who move a card see it; the others as far as they can follow it.
    seen = bit(you)
    if in_hand(zone):
        seen |= bit(zone - PILE_HAND)
    else:
        seen |= t.d.token[token].known
    if to == Z_HAND:
        seen |= bit(who)
    if open_ or seen == EVERYONE:
        seen = EVERYONE
    deck = pile_for(t, token)
    if to == Z_HAND:
        hidden_move(t, token, PILE_HAND + who, seen, True)
        emit(t, EV_TO_HAND, you, who, token, NONE, source, Z_HAND, 0, ctx.cause, seen)
    elif to == Z_DECK_TOP:
        hidden_move(t, token, PILE_TOP + deck, seen, False)
        emit(t, EV_TO_DECK, you, who, token, NONE, source, Z_DECK_TOP, 0, ctx.cause, seen)
    elif to == Z_DECK_BOTTOM:
        hidden_move(t, token, PILE_BOTTOM + deck, seen, True)
        emit(t, EV_TO_DECK, you, who, token, NONE, source, Z_DECK_BOTTOM, 0, ctx.cause, seen)
    elif to == Z_USED:
        hidden_move(t, token, PILE_USED + who, seen, True)
        emit(t, EV_PRIZE_SHED, you, who, token, NONE, source, Z_USED, 0, ctx.cause, seen)
    elif to == Z_PRIZE:
        if city >= t.rules.cities or t.d.razed >> city & 1 or t.d.left[city] >= t.rules.prizes_per_city:
            return 0
        hidden_move(t, token, PILE_PRIZES + city, seen, False)
        t.d.left[city] += 1
        emit(t, EV_TO_DECK, you, who, token, city, source, Z_PRIZE, 0, ctx.cause, seen)
    elif to == Z_DISCARD:
        mill(t, token, you, ctx.cause)
    else:
        open_move(t, token, PILE_OUT)
        emit(t, EV_MILL, you, NONE, token, NONE, source, Z_OUT, 0, ctx.cause, EVERYONE)
    t.d.token[token].laid = to == Z_USED
    if is_prize(t.rules.card[t.d.token[token].card].kind) and to == Z_HAND:
        t.d.token[token].fresh = 1
    elif to != Z_USED:
        t.d.token[token].fresh = 0
    return reshuffle(t)


cdef int start_relic(Table t, int token, int city, int you, int cause) except -1:
    """Place a Relic on one's side of a City (NONE: send it back); an earlier one goes back to the side
    (OMEN-RELIC-04)."""
    cdef int seat, other, old = t.d.token[token].zone
    if relic_in_city(old):
        open_move(t, token, PILE_RELICS)
        emit(t, EV_RELIC_REMOVED, you, old & 1, token, city_of(old), NONE, NONE, 0, cause, EVERYONE)
    if city == NONE:
        return 0
    for seat in range(2):
        while t.d.head[relic_of(city, seat)] != NONE:
            other = t.d.head[relic_of(city, seat)]
            open_move(t, other, PILE_RELICS)
            emit(t, EV_RELIC_REMOVED, you, seat, other, city, NONE, NONE, 0, cause, EVERYONE)
    open_move(t, token, relic_of(city, you))
    emit(t, EV_RELIC_PLACED, you, you, token, city, NONE, NONE, 0, cause, EVERYONE)
    return 0
