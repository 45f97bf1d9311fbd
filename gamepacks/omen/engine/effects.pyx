"""Carrying out effects (section 10.9): blocks of effects, and the effects that pick cards.

The effects of control (choose, may, pay, if, ...) are in control.pyx, those on decks and prizes in looks.pyx. The frame
of an effect has: ``node``, the effect; ``stage``; ``seat``, who picks; ``n``, how many more; ``set``, the cards picked.
"""

from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.beliefs cimport show
from gamepacks.omen.engine.control cimport answer_control, control_options, run_control
from gamepacks.omen.engine.drawing cimport start_draws, start_prize
from gamepacks.omen.engine.lasting cimport run_lasting
from gamepacks.omen.engine.looks cimport run_look, run_put, run_reveal
from gamepacks.omen.engine.hidden cimport depends
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport can_enter, FROM_SIDE, gain, request
from gamepacks.omen.engine.picks cimport (
    begin_pick, city_fits, go_on_picking, lowest, pick_options, picks_unit, push_cards, push_option, push_places,
    selector_of, sort_options,
)
from gamepacks.omen.engine.placing cimport city_open, place, place_next, swap
from gamepacks.omen.engine.stack cimport ability_of, begin, bind_cards, context, here, pop, push, top
from gamepacks.omen.engine.table cimport (
    city_of, clear, Context, Env, EVERYONE, FR_BLOCK, FR_EFFECT, FR_REACT, Frame, has, has_any, in_city, in_hand,
    insert, remove, seat_of_side, Set, Table,
)
from gamepacks.omen.engine.values cimport amount, matches, seat_of
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport deck_of, emit, hidden_move, open_move, put_last, shuffle_in, take

# Stages of a frame that picks.
cdef enum:
    BEGIN = 0
    PICKING = 1
    DOING = 2
    CITY = 3


cdef int run_block(Table t, Frame* frame) except -1:
    """The next effect of a block (OMENX-FX-01)."""
    cdef int effect
    if frame.n == t.rules.code[frame.node]:
        pop(t)
        return 0
    frame.n += 1
    effect = t.rules.code[frame.node + frame.n]
    push(t, FR_EFFECT).node = effect
    return 0


