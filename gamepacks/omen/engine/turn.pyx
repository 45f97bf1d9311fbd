"""The steps of a turn in both editions, War, the end of a turn and of the game, scores (sections 4, 6 and 9.6).

``phase`` is the step and ``stage`` how far it has come. Whatever is pending comes first: the step goes on only when no
frame is left, the queue is empty, and TRIUMPH has been checked.
"""

from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.abilities cimport (
    ability_of, begin_ability, card_env, in_steps, mark_used, next_ability, pop, push, start_deferred,
)
from gamepacks.omen.engine.data cimport (
    Ability, bit, Card, city_of, clear, CoreState, END_CHALLENGES, END_CITIES, END_FEATS, END_TURNS, Env, EVERYONE,
    FR_DRAIN, FR_MODE, FR_OFFER, FR_RAZE, FR_TRIUMPH, FR_WAR, FR_WINDOW, Frame, has, in_city, in_hand, insert,
    is_prize, MAX_ON_SIDE, NO_LIMIT, relic_in_city, relic_of, seat_of_side, side_of, size_of, Token, TokenSet, WIN_END,
    WIN_NONE,
)
from gamepacks.omen.engine.effects cimport end_mods, may_play_in, start_relic
from gamepacks.omen.codes_enums cimport *
from gamepacks.omen.engine.operations cimport before, can_destroy, gain, leave_city, request, start_draws, start_prize
from gamepacks.omen.engine.piles cimport emit, emit_plain, hidden_move, open_move, show
from gamepacks.omen.engine.playing cimport split_options, surge_options
from gamepacks.omen.engine.selection cimport (
    first_in_order, push_cards, push_option, push_places, same_copies, sort_options,
)
from gamepacks.omen.engine.values cimport (
    achieved, amount, forbidden, holds, is_war_torn, modified, seat_of, strength_on, type_of, weight_of,
)
from gamepacks.omen.cards.program_enums cimport *
from gamepacks.omen.v1.omen_enums cimport *

# Stages of a step: begin, start window, body (BODY to FOURTH), end window, end.
cdef enum:
    ENTERING = 0
    OPENING = 1
    BODY = 2
    MORE = 3
    THIRD = 4
    FOURTH = 5
    CLOSING = 90
    AGAIN = 91
    LEAVING = 92

# Abilities of a card (gamepacks.omen.cards.files).
cdef enum:
    MAX_ABILITIES = 6


cdef int run_turn(CoreState s) except -1:
    """Continue the step until a decision is needed or a frame is pushed."""
    cdef int phase = s.d.phase
    if s.d.queued or s.d.open_events or s.d.check_triumph:
        push(s, FR_DRAIN)
        return 0
    if s.d.stage == ENTERING:
        enter_step(s, phase)
    elif s.d.stage == OPENING:
        s.d.stage = BODY
        open_window(s, phase)
    elif s.d.stage == CLOSING:
        s.d.stage = AGAIN
        if s.d.window != WIN_END:
            s.d.window = WIN_END
            s.d.window_used = 0
            open_window(s, phase)
    elif s.d.stage == AGAIN:
        s.d.stage = LEAVING
        if phase == PHASE_FEAT and s.d.window_used:
            # OMEN-FEAT-06
            s.d.window_used = 0
            s.d.stage = BODY
        elif not s.config.omega:
            # OMENT-TRIUMPH-03
            s.d.check_triumph = 1
    elif s.d.stage == LEAVING:
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
    s.d.stage = OPENING
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
    end_mods(s, FOR_STEP, NONE)
    if phase == PHASE_FEAT:
        for token in range(s.d.tokens):
            if s.config.card[s.d.token[token].card].kind == KIND_FEAT:
                s.d.token[token].fresh = 0
    phase += 1
    if phase == PHASE_FEAT and not s.config.omega:
        phase = PHASE_WAR
    if phase == PHASE_CHALLENGE and s.config.challenges == CHALLENGES_NONE:
        phase = PHASE_WAR
    s.d.phase, s.d.stage = phase, ENTERING
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
    s.d.stage = CLOSING
    # OMEN-WEALTH-04 to -07, -12
    if count and s.d.wealth_draws == spent:
        start_draws(s, s.d.active, 1, False, CAUSE_WEALTH)
    elif count and s.d.wealth_coins == spent:
        gain(s, s.d.active, s.d.active, 1, CAUSE_WEALTH)
    return 0


