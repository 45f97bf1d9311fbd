# The steps of a turn in both editions, its beginning and its end (section 4).
#
# ``phase`` is the step, and ``stage`` the progress in it. The step continues only when no frame is left, the queue is empty,
# and TRIUMPH has been checked.

cdef int run_turn(CoreState s) except -1:
    """Continue the step until a decision is needed or a frame is pushed."""
    cdef int phase = s.d.phase
    if s.d.queued or s.d.open_events or s.d.check_triumph:
        push(s, FR_DRAIN)
        return 0
    if s.d.stage == STAGE_ENTERING:
        enter_step(s, phase)
    elif s.d.stage == STAGE_OPENING:
        s.d.stage = STAGE_BODY
        open_window(s, phase)
    elif s.d.stage == STAGE_CLOSING:
        s.d.stage = STAGE_AGAIN
        if s.d.window != WIN_END:
            s.d.window = WIN_END
            s.d.window_used = 0
            open_window(s, phase)
    elif s.d.stage == STAGE_AGAIN:
        s.d.stage = STAGE_LEAVING
        if phase == PHASE_FEAT and s.d.window_used:
            # OMEN-FEAT-06
            s.d.window_used = 0
            s.d.stage = STAGE_BODY
        elif not s.config.omega:
            # OMENT-TRIUMPH-03
            s.d.check_triumph = 1
    elif s.d.stage == STAGE_LEAVING:
        leave_step(s, phase)
    elif phase == PHASE_WEALTH:
        run_wealth(s)
    elif phase == PHASE_SURGE:
        run_surge(s)
    elif phase == PHASE_PORTENT:
        run_portent(s)
    elif phase == PHASE_FEAT:
        run_feat(s)
    elif phase == PHASE_CHALLENGE:
        run_challenge(s)
    elif phase == PHASE_WAR:
        run_war_step(s)
    elif phase == PHASE_OFFERING:
        run_offering(s)
    else:
        close_turn(s)
    return 0


cdef int enter_step(CoreState s, int phase) except -1:
    cdef int token, city
    s.d.window, s.d.window_used = WIN_NONE, 0
    s.d.stage = STAGE_OPENING
    s.d.step_logged = s.d.logged
    if phase != PHASE_CLOSE:
        emit_plain(s, EVENT_TYPE_STEP_START, s.d.active, s.d.active, phase, CAUSE_RULE)
    if phase == PHASE_WEALTH and not s.config.omega:
        # OMENT-SPOILS-01, -02
        for city in range(s.config.cities):
            token = s.d.head[side_of(city, s.d.active)]
            while token != NONE:
                if s.config.card[s.d.token[token].card].traits >> TRAIT_SPOILS & 1:
                    s.d.spoils = 1
                token = s.d.token[token].next
    if not s.config.omega and phase != PHASE_CLOSE:
        # OMENT-TRIUMPH-03
        s.d.check_triumph = 1
    return 0


cdef int leave_step(CoreState s, int phase) except -1:
    cdef int token
    emit_plain(s, EVENT_TYPE_STEP_END, s.d.active, s.d.active, phase, CAUSE_RULE)
    end_modifiers(s, FOR_STEP, NONE)
    if phase == PHASE_FEAT:
        for token in range(s.d.tokens):
            if s.config.card[s.d.token[token].card].kind == KIND_FEAT:
                s.d.token[token].fresh = 0
    phase += 1
    if phase == PHASE_FEAT and not s.config.omega:
        phase = PHASE_WAR
    if phase == PHASE_CHALLENGE and s.config.challenges == CHALLENGES_NONE:
        phase = PHASE_WAR
    s.d.phase, s.d.stage = phase, STAGE_ENTERING
    return 0


cdef int open_window(CoreState s, int phase) except -1:
    # OMENX-WIN-01
    if s.config.use_steps >> phase & 1 or s.d.mods and (may_play_in(s, 0) or may_play_in(s, 1)):
        push(s, FR_WINDOW)
    return 0


# -- Wealth -----------------------------------------------------------------------------------------------------------