cdef int run_effect(Table t, Frame* frame) except -1:
    """Go on with an effect until it is over, asks something, or waits for a frame above it."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int op = e[0]
    if op >= E_CHOOSE:
        return run_control(t, frame)
    if op == E_LOOK:
        return run_look(t, frame)
    if op == E_REVEAL and e[1] == Z_DECK_TOP:
        return run_reveal(t, frame)
    if op == E_MOD or op == E_GRANT or op == E_FORBID:
        return run_lasting(t, frame)
    if op == E_SHED_PRIZE or op == E_TAKE_PRIZE or op == E_DRAW or op == E_COINS or op == E_LOSE_COINS or (
        op == E_TAKE_COINS or op == E_SHUFFLE or op == E_CANCEL or op == E_REPLACE or op == E_SCORE
    ):
        return run_plain(t, frame)
    return run_picking(t, frame)


# -- effects without picks --------------------------------------------------------------------------------------------


cdef int run_plain(Table t, Frame* frame) except -1:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int op = e[0], who, n, seat, i, cause = context(t).cause, you = context(t).controller, deck, node = frame.node
    cdef Env env
    here(t, &env)
    if op == E_TAKE_PRIZE or op == E_SHED_PRIZE:
        return run_prizes(t, frame)
    pop(t)
    if op == E_CANCEL or op == E_REPLACE:
        for i in range(t.d.depth - 1, -1, -1):
            if t.d.frame[i].kind == FR_REACT:
                t.d.frame[i].b = 1
                break
        if op == E_REPLACE and e[1]:
            push(t, FR_BLOCK).node = e[1]
        return 0
    if op == E_SCORE:
        return 0
    who = seat_of(t, &env, e[1])
    n = amount(t, &env, e[2]) if op != E_SHUFFLE else 0
    # Each: the Active player first; frames are gone through from the top, so draws are pushed the other way round.
    for i in range(2):
        seat = t.d.active if (i == 0) != (op == E_DRAW) else 1 - t.d.active
        if who < 2 and seat != who:
            continue
        if op == E_DRAW and n > 0:
            start_draws(t, seat, n, e[3], cause)
            top(t).node = node
        elif op == E_COINS:
            gain(t, you, seat, n, cause)
        elif op == E_LOSE_COINS:
            if n > 0 and t.d.coins[seat]:
                request(t, EV_LOSE_COINS, you, seat, NONE, NONE, n, cause, 0)
        elif op == E_TAKE_COINS:
            if n > 0 and seat != you and t.d.coins[seat]:
                request(t, EV_TAKE_COINS, you, seat, NONE, NONE, n, cause, 0)
        elif op == E_SHUFFLE:
            deck = deck_of(t, seat)
            n = t.d.size[PILE_DISCARD + deck]
            if who < 2 or t.d.drafted or i == 0:
                shuffle_in(t, deck, PILE_DISCARD + deck)
                emit(t, EV_RESHUFFLE, you, seat if t.d.drafted else NONE, NONE, NONE, NONE, NONE, n, cause, 0)
    return 0


cdef int run_prizes(Table t, Frame* frame) except -1:
    # Take the top prize of a City, or lay Rewards face down.
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef Env env
    cdef int city, who, token, left
    here(t, &env)
    if e[0] == E_TAKE_PRIZE:
        who = seat_of(t, &env, e[2])
        frame.seat = env.you
        if frame.stage == DOING:
            pop(t)
        elif prize_cities(t, frame, &city) > 1:
            t.d.ask, t.d.asked = ASK_CITY, frame.seat
        elif city == NONE or who >= 2:
            pop(t)
        else:
            frame.stage = DOING
            start_prize(t, city, who, context(t).cause)
        return 0
    who = seat_of(t, &env, e[1])
    if frame.stage == BEGIN:
        frame.stage, frame.n = PICKING, amount(t, &env, e[2])
        frame.seat = who if who < 2 else t.d.active
        frame.c = who >= 2
    left = 0
    token = t.d.head[PILE_HAND + frame.seat]
    while token != NONE:
        left += t.rules.card[t.d.token[token].card].kind == K_REWARD
        token = t.d.token[token].next
    if frame.n <= 0 or not left:
        if frame.c:
            frame.seat, frame.n, frame.c = 1 - frame.seat, amount(t, &env, e[2]), 0
        else:
            pop(t)
    else:
        t.d.ask, t.d.asked = ASK_CARD, frame.seat
    return 0


cdef int prize_cities(Table t, Frame* frame, int* only) except -1:
    # How many Cities a prize can be taken from, and one of them.
    cdef Env env
    cdef int city, count = 0
    here(t, &env)
    only[0] = NONE
    for city in range(t.rules.cities):
        if t.d.left[city] and city_fits(t, &env, t.rules.code[frame.node + 1], city, NONE):
            only[0] = city
            count += 1
    return count


# -- effects with picks -----------------------------------------------------------------------------------------------


cdef bint one_by_one(Table t, Frame* frame) noexcept nogil:
    # The order of cards put on or under a deck matters: each is put before the next is picked.
    cdef int32_t* e = &t.rules.code[frame.node]
    return (e[0] == E_PUT or e[0] == E_RETURN) and (e[2] == Z_DECK_TOP or e[2] == Z_DECK_BOTTOM)


cdef int run_picking(Table t, Frame* frame) except -1:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int sel = selector_of(t, frame), token, done
    if frame.stage == BEGIN:
        frame.stage = PICKING
        if not sel and e[0] != E_CLAIM:
            pop(t)
            return 0
        if sel:
            begin_pick(t, frame, sel)
            if e[0] == E_PUT and run_put(t, frame, 1):
                return 0
        else:
            frame.n, frame.seat = 1, context(t).controller
    if frame.stage == PICKING:
        if one_by_one(t, frame) and not (e[0] == E_SWAP):
            done = pick_in_order(t, frame, sel)
        elif e[0] == E_CLAIM:
            done = pick_claim(t, frame)
        else:
            done = go_on_picking(t, frame, sel)
        if not done:
            return 0
        if e[0] == E_SWAP and not frame.m:
            if not has_any(&frame.set):
                pop(t)
                return 0
            frame.m, frame.n, frame.c, frame.token = 1, 1, 0, lowest(t, &frame.set)
            return 0
        bind_cards(t, t.rules.code[sel + S_AS] if sel else -1, &frame.set)
        frame.stage = DOING
    if e[0] == E_SWAP:
        return swap(t, frame)
    if e[0] == E_MOVE or e[0] == E_DEPLOY or e[0] == E_RELIC:
        return place_next(t, frame)
    while has_any(&frame.set):
        token = lowest(t, &frame.set)
        remove(&frame.set, token)
        if do_one(t, frame, token):
            # A frame above it comes first.
            return 0
    if one_by_one(t, frame) and frame.n != 0 and frame.token != NONE:
        frame.stage, frame.token = PICKING, NONE
        return 0
    pop(t)
    return 0


cdef int pick_in_order(Table t, Frame* frame, int sel) except -1:
    # One card, then its move, then the next; ``token`` tells that one was picked.
    cdef Set options
    cdef int n = frame.n, up_to = frame.c, count = 0, token
    if frame.token != NONE:
        return 1
    pick_options(t, frame, sel, &options)
    token = lowest(t, &options)
    if n == 0 or token == NONE:
        frame.n = 0
        return 1
    for count in range(t.d.tokens):
        if has(&options, count) and count != token:
            break
    else:
        if not up_to and not depends(t, frame.node):
            insert(&frame.set, token)
            frame.token = token
            frame.n = n - 1 if n > 0 else n
            return 1
    if n < 0:
        # All of them, in an order of choice.
        frame.n = 1
        go_on_picking(t, frame, sel)
        frame.n = -1
        if not has_any(&frame.set):
            return 0
        frame.token = lowest(t, &frame.set)
        return 1
    frame.c = 1
    go_on_picking(t, frame, sel)
    frame.c = up_to
    return 0


cdef int pick_claim(Table t, Frame* frame) except -1:
    if frame.n == 0:
        return 1
    frame.n = 1
    t.d.ask, t.d.asked = ASK_CARD, frame.seat
    return 0


cdef int do_one(Table t, Frame* frame, int token) except -1:
    """What an effect does to one picked card; 1 if a frame was pushed for it."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int op = e[0], zone = t.d.token[token].zone, depth = t.d.depth, you = context(t).controller
    cdef int cause = context(t).cause, seat, number
    cdef Env env
    here(t, &env)
    if op == E_DISCARD:
        if in_hand(zone):
            request(t, EV_DISCARD, you, zone - PILE_HAND, token, NONE, 0, cause, 0)
    elif op == E_DESTROY:
        if in_city(zone):
            request(t, EV_DESTROY, you, seat_of_side(zone), token, city_of(zone), 0, cause, 0)
    elif op == E_RETURN:
        if in_city(zone):
            seat = seat_of_side(zone) if e[3] < 0 else seat_of(t, &env, e[3])
            request(t, EV_RETURN_HAND, you, seat if seat < 2 else you, token, city_of(zone), 0, cause, e[2])
    elif op == E_SEIZE or op == E_GIVE:
        seat = you if op == E_SEIZE else 1 - seat_of_side(zone)
        if in_city(zone) and can_enter(t, token, seat, city_of(zone), NONE):
            request(t, EV_ENTER, you, seat, token, city_of(zone), 0, cause, FROM_SIDE)
    elif op == E_ENRAGE:
        request(t, EV_ENRAGE, you, seat_of_side(zone), token, city_of(zone), 0, cause, 0)
    elif op == E_UNRAGE:
        if t.d.token[token].enraged:
            t.d.token[token].enraged = 0
            emit(t, EV_UNRAGE, you, seat_of_side(zone), token, city_of(zone), NONE, NONE, 0, cause, EVERYONE)
    elif op == E_RUN:
        return run_other(t, token, e[2])
    elif op == E_READY_PRIZE:
        open_ready(t, token, you, cause)
    elif op == E_CLAIM:
        claim(t, token, you, cause)
    elif op == E_REVEAL:
        reveal_one(t, token, you, cause)
    else:
        frame.token = token
        run_put(t, frame, 0)
    return t.d.depth > depth


