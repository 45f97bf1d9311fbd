"""Carrying out effects (section 10.9): blocks of effects, and the effects that pick, reveal, move or modify cards.

The effects of control (choose, may, pay, if, ...) are in control.pyx. The frame of an effect has: ``node``, the effect;
``stage``; ``seat``, who picks; ``n``, how many more; ``set``, the cards picked.
"""

from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.abilities cimport ability_env, ability_of, begin_ability, bind_cards, context, pop, push, top
from gamepacks.omen.engine.control cimport apply_control, control_options, run_control
from gamepacks.omen.engine.data cimport (
    bit, city_of, clear, Context, CoreState, Env, EVERYONE, FR_BLOCK, FR_EFFECT, FR_PEEK, FR_REACT, Frame, has,
    has_any, in_city, in_hand, insert, is_prize, MAX_MODS, Mod, relic_in_city, relic_of, remove, seat_of_side, TG_CARD,
    TokenSet,
)
from gamepacks.omen.engine.hidden cimport depends_on_hidden
from gamepacks.omen.codes_enums cimport *
from gamepacks.omen.engine.operations cimport (
    can_enter, entered, FROM_DEPLOY, FROM_MOVE, FROM_PLAYED_DEPLOY, FROM_SIDE, gain, pay_coins, request, start_draws,
    start_peek, start_prize,
)
from gamepacks.omen.engine.piles cimport (
    deck_of, emit, find_card, hidden_move, open_move, pile_for, put_first, put_last, reshuffle, show, shuffle_in, take,
)
from gamepacks.omen.engine.selection cimport (
    BEGIN, begin_pick, city_fits, continue_pick, deploy_cost, DOING, first_in_order, pick_options, PICKING, picks_unit,
    push_cards, push_option, push_places, selector_of, sort_options,
)
from gamepacks.omen.engine.values cimport amount, city_ref, filters_by_face, matches, seat_of
from gamepacks.omen.cards.program_enums cimport *
from gamepacks.omen.v1.omen_enums cimport *

cdef int run_block(CoreState s, Frame* frame) except -1:
    """Start the next effect of a block (OMENX-FX-01)."""
    cdef int effect
    if frame.n == s.config.code[frame.node]:
        pop(s)
        return 0
    frame.n += 1
    effect = s.config.code[frame.node + frame.n]
    push(s, FR_EFFECT).node = effect
    return 0


