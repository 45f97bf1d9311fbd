"""What the rules do to cards and coins, one operation at a time, each with what it triggers.

An operation to which a card may react beforehand waits in a frame until the reactions are over.
"""

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.stack cimport ability_of, enqueue, env_of, pop, push, right_turn
from gamepacks.omen.engine.stats cimport closed, forbidden, limit_on, type_of, units_on, weight_of
from gamepacks.omen.engine.table cimport (
    Ability, city_of, clear, Env, EVERYONE, FR_OP, FR_REACT, Frame, has, in_city, in_hand, insert, NO_LIMIT, Record,
    seat_of_side, Set, side_of, Table,
)
from gamepacks.omen.engine.uses cimport mark, unused
from gamepacks.omen.engine.values cimport fits_event, holds
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport emit, open_move, pile_for, put_first, reshuffle, take, tell


cdef int before(Table t, int type, int by, int who, int token, int city, int n, int cause) except -1:
    """Let cards react to what is about to happen: 1 if somebody may be asked (then ``verdict`` tells afterwards)."""
    cdef Frame* frame
    t.d.verdict = 0
    if not t.rules.before >> type & 1:
        return 0
    frame = push(t, FR_REACT)
    frame.event.type, frame.event.by, frame.event.who, frame.event.token = type, by, who, token
    frame.event.card = t.d.token[token].card if token != NONE else NONE
    frame.event.enraged = t.d.token[token].enraged if token != NONE else 0
    frame.event.city, frame.event.n, frame.event.cause = city, n, cause
    return 1


cdef int request(Table t, int type, int by, int who, int token, int city, int n, int cause, int extra) except -1:
    """Do something at once, or after the reactions to it."""
    cdef Frame op
    cdef Frame* frame = &op
    cdef bint waits = t.rules.before >> type & 1
    if waits:
        frame = push(t, FR_OP)
    frame.stage = 0
    frame.a, frame.b, frame.c, frame.seat, frame.token, frame.city = type, cause, by, who, token, city
    frame.n, frame.m = n, extra
    if not waits:
        perform(t, frame)
    return 0


cdef int run_op(Table t, Frame* frame) except -1:
    """Go on with an operation: ask for reactions, then do it unless it was cancelled."""
    cdef Frame op
    if frame.stage == 0:
        frame.stage = 1
        if before(t, frame.a, frame.c, frame.seat, frame.token, frame.city, frame.n, frame.b):
            return 0
    op = frame[0]
    pop(t)
    if not t.d.verdict:
        perform(t, &op)
    elif op.a == EV_ENTER and (op.m == FROM_PLAY or op.m == FROM_PLAYED_DEPLOY):
        # OMENX-FX-18
        perform_discard(t, &op)
    t.d.verdict = 0
    return 0


cdef int perform(Table t, Frame* op) except -1:
    if op.a == EV_DISCARD:
        perform_discard(t, op)
    elif op.a == EV_DESTROY:
        perform_destroy(t, op)
    elif op.a == EV_RETURN_HAND:
        perform_return(t, op)
    elif op.a == EV_ENTER:
        perform_enter(t, op)
    elif op.a == EV_ENRAGE:
        perform_enrage(t, op)
    elif op.a == EV_LOSE_COINS:
        if op.n > t.d.coins[op.seat]:
            op.n = t.d.coins[op.seat]
        t.d.coins[op.seat] -= op.n
        if t.d.supply != NO_LIMIT:
            t.d.supply += op.n
        tell(t, EV_LOSE_COINS, op.c, op.seat, op.n, op.b)
    else:
        if op.n > t.d.coins[op.seat]:
            op.n = t.d.coins[op.seat]
        t.d.coins[op.seat] -= op.n
        t.d.coins[1 - op.seat] += op.n
        tell(t, EV_TAKE_COINS, op.c, op.seat, op.n, op.b)
    return 0


