# The set-up: cards on the table, drafts, the first player, Whims (sections 4.1, 5.1, 5.2, 5.4, 6.1).

cdef int place_cards(CoreState s) except -1:
    """Put all cards into their initial piles; nothing is dealt."""
    cdef int card, copy, zone, copies, kind, i
    cdef CompiledCard* c
    memset(&s.d, 0, sizeof(Data))
    for i in range(PILE_COUNT):
        s.d.head[i] = s.d.tail[i] = NONE
    s.d.first = s.d.active = NONE
    s.d.commit[0] = s.d.commit[1] = NONE
    s.d.supply = s.config.coin_supply
    for i in range(s.config.cities):
        s.d.left[i] = s.config.prizes_per_city
    for card in range(s.config.card_count):
        c = &s.config.card[card]
        kind, copies = c.kind, copies_of(s.config, c)
        if kind == KIND_UNIT:
            zone = PILE_DRAFT_POOL if s.config.draft != DRAFT_NONE else PILE_DECK
        elif is_prize(kind):
            zone = PILE_PRIZE_POOL
        elif kind == KIND_FEAT:
            zone = PILE_FEATS_UP
        elif kind == KIND_WHIM:
            zone = PILE_WHIM_PILE
        else:
            zone = PILE_CHALLENGES if kind == KIND_CHALLENGE else PILE_RELICS
        for copy in range(copies):
            add_token(s, card, zone + (copy if kind == KIND_FEAT else 0), (
                EVERYONE if kind == KIND_FEAT or kind == KIND_CHALLENGE or kind == KIND_RELIC else 0
            ))
    s.d.phase = PHASE_DRAFT if s.config.draft != DRAFT_NONE else PHASE_DEAL
    s.d.stage = 0
    return 0


cdef int add_token(CoreState s, int card, int zone, int known) except -1:
    cdef Token* token
    if s.d.tokens == MAX_CARDS:
        raise ValueError(f"more than {MAX_CARDS} cards")
    token = &s.d.token[s.d.tokens]
    memset(token, 0, sizeof(Token))
    # Owner 3: it started in no seat's own deck.
    token.card, token.known, token.owner = card, known, 3
    s.d.tokens += 1
    put_last(s, s.d.tokens - 1, zone)
    return 0


cdef int run_setup(CoreState s) except -1:
    """Continue the set-up until a decision is needed (OMEN-SETUP-07)."""
    cdef int seat
    if s.d.phase == PHASE_DRAFT:
        return run_draft(s)
    if s.d.phase == PHASE_DEAL:
        # OMEN-SETUP-05
        if s.d.stage < 2:
            start_draws(s, s.d.stage, s.config.hand, False, CAUSE_SETUP)
            s.d.stage += 1
            return 0
        for seat in range(2):
            gain_coins(s, NONE, seat, s.config.start_coins, CAUSE_SETUP)
        s.d.phase, s.d.stage = PHASE_FIRST, 0
        return 0
    if s.d.phase == PHASE_FIRST:
        return first_player(s)
    return run_whims(s)


# -- drafts -----------------------------------------------------------------------------------------------------------


cdef int run_draft(CoreState s) except -1:
    cdef int seat, wanted
    if s.config.draft == DRAFT_KEEP2OF3:
        if s.d.round == DRAFT_ROUNDS:
            return end_draft(s)
        if s.d.dealt < 6:
            # Three to A, then three to B (OMEN-DRAFT-04).
            s.d.decision, s.d.decider = DECISION_CHANCE_DEAL, -1
        else:
            s.d.decision, s.d.decider = DECISION_DRAFT, C_SIMULTANEOUS
        return 0
    if s.d.round == DRAFT_ROWS:
        return end_draft(s)
    if s.d.dealt < DRAFT_ROW:
        s.d.decision, s.d.decider = DECISION_CHANCE_DEAL, -1
    elif s.d.size[PILE_DRAFT_ROW]:
        # OMEN-DRAFT-06, -07
        seat = s.config.oldest ^ (DRAFT_ROW - s.d.size[PILE_DRAFT_ROW]) & 1
        if s.config.draft_swap and s.d.round == 1:
            seat = 1 - seat
        s.d.decision, s.d.decider = DECISION_PICK, seat
    else:
        s.d.round += 1
        s.d.dealt = 0
    return 0


