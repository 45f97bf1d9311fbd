# Main loop of the engine: advance to the next decision or chance node, list its options or outcomes, apply one.
#
# After each action or outcome the state stands at the next decision, chance node or the end; ``decision`` is its kind and
# ``decider`` its seat. :func:`advance` sets both, so they are not part of a position.

# Upper bound for automatic steps between two decisions.
cdef int MAX_AUTOMATIC_STEPS = 200000


cdef int run_frame(CoreState s) except -1:
    cdef Frame* frame = top(s)
    cdef int kind = frame.kind
    if kind == FR_BLOCK:
        return run_block(s, frame)
    if kind == FR_EFFECT:
        return run_effect(s, frame)
    if kind == FR_ABILITY:
        return run_ability(s, frame)
    if kind == FR_OP:
        return run_op(s, frame)
    if kind == FR_DRAW:
        return run_draws(s, frame)
    if kind == FR_CARD:
        return run_card(s, frame)
    if kind == FR_PLAY:
        return run_play(s, frame)
    if kind == FR_REACT or kind == FR_WINDOW:
        return run_react(s, frame)
    if kind == FR_DRAIN:
        return run_drain(s, frame)
    if kind == FR_PRIZE:
        return run_prize(s, frame)
    if kind == FR_WAR:
        return run_war(s, frame)
    if kind == FR_RAZE:
        return run_raze(s, frame)
    if kind == FR_TRIUMPH:
        return run_triumph(s, frame)
    if kind == FR_OFFER:
        return run_offer(s, frame)
    if kind == FR_PEEK:
        return run_peek(s, frame)
    if kind == FR_SPIRIT:
        return run_spirit(s, frame)
    if kind == FR_FREE:
        return run_free(s, frame)
    if kind == FR_CURSE:
        return run_curse(s, frame)
    if kind == FR_COST:
        return run_cost(s, frame)
    s.d.decision, s.d.decider = DECISION_MODE, frame.seat
    return 0


cdef int advance(CoreState s) except -1:
    """Advance to the next decision, chance node or the end."""
    cdef uint8_t[MAX_CARDS] tokens
    cdef Codes out = s.scratch
    cdef int step, kind
    for step in range(MAX_AUTOMATIC_STEPS):
        s.d.decision, s.d.decider = 0, -1
        if s.d.depth:
            s.d.moment += 1
            kind = top(s).kind
            run_frame(s)
            if not s.config.omega and kind != FR_DRAIN and kind != FR_TRIUMPH and kind != FR_WINDOW:
                # Something was carried out.
                s.d.check_triumph = 1
        elif s.d.phase == PHASE_OVER:
            return 0
        elif s.d.phase < PHASE_WEALTH:
            run_setup(s)
        else:
            s.d.moment += 1
            run_turn(s)
        if s.d.open_events_seen < s.d.open_events:
            queue_auto_abilities(s)
        if not s.d.queued:
            s.d.moment = 0
        if not s.d.decision:
            continue
        if is_chance(s.d.decision) or s.d.decider == C_SIMULTANEOUS:
            return 0
        fill_options(s, s.d.decider, out, tokens)
        if out.size == 0:
            # A decision without options has no effect (OMENX-ATOM-03).
            apply_option(s, -1, NONE, s.d.decider)
        elif out.size == 1 and s.config.auto_single and not options_depend_on_hidden(s):
            if s.trace is not None:
                s.trace.append((
                    EVENT_TYPE_AUTOMATIC, s.d.decider, s.d.decider,
                    s.d.token[tokens[0]].card if tokens[0] != NONE else NONE, NONE, NONE, NONE, out.code[0], CAUSE_RULE,
                    bit(s.d.decider), (),
                ))
            apply_option(s, out.code[0], tokens[0], s.d.decider)
        else:
            return 0
    raise OverflowError("no decision is ever reached")


# -- decisions --------------------------------------------------------------------------------------------------------