# -- cards leaving hands and Cities -----------------------------------------------------------------------------------


cdef int hooked(Table t, int hook, int token, int card, int controller, int city, const Record* event) except -1:
    # Queue all abilities of a card with a hook that wait for an event.
    cdef int number, first = 0
    cdef Ability* ability
    cdef Env env
    while True:
        number = ability_of(t, card, hook, first)
        if number < 0:
            return 0
        ability = &t.rules.ability[number]
        first = ability.number + 1
        env_of(t, &env, controller, token, city)
        env.card, env.event = card, event
        if not unused(t, token, ability) or not right_turn(t, ability.turn, controller):
            continue
        if ability.when and not holds(t, &env, ability.when):
            continue
        if ability.event and (event == NULL or not fits_event(t, &env, ability.event, event)):
            continue
        mark(t, token, ability)
        enqueue(t, Q_ABILITY, number, token, card, controller, city, event)


cdef void fill(Table t, Record* record, int type, int by, int who, int token, int city, int cause) noexcept:
    record.type, record.by, record.who, record.token, record.city, record.cause = type, by, who, token, city, cause
    record.card, record.enraged, record.n = t.d.token[token].card, t.d.token[token].enraged, 0
    record.source = record.to = NONE
    record.seen = EVERYONE


cdef int perform_discard(Table t, Frame* op) except -1:
    # From a hand, or from where it is being carried out, to the discard pile (OMENX-FX-14).
    cdef Record event
    cdef int token = op.token, card = t.d.token[token].card
    if not in_hand(t.d.token[token].zone) and t.d.token[token].zone != PILE_RESOLVING:
        return 0
    open_move(t, token, PILE_DISCARD + pile_for(t, token))
    emit(t, EV_DISCARD, op.c, op.seat, token, NONE, Z_HAND, Z_DISCARD, 0, op.b, EVERYONE)
    fill(t, &event, EV_DISCARD, op.c, op.seat, token, NONE, op.b)
    hooked(t, H_DISCARDED, token, card, op.seat, NONE, &event)
    if t.rules.card[card].traits >> TR_WRATH & 1 and op.seat == t.d.active:
        # OMENT-WRATH-01
        enqueue(t, Q_WRATH, -1, token, card, op.seat, NONE, NULL)
    if op.b == BY_OFFERING:
        # After the benefits (OMENT-OFFER-02): what is queued waits for them.
        if t.rules.card[card].traits >> TR_CURSE & 1:
            enqueue(t, Q_CURSE, -1, token, card, op.seat, NONE, NULL)
        hooked(t, H_OFFERED, token, card, op.seat, NONE, &event)
    reshuffle(t)
    return 0


cdef bint can_destroy(Table t, int token) noexcept:
    return not forbidden(t, W_DESTROY, NONE, token)


cdef int perform_destroy(Table t, Frame* op) except -1:
    cdef Record event
    cdef int token = op.token, zone = t.d.token[token].zone, card = t.d.token[token].card, seat
    if not in_city(zone):
        return 0
    seat = seat_of_side(zone)
    if t.d.phase == PH_WAR and t.rules.card[card].traits >> TR_VETERAN & 1:
        # OMENT-VETERAN-01
        open_move(t, token, PILE_HAND + seat)
        emit(t, EV_RETURN_HAND, op.c, seat, token, city_of(zone), Z_CITY, Z_HAND, 0, op.b, EVERYONE)
        return 0
    fill(t, &event, EV_DESTROY, op.c, seat, token, city_of(zone), op.b)
    open_move(t, token, PILE_DISCARD + pile_for(t, token))
    t.d.token[token].enraged = event.enraged
    emit(t, EV_DESTROY, op.c, seat, token, city_of(zone), Z_CITY, Z_DISCARD, 0, op.b, EVERYONE)
    t.d.token[token].enraged = 0
    if not event.enraged:
        hooked(t, H_DESTROYED, token, card, seat, city_of(zone), &event)
    reshuffle(t)
    return 0