cdef int wealth_actions(CoreState s) noexcept:
    cdef int count = s.config.first_wealth if s.d.turn == 1 else 3
    count = modified(s, W_WEALTH_ACTIONS, TG_SEAT, s.d.active, count + s.d.spoils)
    return 0 if count < 0 else 200 if count > 200 else count


cdef int wealth_left(CoreState s) noexcept:
    """Number of unspent Wealth actions; 0 outside the step."""
    return wealth_actions(s) - s.d.wealth_draws - s.d.wealth_coins - s.d.wealth_lost if s.d.phase == PHASE_WEALTH else 0


cdef int run_wealth(CoreState s) except -1:
    cdef int count = wealth_actions(s), spent = s.d.wealth_draws + s.d.wealth_coins + s.d.wealth_lost
    if spent < count:
        s.d.decision, s.d.decider = DECISION_WEALTH, s.d.active
        return 0
    s.d.stage = STAGE_CLOSING
    # OMEN-WEALTH-04 to -07, -12
    if count and s.d.wealth_draws == spent:
        start_draws(s, s.d.active, 1, False, CAUSE_WEALTH)
    elif count and s.d.wealth_coins == spent:
        gain_coins(s, s.d.active, s.d.active, 1, CAUSE_WEALTH)
    return 0


# -- Surge and Portent ------------------------------------------------------------------------------------------------


cdef int run_surge(CoreState s) except -1:
    if s.d.stage == STAGE_MORE:
        # A main action is complete (OMENX-WIN-01).
        s.d.stage = STAGE_BODY
        return open_window(s, PHASE_SURGE)
    s.d.decision, s.d.decider = DECISION_SURGE, s.d.active
    return 0


cdef int portent_options(CoreState s, TokenSet* out) noexcept:
    # Collect the Oracles or GLEAN Units that have not been used (OMEN-PORT-01 to -03, -05, OMENT-GLEAN-01).
    cdef int city, token
    clear(out)
    for city in range(s.config.cities):
        token = s.d.head[side_of(city, s.d.active)]
        while token != NONE:
            if not s.d.token[token].used and not s.d.token[token].enraged and (
                not s.config.omega or type_of(s, token) == UNIT_TYPE_ORACLE
            ):
                if next_ability(s, H_PORTENT, token, s.d.active, city, 0) >= 0:
                    insert(out, token)
            token = s.d.token[token].next
    return size_of(out)


cdef int run_portent(CoreState s) except -1:
    cdef TokenSet cards
    if portent_options(s, &cards):
        s.d.decision, s.d.decider = DECISION_PORTENT, s.d.active
    else:
        s.d.stage = STAGE_CLOSING
    return 0


cdef int use_portent(CoreState s, int token) except -1:
    cdef int card = s.d.token[token].card, city = city_of(s.d.token[token].zone), count = 0, i
    cdef int number = next_ability(s, H_PORTENT, token, s.d.active, city, 0)
    cdef int[MAX_ABILITIES] numbers
    s.d.token[token].used = 1
    while number >= 0 and count < MAX_ABILITIES:
        numbers[count] = number
        count += 1
        number = next_ability(s, H_PORTENT, token, s.d.active, city, s.config.ability[number].number + 1)
    # Several abilities happen in printed order; the topmost frame runs first, so the last is pushed first.
    for i in range(count - 1, -1, -1):
        mark_used(s, token, &s.config.ability[numbers[i]])
        begin_ability(s, numbers[i], token, card, s.d.active, city, CAUSE_ABILITY, NULL)
    return 0


# -- Feats and Challenges ---------------------------------------------------------------------------------------------


cdef int met_claims(CoreState s, int zone, TokenSet* out) noexcept:
    # Collect the Feats or Challenges of a pile whose condition holds for the Active player.
    cdef int token = s.d.head[zone], ability
    cdef Env env
    clear(out)
    while token != NONE:
        ability = ability_of(s, s.d.token[token].card, H_CLAIM, 0)
        card_env(s, &env, s.d.active, token, NONE)
        if ability >= 0 and holds(s, &env, s.config.ability[ability].when):
            if holds(s, &env, s.config.ability[ability].cond):
                insert(out, token)
        token = s.d.token[token].next
    return size_of(out)