cdef int apply_deal(CoreState s, int card) except -1:
    """Apply the outcome of a deal in a draft."""
    cdef int token = find_card(s, PILE_DRAFT_POOL, card), seat
    take(s, token)
    if s.config.draft == DRAFT_KEEP2OF3:
        seat = s.d.dealt // 3
        show(s, token, bit(seat))
        put_last(s, token, PILE_DEALT + seat)
        emit(s, EVENT_TYPE_TO_HAND, NONE, seat, token, NONE, ZONE_OUT, ZONE_HAND, 0, CAUSE_SETUP, bit(seat))
    else:
        show(s, token, EVERYONE)
        put_last(s, token, PILE_DRAFT_ROW)
        emit(s, EVENT_TYPE_REVEAL, NONE, NONE, token, NONE, ZONE_OUT, ZONE_SIDE, 1, CAUSE_SETUP, EVERYONE)
    s.d.dealt += 1
    return 0


cdef int exchange_drafted(CoreState s) except -1:
    # Both have chosen: the passed cards change hands, the others are kept.
    cdef int seat, token
    for seat in range(2):
        token = s.d.commit[seat]
        take(s, token)
        show(s, token, bit(0) | bit(1))
        put_last(s, token, PILE_CHOSEN + 1 - seat)
        emit(s, EVENT_TYPE_TO_HAND, seat, 1 - seat, token, NONE, ZONE_HAND, ZONE_HAND, 0, CAUSE_SETUP, bit(0) | bit(1))
    for seat in range(2):
        while s.d.head[PILE_DEALT + seat] != NONE:
            token = s.d.head[PILE_DEALT + seat]
            take(s, token)
            put_last(s, token, PILE_CHOSEN + seat)
    s.d.commit[0] = s.d.commit[1] = NONE
    s.d.dealt = 0
    s.d.round += 1
    return 0


cdef int end_draft(CoreState s) except -1:
    # Each seat's cards are its own deck (OMEN-DRAFT-09); the others leave the game (OMEN-DRAFT-10).
    cdef int seat, token
    while s.d.head[PILE_DRAFT_POOL] != NONE:
        token = s.d.head[PILE_DRAFT_POOL]
        take(s, token)
        put_last(s, token, PILE_OUT)
    s.d.drafted = 1
    for seat in range(2):
        token = s.d.head[PILE_CHOSEN + seat]
        while token != NONE:
            s.d.token[token].owner = seat
            token = s.d.token[token].next
        shuffle_in(s, seat, PILE_CHOSEN + seat)
    s.d.round = s.d.dealt = 0
    s.d.phase, s.d.stage = PHASE_DEAL, 0
    return 0


# -- the first player -------------------------------------------------------------------------------------------------


cdef int first_player(CoreState s) except -1:
    if s.d.first != NONE:
        s.d.phase, s.d.stage = PHASE_WHIMS, 0
    elif s.config.start == START_RANDOM:
        s.d.decision, s.d.decider = DECISION_CHANCE_FIRST, -1
    elif s.config.start == START_EMISSARY and units_of(s, 0) and units_of(s, 1):
        s.d.decision, s.d.decider = DECISION_EMISSARY, C_SIMULTANEOUS
    else:
        # OMEN-SETUP-06
        s.d.first = s.config.oldest
    return 0


cdef int units_of(CoreState s, int seat) noexcept:
    cdef int token = s.d.head[PILE_HAND + seat], count = 0
    while token != NONE:
        count += s.config.card[s.d.token[token].card].kind == KIND_UNIT
        token = s.d.token[token].next
    return count


cdef int compare_emissaries(CoreState s) except -1:
    # OMEN-EMIS-02 to -05
    cdef int seat, token, first = s.config.oldest
    cdef int[2] value, strength
    cdef CompiledCard* card
    for seat in range(2):
        card = &s.config.card[s.d.token[s.d.commit[seat]].card]
        value[seat], strength[seat] = card.cost + card.offering + card.strength, card.strength
        show(s, s.d.commit[seat], EVERYONE)
        emit(s, EVENT_TYPE_REVEAL, seat, seat, s.d.commit[seat], NONE, ZONE_HAND, NONE, 1, CAUSE_SETUP, EVERYONE)
    if value[0] != value[1]:
        first = 0 if value[0] > value[1] else 1
    elif strength[0] != strength[1]:
        first = 0 if strength[0] > strength[1] else 1
    token = s.d.commit[first]
    s.d.commit[0] = s.d.commit[1] = NONE
    s.d.first = first
    open_move(s, token, PILE_DISCARD + (s.d.token[token].owner if s.d.drafted else 0))
    emit(s, EVENT_TYPE_DISCARD, first, first, token, NONE, ZONE_HAND, ZONE_DISCARD, 0, CAUSE_SETUP, EVERYONE)
    return reshuffle(s)