cdef int run_other(Table t, int token, int hook) except -1:
    # Carry out another card's ability as if it were the controller's own.
    cdef Context* ctx = context(t)
    cdef int number = ability_of(t, t.d.token[token].card, hook, 0), city = ctx.city
    if number < 0 or t.d.triggers >= t.rules.trigger_cap:
        return 0
    t.d.triggers += 1
    if in_city(t.d.token[token].zone):
        city = city_of(t.d.token[token].zone)
    begin(t, number, token, t.d.token[token].card, ctx.controller, city, ctx.cause, NULL)
    return 1


cdef int open_ready(Table t, int token, int you, int cause) except -1:
    # A face-down prize goes back to the hand of the seat before which it lies; who knew it still does.
    cdef int seat = t.d.token[token].zone - PILE_USED
    if t.d.token[token].zone != PILE_USED and t.d.token[token].zone != PILE_USED_B:
        return 0
    take(t, token)
    put_last(t, token, PILE_HAND + seat)
    t.d.token[token].laid = 0
    emit(t, EV_TO_HAND, you, seat, token, NONE, Z_USED, Z_HAND, 0, cause, t.d.token[token].known)
    return 0


cdef int claim(Table t, int token, int you, int cause) except -1:
    if t.d.token[token].zone == PILE_FEATS_UP + you:
        open_move(t, token, PILE_FEATS_DOWN + you)
        # In the Feat step of its owner it may be rotated for a Relic (OMEN-RELIC-02).
        t.d.token[token].fresh = t.d.phase == PH_FEAT and you == t.d.active
        emit(t, EV_FEAT, you, you, token, NONE, NONE, NONE, 0, cause, EVERYONE)
    elif t.d.token[token].zone == PILE_CHALLENGES:
        open_move(t, token, PILE_TAKEN + you)
        emit(t, EV_CHALLENGE, you, you, token, NONE, NONE, NONE, 0, cause, EVERYONE)
    return 0