cdef int achieve(CoreState s, int token) except -1:
    open_move(s, token, PILE_FEATS_DOWN + s.d.active)
    s.d.token[token].fresh = 1
    emit(s, EVENT_TYPE_FEAT, s.d.active, s.d.active, token, NONE, NONE, NONE, 0, CAUSE_RULE, EVERYONE)
    return 0


cdef int run_feat(CoreState s) except -1:
    cdef TokenSet cards
    cdef int token, next_, fresh = 0
    if s.d.stage == STAGE_BODY:
        if met_claims(s, PILE_FEATS_UP + s.d.active, &cards):
            if s.config.feat_optional:
                s.d.decision, s.d.decider = DECISION_FEAT, s.d.active
                return 0
            # Test all of them against the same position (OMEN-FEAT-01, -03).
            token = s.d.head[PILE_FEATS_UP + s.d.active]
            while token != NONE:
                next_ = s.d.token[token].next
                if has(&cards, token):
                    achieve(s, token)
                token = next_
        s.d.stage = STAGE_MORE
    elif s.d.stage == STAGE_MORE:
        token = s.d.head[PILE_FEATS_DOWN + s.d.active]
        while token != NONE:
            fresh += s.d.token[token].fresh
            token = s.d.token[token].next
        if s.config.relics and fresh and not s.d.relic_taken and s.d.size[PILE_RELICS]:
            s.d.decision, s.d.decider = DECISION_ROTATE, s.d.active
        else:
            s.d.stage = STAGE_CLOSING
    elif s.d.stage == STAGE_THIRD:
        s.d.decision, s.d.decider = DECISION_RELIC, s.d.active
    else:
        s.d.decision, s.d.decider = DECISION_CITY, s.d.active
    return 0


cdef int run_challenge(CoreState s) except -1:
    cdef TokenSet cards
    if s.d.challenges_taken < modified(s, W_CHALLENGES, TG_SEAT, s.d.active, 1) and met_claims(s, PILE_CHALLENGES, &cards):
        s.d.decision, s.d.decider = DECISION_CHALLENGE, s.d.active
    else:
        s.d.stage = STAGE_CLOSING
    return 0


# -- War and Offering -------------------------------------------------------------------------------------------------


cdef bint can_resolve(CoreState s, int city) noexcept:
    # OMEN-WAR-16, OMENT-WAR-02, OMENX-LOOP-04
    return is_war_torn(s, city) and not s.d.war_blocked >> city & 1 and (s.config.omega or not s.d.resolved >> city & 1)


cdef int run_war_step(CoreState s) except -1:
    cdef int city, count = 0, only = NONE
    for city in range(s.config.cities):
        if can_resolve(s, city):
            count += 1
            only = city
    if count > 1:
        s.d.decision, s.d.decider = DECISION_WAR_CITY, s.d.active
    elif count == 1:
        push(s, FR_WAR).city = only
    else:
        s.d.stage = STAGE_CLOSING
    return 0


cdef int run_offering(CoreState s) except -1:
    if s.d.offers < modified(s, W_OFFERINGS, TG_SEAT, s.d.active, 1) and not forbidden(s, W_OFFER, s.d.active, NONE):
        s.d.decision, s.d.decider = DECISION_OFFER, s.d.active
    else:
        s.d.stage = STAGE_CLOSING
    return 0


# -- options ----------------------------------------------------------------------------------------------------------


