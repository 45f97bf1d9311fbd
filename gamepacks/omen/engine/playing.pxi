# Cards from the hand: playing Units, Beasts, JILT, Spirits, Heroes, prizes, free traits, the Offering.

# -- ways to use a card -----------------------------------------------------------------------------------------------


cdef bint playable(CoreState s, int seat, int token) noexcept:
    """Whether a Unit can be played (OMEN-SURGE-03, -04, -06)."""
    cdef int city
    if s.config.card[s.d.token[token].card].kind != KIND_UNIT or forbidden(s, W_PLAY, seat, token):
        return False
    for city in range(s.config.cities):
        if cost_in(s, token, city, seat) <= s.d.coins[seat] and can_enter(s, token, seat, city, NONE):
            return True
    return False


cdef int modes_of(CoreState s, int seat, int token) noexcept:
    """Mask of ``1 << Mode`` of the ways in which the Active player can use a card in Surge."""
    cdef int modes = 0
    cdef CompiledCard* card = &s.config.card[s.d.token[token].card]
    if s.d.actions >= s.config.action_cap:
        return 0
    if is_prize(card.kind):
        # OMEN-REWARD-02, -03, OMENT-KRATER-02, -03
        if s.config.omega and s.d.token[token].fresh or forbidden(s, W_USE_PRIZE, seat, token):
            return 0
        if s.d.prizes_used >= modified(s, W_PRIZE_USES, TG_SEAT, seat, 1):
            return 0
        return 1 << MODE_USE if usable(s, seat, token, H_USE, NULL, False) >= 0 else 0
    if card.kind != KIND_UNIT:
        return 1 << MODE_USE if usable(s, seat, token, H_USE, NULL, False) >= 0 else 0
    if playable(s, seat, token):
        modes |= 1 << MODE_PLAY
    if card.hooks >> H_HAND_USE & 1 and stat_of(s, token, ST_COST) <= s.d.coins[seat]:
        if next_ability(s, H_HAND_USE, token, seat, NONE, 0) >= 0 and not forbidden(s, W_HAND_USE, seat, token):
            modes |= 1 << MODE_ABILITY
    if s.config.omega:
        if card.type == UNIT_TYPE_SPIRIT and card.abilities and stat_of(s, token, ST_INVOKE) <= s.d.coins[seat]:
            if not forbidden(s, W_USE_INVOKE, seat, token):
                modes |= 1 << MODE_INVOKE
        if card.hooks >> H_USE & 1 and usable(s, seat, token, H_USE, NULL, False) >= 0:
            modes |= 1 << MODE_USE
    elif not (s.config.trait_once and s.d.token[token].trait_used) and not forbidden(s, W_DISCARD, NONE, token):
        # OMENT-FREE-01, OMENT-FREE-02
        if card.traits >> TRAIT_FATE & 1:
            modes |= 1 << MODE_FATE
        if card.traits >> TRAIT_RECRUIT & 1:
            modes |= 1 << MODE_RECRUIT
        if card.traits >> TRAIT_PILFER & 1:
            modes |= 1 << MODE_PILFER
    return modes


cdef int surge_options(CoreState s, Codes out, uint8_t* tokens) except -1:
    cdef TokenSet cards
    cdef int seat = s.d.active, token = s.d.head[PILE_HAND + seat], city
    clear(&cards)
    while token != NONE:
        if modes_of(s, seat, token):
            insert(&cards, token)
        token = s.d.token[token].next
    if s.config.relics:
        for city in range(s.config.cities):
            token = s.d.head[relic_of(city, seat)]
            while token != NONE:
                if modes_of(s, seat, token):
                    insert(&cards, token)
                token = s.d.token[token].next
    push_cards(s, V_SURGE, &cards, out, tokens)
    sort_options(out, tokens)
    return push_option(out, tokens, V_SURGE_END, NONE)


# -- use of a card ----------------------------------------------------------------------------------------------------