cdef int fill_options(CoreState s, int seat, Codes out, uint8_t* tokens) except -1:
    """List the codes that a deciding seat may choose, and the card of each (NONE: no card)."""
    cdef Frame* frame
    cdef int kind, i, city
    cdef TokenSet cards
    out.size = 0
    if s.d.phase < PHASE_WEALTH and not s.d.depth:
        return setup_options(s, seat, out, tokens)
    if not s.d.depth:
        return turn_options(s, out, tokens)
    frame = top(s)
    kind = frame.kind
    if kind == FR_EFFECT or kind == FR_COST:
        return effect_options(s, frame, out, tokens)
    if kind == FR_REACT or kind == FR_WINDOW:
        return react_options(s, frame, seat, out, tokens)
    if kind == FR_ABILITY or kind == FR_DRAW:
        push_option(out, tokens, V_DO, NONE)
        push_option(out, tokens, V_SKIP, NONE)
    elif kind == FR_PLAY:
        for city in range(s.config.cities):
            if can_enter(s, frame.token, seat, city, NONE) and cost_in(s, frame.token, city, seat) <= s.d.coins[seat]:
                push_option(out, tokens, V_CITY | city, NONE)
    elif kind == FR_DRAIN:
        for i in range(simultaneous_count(s)):
            if i < 64:
                push_option(out, tokens, V_ORDER | i, NONE)
    elif kind == FR_WAR:
        keep_options(s, frame, out)
        for i in range(out.size):
            tokens[i] = NONE
    elif kind == FR_TRIUMPH:
        triumphs(s, &cards)
        push_places(s, V_TRIUMPH, &cards, out, tokens)
        sort_options(out, tokens)
    elif kind == FR_OFFER:
        split_options(s, seat, V_SPLIT, out, tokens)
    elif kind == FR_SPIRIT:
        for i in range(s.config.card[frame.b].abilities):
            if i < 2:
                push_option(out, tokens, V_SPIRIT | i, NONE)
    elif kind == FR_FREE:
        free_options(s, frame, out, tokens)
    elif kind == FR_CURSE:
        curse_options(s, frame, out, tokens)
    elif kind == FR_MODE:
        kind = modes_of(s, frame.seat, frame.token)
        for i in range(MODE_PLAY, MODE_PILFER + 1):
            if kind >> i & 1:
                push_option(out, tokens, V_MODE | i, NONE)
    return 0


cdef int apply_option(CoreState s, int32_t code, int token, int seat) except -1:
    """Apply an option of the current decision (code -1: there was no option). The caller advances afterwards."""
    cdef Frame* frame
    cdef int kind, mode
    if token != NONE:
        show_in_place(s, token, seen_by(s, code, token, seat))
    if not s.config.omega:
        # A decision may have changed a TRIUMPH condition (OMENT-TRIUMPH-03).
        s.d.check_triumph = 1
    if not s.d.depth:
        if s.d.phase < PHASE_WEALTH:
            return apply_setup(s, code, token, seat)
        return apply_turn(s, code, token)
    frame = top(s)
    kind = frame.kind
    if kind == FR_EFFECT or kind == FR_COST:
        return apply_effect(s, frame, code, token)
    if kind == FR_REACT or kind == FR_WINDOW:
        return apply_react(s, frame, code, token, seat)
    if kind == FR_ABILITY:
        frame.stage = PAYING if code == V_DO else ENDING
    elif kind == FR_DRAW:
        if code == V_DO:
            frame.stage = 1
        else:
            frame.n = 0
    elif kind == FR_PLAY:
        if code == -1:
            pop(s)
        else:
            frame.city, frame.stage = code & 7, 1
    elif kind == FR_DRAIN:
        resolve_queued(s, code & 63)
    elif kind == FR_WAR:
        apply_keep(s, frame, code & 0xFFFFFF)
    elif kind == FR_TRIUMPH:
        move_triumph(s, token)
    elif kind == FR_OFFER:
        if code == -1:
            frame.n = 0
        else:
            frame.n -= 1
            if code & 3 == BENEFIT_COIN:
                gain_coins(s, seat, seat, 1, CAUSE_OFFERING)
            else:
                start_draws(s, seat, 1, False, CAUSE_OFFERING)
    elif kind == FR_SPIRIT:
        if code == -1:
            pop(s)
        else:
            apply_spirit(s, frame, code & 1)
    elif kind == FR_FREE:
        apply_free(s, frame, code, token)
    elif kind == FR_CURSE:
        apply_curse(s, frame, token)
    else:
        token, seat = frame.token, frame.seat
        pop(s)
        if code != -1:
            mode = code & 7
            count_action(s)
            use_card(s, seat, token, mode)
    return 0