cdef int turn_options(CoreState s, Codes out, uint8_t* tokens) except -1:
    """List the options of a decision of the step itself, when no frame is pending."""
    cdef int decision = s.d.decision, city, token
    cdef TokenSet cards
    if decision == DECISION_WEALTH:
        split_options(s, s.d.active, V_WEALTH, out, tokens)
    elif decision == DECISION_SURGE:
        surge_options(s, out, tokens)
    elif decision == DECISION_PORTENT:
        portent_options(s, &cards)
        push_places(s, V_PORTENT, &cards, out, tokens)
        sort_options(out, tokens)
    elif decision == DECISION_FEAT:
        met_claims(s, PILE_FEATS_UP + s.d.active, &cards)
        push_cards(s, V_FEAT, &cards, out, tokens)
        sort_options(out, tokens)
        push_option(out, tokens, V_FEAT_DONE, NONE)
    elif decision == DECISION_ROTATE:
        clear(&cards)
        token = s.d.head[PILE_FEATS_DOWN + s.d.active]
        while token != NONE:
            if s.d.token[token].fresh:
                insert(&cards, token)
            token = s.d.token[token].next
        push_cards(s, V_ROTATE, &cards, out, tokens)
        sort_options(out, tokens)
        push_option(out, tokens, V_ROTATE_NONE, NONE)
    elif decision == DECISION_RELIC:
        clear(&cards)
        token = s.d.head[PILE_RELICS]
        while token != NONE:
            insert(&cards, token)
            token = s.d.token[token].next
        push_cards(s, V_RELIC, &cards, out, tokens)
        sort_options(out, tokens)
    elif decision == DECISION_CITY:
        for city in range(s.config.cities):
            push_option(out, tokens, V_CITY | city, NONE)
    elif decision == DECISION_CHALLENGE:
        met_claims(s, PILE_CHALLENGES, &cards)
        push_cards(s, V_CHALLENGE, &cards, out, tokens)
        sort_options(out, tokens)
        push_option(out, tokens, V_CHALLENGE_NONE, NONE)
    elif decision == DECISION_WAR_CITY:
        for city in range(s.config.cities):
            if can_resolve(s, city):
                push_option(out, tokens, V_WAR_CITY | city, NONE)
    else:
        units_in_hand(s, decision == DECISION_LIMIT, &cards)
        push_cards(s, V_LIMIT if decision == DECISION_LIMIT else V_OFFER, &cards, out, tokens)
        sort_options(out, tokens)
        if decision == DECISION_OFFER:
            push_option(out, tokens, V_OFFER_NONE, NONE)
    return 0


cdef int apply_turn(CoreState s, int32_t code, int token) except -1:
    """Apply an option of a decision of the step itself (code -1: there was no option)."""
    cdef int decision = s.d.decision, seat = s.d.active
    cdef Frame* frame
    if decision == DECISION_WEALTH:
        if code == -1:
            # OMEN-WEALTH-11
            s.d.wealth_lost = wealth_actions(s) - s.d.wealth_draws - s.d.wealth_coins
        elif code & 3 == BENEFIT_COIN:
            s.d.wealth_coins += 1
            gain_coins(s, seat, seat, 1, CAUSE_WEALTH)
        else:
            s.d.wealth_draws += 1
            start_draws(s, seat, 1, False, CAUSE_WEALTH)
    elif decision == DECISION_SURGE:
        if code == V_SURGE_END:
            s.d.stage = STAGE_CLOSING
            return 0
        s.d.stage = STAGE_MORE
        frame = push(s, FR_MODE)
        frame.token, frame.seat, frame.event.card = token, seat, s.d.token[token].card
    elif decision == DECISION_PORTENT:
        use_portent(s, token)
    elif decision == DECISION_FEAT:
        if code == V_FEAT_DONE:
            s.d.stage = STAGE_MORE
        else:
            achieve(s, token)
    elif decision == DECISION_ROTATE:
        if code == V_ROTATE_NONE:
            s.d.stage = STAGE_CLOSING
        else:
            open_move(s, token, PILE_FEATS_ROTATED + seat)
            s.d.token[token].fresh = 0
            emit(s, EVENT_TYPE_FEAT_ROTATED, seat, seat, token, NONE, NONE, NONE, 0, CAUSE_RULE, EVERYONE)
            s.d.relic_taken = 1
            s.d.stage = STAGE_THIRD
    elif decision == DECISION_RELIC:
        # The Relic waits here until its City is chosen.
        open_move(s, token, PILE_RESOLVING)
        s.d.stage = STAGE_FOURTH
    elif decision == DECISION_CITY:
        s.d.stage = STAGE_CLOSING
        place_relic(s, s.d.head[PILE_RESOLVING], code & 7, seat, CAUSE_RULE)
    elif decision == DECISION_CHALLENGE:
        if code == V_CHALLENGE_NONE:
            s.d.stage = STAGE_CLOSING
        else:
            s.d.challenges_taken += 1
            open_move(s, token, PILE_TAKEN + seat)
            emit(s, EVENT_TYPE_CHALLENGE, seat, seat, token, NONE, NONE, NONE, 0, CAUSE_RULE, EVERYONE)
    elif decision == DECISION_WAR_CITY:
        push(s, FR_WAR).city = code & 7
    elif decision == DECISION_OFFER:
        if code == V_OFFER_NONE:
            s.d.stage = STAGE_CLOSING
        else:
            s.d.offers += 1
            frame = push(s, FR_OFFER)
            frame.token, frame.seat, frame.event.card = token, seat, s.d.token[token].card
    elif s.config.card[s.d.token[token].card].kind == KIND_UNIT:
        request(s, EVENT_TYPE_DISCARD, seat, seat, token, NONE, 0, CAUSE_LIMIT, 0)
    else:
        # OMEN-EOT-03
        hidden_move(s, token, PILE_USED + seat, bit(seat), True)
        s.d.token[token].laid = 1
        emit(s, EVENT_TYPE_PRIZE_SHED, seat, seat, token, NONE, ZONE_HAND, ZONE_USED, 0, CAUSE_LIMIT, bit(seat))
    return 0