cdef int use_card(CoreState s, int seat, int token, int mode) except -1:
    """Start the use of a card in a mode. The caller has counted the action."""
    cdef Frame* frame
    if mode == MODE_PLAY:
        frame = push(s, FR_PLAY)
    elif mode >= MODE_FATE:
        frame = push(s, FR_FREE)
    else:
        frame = push(s, FR_CARD)
        if mode == MODE_USE:
            frame.n = usable(s, seat, token, H_USE, NULL, False)
        elif mode == MODE_ABILITY:
            frame.n = next_ability(s, H_HAND_USE, token, seat, NONE, 0)
    frame.token, frame.seat, frame.a, frame.event.card = token, seat, mode, s.d.token[token].card
    return 0


cdef int react_with(CoreState s, int seat, int token, const EventRecord* event, bint before_) except -1:
    """Start a reaction to an event."""
    cdef int ability = usable(s, seat, token, H_REACT, event, before_)
    cdef Frame* frame = push(s, FR_CARD)
    frame.token, frame.seat, frame.a, frame.n, frame.b = token, seat, MODE_USE, ability, 1
    frame.event = event[0]
    frame.m = s.d.token[token].card
    return 0


cdef int card_of(Frame* frame) noexcept nogil:
    """The card that a frame carries out; for a reaction the event holds another card."""
    return frame.m if frame.b else frame.event.card


cdef int run_card(CoreState s, Frame* frame) except -1:
    cdef int token = frame.token, seat = frame.seat, mode = frame.a, stage = frame.stage, cause
    # A discarded card may have been shuffled into the deck already, so the frame keeps the card.
    cdef int kind = s.config.card[card_of(frame)].kind
    frame.stage += 1
    if mode == MODE_ABILITY:
        # The seat pays the Cost, the ability happens, and the card is discarded (OMEN-BEAST-02, -03, OMENT-JILT-01, -02).
        cause = CAUSE_BEAST if s.config.omega else CAUSE_JILT
        if stage == 0:
            pay_coins(s, seat, stat_of(s, token, ST_COST), cause)
            mark_used(s, token, &s.config.ability[frame.n])
            open_move(s, token, PILE_RESOLVING)
            begin_ability(s, frame.n, token, card_of(frame), seat, NONE, cause, NULL)
        elif stage == 1:
            request(s, EVENT_TYPE_DISCARD, seat, seat, token, NONE, 0, cause, 0)
        else:
            end_card(s, token)
        return 0
    if mode == MODE_INVOKE:
        return invoke(s, frame, stage)
    if kind == KIND_UNIT:
        # A Hero goes to the discard pile first (OMEN-HERO-02).
        if stage == 0:
            request(s, EVENT_TYPE_DISCARD, seat, seat, token, NONE, 0, CAUSE_HERO, 0)
        elif stage == 1:
            start_use(s, frame, CAUSE_HERO)
        else:
            pop(s)
    elif kind == KIND_WHIM:
        if stage == 0:
            open_move(s, token, PILE_WHIMS_USED)
            emit(s, EVENT_TYPE_WHIM_USED, seat, seat, token, NONE, ZONE_HAND, ZONE_OUT, 0, CAUSE_WHIM, EVERYONE)
            start_use(s, frame, CAUSE_WHIM)
        else:
            pop(s)
    elif kind == KIND_RELIC:
        if stage == 0:
            start_use(s, frame, CAUSE_RELIC)
        else:
            pop(s)
    else:
        return use_prize(s, frame, stage)
    return 0


cdef int start_use(CoreState s, Frame* frame, int cause) except -1:
    # The ability of a used or reacting card.
    cdef int token = frame.token, seat = frame.seat, city = NONE
    cdef CompiledAbility* ability = &s.config.ability[frame.n]
    cdef EventRecord event
    mark_used(s, token, ability)
    if relic_in_city(s.d.token[token].zone):
        city = city_of(s.d.token[token].zone)
    if not frame.b:
        return begin_ability(s, frame.n, token, card_of(frame), seat, city, cause, NULL)
    event = frame.event
    if event.city != NONE:
        city = event.city
    return begin_ability(s, frame.n, token, card_of(frame), seat, city, cause, &event)