cdef int apply_react(CoreState s, Frame* frame, int32_t code, int token, int seat) except -1:
    # A card is used or reacts, or the seat declines (OMENX-WIN-02, -03).
    if code == V_PASS or code == -1:
        frame.a += 1
        frame.m = 1 - frame.m
        return 0
    frame.a = 0
    count_action(s)
    if frame.kind == FR_REACT:
        return react_with(s, seat, token, &frame.event, not frame.c)
    s.d.window_used = 1
    return use_card(s, seat, token, MODE_USE if usable(s, seat, token, H_USE, NULL, False) >= 0 else MODE_PLAY)


# -- chance -----------------------------------------------------------------------------------------------------------


cdef int random_options(CoreState s, Frame* frame, TokenSet* out) except -1:
    # Collect the cards of a hand from which chance takes one.
    cdef int token
    if frame.kind == FR_EFFECT and s.config.code[frame.node] == E_LOOK:
        clear(out)
        token = s.d.head[PILE_HAND + frame.seat]
        while token != NONE:
            if not has(&frame.set, token) and s.config.card[s.d.token[token].card].kind == KIND_UNIT:
                insert(out, token)
            token = s.d.token[token].next
    else:
        pick_options(s, frame, selector_of(s, frame), out)
    return 0


cdef int chance_pile(CoreState s) noexcept nogil:
    # The pile from which chance takes a card.
    cdef Frame* frame = top(s)
    if s.d.decision == DECISION_CHANCE_UNIT:
        if frame.kind == FR_PEEK:
            return PILE_DECK + frame.a
        return PILE_DECK + (frame.seat if s.d.drafted else 0)
    if s.d.decision == DECISION_CHANCE_PRIZE:
        return PILE_PRIZE_POOL
    return PILE_WHIM_PILE if s.d.decision == DECISION_CHANCE_WHIM else PILE_DRAFT_POOL


cdef int fill_outcomes(CoreState s, Codes out) except -1:
    """List the outcomes of a chance node with their weights, by card (section 9.4)."""
    cdef uint8_t[256] count
    cdef int card, token, verb
    cdef Frame* frame
    cdef TokenSet cards
    out.size = 0
    if s.d.decision == DECISION_CHANCE_FIRST:
        out.push_weighted(V_FIRST, 1)
        out.push_weighted(V_FIRST | 1, 1)
        return 0
    if s.d.decision == DECISION_CHANCE_DIE:
        frame = top(s)
        for card in range(1, s.config.code[frame.node + 1] + 1):
            out.push_weighted(V_ROLL | card, 1)
        return 0
    for card in range(256):
        count[card] = 0
    if s.d.decision == DECISION_CHANCE_HAND:
        random_options(s, top(s), &cards)
        for token in range(s.d.tokens):
            if has(&cards, token):
                count[s.d.token[token].card] += 1
        verb = V_RANDOM
    else:
        token = s.d.head[chance_pile(s)]
        while token != NONE:
            count[s.d.token[token].card] += 1
            token = s.d.token[token].next
        verb = V_DRAWN if s.d.decision == DECISION_CHANCE_UNIT else V_PRIZE if s.d.decision == DECISION_CHANCE_PRIZE else V_WHIM
        if s.d.decision == DECISION_CHANCE_DEAL:
            verb = V_DEALT
    for card in range(s.config.card_count):
        if count[card]:
            out.push_weighted(verb | card, count[card])
    return 0