cdef int run_effect(CoreState s, Frame* frame) except -1:
    """Continue an effect until it ends, needs a decision, or waits for a frame above it."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int op = e[0]
    if op >= E_CHOOSE:
        return run_control(s, frame)
    if op == E_LOOK:
        return run_look(s, frame)
    if op == E_REVEAL and e[1] == ZONE_DECK_TOP:
        return run_reveal(s, frame)
    if op == E_MOD or op == E_GRANT or op == E_FORBID:
        return run_lasting(s, frame)
    if op == E_SHED_PRIZE or op == E_TAKE_PRIZE or op == E_DRAW or op == E_COINS or op == E_LOSE_COINS or (
        op == E_TAKE_COINS or op == E_SHUFFLE or op == E_CANCEL or op == E_REPLACE or op == E_SCORE
    ):
        return run_plain(s, frame)
    return run_picking(s, frame)


# -- effects without picks --------------------------------------------------------------------------------------------


cdef int run_plain(CoreState s, Frame* frame) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int op = e[0], who, n, seat, i, cause = context(s).cause, you = context(s).controller, deck, node = frame.node
    cdef Env env
    ability_env(s, &env)
    if op == E_TAKE_PRIZE or op == E_SHED_PRIZE:
        return run_prizes(s, frame)
    pop(s)
    if op == E_CANCEL or op == E_REPLACE:
        for i in range(s.d.depth - 1, -1, -1):
            if s.d.frame[i].kind == FR_REACT:
                s.d.frame[i].b = 1
                break
        if op == E_REPLACE and e[1]:
            push(s, FR_BLOCK).node = e[1]
        return 0
    if op == E_SCORE:
        return 0
    who = seat_of(s, &env, e[1])
    n = amount(s, &env, e[2]) if op != E_SHUFFLE else 0
    # For both seats the Active player is first; the topmost frame runs first, so draws are pushed in reverse.
    for i in range(2):
        seat = s.d.active if (i == 0) != (op == E_DRAW) else 1 - s.d.active
        if who < 2 and seat != who:
            continue
        if op == E_DRAW and n > 0:
            start_draws(s, seat, n, e[3], cause)
            top(s).node = node
        elif op == E_COINS:
            gain(s, you, seat, n, cause)
        elif op == E_LOSE_COINS:
            if n > 0 and s.d.coins[seat]:
                request(s, EVENT_TYPE_LOSE_COINS, you, seat, NONE, NONE, n, cause, 0)
        elif op == E_TAKE_COINS:
            if n > 0 and seat != you and s.d.coins[seat]:
                request(s, EVENT_TYPE_TAKE_COINS, you, seat, NONE, NONE, n, cause, 0)
        elif op == E_SHUFFLE:
            deck = deck_of(s, seat)
            n = s.d.size[PILE_DISCARD + deck]
            if who < 2 or s.d.drafted or i == 0:
                shuffle_in(s, deck, PILE_DISCARD + deck)
                emit(s, EVENT_TYPE_RESHUFFLE, you, seat if s.d.drafted else NONE, NONE, NONE, NONE, NONE, n, cause, 0)
    return 0


cdef int run_prizes(CoreState s, Frame* frame) except -1:
    # Take the top prize of a City, or lay Rewards face down.
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Env env
    cdef int city, who, token, left
    ability_env(s, &env)
    if e[0] == E_TAKE_PRIZE:
        who = seat_of(s, &env, e[2])
        frame.seat = env.you
        if frame.stage == DOING:
            pop(s)
        elif prize_cities(s, frame, &city) > 1:
            s.d.decision, s.d.decider = DECISION_CITY, frame.seat
        elif city == NONE or who >= 2:
            pop(s)
        else:
            frame.stage = DOING
            start_prize(s, city, who, context(s).cause)
        return 0
    who = seat_of(s, &env, e[1])
    if frame.stage == BEGIN:
        frame.stage, frame.n = PICKING, amount(s, &env, e[2])
        frame.seat = who if who < 2 else s.d.active
        frame.c = who >= 2
    left = 0
    token = s.d.head[PILE_HAND + frame.seat]
    while token != NONE:
        left += s.config.card[s.d.token[token].card].kind == KIND_REWARD
        token = s.d.token[token].next
    if frame.n <= 0 or not left:
        if frame.c:
            frame.seat, frame.n, frame.c = 1 - frame.seat, amount(s, &env, e[2]), 0
        else:
            pop(s)
    else:
        s.d.decision, s.d.decider = DECISION_CARD, frame.seat
    return 0


cdef int prize_cities(CoreState s, Frame* frame, int* only) except -1:
    # Count the Cities that a prize can be taken from; ``only`` becomes one of them.
    cdef Env env
    cdef int city, count = 0
    ability_env(s, &env)
    only[0] = NONE
    for city in range(s.config.cities):
        if s.d.left[city] and city_fits(s, &env, s.config.code[frame.node + 1], city, NONE):
            only[0] = city
            count += 1
    return count


# -- effects with picks -----------------------------------------------------------------------------------------------


cdef bint picks_in_order(CoreState s, Frame* frame) noexcept nogil:
    # The order of cards put on or under a deck matters: each is put before the next is picked.
    cdef int32_t* e = &s.config.code[frame.node]
    return (e[0] == E_PUT or e[0] == E_RETURN) and (e[2] == ZONE_DECK_TOP or e[2] == ZONE_DECK_BOTTOM)


cdef int run_picking(CoreState s, Frame* frame) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int sel = selector_of(s, frame), token, done
    if frame.stage == BEGIN:
        frame.stage = PICKING
        if not sel and e[0] != E_CLAIM:
            pop(s)
            return 0
        if sel:
            begin_pick(s, frame, sel)
            if e[0] == E_PUT and run_put(s, frame, 1):
                return 0
        else:
            frame.n, frame.seat = 1, context(s).controller
    if frame.stage == PICKING:
        if picks_in_order(s, frame) and not (e[0] == E_SWAP):
            done = pick_in_order(s, frame, sel)
        elif e[0] == E_CLAIM:
            done = pick_claim(s, frame)
        else:
            done = continue_pick(s, frame, sel)
        if not done:
            return 0
        if e[0] == E_SWAP and not frame.m:
            if not has_any(&frame.set):
                pop(s)
                return 0
            frame.m, frame.n, frame.c, frame.token = 1, 1, 0, first_in_order(s, &frame.set)
            return 0
        bind_cards(s, s.config.code[sel + S_AS] if sel else -1, &frame.set)
        frame.stage = DOING
    if e[0] == E_SWAP:
        return swap(s, frame)
    if e[0] == E_MOVE or e[0] == E_DEPLOY or e[0] == E_RELIC:
        return place_next(s, frame)
    while has_any(&frame.set):
        token = first_in_order(s, &frame.set)
        remove(&frame.set, token)
        if apply_to_card(s, frame, token):
            # The frame that was pushed runs first.
            return 0
    if picks_in_order(s, frame) and frame.n != 0 and frame.token != NONE:
        frame.stage, frame.token = PICKING, NONE
        return 0
    pop(s)
    return 0


cdef int pick_in_order(CoreState s, Frame* frame, int sel) except -1:
    # Pick one card, move it, then pick the next. ``token`` is the card that was picked.
    cdef TokenSet options
    cdef int n = frame.n, up_to = frame.c, count = 0, token
    if frame.token != NONE:
        return 1
    pick_options(s, frame, sel, &options)
    token = first_in_order(s, &options)
    if n == 0 or token == NONE:
        frame.n = 0
        return 1
    for count in range(s.d.tokens):
        if has(&options, count) and count != token:
            break
    else:
        if not up_to and not depends_on_hidden(s, frame.node):
            insert(&frame.set, token)
            frame.token = token
            frame.n = n - 1 if n > 0 else n
            return 1
    if n < 0:
        # All cards are picked, in an order that the seat chooses.
        frame.n = 1
        continue_pick(s, frame, sel)
        frame.n = -1
        if not has_any(&frame.set):
            return 0
        frame.token = first_in_order(s, &frame.set)
        return 1
    frame.c = 1
    continue_pick(s, frame, sel)
    frame.c = up_to
    return 0


cdef int pick_claim(CoreState s, Frame* frame) except -1:
    if frame.n == 0:
        return 1
    frame.n = 1
    s.d.decision, s.d.decider = DECISION_CARD, frame.seat
    return 0


cdef int apply_to_card(CoreState s, Frame* frame, int token) except -1:
    """Apply an effect to one picked card; 1 if a frame was pushed for it."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int op = e[0], zone = s.d.token[token].zone, depth = s.d.depth, you = context(s).controller
    cdef int cause = context(s).cause, seat, number
    cdef Env env
    ability_env(s, &env)
    if op == E_DISCARD:
        if in_hand(zone):
            request(s, EVENT_TYPE_DISCARD, you, zone - PILE_HAND, token, NONE, 0, cause, 0)
    elif op == E_DESTROY:
        if in_city(zone):
            request(s, EVENT_TYPE_DESTROY, you, seat_of_side(zone), token, city_of(zone), 0, cause, 0)
    elif op == E_RETURN:
        if in_city(zone):
            seat = seat_of_side(zone) if e[3] < 0 else seat_of(s, &env, e[3])
            request(s, EVENT_TYPE_RETURN_HAND, you, seat if seat < 2 else you, token, city_of(zone), 0, cause, e[2])
    elif op == E_SEIZE or op == E_GIVE:
        seat = you if op == E_SEIZE else 1 - seat_of_side(zone)
        if in_city(zone) and can_enter(s, token, seat, city_of(zone), NONE):
            request(s, EVENT_TYPE_ENTER, you, seat, token, city_of(zone), 0, cause, FROM_SIDE)
    elif op == E_ENRAGE:
        request(s, EVENT_TYPE_ENRAGE, you, seat_of_side(zone), token, city_of(zone), 0, cause, 0)
    elif op == E_UNRAGE:
        if s.d.token[token].enraged:
            s.d.token[token].enraged = 0
            emit(s, EVENT_TYPE_UNRAGE, you, seat_of_side(zone), token, city_of(zone), NONE, NONE, 0, cause, EVERYONE)
    elif op == E_RUN:
        return run_ability_of(s, token, e[2])
    elif op == E_READY_PRIZE:
        take_back_prize(s, token, you, cause)
    elif op == E_CLAIM:
        claim_card(s, token, you, cause)
    elif op == E_REVEAL:
        reveal_card(s, token, you, cause)
    else:
        frame.token = token
        run_put(s, frame, 0)
    return s.d.depth > depth