cdef int perform_return(Table t, Frame* op) except -1:
    # From a City to a hand, or on or under the deck (op.m is a Zone, op.seat the receiver).
    cdef int token = op.token, zone = t.d.token[token].zone, deck
    if not in_city(zone):
        return 0
    if op.m == Z_HAND:
        open_move(t, token, PILE_HAND + op.seat)
        emit(t, EV_RETURN_HAND, op.c, op.seat, token, city_of(zone), Z_CITY, Z_HAND, 0, op.b, EVERYONE)
    else:
        deck = pile_for(t, token)
        open_move(t, token, PILE_BOTTOM + deck if op.m == Z_DECK_BOTTOM else PILE_TOP + deck)
        if op.m == Z_DECK_TOP:
            take(t, token)
            put_first(t, token, PILE_TOP + deck)
        emit(t, EV_TO_DECK, op.c, op.seat, token, city_of(zone), Z_CITY, op.m, 0, op.b, EVERYONE)
    return 0


cdef int leave_city(Table t, const Set* cards, int by, int cause) except -1:
    """Some Units leave Cities together (OMEN-WAR-15)."""
    cdef int city, seat, token, next_
    for city in range(t.rules.cities):
        for seat in range(2):
            token = t.d.head[side_of(city, seat)]
            while token != NONE:
                next_ = t.d.token[token].next
                if has(cards, token):
                    request(t, EV_DESTROY, by, seat, token, city, 0, cause, 0)
                token = next_
    return 0


cdef int run_raze(Table t, Frame* frame) except -1:
    """A City without Kraters: all Units there are destroyed, and it is closed (OMENT-RAZE-01)."""
    cdef Set cards
    cdef int city = frame.city, seat, token
    if frame.stage == 0:
        frame.stage = 1
        t.d.razed |= 1 << city
        emit(t, EV_CITY_RAZED, t.d.active, NONE, NONE, city, NONE, NONE, 0, BY_RAZE, EVERYONE)
        clear(&cards)
        for seat in range(2):
            token = t.d.head[side_of(city, seat)]
            while token != NONE:
                insert(&cards, token)
                token = t.d.token[token].next
        leave_city(t, &cards, t.d.active, BY_RAZE)
        return 0
    pop(t)
    return 0


# -- cards entering Cities --------------------------------------------------------------------------------------------


cdef bint can_enter(Table t, int token, int seat, int city, int leaving) noexcept:
    """May a Unit come to a side? ``leaving``: a Unit that goes from there at the same time, or NONE."""
    cdef int weight, there
    if city >= t.rules.cities or t.d.razed >> city & 1 or forbidden(t, W_ENTER, seat, token) or closed(t, city):
        return False
    there = units_on(t, city, seat)
    if leaving != NONE and t.d.token[leaving].zone == side_of(city, seat):
        there -= weight_of(t, leaving)
    if t.d.token[token].zone == side_of(city, seat):
        return False
    weight = weight_of(t, token)
    return there + weight <= limit_on(t, city, seat)


cdef int perform_enter(Table t, Frame* op) except -1:
    cdef int token = op.token, seat = op.seat, city = op.city, zone = t.d.token[token].zone, how = op.m, source
    if not can_enter(t, token, seat, city, NONE):
        if how == FROM_PLAY or how == FROM_PLAYED_DEPLOY:
            perform_discard(t, op)
        return 0
    source = city_of(zone) if in_city(zone) else NONE
    open_move(t, token, side_of(city, seat))
    if how == FROM_MOVE:
        emit(t, EV_MOVE, op.c, seat, token, city, source, city, 0, op.b, EVERYONE)
    elif how == FROM_SIDE:
        emit(t, EV_CHANGE_SIDE, op.c, seat, token, city, 1 - seat, seat, 0, op.b, EVERYONE)
    elif how != FROM_PLAY:
        emit(t, EV_DEPLOY, op.c, seat, token, city, NONE, city, 0, op.b, EVERYONE)
    if how == FROM_PLAYED_DEPLOY:
        emit(t, EV_PLAY, op.c, seat, token, city, Z_HAND, Z_CITY, 0, op.b, EVERYONE)
    emit(t, EV_ENTER, op.c, seat, token, city, NONE, city, 0, op.b, EVERYONE)
    entered(t, token, seat, city, how == FROM_PLAY or how == FROM_PLAYED_DEPLOY)
    reshuffle(t)
    return 0


