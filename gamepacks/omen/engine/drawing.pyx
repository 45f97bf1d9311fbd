"""Drawing Units, taking prizes, and letting the top of a pile be known (section 7.2)."""

from gamepacks.omen.engine.beliefs cimport show
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.stack cimport pop, push, top
from gamepacks.omen.engine.stats cimport forbidden
from gamepacks.omen.engine.table cimport bit, EVERYONE, FR_DRAW, FR_PEEK, FR_PRIZE, FR_RAZE, Frame, has, Table
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport deck_of, deck_size, emit, find_card, put_last, reshuffle, shuffle_in, take


cdef int start_draws(Table t, int seat, int n, bint optional, int cause) except -1:
    """Let a seat draw n Units, one by one; ``optional``: it is asked before each (OMENX-FX-12)."""
    cdef Frame* frame
    if n <= 0:
        return 0
    frame = push(t, FR_DRAW)
    frame.seat, frame.n, frame.a, frame.b = seat, n, optional, cause
    return 0


cdef int run_draws(Table t, Frame* frame) except -1:
    cdef int seat = frame.seat, deck = deck_of(t, seat)
    if frame.n <= 0 or not deck_size(t, deck) and not t.d.size[PILE_DISCARD + deck] or forbidden(t, W_DRAW, seat, NONE):
        pop(t)
        return 0
    if frame.a and frame.stage == 0:
        t.d.ask, t.d.asked = ASK_MAY, seat
        return 0
    if not deck_size(t, deck):
        # Cards of it are being looked at; what is drawn comes from the discard pile.
        draw_anew(t, deck)
    if t.d.size[PILE_TOP + deck]:
        take_drawn(t, t.d.head[PILE_TOP + deck])
    elif t.d.size[PILE_DECK + deck]:
        t.d.ask, t.d.asked = ASK_C_UNIT, -1
    else:
        take_drawn(t, t.d.head[PILE_BOTTOM + deck])
    return 0


cdef int draw_anew(Table t, int deck) except -1:
    cdef int size = t.d.size[PILE_DISCARD + deck]
    shuffle_in(t, deck, PILE_DISCARD + deck)
    emit(t, EV_RESHUFFLE, NONE, deck if t.d.drafted else NONE, NONE, NONE, NONE, NONE, size, BY_RULE, 0)
    return 0


cdef int drawn(Table t, int card) except -1:
    """Chance has decided which Unit is drawn."""
    return take_drawn(t, find_card(t, PILE_DECK + deck_of(t, top(t).seat), card))


cdef int take_drawn(Table t, int token) except -1:
    cdef Frame* frame = top(t)
    cdef int seat = frame.seat
    frame.n -= 1
    frame.stage = 0
    take(t, token)
    show(t, token, bit(seat))
    put_last(t, token, PILE_HAND + seat)
    emit(t, EV_DRAW, seat, seat, token, NONE, Z_DECK, Z_HAND, 1, frame.b, t.d.token[token].known)
    reshuffle(t)
    return 0


cdef int start_prize(Table t, int city, int seat, int cause) except -1:
    """The top prize of a City goes to a hand, unseen by the other player (OMEN-WAR-10, OMENT-WAR-05)."""
    cdef Frame* frame
    if not t.d.left[city]:
        return 0
    frame = push(t, FR_PRIZE)
    frame.city, frame.seat, frame.b = city, seat, cause
    return 0


cdef int run_prize(Table t, Frame* frame) except -1:
    if frame.stage:
        pop(t)
    elif t.d.size[PILE_PRIZES + frame.city]:
        take_prize(t, t.d.head[PILE_PRIZES + frame.city])
    else:
        t.d.ask, t.d.asked = ASK_C_PRIZE, -1
    return 0


cdef int prize_shown(Table t, int card) except -1:
    """Chance has decided which prize it is: one that is taken, or (stage 2 and more) looked at."""
    cdef Frame* frame = top(t)
    cdef int token = find_card(t, PILE_PRIZE_POOL, card)
    if frame.kind == FR_PRIZE:
        return take_prize(t, token)
    # A look at the prizes of a City (FR_PEEK).
    take(t, token)
    show(t, token, frame.b)
    put_last(t, token, PILE_PRIZES + frame.city)
    return 0


cdef int take_prize(Table t, int token) except -1:
    cdef Frame* frame = top(t)
    cdef int seat = frame.seat, city = frame.city, cause = frame.b
    pop(t)
    take(t, token)
    show(t, token, bit(seat))
    put_last(t, token, PILE_HAND + seat)
    t.d.token[token].fresh = 1
    t.d.left[city] -= 1
    emit(t, EV_PRIZE_TAKEN, seat, seat, token, city, Z_PRIZE, Z_HAND, 0, cause, t.d.token[token].known)
    if not t.d.left[city]:
        emit(t, EV_CITY_DEPLETED, seat, NONE, NONE, city, NONE, NONE, 0, cause, EVERYONE)
        if not t.rules.omega and cause != BY_WAR:
            push(t, FR_RAZE).city = city
    return 0


cdef int start_peek(Table t, int deck, int n, int seen_by) except -1:
    """Let the first n cards of a deck be known: to those viewers, or as no more than a place."""
    cdef Frame* frame = push(t, FR_PEEK)
    frame.a, frame.n, frame.b = deck, n, seen_by
    return 0


cdef int run_peek(Table t, Frame* frame) except -1:
    """Also for the prizes of a City (``city``)."""
    cdef int deck = frame.a, token, i
    if frame.city != NONE:
        if frame.n > t.d.left[frame.city]:
            frame.n = t.d.left[frame.city]
        if t.d.size[PILE_PRIZES + frame.city] < frame.n:
            t.d.ask, t.d.asked = ASK_C_PRIZE, -1
            return 0
        token = t.d.head[PILE_PRIZES + frame.city]
    else:
        if t.d.size[PILE_TOP + deck] < frame.n:
            if t.d.size[PILE_DECK + deck]:
                t.d.ask, t.d.asked = ASK_C_UNIT, -1
                return 0
            while t.d.size[PILE_TOP + deck] < frame.n and t.d.size[PILE_BOTTOM + deck]:
                token = t.d.head[PILE_BOTTOM + deck]
                take(t, token)
                put_last(t, token, PILE_TOP + deck)
        token = t.d.head[PILE_TOP + deck]
    for i in range(frame.n):
        if token == NONE:
            break
        show(t, token, frame.b)
        token = t.d.token[token].next
    pop(t)
    return 0


cdef int peeked(Table t, int card) except -1:
    """Chance has decided the next card of a deck."""
    cdef Frame* frame = top(t)
    cdef int token = find_card(t, PILE_DECK + frame.a, card)
    take(t, token)
    put_last(t, token, PILE_TOP + frame.a)
    show(t, token, frame.b)
    return 0