# -- Surge and Portent ------------------------------------------------------------------------------------------------


cdef int run_surge(CoreState s) except -1:
    if s.d.stage == MORE:
        # A main action is complete (OMENX-WIN-01).
        s.d.stage = BODY
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
        s.d.stage = CLOSING
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
    if s.d.stage == BODY:
        if met_claims(s, PILE_FEATS_UP + s.d.active, &cards):
            if s.config.feat_optional:
                s.d.decision, s.d.decider = DECISION_FEAT, s.d.active
                return 0
            # All are tested against the same position (OMEN-FEAT-01, -03).
            token = s.d.head[PILE_FEATS_UP + s.d.active]
            while token != NONE:
                next_ = s.d.token[token].next
                if has(&cards, token):
                    achieve(s, token)
                token = next_
        s.d.stage = MORE
    elif s.d.stage == MORE:
        token = s.d.head[PILE_FEATS_DOWN + s.d.active]
        while token != NONE:
            fresh += s.d.token[token].fresh
            token = s.d.token[token].next
        if s.config.relics and fresh and not s.d.relic_taken and s.d.size[PILE_RELICS]:
            s.d.decision, s.d.decider = DECISION_ROTATE, s.d.active
        else:
            s.d.stage = CLOSING
    elif s.d.stage == THIRD:
        s.d.decision, s.d.decider = DECISION_RELIC, s.d.active
    else:
        s.d.decision, s.d.decider = DECISION_CITY, s.d.active
    return 0


cdef int run_challenge(CoreState s) except -1:
    cdef TokenSet cards
    if s.d.challenges_taken < modified(s, W_CHALLENGES, TG_SEAT, s.d.active, 1) and met_claims(s, PILE_CHALLENGES, &cards):
        s.d.decision, s.d.decider = DECISION_CHALLENGE, s.d.active
    else:
        s.d.stage = CLOSING
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
        s.d.stage = CLOSING
    return 0


cdef int run_offering(CoreState s) except -1:
    if s.d.offers < modified(s, W_OFFERINGS, TG_SEAT, s.d.active, 1) and not forbidden(s, W_OFFER, s.d.active, NONE):
        s.d.decision, s.d.decider = DECISION_OFFER, s.d.active
    else:
        s.d.stage = CLOSING
    return 0


# -- options and answers ----------------------------------------------------------------------------------------------


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
            gain(s, seat, seat, 1, CAUSE_WEALTH)
        else:
            s.d.wealth_draws += 1
            start_draws(s, seat, 1, False, CAUSE_WEALTH)
    elif decision == DECISION_SURGE:
        if code == V_SURGE_END:
            s.d.stage = CLOSING
            return 0
        s.d.stage = MORE
        frame = push(s, FR_MODE)
        frame.token, frame.seat, frame.event.card = token, seat, s.d.token[token].card
    elif decision == DECISION_PORTENT:
        use_portent(s, token)
    elif decision == DECISION_FEAT:
        if code == V_FEAT_DONE:
            s.d.stage = MORE
        else:
            achieve(s, token)
    elif decision == DECISION_ROTATE:
        if code == V_ROTATE_NONE:
            s.d.stage = CLOSING
        else:
            open_move(s, token, PILE_FEATS_ROTATED + seat)
            s.d.token[token].fresh = 0
            emit(s, EVENT_TYPE_FEAT_ROTATED, seat, seat, token, NONE, NONE, NONE, 0, CAUSE_RULE, EVERYONE)
            s.d.relic_taken = 1
            s.d.stage = THIRD
    elif decision == DECISION_RELIC:
        # The Relic waits here until its City is chosen.
        open_move(s, token, PILE_RESOLVING)
        s.d.stage = FOURTH
    elif decision == DECISION_CITY:
        s.d.stage = CLOSING
        start_relic(s, s.d.head[PILE_RESOLVING], code & 7, seat, CAUSE_RULE)
    elif decision == DECISION_CHALLENGE:
        if code == V_CHALLENGE_NONE:
            s.d.stage = CLOSING
        else:
            s.d.challenges_taken += 1
            open_move(s, token, PILE_TAKEN + seat)
            emit(s, EVENT_TYPE_CHALLENGE, seat, seat, token, NONE, NONE, NONE, 0, CAUSE_RULE, EVERYONE)
    elif decision == DECISION_WAR_CITY:
        push(s, FR_WAR).city = code & 7
    elif decision == DECISION_OFFER:
        if code == V_OFFER_NONE:
            s.d.stage = CLOSING
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