cdef int run_ability_of(CoreState s, int token, int hook) except -1:
    # Carry out another card's ability as if it were the controller's own.
    cdef Context* ctx = context(s)
    cdef int number = ability_of(s, s.d.token[token].card, hook, 0), city = ctx.city
    if number < 0 or s.d.triggers >= s.config.trigger_cap:
        return 0
    s.d.triggers += 1
    if in_city(s.d.token[token].zone):
        city = city_of(s.d.token[token].zone)
    begin_ability(s, number, token, s.d.token[token].card, ctx.controller, city, ctx.cause, NULL)
    return 1


cdef int take_back_prize(CoreState s, int token, int you, int cause) except -1:
    # A face-down prize goes back to the hand of its seat; viewers who knew it still do.
    cdef int seat = s.d.token[token].zone - PILE_USED
    if s.d.token[token].zone != PILE_USED and s.d.token[token].zone != PILE_USED_B:
        return 0
    take(s, token)
    put_last(s, token, PILE_HAND + seat)
    s.d.token[token].laid = 0
    emit(s, EVENT_TYPE_TO_HAND, you, seat, token, NONE, ZONE_USED, ZONE_HAND, 0, cause, s.d.token[token].known)
    return 0


cdef int claim_card(CoreState s, int token, int you, int cause) except -1:
    if s.d.token[token].zone == PILE_FEATS_UP + you:
        open_move(s, token, PILE_FEATS_DOWN + you)
        # In the Feat step of its owner it may be rotated for a Relic (OMEN-RELIC-02).
        s.d.token[token].fresh = s.d.phase == PHASE_FEAT and you == s.d.active
        emit(s, EVENT_TYPE_FEAT, you, you, token, NONE, NONE, NONE, 0, cause, EVERYONE)
    elif s.d.token[token].zone == PILE_CHALLENGES:
        open_move(s, token, PILE_TAKEN + you)
        emit(s, EVENT_TYPE_CHALLENGE, you, you, token, NONE, NONE, NONE, 0, cause, EVERYONE)
    return 0