cdef int reveal_one(Table t, int token, int you, int cause) except -1:
    # A card of a hand is shown and stays there (OMENX-FX-19).
    show(t, token, EVERYONE)
    insert(&context(t).revealed, token)
    emit(t, EV_REVEAL, you, t.d.token[token].zone - PILE_HAND, token, NONE, Z_HAND, NONE, 1, cause, EVERYONE)
    return 0


# -- options and answers ----------------------------------------------------------------------------------------------


cdef int effect_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1:
    """The options of what the topmost frame, an effect or a cost, asks."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int sel, token, city, ask = t.d.ask
    cdef Set cards
    cdef Env env
    if frame.kind == FR_EFFECT and e[0] >= E_CHOOSE:
        return control_options(t, frame, out, tokens)
    here(t, &env)
    if ask == ASK_CITY:
        for city in range(t.rules.cities):
            if e[0] == E_TAKE_PRIZE:
                if t.d.left[city] and city_fits(t, &env, e[1], city, NONE):
                    push_option(out, tokens, V_CITY | city, NONE)
            elif city_open(t, frame, &env, frame.token, city):
                push_option(out, tokens, V_CITY | city, NONE)
        return 0
    clear(&cards)
    if e[0] == E_SHED_PRIZE and frame.kind == FR_EFFECT:
        token = t.d.head[PILE_HAND + frame.seat]
        while token != NONE:
            if t.rules.card[t.d.token[token].card].kind == K_REWARD:
                insert(&cards, token)
            token = t.d.token[token].next
        push_cards(t, V_CARD, &cards, out, tokens)
        return sort_options(out, tokens)
    sel = selector_of(t, frame)
    if e[0] == E_CLAIM and frame.kind == FR_EFFECT:
        claim_options(t, frame, &env, &cards)
    else:
        pick_options(t, frame, sel, &cards)
    if sel and picks_unit(t, sel) and not e[0] == E_CLAIM:
        push_places(t, V_UNIT, &cards, out, tokens)
    else:
        push_cards(t, V_CARD, &cards, out, tokens)
    sort_options(out, tokens)
    if frame.c and frame.kind == FR_EFFECT:
        push_option(out, tokens, V_STOP, NONE)
    return 0


cdef void claim_options(Table t, Frame* frame, const Env* env, Set* out) noexcept:
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int token = t.d.head[PILE_FEATS_UP + env.you if e[1] == K_FEAT else PILE_CHALLENGES]
    while token != NONE:
        if not e[2] or matches(t, env, e[2], token):
            insert(out, token)
        token = t.d.token[token].next


cdef int answer_effect(Table t, Frame* frame, int32_t code, int token) except -1:
    """Take an answer (code -1: there was nothing to choose)."""
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int verb = code & ~0xFFFFFF, city, zone
    if frame.kind == FR_EFFECT and e[0] >= E_CHOOSE:
        return answer_control(t, frame, code, token)
    if verb == V_CITY:
        city = code & 0x7
        if e[0] == E_TAKE_PRIZE:
            frame.stage = DOING
            return start_prize(t, city, seat_of_who(t, e[2]), context(t).cause)
        return place(t, frame, city)
    if code == -1 or verb == V_STOP:
        frame.n = 0
        if e[0] == E_SHED_PRIZE:
            frame.c = 0
        return 0
    if e[0] == E_SHED_PRIZE and frame.kind == FR_EFFECT:
        frame.n -= 1
        return shed(t, token, frame.seat, context(t).cause)
    insert(&frame.set, token)
    if one_by_one(t, frame) and frame.kind == FR_EFFECT:
        frame.token = token
    if frame.n > 0:
        frame.n -= 1
    return 0


cdef int seat_of_who(Table t, int ref) except -1:
    cdef Env env
    cdef int seat
    here(t, &env)
    seat = seat_of(t, &env, ref)
    return seat if seat < 2 else env.you


cdef int shed(Table t, int token, int seat, int cause) except -1:
    hidden_move(t, token, PILE_USED + seat, 1 << seat, True)
    t.d.token[token].laid = 1
    emit(t, EV_PRIZE_SHED, seat, seat, token, NONE, Z_HAND, Z_USED, 0, cause, t.d.token[token].known)
    return 0