# -- TRIUMPH ----------------------------------------------------------------------------------------------------------


cdef void triumphs(CoreState s, TokenSet* out) noexcept:
    """Collect the Active player's Units whose TRIUMPH condition is met in this step (OMENT-TRIUMPH-01)."""
    cdef int city, token, i
    cdef CompiledCard* card
    cdef CompiledAbility* ability
    cdef Env env
    clear(out)
    if s.d.phase < PHASE_WEALTH or s.d.phase >= PHASE_OVER:
        return
    for city in range(s.config.cities):
        token = s.d.head[side_of(city, s.d.active)]
        while token != NONE:
            card = &s.config.card[s.d.token[token].card]
            for i in range(card.abilities if card.hooks >> H_TRIUMPH & 1 else 0):
                ability = &s.config.ability[card.first_ability + i]
                if ability.hook == H_TRIUMPH and in_steps(s, ability.steps):
                    card_env(s, &env, s.d.active, token, city)
                    if holds(s, &env, ability.when) and holds(s, &env, ability.cond):
                        insert(out, token)
            token = s.d.token[token].next


cdef int run_triumph(CoreState s, Frame* frame) except -1:
    """Move one Unit whose TRIUMPH condition is met; the others are tested again (OMENT-TRIUMPH-04)."""
    cdef TokenSet cards
    triumphs(s, &cards)
    if not size_of(&cards):
        pop(s)
    elif size_of(&cards) == 1:
        move_triumph(s, first_in_order(s, &cards))
    else:
        s.d.decision, s.d.decider = DECISION_TRIUMPH, s.d.active
    return 0


cdef int move_triumph(CoreState s, int token) except -1:
    open_move(s, token, PILE_USED + s.d.active)
    emit(s, EVENT_TYPE_TRIUMPH, s.d.active, s.d.active, token, NONE, ZONE_CITY, ZONE_USED, 0, CAUSE_RULE, EVERYONE)
    return 0


# -- begin and end of a turn ------------------------------------------------------------------------------------------


cdef int begin_turn(CoreState s, int seat) except -1:
    """Begin a turn (OMEN-TURN-01)."""
    cdef int token
    cdef Token* one
    end_modifiers(s, FOR_YOUR_NEXT_TURN, seat)
    s.d.turn += 1
    s.d.active = seat
    s.d.phase, s.d.stage = PHASE_WEALTH, STAGE_ENTERING
    s.d.wealth_draws = s.d.wealth_coins = s.d.wealth_lost = s.d.spoils = 0
    s.d.prizes_used = s.d.challenges_taken = s.d.relic_taken = s.d.offers = 0
    s.d.resolved = s.d.war_blocked = 0
    s.d.triggers = s.d.actions = 0
    s.d.caps = 0
    s.d.logged = s.d.step_logged = 0
    for token in range(s.d.tokens):
        one = &s.d.token[token]
        one.fresh = one.used = one.trait_used = one.laid = one.turn_uses = 0
    emit_plain(s, EVENT_TYPE_TURN_START, seat, seat, s.d.turn, CAUSE_RULE)
    return 0


