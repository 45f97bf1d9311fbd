"""Paying the cost of an ability or of an effect (section 10.7)."""

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport pay_coins, request
from gamepacks.omen.engine.picks cimport begin_pick, go_on_picking, lowest
from gamepacks.omen.engine.stack cimport context, here, pop, push
from gamepacks.omen.engine.table cimport city_of, Env, FR_COST, Frame, has_any, in_city, in_hand, remove, seat_of_side, Table
from gamepacks.omen.engine.values cimport amount
from gamepacks.omen.engine.vocabulary cimport *

# Stages of a frame that picks, as in effects.pyx.
cdef enum:
    BEGIN = 0
    PICKING = 1
    DOING = 2


cdef int start_cost(Table t, int cost) except -1:
    """Let the controller pay a cost that he can pay."""
    cdef Env env
    here(t, &env)
    if not cost:
        return 0
    if t.rules.code[cost] == COST_COINS:
        return pay_coins(t, env.you, amount(t, &env, t.rules.code[cost + 1]), context(t).cause)
    push(t, FR_COST).node = cost
    return 0


cdef int run_cost(Table t, Frame* frame) except -1:
    cdef int op = t.rules.code[frame.node], sel = t.rules.code[frame.node + 1], token, zone, depth = t.d.depth
    cdef int you = frame.a - 1 if frame.a else context(t).controller, cause = context(t).cause
    if frame.stage == BEGIN:
        frame.stage = PICKING
        begin_pick(t, frame, sel)
        frame.c = 0
    if frame.stage == PICKING:
        if not go_on_picking(t, frame, sel):
            return 0
        frame.stage = DOING
    while has_any(&frame.set):
        token = lowest(t, &frame.set)
        remove(&frame.set, token)
        zone = t.d.token[token].zone
        if op == COST_DISCARD and in_hand(zone):
            request(t, EV_DISCARD, you, zone - PILE_HAND, token, NONE, 0, cause, 0)
        elif op == COST_DESTROY and in_city(zone):
            request(t, EV_DESTROY, you, seat_of_side(zone), token, city_of(zone), 0, cause, 0)
        elif op == COST_RETURN and in_city(zone):
            request(t, EV_RETURN_HAND, you, seat_of_side(zone), token, city_of(zone), 0, cause, Z_HAND)
        if t.d.depth > depth:
            return 0
    pop(t)
    return 0