cdef int apply_outcome(CoreState s, int32_t code) except -1:
    """Apply an outcome of chance. The caller advances afterwards."""
    cdef int card = code & 0xFF, token, best = NONE
    cdef Frame* frame
    cdef TokenSet cards
    if s.d.decision == DECISION_CHANCE_FIRST:
        s.d.first = code & 1
    elif s.d.decision == DECISION_CHANCE_DIE:
        apply_roll(s, card)
    elif s.d.decision == DECISION_CHANCE_DEAL:
        apply_deal(s, card)
    elif s.d.decision == DECISION_CHANCE_WHIM:
        token = find_card(s, PILE_WHIM_PILE, card)
        take(s, token)
        show(s, token, bit(1 - s.d.first))
        put_last(s, token, PILE_HAND + 1 - s.d.first)
        emit(s, EVENT_TYPE_DRAW, 1 - s.d.first, 1 - s.d.first, token, NONE, ZONE_DECK, ZONE_HAND, 1, CAUSE_SETUP, bit(1 - s.d.first))
        s.d.whims_drawn += 1
        s.d.stage = 0
    elif s.d.decision == DECISION_CHANCE_PRIZE:
        apply_prize(s, card)
    elif s.d.decision == DECISION_CHANCE_UNIT:
        if top(s).kind == FR_PEEK:
            apply_peek(s, card)
        else:
            apply_draw(s, card)
    else:
        frame = top(s)
        random_options(s, frame, &cards)
        for token in range(s.d.tokens):
            if has(&cards, token) and s.d.token[token].card == card:
                best = token
                break
        show_in_place(s, best, seen_by(s, code, best, -1))
        if frame.kind == FR_EFFECT and s.config.code[frame.node] == E_LOOK:
            insert(&frame.set, best)
            frame.n -= 1
        else:
            apply_effect(s, frame, code, best)
    return 0


# -- who may know a code ----------------------------------------------------------------------------------------------


cdef int seen_by(CoreState s, int32_t code, int token, int seat) except -1:
    """Viewers who may know a code that is applied now, as a mask: those who see the card that it names."""
    cdef int decision = s.d.decision, verb = code & ~0xFFFFFF, op, to, mask
    cdef Frame* frame = top(s) if s.d.depth else NULL
    if decision == DECISION_CHANCE_UNIT or decision == DECISION_CHANCE_PRIZE:
        return frame.b if frame.kind == FR_PEEK else bit(frame.seat)
    if decision == DECISION_CHANCE_WHIM:
        return bit(1 - s.d.first)
    if decision == DECISION_CHANCE_DEAL:
        return bit(s.d.dealt // 3) if s.config.draft == DRAFT_KEEP2OF3 else EVERYONE
    if decision == DECISION_CHANCE_HAND:
        if frame.kind == FR_EFFECT and s.config.code[frame.node] == E_LOOK:
            return bit(context(s).controller)
        token = NONE
    if decision == DECISION_EMISSARY or decision == DECISION_DRAFT:
        return bit(seat)
    if verb == V_WHIM_PASS:
        return bit(0) | bit(1)
    if verb == V_LIMIT and token != NONE and is_prize(s.config.card[s.d.token[token].card].kind):
        return bit(seat)
    if decision != DECISION_CARD and decision != DECISION_CHANCE_HAND or verb == V_STOP or verb == V_FATE_DRAW:
        return EVERYONE
    if frame.kind == FR_FREE:
        return bit(seat) if frame.a == MODE_RECRUIT else EVERYONE
    if frame.kind != FR_EFFECT:
        return EVERYONE
    op = s.config.code[frame.node]
    if op == E_DISCARD or op == E_DEPLOY or op == E_REVEAL or op == E_CLAIM or op == E_RELIC:
        return EVERYONE
    if op == E_SHED_PRIZE:
        return bit(seat)
    if op == E_PUT:
        to = s.config.code[frame.node + 2]
        if to == ZONE_DISCARD or to == ZONE_OUT:
            return EVERYONE
    mask = bit(context(s).controller)
    if decision == DECISION_CHANCE_HAND:
        # The old and the new holder see a card that is taken at random.
        return bit(0) | bit(1)
    if token != NONE:
        mask |= bit(seat)
        if in_hand(s.d.token[token].zone):
            mask |= bit(s.d.token[token].zone - PILE_HAND)
        else:
            mask |= s.d.token[token].known
    return mask