cdef int entered(Table t, int token, int seat, int city, bint played) except -1:
    # What the entry of a Unit triggers (OMEN-SOLD-01, OMEN-SPIR-01, OMENT-BOLSTER-01).
    cdef int card = t.d.token[token].card, type = type_of(t, token)
    cdef Record event
    if not t.rules.card[card].hooks >> H_ENTER & 1 or t.d.token[token].enraged:
        return 0
    if t.rules.omega:
        if type != T_SOLDIER and type != T_SPIRIT or not t.rules.enter_opposing and t.d.active != seat:
            return 0
        if type == T_SPIRIT and t.rules.card[card].type == T_SPIRIT:
            if played or not t.rules.spirit_played:
                enqueue(t, Q_SPIRIT, -1, token, card, seat, city, NULL)
            return 0
    elif t.d.phase != PH_SURGE or t.d.active != seat:
        # OMENT-BOLSTER-02
        return 0
    fill(t, &event, EV_ENTER, seat, seat, token, city, BY_ABILITY)
    hooked(t, H_ENTER, token, card, seat, city, &event)
    return 0


cdef bint can_enrage(Table t, int token) noexcept:
    """OMEN-ENRAGE-01, -04, -08, -09."""
    cdef int zone = t.d.token[token].zone, type = type_of(t, token), seat, city
    if not in_city(zone) or type == T_BEAST or type == T_SPIRIT or not t.rules.omega:
        return False
    if t.rules.card[t.d.token[token].card].type == T_SPIRIT or forbidden(t, W_ENRAGE, NONE, token):
        return False
    seat, city = seat_of_side(zone), city_of(zone)
    return units_on(t, city, seat) - weight_of(t, token) + 2 <= limit_on(t, city, seat)


cdef int perform_enrage(Table t, Frame* op) except -1:
    cdef int zone = t.d.token[op.token].zone
    if not can_enrage(t, op.token):
        return 0
    t.d.token[op.token].enraged = 1
    t.d.stuck &= ~(1 << city_of(zone))
    emit(t, EV_ENRAGE, op.c, seat_of_side(zone), op.token, city_of(zone), NONE, NONE, 0, op.b, EVERYONE)
    return 0


# -- coins ------------------------------------------------------------------------------------------------------------


cdef int gain(Table t, int by, int who, int n, int cause) except -1:
    """Coins from the supply, as many as it holds (OMENX-FX-09)."""
    if forbidden(t, W_COINS, who, NONE):
        return 0
    if t.d.supply != NO_LIMIT and n > t.d.supply:
        n = t.d.supply
    if n > 30000 - t.d.coins[who]:
        n = 30000 - t.d.coins[who]
    if n <= 0:
        return 0
    t.d.coins[who] += n
    if t.d.supply != NO_LIMIT:
        t.d.supply -= n
    tell(t, EV_GAIN_COINS, by, who, n, cause)
    return 0


cdef int pay_coins(Table t, int who, int n, int cause) except -1:
    """Pay a cost; the seat has so many. A cost below 0 is none (OMENX-FX-11)."""
    if n <= 0:
        return 0
    t.d.coins[who] -= n
    if t.d.supply != NO_LIMIT:
        t.d.supply += n
    tell(t, EV_PAY, who, who, n, cause)
    return 0