# == War ==============================================================================================================


# Stages of a City's resolution.
cdef enum:
    WAR_BEGIN = 0
    WAR_BEGUN = 1
    WAR_COMPARE = 2
    WAR_PRIZE_TAKEN = 3
    WAR_RAZE = 4
    WAR_FIRST_KEEPS = 5
    WAR_SECOND_KEEPS = 6
    WAR_LEAVE = 7
    WAR_OVER = 8
    # Nobody has won.
    NOBODY = 2


cdef int run_war(CoreState s, Frame* frame) except -1:
    """Continue to resolve a City (section 9.6); ``m`` is the winner."""
    cdef int city = frame.city, stage = frame.stage
    if stage == WAR_BEGIN:
        frame.stage = WAR_BEGUN
        if s.d.phase == PHASE_WAR:
            s.d.resolved |= 1 << city
        before(s, EVENT_TYPE_WAR_BEGIN, s.d.active, s.d.active, NONE, city, 0, CAUSE_WAR)
    elif stage == WAR_BEGUN:
        frame.stage = WAR_COMPARE
        if s.d.cancelled:
            # OMENX-LOOP-04
            s.d.cancelled = 0
            s.d.war_blocked |= 1 << city
            frame.stage = WAR_OVER
            return 0
        emit(s, EVENT_TYPE_WAR_BEGIN, s.d.active, s.d.active, NONE, city, NONE, NONE, 0, CAUSE_WAR, EVERYONE)
        push(s, FR_DRAIN)
    elif stage == WAR_COMPARE:
        frame.stage = WAR_PRIZE_TAKEN
        compare_sides(s, frame)
        if frame.m != NOBODY:
            start_prize(s, city, frame.m, CAUSE_WAR)
    elif stage == WAR_PRIZE_TAKEN:
        frame.stage = WAR_RAZE
        if not s.config.omega:
            # OMENT-TRIUMPH-03
            push(s, FR_TRIUMPH)
    elif stage == WAR_RAZE:
        if not s.config.omega and frame.m != NOBODY and not s.d.left[city]:
            # OMENT-RAZE-02
            frame.stage = WAR_OVER
            push(s, FR_RAZE).city = city
            return 0
        frame.stage = WAR_FIRST_KEEPS
    elif stage == WAR_FIRST_KEEPS or stage == WAR_SECOND_KEEPS:
        frame.seat = s.d.active if frame.m == NOBODY else frame.m
        if stage == WAR_SECOND_KEEPS:
            frame.seat = 1 - frame.seat
        s.d.decision, s.d.decider = DECISION_KEEP, frame.seat
    elif stage == WAR_LEAVE:
        frame.stage = WAR_OVER
        leave_unkept(s, frame)
    else:
        end_mods(s, FOR_WAR, NONE)
        pop(s)
    return 0