cdef int reveal_card(CoreState s, int token, int you, int cause) except -1:
    # A card of a hand is shown and stays there (OMENX-FX-19).
    show(s, token, EVERYONE)
    insert(&context(s).revealed, token)
    emit(s, EVENT_TYPE_REVEAL, you, s.d.token[token].zone - PILE_HAND, token, NONE, ZONE_HAND, NONE, 1, cause, EVERYONE)
    return 0


# -- options and answers ----------------------------------------------------------------------------------------------


cdef int effect_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1:
    """List the options of the topmost frame, an effect or a cost."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int sel, token, city, decision = s.d.decision
    cdef TokenSet cards
    cdef Env env
    if frame.kind == FR_EFFECT and e[0] >= E_CHOOSE:
        return control_options(s, frame, out, tokens)
    ability_env(s, &env)
    if decision == DECISION_CITY:
        for city in range(s.config.cities):
            if e[0] == E_TAKE_PRIZE:
                if s.d.left[city] and city_fits(s, &env, e[1], city, NONE):
                    push_option(out, tokens, V_CITY | city, NONE)
            elif city_open(s, frame, &env, frame.token, city):
                push_option(out, tokens, V_CITY | city, NONE)
        return 0
    clear(&cards)
    if e[0] == E_SHED_PRIZE and frame.kind == FR_EFFECT:
        token = s.d.head[PILE_HAND + frame.seat]
        while token != NONE:
            if s.config.card[s.d.token[token].card].kind == KIND_REWARD:
                insert(&cards, token)
            token = s.d.token[token].next
        push_cards(s, V_CARD, &cards, out, tokens)
        return sort_options(out, tokens)
    sel = selector_of(s, frame)
    if e[0] == E_CLAIM and frame.kind == FR_EFFECT:
        claim_options(s, frame, &env, &cards)
    else:
        pick_options(s, frame, sel, &cards)
    if sel and picks_unit(s, sel) and not e[0] == E_CLAIM:
        push_places(s, V_UNIT, &cards, out, tokens)
    else:
        push_cards(s, V_CARD, &cards, out, tokens)
    sort_options(out, tokens)
    if frame.c and frame.kind == FR_EFFECT:
        push_option(out, tokens, V_STOP, NONE)
    return 0


cdef void claim_options(CoreState s, Frame* frame, const Env* env, TokenSet* out) noexcept:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int token = s.d.head[PILE_FEATS_UP + env.you if e[1] == KIND_FEAT else PILE_CHALLENGES]
    while token != NONE:
        if not e[2] or matches(s, env, e[2], token):
            insert(out, token)
        token = s.d.token[token].next


cdef int apply_effect(CoreState s, Frame* frame, int32_t code, int token) except -1:
    """Apply a chosen option (code -1: there was no option)."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int verb = code & ~0xFFFFFF, city, zone
    if frame.kind == FR_EFFECT and e[0] >= E_CHOOSE:
        return apply_control(s, frame, code, token)
    if verb == V_CITY:
        city = code & 0x7
        if e[0] == E_TAKE_PRIZE:
            frame.stage = DOING
            return start_prize(s, city, seat_of_who(s, e[2]), context(s).cause)
        return place(s, frame, city)
    if code == -1 or verb == V_STOP:
        frame.n = 0
        if e[0] == E_SHED_PRIZE:
            frame.c = 0
        return 0
    if e[0] == E_SHED_PRIZE and frame.kind == FR_EFFECT:
        frame.n -= 1
        return lay_down_prize(s, token, frame.seat, context(s).cause)
    insert(&frame.set, token)
    if picks_in_order(s, frame) and frame.kind == FR_EFFECT:
        frame.token = token
    if frame.n > 0:
        frame.n -= 1
    return 0