# -- Whims ------------------------------------------------------------------------------------------------------------


cdef int run_whims(CoreState s) except -1:
    cdef int second = 1 - s.d.first, token
    if s.d.stage == 0:
        # OMEN-WHIM-02
        if s.d.whims_drawn < MAX_WHIMS and s.d.size[PILE_WHIM_PILE]:
            s.d.decision, s.d.decider = DECISION_WHIM_DRAW, second
        else:
            s.d.stage = 2
    elif s.d.stage == 1:
        s.d.decision, s.d.decider = DECISION_CHANCE_WHIM, -1
    elif s.d.stage == 2 and s.d.whims_drawn:
        # OMEN-WHIM-03
        s.d.decision, s.d.decider = DECISION_WHIM_PASS, second
    else:
        while s.d.head[PILE_WHIM_PILE] != NONE:
            token = s.d.head[PILE_WHIM_PILE]
            take(s, token)
            put_last(s, token, PILE_OUT)
        s.d.whims_drawn = 0
        emit_plain(s, EVENT_TYPE_GAME_START, NONE, s.d.first, 0, CAUSE_SETUP)
        begin_turn(s, s.d.first)
    return 0


# -- options ----------------------------------------------------------------------------------------------------------


cdef int setup_options(CoreState s, int seat, Codes out, uint8_t* tokens) except -1:
    cdef int decision = s.d.decision, token, zone, verb
    cdef TokenSet cards
    clear(&cards)
    if decision == DECISION_WHIM_DRAW:
        push_option(out, tokens, V_WHIM_DRAW, NONE)
        return push_option(out, tokens, V_WHIM_STOP, NONE)
    if decision == DECISION_EMISSARY:
        zone, verb = PILE_HAND + seat, V_EMISSARY
    elif decision == DECISION_DRAFT:
        zone, verb = PILE_DEALT + seat, V_PASS_ON
    elif decision == DECISION_PICK:
        zone, verb = PILE_DRAFT_ROW, V_PICK
    else:
        zone, verb = PILE_HAND + seat, V_WHIM_PASS
    token = s.d.head[zone]
    while token != NONE:
        if s.config.card[s.d.token[token].card].kind == (KIND_WHIM if decision == DECISION_WHIM_PASS else KIND_UNIT):
            insert(&cards, token)
        token = s.d.token[token].next
    push_cards(s, verb, &cards, out, tokens)
    sort_options(out, tokens)
    if decision == DECISION_WHIM_PASS:
        push_option(out, tokens, V_WHIM_KEEP, NONE)
    return 0


cdef int apply_setup(CoreState s, int32_t code, int token, int seat) except -1:
    """Apply an option of the set-up (code -1: there was no option)."""
    cdef int decision = s.d.decision
    if decision == DECISION_EMISSARY or decision == DECISION_DRAFT:
        s.d.commit[seat] = token
        emit_plain(s, EVENT_TYPE_COMMIT, seat, seat, 0, CAUSE_SETUP)
        if s.d.commit[0] != NONE and s.d.commit[1] != NONE:
            if decision == DECISION_DRAFT:
                exchange_drafted(s)
            else:
                compare_emissaries(s)
    elif decision == DECISION_PICK:
        open_move(s, token, PILE_CHOSEN + seat)
        emit(s, EVENT_TYPE_TO_HAND, seat, seat, token, NONE, ZONE_SIDE, ZONE_HAND, 0, CAUSE_SETUP, EVERYONE)
    elif decision == DECISION_WHIM_DRAW:
        s.d.stage = 1 if code == V_WHIM_DRAW else 2
    else:
        s.d.stage = 3
        if token != NONE:
            take(s, token)
            show(s, token, bit(0) | bit(1))
            put_last(s, token, PILE_HAND + s.d.first)
            emit(s, EVENT_TYPE_WHIM_PASSED, seat, s.d.first, token, NONE, ZONE_HAND, ZONE_HAND, 0, CAUSE_SETUP, bit(0) | bit(1))
    return 0
