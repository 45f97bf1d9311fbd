"""Effects that put cards into Cities: move, deploy, relic, swap (section 10.9)."""

from libc.stdint cimport int32_t, uint8_t

from gamepacks.omen.engine.looks cimport start_relic
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport can_enter, entered, FROM_DEPLOY, FROM_MOVE, FROM_PLAYED_DEPLOY, pay_coins, request
from gamepacks.omen.engine.picks cimport city_fits, deploy_cost, lowest
from gamepacks.omen.engine.stack cimport context, here, pop
from gamepacks.omen.engine.table cimport city_of, Env, EVERYONE, Frame, has, has_any, in_city, remove, seat_of_side, Table
from gamepacks.omen.engine.values cimport seat_of
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport emit, open_move


cdef int fits_cities(Table t, Frame* frame, int token, int* only) except -1:
    """How many Cities a picked card can go to, and one of them; also whether one is (``only`` given a City)."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Env env
    cdef int city, count = 0, zone = t.d.token[token].zone, seat
    here(t, &env)
    only[0] = NONE
    for city in range(t.rules.cities):
        if city_open(t, frame, &env, token, city):
            only[0] = city
            count += 1
    return count


cdef bint city_open(Table t, Frame* frame, const Env* env, int token, int city) noexcept:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int zone = t.d.token[token].zone, seat
    if e[0] == E_RELIC:
        return city_fits(t, env, e[3], city, NONE)
    if e[0] == E_MOVE:
        return (
            in_city(zone) and city_fits(t, env, e[2], city, city_of(zone))
            and can_enter(t, token, seat_of_side(zone), city, NONE)
        )
    seat = seat_of(t, env, e[3])
    return (
        not in_city(zone) and city_fits(t, env, e[2], city, NONE) and can_enter(t, token, seat, city, NONE)
        and deploy_cost(t, env, frame.node, token, city) <= t.d.coins[env.you]
    )


cdef int place_next(Table t, Frame* frame) except -1:
    # Moves, deployed Units and Relics go to their Cities one after the other.
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int city
    if frame.token == NONE:
        if not has_any(&frame.set):
            pop(t)
            return 0
        frame.token = lowest(t, &frame.set)
        remove(&frame.set, frame.token)
    if e[0] == E_RELIC and e[1]:
        city = frame.token
        frame.token = NONE
        return start_relic(t, city, NONE, context(t).controller, context(t).cause)
    if fits_cities(t, frame, frame.token, &city) > 1:
        t.d.ask, t.d.asked = ASK_CITY, context(t).controller
    elif city != NONE:
        place(t, frame, city)
    else:
        frame.token = NONE
    return 0


cdef int place(Table t, Frame* frame, int city) except -1:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int token = frame.token, you = context(t).controller, cause = context(t).cause
    cdef Env env
    frame.token = NONE
    here(t, &env)
    if e[0] == E_RELIC:
        start_relic(t, token, city, you, cause)
    elif e[0] == E_MOVE:
        request(t, EV_ENTER, you, seat_of_side(t.d.token[token].zone), token, city, 0, cause, FROM_MOVE)
    else:
        pay_coins(t, you, deploy_cost(t, &env, frame.node, token, city), cause)
        request(t, EV_ENTER, you, seat_of(t, &env, e[3]), token, city, 0, cause, (
            FROM_PLAYED_DEPLOY if e[6] else FROM_DEPLOY
        ))
    return 0


cdef int swap(Table t, Frame* frame) except -1:
    # Two Units change places; limits are kept by the picks.
    cdef int one = frame.token, other = NONE, i, zone1, zone2, you = context(t).controller, cause = context(t).cause
    for i in range(t.d.tokens):
        if has(&frame.set, i) and i != one:
            other = i
    pop(t)
    if other == NONE:
        return 0
    zone1, zone2 = t.d.token[one].zone, t.d.token[other].zone
    open_move(t, one, zone2)
    open_move(t, other, zone1)
    told_swap(t, one, zone1, zone2, you, cause)
    told_swap(t, other, zone2, zone1, you, cause)
    return 0


cdef int told_swap(Table t, int token, int from_, int to, int you, int cause) except -1:
    cdef int seat = seat_of_side(to), city = city_of(to)
    if city_of(from_) != city:
        emit(t, EV_MOVE, you, seat, token, city, city_of(from_), city, 0, cause, EVERYONE)
    if seat_of_side(from_) != seat:
        emit(t, EV_CHANGE_SIDE, you, seat, token, city, seat_of_side(from_), seat, 0, cause, EVERYONE)
    emit(t, EV_ENTER, you, seat, token, city, NONE, city, 0, cause, EVERYONE)
    return entered(t, token, seat, city, False)
