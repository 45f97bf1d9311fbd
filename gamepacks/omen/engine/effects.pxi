# Carrying out effects (section 10.9): blocks of effects, and the effects that pick cards.
#
# Effects of control (choose, may, pay, if, ...) are in control.pxi, those that look, reveal, put or go to Cities in
# card_moves.pxi, and mod, grant and forbid in modifiers.pxi. The frame of an effect has ``node``, the effect; ``stage``;
# ``seat``, the seat that picks; ``n``, the number of cards still to be picked; ``set``, the cards picked.

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
        return run_modifier(s, frame)
    if op == E_SHED_PRIZE or op == E_TAKE_PRIZE or op == E_DRAW or op == E_COINS or op == E_LOSE_COINS or (
        op == E_TAKE_COINS or op == E_SHUFFLE or op == E_CANCEL or op == E_REPLACE or op == E_SCORE
    ):
        return run_simple(s, frame)
    return run_picking(s, frame)


# -- effects without picks --------------------------------------------------------------------------------------------


cdef int run_simple(CoreState s, Frame* frame) except -1:
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
            gain_coins(s, you, seat, n, cause)
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
        elif count_prize_cities(s, frame, &city) > 1:
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


cdef int count_prize_cities(CoreState s, Frame* frame, int* only) except -1:
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
        return swap_units(s, frame)
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
        # The seat picks all cards, in an order that it chooses.
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
    """Apply an effect to one picked card; returns 1 if a frame was pushed for it."""
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
    # A face-down prize goes back to the hand of its seat; viewers who knew it still know it.
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


# -- options ----------------------------------------------------------------------------------------------------------


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
        return place_in_city(s, frame, city)
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