cdef int compare_sides(CoreState s, Frame* frame) except -1:
    # OMEN-WAR-07, -08, -09, OMENT-WAR-03, -04
    cdef int city = frame.city, seat, token, i
    cdef int[2] strength, helpers
    for seat in range(2):
        strength[seat], helpers[seat] = strength_on(s, city, seat), 0
        token = s.d.head[side_of(city, seat)]
        while token != NONE:
            if s.config.omega:
                helpers[seat] += type_of(s, token) == UNIT_TYPE_SOLDIER
            else:
                helpers[seat] += s.config.card[s.d.token[token].card].traits >> TRAIT_BOLSTER & 1
            token = s.d.token[token].next
    if strength[0] != strength[1]:
        frame.m = 0 if strength[0] > strength[1] else 1
    elif (modified(s, W_WIN_TIES, TG_SEAT, 0, 0) > 0) != (modified(s, W_WIN_TIES, TG_SEAT, 1, 0) > 0):
        # OMENX-FX-26
        frame.m = 0 if modified(s, W_WIN_TIES, TG_SEAT, 0, 0) > 0 else 1
    elif helpers[0] != helpers[1]:
        frame.m = 0 if helpers[0] > helpers[1] else 1
    elif s.config.omega or s.config.sacked_tie == SACKED_TIE_NOBODY:
        frame.m = NOBODY
    else:
        frame.m = s.d.active if s.config.sacked_tie == SACKED_TIE_ACTIVE else 1 - s.d.active
    emit(s, EVENT_TYPE_WAR_RESULT, s.d.active, NONE if frame.m == NOBODY else frame.m, NONE, city, NONE, NONE, 0, CAUSE_WAR, EVERYONE)
    if s.trace is not None:
        s.trace.append((*s.trace.pop()[:10], (strength[0], strength[1], helpers[0], helpers[1])))
    return 0


# -- survivors --------------------------------------------------------------------------------------------------------


cdef int keep_weight(CoreState s, int token) noexcept:
    # OMEN-WAR-13, OMENT-WAR-06
    cdef int weight
    if s.config.omega:
        weight = weight_of(s, token)
    else:
        weight = s.config.myriad_keep if s.config.card[s.d.token[token].card].traits >> TRAIT_MYRIAD & 1 else 1
    weight = modified(s, W_KEEP_WEIGHT, TG_SEL, token, weight)
    return weight if weight > 1 else 1


cdef int keep_options(CoreState s, Frame* frame, Codes out) except -1:
    """List the sets of Units that the seat may keep, as masks over its Units in that City (OMEN-WAR-14)."""
    cdef int[MAX_ON_SIDE] weight, token
    cdef int count = 0, allowance = 1 if frame.m == frame.seat else 2, forced = 0, best = 0, i, j, one
    one = s.d.head[side_of(frame.city, frame.seat)]
    while one != NONE and count < MAX_ON_SIDE:
        token[count], weight[count] = one, keep_weight(s, one)
        if not can_destroy(s, one):
            # OMENX-FX-16
            forced |= 1 << count
            allowance -= weight[count]
        count += 1
        one = s.d.token[one].next
    if not s.config.up_to or not s.config.omega:
        # The largest weight within the allowance; at most two Units fit, as each weighs 1 at least.
        for i in range(count):
            if forced >> i & 1:
                continue
            if best < weight[i] <= allowance:
                best = weight[i]
            for j in range(i):
                if not forced >> j & 1 and best < weight[i] + weight[j] <= allowance:
                    best = weight[i] + weight[j]
    if best == 0:
        out.push(V_KEEP | forced)
    for i in range(count):
        if forced >> i & 1 or repeated(s, token, forced, i, NONE):
            continue
        if weight[i] <= allowance and (not best or weight[i] == best):
            if best or s.config.up_to and s.config.omega:
                out.push(V_KEEP | forced | 1 << i)
    for i in range(count):
        for j in range(i):
            if forced >> i & 1 or forced >> j & 1 or repeated(s, token, forced, j, NONE) or repeated(s, token, forced, i, j):
                continue
            if weight[i] + weight[j] <= allowance and (not best or weight[i] + weight[j] == best):
                if best or s.config.up_to and s.config.omega:
                    out.push(V_KEEP | forced | 1 << i | 1 << j)
    sort_codes(out)
    return 0