cdef int use_prize(CoreState s, Frame* frame, int stage) except -1:
    # The prize is turned face up, its ability happens, and it is laid face down (OMEN-REWARD-04, OMENT-KRATER-01).
    cdef int token = frame.token, seat = frame.seat
    if stage == 0:
        s.d.prizes_used += 1
        show_in_place(s, token, EVERYONE)
        if offer_reactions(s, EVENT_TYPE_PRIZE_USED, seat, seat, token, NONE, 0, cause_of(s, s.d.token[token].card)):
            return 0
        frame.stage, stage = 2, 1
    if stage == 1:
        frame.c = s.d.cancelled
        s.d.cancelled = 0
        open_move(s, token, PILE_RESOLVING)
        emit(s, EVENT_TYPE_PRIZE_USED, seat, seat, token, NONE, ZONE_HAND, ZONE_USED, 0, cause_of(s, s.d.token[token].card), EVERYONE)
        if not frame.c:
            start_use(s, frame, cause_of(s, s.d.token[token].card))
        return 0
    open_move(s, token, PILE_USED + seat)
    s.d.token[token].fresh = 0
    pop(s)
    return 0


cdef int invoke(CoreState s, Frame* frame, int stage) except -1:
    # The seat pays the Invoke cost, the card is discarded, and both abilities happen (OMEN-SPIR-03, -08).
    cdef int token = frame.token, seat = frame.seat, card = frame.event.card
    cdef Frame* spirit
    if stage == 0:
        pay_coins(s, seat, stat_of(s, token, ST_INVOKE), CAUSE_INVOKE)
        request(s, EVENT_TYPE_DISCARD, seat, seat, token, NONE, 0, CAUSE_INVOKE, 0)
    elif stage == 1 and s.config.spirit_player:
        frame.stage = 3
        spirit = push(s, FR_SPIRIT)
        spirit.token, spirit.b, spirit.seat, spirit.a, spirit.event.card = token, card, seat, NONE, card
    elif stage <= 2:
        begin_ability(s, s.config.card[card].first_ability + stage - 1, token, card, seat, NONE, CAUSE_INVOKE, NULL)
    else:
        pop(s)
    return 0


cdef int end_card(CoreState s, int token) except -1:
    # If a reaction has kept the card from the discard pile, it goes there now, as it was carried out.
    pop(s)
    if s.d.token[token].zone == PILE_RESOLVING:
        open_move(s, token, PILE_DISCARD + pile_for(s, token))
    return 0


cdef int run_play(CoreState s, Frame* frame) except -1:
    """Choose a City, pay the Cost, put the Unit there (OMEN-SURGE-03)."""
    cdef int token = frame.token, seat = frame.seat
    if frame.stage == 0:
        s.d.decision, s.d.decider = DECISION_CITY, seat
    elif frame.stage == 1:
        frame.stage = 2
        pay_coins(s, seat, cost_in(s, token, frame.city, seat), CAUSE_PLAY)
        open_move(s, token, PILE_RESOLVING)
        offer_reactions(s, EVENT_TYPE_PLAY, seat, seat, token, frame.city, 0, CAUSE_PLAY)
    elif frame.stage == 2:
        frame.stage = 3
        if s.d.cancelled:
            s.d.cancelled = 0
            request(s, EVENT_TYPE_DISCARD, seat, seat, token, NONE, 0, CAUSE_PLAY, 0)
        else:
            emit(s, EVENT_TYPE_PLAY, seat, seat, token, frame.city, ZONE_HAND, ZONE_CITY, 0, CAUSE_PLAY, EVERYONE)
            request(s, EVENT_TYPE_ENTER, seat, seat, token, frame.city, 0, CAUSE_PLAY, FROM_PLAY)
    else:
        end_card(s, token)
    return 0


# -- free traits ------------------------------------------------------------------------------------------------------