cdef int seat_of_who(CoreState s, int ref) except -1:
    cdef Env env
    cdef int seat
    ability_env(s, &env)
    seat = seat_of(s, &env, ref)
    return seat if seat < 2 else env.you


cdef int lay_down_prize(CoreState s, int token, int seat, int cause) except -1:
    hidden_move(s, token, PILE_USED + seat, 1 << seat, True)
    s.d.token[token].laid = 1
    emit(s, EVENT_TYPE_PRIZE_SHED, seat, seat, token, NONE, ZONE_HAND, ZONE_USED, 0, cause, s.d.token[token].known)
    return 0


# == look, reveal, put, Relics ========================================================================================


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
        if hand_left(s, frame) > frame.n and frame.n > 0:
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


cdef int hand_left(CoreState s, Frame* frame) noexcept:
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


cdef int start_relic(CoreState s, int token, int city, int you, int cause) except -1:
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


# == cards that go to Cities ==========================================================================================


cdef int fits_cities(CoreState s, Frame* frame, int token, int* only) except -1:
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
        return start_relic(s, city, NONE, context(s).controller, context(s).cause)
    if fits_cities(s, frame, frame.token, &city) > 1:
        s.d.decision, s.d.decider = DECISION_CITY, context(s).controller
    elif city != NONE:
        place(s, frame, city)
    else:
        frame.token = NONE
    return 0


cdef int place(CoreState s, Frame* frame, int city) except -1:
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int token = frame.token, you = context(s).controller, cause = context(s).cause
    cdef Env env
    frame.token = NONE
    ability_env(s, &env)
    if e[0] == E_RELIC:
        start_relic(s, token, city, you, cause)
    elif e[0] == E_MOVE:
        request(s, EVENT_TYPE_ENTER, you, seat_of_side(s.d.token[token].zone), token, city, 0, cause, FROM_MOVE)
    else:
        pay_coins(s, you, deploy_cost(s, &env, frame.node, token, city), cause)
        request(s, EVENT_TYPE_ENTER, you, seat_of(s, &env, e[3]), token, city, 0, cause, (
            FROM_PLAYED_DEPLOY if e[6] else FROM_DEPLOY
        ))
    return 0


cdef int swap(CoreState s, Frame* frame) except -1:
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
    return entered(s, token, seat, city, False)


# == mod, grant, forbid ===============================================================================================


cdef int WIDEST = 30000


cdef bint uses_variable(CoreState s, int sel) noexcept nogil:
    # Must the selector be evaluated now, because it names a variable or something that may change?
    cdef int32_t* q = &s.config.code[sel]
    return (
        q[S_SIDE] >= VAR or q[S_CITY] >= VAR or q[S_TYPE] < 0 or q[S_TRAIT] < 0 or q[S_SAME_AS] >= 0 or q[S_NOT] >= 0
        or q[S_ZONE] == ZONE_SET or q[S_ZONE] == ZONE_REVEAL or q[S_COST] or q[S_OFFERING] or q[S_STRENGTH] or q[S_TOP]
        or q[S_AS] >= 0 or q[S_PICK]
    )