cdef bint repeated(CoreState s, const int* token, int forced, int i, int beside) noexcept:
    # Is an earlier Unit an equal copy, so that the same set is listed already?
    cdef int j
    for j in range(i):
        if j != beside and not forced >> j & 1 and same_copies(s, token[i], token[j]):
            return True
    return False


cdef void sort_codes(Codes out) noexcept:
    cdef Py_ssize_t i, j
    cdef int code
    for i in range(1, out.size):
        code, j = out.code[i], i
        while j > 0 and out.code[j - 1] > code:
            out.code[j] = out.code[j - 1]
            j -= 1
        out.code[j] = code


cdef int apply_keep(CoreState s, Frame* frame, int mask) except -1:
    cdef int token = s.d.head[side_of(frame.city, frame.seat)]
    if frame.stage == WAR_FIRST_KEEPS:
        clear(&frame.set)
    while token != NONE:
        if mask & 1:
            insert(&frame.set, token)
        mask >>= 1
        token = s.d.token[token].next
    frame.stage += 1
    return 0


cdef int leave_unkept(CoreState s, Frame* frame) except -1:
    # The Units that are not kept leave together (OMEN-WAR-15).
    cdef TokenSet leaving
    cdef int seat, token
    clear(&leaving)
    for seat in range(2):
        token = s.d.head[side_of(frame.city, seat)]
        while token != NONE:
            if not has(&frame.set, token):
                insert(&leaving, token)
            token = s.d.token[token].next
    if frame.m == NOBODY and not size_of(&leaving):
        # OMENX-LOOP-04
        s.d.war_blocked |= 1 << frame.city
    return leave_city(s, &leaving, s.d.active, CAUSE_WAR)


# -- TRIUMPH ----------------------------------------------------------------------------------------------------------


cdef void triumphs(CoreState s, TokenSet* out) noexcept:
    """Collect the Active player's Units whose TRIUMPH condition is met in this step (OMENT-TRIUMPH-01)."""
    cdef int city, token, i
    cdef Card* card
    cdef Ability* ability
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


# == begin and end of a turn ==========================================================================================


cdef int begin_turn(CoreState s, int seat) except -1:
    """Begin a turn (OMEN-TURN-01)."""
    cdef int token
    cdef Token* one
    end_mods(s, FOR_YOUR_NEXT_TURN, seat)
    s.d.turn += 1
    s.d.active = seat
    s.d.phase, s.d.stage = PHASE_WEALTH, ENTERING
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
    if s.d.stage == BODY:
        if s.d.deferred_count:
            return start_deferred(s)
        if over_limit(s, &cards) > 0 and size_of(&cards):
            s.d.decision, s.d.decider = DECISION_LIMIT, s.d.active
            return 0
        # OMEN-EOT-05, OMENT-EOT-02
        limit = modified(s, W_COIN_LIMIT, TG_SEAT, s.d.active, s.config.coin_limit)
        if limit < 0:
            limit = 0
        s.d.stage = MORE
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
    end_mods(s, FOR_WAR, NONE)
    end_mods(s, FOR_STEP, NONE)
    end_mods(s, FOR_TURN, s.d.active)
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
    if s.d.ending & 8:
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


# == end of the game, scores ==========================================================================================


cdef int FEATS_TO_END = 5
cdef int CITIES_TO_END = 2
cdef int CHALLENGES_TO_END = 2
cdef int CHALLENGE_POINTS = 3