cdef int over_limit(CoreState s, TokenSet* out) noexcept:
    # The number of cards above the hand limit; ``out`` becomes the cards that may be given up (OMEN-EOT-01, -02, -04, OMENT-EOT-01, -03, -04).
    cdef int token = s.d.head[PILE_HAND + s.d.active], count = 0, kind
    clear(out)
    while token != NONE:
        kind = s.config.card[s.d.token[token].card].kind
        if kind == KIND_UNIT or kind == KIND_REWARD:
            insert(out, token)
        count += kind != KIND_KRATER or s.config.prizes_count
        token = s.d.token[token].next
    return count - modified(s, W_HAND_LIMIT, TG_SEAT, s.d.active, s.config.hand_limit)


cdef int close_turn(CoreState s) except -1:
    cdef TokenSet cards
    cdef int limit, city, token
    cdef bint again
    if s.d.stage == STAGE_BODY:
        if s.d.deferred_count:
            return start_deferred(s)
        if over_limit(s, &cards) > 0 and size_of(&cards):
            s.d.decision, s.d.decider = DECISION_LIMIT, s.d.active
            return 0
        # OMEN-EOT-05, OMENT-EOT-02
        limit = modified(s, W_COIN_LIMIT, TG_SEAT, s.d.active, s.config.coin_limit)
        if limit < 0:
            limit = 0
        s.d.stage = STAGE_MORE
        if s.d.coins[s.d.active] > limit:
            limit = s.d.coins[s.d.active] - limit
            s.d.coins[s.d.active] -= limit
            if s.d.supply != NO_LIMIT:
                s.d.supply += limit
            emit_plain(s, EVENT_TYPE_LOSE_COINS, s.d.active, s.d.active, limit, CAUSE_LIMIT)
        for city in range(s.config.cities):
            # OMEN-ENRAGE-05, -06
            token = s.d.head[side_of(city, s.d.active)]
            while token != NONE:
                if s.d.token[token].enraged:
                    s.d.token[token].enraged = 0
                    emit(s, EVENT_TYPE_UNRAGE, s.d.active, s.d.active, token, city, NONE, NONE, 0, CAUSE_RULE, EVERYONE)
                token = s.d.token[token].next
        return 0
    # OMENX-FX-27
    again = modified(s, W_EXTRA_TURN, TG_SEAT, s.d.active, 0) > 0
    end_modifiers(s, FOR_WAR, NONE)
    end_modifiers(s, FOR_STEP, NONE)
    end_modifiers(s, FOR_TURN, s.d.active)
    emit_plain(s, EVENT_TYPE_TURN_END, s.d.active, s.d.active, s.d.turn, CAUSE_RULE)
    s.d.ending = end_conditions(s)
    if s.d.ending:
        return end_game(s)
    if s.config.omega and s.d.size[PILE_FEATS_DOWN + s.d.active] + s.d.size[PILE_FEATS_ROTATED + s.d.active] >= 5:
        emit_plain(s, EVENT_TYPE_FINAL_TURN, s.d.active, s.d.active, 0, CAUSE_RULE)
    return begin_turn(s, s.d.active if again else 1 - s.d.active)


cdef int end_game(CoreState s) except -1:
    """End the game and show both hands (OMEN-SCORE-06)."""
    cdef int seat, token
    s.d.phase, s.d.stage = PHASE_OVER, 0
    for seat in range(2):
        token = s.d.head[PILE_HAND + seat]
        while token != NONE:
            show(s, token, EVERYONE)
            token = s.d.token[token].next
    if s.d.ending & END_TURNS:
        emit_plain(s, EVENT_TYPE_TURN_CAP, NONE, NONE, s.d.turn, CAUSE_RULE)
    emit_plain(s, EVENT_TYPE_GAME_OVER, NONE, NONE, s.d.ending, CAUSE_RULE)
    return 0


cdef void units_in_hand(CoreState s, bint sheddable, TokenSet* out) noexcept:
    cdef int token = s.d.head[PILE_HAND + s.d.active]
    clear(out)
    if sheddable:
        over_limit(s, out)
        return
    while token != NONE:
        if s.config.card[s.d.token[token].card].kind == KIND_UNIT:
            insert(out, token)
        token = s.d.token[token].next