cdef int run_lasting(CoreState s, Frame* frame) except -1:
    """Carry out a mod, grant or forbid."""
    cdef int32_t* e = &s.config.code[frame.node]
    cdef Env env
    cdef int sel = 0, token, value, until, what = e[1], seat, i
    ability_env(s, &env)
    if e[0] == E_MOD:
        until, sel = e[6], e[3] if e[2] == TG_SEL else 0
    elif e[0] == E_FORBID:
        until, sel = e[4], e[3] if e[2] == TG_SEL else 0
    else:
        until, sel = e[4], e[5] if what == W_PORTENT_USE else 0
    if sel and what != W_PORTENT_USE and s.config.code[sel + S_COUNT] == N_ALL and not uses_variable(s, sel):
        # It applies to every card that matches while it lasts.
        pop(s)
        return add(s, &env, e, TG_SEL, NONE, sel, until, NONE)
    if sel:
        if frame.stage == 0:
            frame.stage = 1
            begin_pick(s, frame, sel)
        if not continue_pick(s, frame, sel):
            return 0
        bind_cards(s, s.config.code[sel + S_AS], &frame.set)
        while first_in_order(s, &frame.set) != NONE:
            token = first_in_order(s, &frame.set)
            remove(&frame.set, token)
            if what == W_PORTENT_USE and e[0] == E_GRANT:
                # One more use counts as a triggered ability: Oracles may renew each other (OMENX-LOOP-01).
                if s.d.token[token].used and s.d.triggers < s.config.trigger_cap:
                    s.d.triggers += 1
                    s.d.token[token].used = 0
            else:
                add(s, &env, e, TG_CARD, token, 0, until, NONE)
        pop(s)
        return 0
    pop(s)
    if e[0] != E_GRANT and e[2] == TG_CITY:
        value = city_ref(s, &env, e[3])
        # OMENX-FX-34: it may hold for one seat alone.
        seat = e[7] if e[0] == E_MOD else e[5]
        seat = seat_of(s, &env, seat) if seat >= 0 else NONE
        for i in range(s.config.cities):
            if value == i or e[3] == CR_ANY or e[3] == CR_OTHER and i != env.city:
                add(s, &env, e, TG_CITY, i, 0, until, seat if seat < 2 else NONE)
        return 0
    seat = seat_of(s, &env, e[2] if e[0] == E_GRANT else e[3])
    for i in range(2):
        if seat >= 2 or seat == i:
            add(s, &env, e, TG_SEAT, i, 0, until, NONE)
    return 0


cdef int add(
    CoreState s, const Env* env, const int32_t* e, int target, int who, int sel, int until, int seat
) except -1:
    cdef Mod* mod
    cdef int value = 1
    if s.d.mods == MAX_MODS:
        # The oldest modifier is dropped; real card sets do not get here.
        for value in range(MAX_MODS - 1):
            s.d.mod[value] = s.d.mod[value + 1]
        s.d.mods -= 1
        value = 1
    mod = &s.d.mod[s.d.mods]
    s.d.mods += 1
    mod.what, mod.target, mod.who, mod.sel = e[1], target, who, sel
    mod.controller, mod.city, mod.source, mod.until = env.you, env.city, env.source, until
    mod.is_set, mod.seat = 0, seat
    if e[0] == E_MOD:
        value = amount(s, env, e[5])
        mod.is_set = e[4]
    elif e[0] == E_GRANT:
        value = amount(s, env, e[3])
        if e[1] == W_PLAY_IN:
            value = e[6]
    mod.value = WIDEST if value > WIDEST else -WIDEST if value < -WIDEST else value
    # Ends of own turns that it lasts: the end of the present turn does not count for "next own turn".
    mod.left = 2 if s.d.active == env.you else 1
    s.d.war_blocked = 0
    return 0


cdef void end_mods(CoreState s, int until, int seat) noexcept:
    """Remove the modifiers of a duration: FOR_WAR, FOR_STEP, FOR_TURN at the end of a seat's turn, or FOR_YOUR_NEXT_TURN
    at its beginning (OMENX-FX-23)."""
    cdef int i, kept = 0
    cdef Mod* mod
    for i in range(s.d.mods):
        mod = &s.d.mod[i]
        if mod.until == until and (until != FOR_YOUR_NEXT_TURN or mod.controller == seat):
            continue
        if until == FOR_TURN and mod.until == FOR_NEXT_OWN_TURN and mod.controller == seat:
            mod.left -= 1
            if not mod.left:
                continue
        if kept != i:
            s.d.mod[kept] = mod[0]
        kept += 1
    s.d.mods = kept


cdef bint may_play_in(CoreState s, int seat) noexcept:
    """Has a seat been granted to play Units in this step?"""
    cdef int i
    for i in range(s.d.mods):
        if s.d.mod[i].what == W_PLAY_IN and s.d.mod[i].who == seat and s.d.mod[i].value >> s.d.phase & 1:
            return True
    return False