cdef int run_free(CoreState s, Frame* frame) except -1:
    """Discard a Unit for FATE, RECRUIT or PILFER, then carry out the trait."""
    cdef int token = frame.token, seat = frame.seat, deck = deck_of(s, seat)
    if frame.stage == 0:
        frame.stage = 1
        s.d.token[token].trait_used = 1
        request(s, EVENT_TYPE_DISCARD, seat, seat, token, NONE, 0, CAUSE_FREE_TRAIT, 0)
    elif frame.stage == 1:
        frame.stage = 2
        if in_hand(s.d.token[token].zone):
            frame.stage = 3
        elif frame.a == MODE_PILFER:
            frame.stage = 3
            if s.d.coins[1 - seat]:
                request(s, EVENT_TYPE_TAKE_COINS, seat, 1 - seat, NONE, NONE, 1, CAUSE_FREE_TRAIT, 0)
        elif frame.a == MODE_RECRUIT:
            start_draws(s, seat, 2, False, CAUSE_FREE_TRAIT)
    elif frame.stage == 2:
        s.d.decision, s.d.decider = DECISION_CARD, seat
    else:
        pop(s)
    return 0


cdef int free_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1:
    cdef TokenSet cards
    cdef int token, deck = deck_of(s, frame.seat)
    clear(&cards)
    if frame.a == MODE_FATE:
        token = s.d.head[PILE_DISCARD + deck]
        while token != NONE:
            if token != frame.token:
                insert(&cards, token)
            token = s.d.token[token].next
        push_cards(s, V_CARD, &cards, out, tokens)
        sort_options(out, tokens)
        if deck_size(s, deck) and not forbidden(s, W_DRAW, frame.seat, NONE):
            push_option(out, tokens, V_FATE_DRAW, NONE)
        return 0
    token = s.d.head[PILE_HAND + frame.seat]
    while token != NONE:
        if s.config.card[s.d.token[token].card].kind == KIND_UNIT:
            insert(&cards, token)
        token = s.d.token[token].next
    push_cards(s, V_CARD, &cards, out, tokens)
    return sort_options(out, tokens)


cdef int apply_free(CoreState s, Frame* frame, int code, int token) except -1:
    cdef int seat = frame.seat, deck
    frame.stage = 3
    if code == -1:
        return 0
    if code == V_FATE_DRAW:
        return start_draws(s, seat, 1, False, CAUSE_FREE_TRAIT)
    if frame.a == MODE_FATE:
        open_move(s, token, PILE_HAND + seat)
        emit(s, EVENT_TYPE_TO_HAND, seat, seat, token, NONE, ZONE_DISCARD, ZONE_HAND, 0, CAUSE_FREE_TRAIT, EVERYONE)
        return 0
    # OMENT-RECRUIT-02
    deck = pile_for(s, token)
    hidden_move(s, token, PILE_TOP + deck, bit(seat), False)
    emit(s, EVENT_TYPE_TO_DECK, seat, seat, token, NONE, ZONE_HAND, ZONE_DECK_TOP, 0, CAUSE_FREE_TRAIT, bit(seat))
    return 0


# -- the Offering -----------------------------------------------------------------------------------------------------


cdef int run_offer(CoreState s, Frame* frame) except -1:
    """Discard the card, then let the seat choose its benefits one by one (OMEN-OFFER-02, -05)."""
    cdef int seat = frame.seat
    if frame.stage == 0:
        frame.stage, frame.n = 1, stat_of(s, frame.token, ST_OFFERING)
        request(s, EVENT_TYPE_DISCARD, seat, seat, frame.token, NONE, 0, CAUSE_OFFERING, 0)
    elif frame.n <= 0 or in_hand(s.d.token[frame.token].zone) and frame.stage == 1:
        pop(s)
    else:
        # After the discard a benefit may return the card to the hand.
        frame.stage = 2
        s.d.decision, s.d.decider = DECISION_SPLIT, seat
    return 0


cdef int split_options(CoreState s, int seat, int verb, Codes out, uint8_t* tokens) except -1:
    """List the benefits that are available: a Unit, a coin (OMEN-WEALTH-11, OMEN-OFFER-03)."""
    cdef int deck = deck_of(s, seat)
    if (deck_size(s, deck) or s.d.size[PILE_DISCARD + deck]) and not forbidden(s, W_DRAW, seat, NONE):
        push_option(out, tokens, verb | BENEFIT_DRAW, NONE)
    if s.d.supply != 0 and not forbidden(s, W_COINS, seat, NONE):
        push_option(out, tokens, verb | BENEFIT_COIN, NONE)
    return 0