cdef int end_conditions(CoreState s) noexcept:
    """Conditions that end the game after this turn, as bits; 0 if none holds (OMEN-END, OMEN-CHAL, OMENT-END)."""
    cdef int city, empty = 0, razed = 0, met = 0, count
    for city in range(s.config.cities):
        empty += not s.d.left[city]
        razed += s.d.razed >> city & 1
    if not s.config.omega:
        if razed == s.config.cities or s.config.combined and razed >= CITIES_TO_END:
            met = END_CITIES
    else:
        if empty >= CITIES_TO_END:
            met |= END_CITIES
        if achieved(s, 1 - s.d.active) >= FEATS_TO_END or s.config.feat_either and achieved(s, s.d.active) >= FEATS_TO_END:
            met |= END_FEATS
        if s.config.challenges != CHALLENGES_NONE and s.d.size[PILE_CHALLENGES] <= CHALLENGES_TO_END:
            met |= END_CHALLENGES
        if s.config.challenges == CHALLENGES_LONG:
            # OMEN-CHAL-05
            count = (met & 1) + (met >> 1 & 1) + (met >> 2 & 1)
            if count < 2:
                met = 0
    if s.d.turn >= s.config.max_turns:
        met |= END_TURNS
    return met


cdef int score_of(CoreState s, int seat) noexcept:
    """The points of a seat if the game ended now."""
    cdef int points = 0, token, city
    cdef Card* card
    token = s.d.head[PILE_HAND + seat]
    while token != NONE:
        card = &s.config.card[s.d.token[token].card]
        if is_prize(card.kind):
            points += 2
        elif card.kind == KIND_WHIM:
            points += card.hold_points
        elif s.config.omega:
            points += card.type == UNIT_TYPE_HERO
        else:
            points += card.traits >> TRAIT_COVETED & 1
        token = s.d.token[token].next
    token = s.d.head[PILE_USED + seat]
    while token != NONE:
        # OMENT-TRIUMPH-05
        points += 2 if s.config.card[s.d.token[token].card].kind == KIND_UNIT else 1
        token = s.d.token[token].next
    points += 2 * s.d.size[PILE_FEATS_DOWN + seat] + s.d.size[PILE_FEATS_ROTATED + seat]
    points += CHALLENGE_POINTS * s.d.size[PILE_TAKEN + seat]
    for city in range(s.config.cities):
        points += s.d.size[relic_of(city, seat)]
    return points + extra_points(s, seat)


cdef int extra_points(CoreState s, int seat) noexcept:
    # Abilities of cards that score (hook end_game).
    cdef int token, i, j, effect, zone, owner, place, points = 0, who
    cdef Card* card
    cdef Ability* ability
    cdef Env env
    for token in range(s.d.tokens):
        card = &s.config.card[s.d.token[token].card]
        if not card.hooks >> H_END_GAME & 1:
            continue
        zone = s.d.token[token].zone
        if in_city(zone) or relic_in_city(zone):
            owner, place = seat_of_side(zone), ZONE_CITY
        elif in_hand(zone):
            owner, place = zone - PILE_HAND, ZONE_HAND
        elif zone == PILE_USED or zone == PILE_USED_B:
            owner, place = zone - PILE_USED, ZONE_USED
        else:
            continue
        if s.d.token[token].enraged:
            continue
        for i in range(card.abilities):
            ability = &s.config.ability[card.first_ability + i]
            if ability.hook != H_END_GAME or ability.zone != place or not ability.do:
                continue
            card_env(s, &env, owner, token, city_of(zone) if place == ZONE_CITY else NONE)
            if not holds(s, &env, ability.when) or not holds(s, &env, ability.cond):
                continue
            for j in range(s.config.code[ability.do]):
                effect = s.config.code[ability.do + 1 + j]
                if s.config.code[effect] == E_SCORE:
                    who = seat_of(s, &env, s.config.code[effect + 1])
                    if who >= 2 or who == seat:
                        points += amount(s, &env, s.config.code[effect + 2])
    return points


cdef int winners_of(CoreState s) noexcept:
    """A mask of the seats that win if the game ended now (OMEN-SCORE-05, OMENT-SCORE-02)."""
    cdef int a = score_of(s, 0), b = score_of(s, 1)
    if a == b and s.config.omega:
        a, b = s.d.size[PILE_FEATS_DOWN], s.d.size[PILE_FEATS_DOWN_B]
    if a != b:
        return 1 if a > b else 2
    if s.config.tie_second and s.d.first < 2:
        return 1 << (1 - s.d.first)
    return 3
