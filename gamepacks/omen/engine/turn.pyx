"""The steps of a turn, in both editions (sections 4.2 to 4.10, 6.1 to 6.7, 9.6).

``phase`` is the step and ``stage`` how far it has come. Whatever is pending comes first: this module goes on only when
no frame is left, the queue is empty, and TRIUMPH has been looked for.
"""

from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.closing cimport close, units_in_hand
from gamepacks.omen.engine.drawing cimport start_draws
from gamepacks.omen.engine.lasting cimport end_mods, may_play_in
from gamepacks.omen.engine.looks cimport start_relic
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport gain, request
from gamepacks.omen.engine.picks cimport push_cards, push_option, push_places, sort_options
from gamepacks.omen.engine.playing cimport split_options, surge_options
from gamepacks.omen.engine.stack cimport ability_of, begin, env_of, push
from gamepacks.omen.engine.stats cimport changed, forbidden, to_resolve, type_of
from gamepacks.omen.engine.table cimport (
    bit, city_of, clear, Env, EVERYONE, FR_DRAIN, FR_MODE, FR_OFFER, FR_WAR, FR_WINDOW, Frame, has, insert, Set, side_of,
    size_of, Table, WIN_END, WIN_NONE,
)
from gamepacks.omen.engine.uses cimport mark, next_ability
from gamepacks.omen.engine.values cimport holds
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport emit, hidden_move, open_move, tell

# Stages: the beginning of a step and its start window, what it is about (BODY and on), its end window and its end.
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
    MOST_ABILITIES = 6


cdef int run_turn(Table t) except -1:
    """Go on with the step until something is asked or waits for a frame."""
    cdef int phase = t.d.phase, step = t.d.phase - PH_WEALTH
    if t.d.queued or t.d.afters or t.d.recheck:
        push(t, FR_DRAIN)
        return 0
    if t.d.stage == ENTERING:
        enter_step(t, phase, step)
    elif t.d.stage == OPENING:
        t.d.stage = BODY
        window(t, step)
    elif t.d.stage == CLOSING:
        t.d.stage = AGAIN
        if t.d.window != WIN_END:
            t.d.window = WIN_END
            t.d.window_used = 0
            window(t, step)
    elif t.d.stage == AGAIN:
        t.d.stage = LEAVING
        if phase == PH_FEAT and t.d.window_used:
            # OMEN-FEAT-06
            t.d.window_used = 0
            t.d.stage = BODY
        elif not t.rules.omega:
            # OMENT-TRIUMPH-03
            t.d.recheck = 1
    elif t.d.stage == LEAVING:
        leave_step(t, phase, step)
    elif phase == PH_WEALTH:
        wealth(t)
    elif phase == PH_SURGE:
        surge(t)
    elif phase == PH_PORTENT:
        portent(t)
    elif phase == PH_FEAT:
        feat(t)
    elif phase == PH_CHALLENGE:
        challenge(t)
    elif phase == PH_WAR:
        war(t)
    elif phase == PH_OFFERING:
        offering(t)
    else:
        close(t)
    return 0


cdef int enter_step(Table t, int phase, int step) except -1:
    cdef int token, city
    t.d.window, t.d.window_used = WIN_NONE, 0
    t.d.stage = OPENING
    t.d.step_logged = t.d.logged
    if phase != PH_CLOSE:
        tell(t, EV_STEP_START, t.d.active, t.d.active, step, BY_RULE)
    if phase == PH_WEALTH and not t.rules.omega:
        # OMENT-SPOILS-01, -02
        for city in range(t.rules.cities):
            token = t.d.head[side_of(city, t.d.active)]
            while token != NONE:
                if t.rules.card[t.d.token[token].card].traits >> TR_SPOILS & 1:
                    t.d.spoils = 1
                token = t.d.token[token].next
    if not t.rules.omega and phase != PH_CLOSE:
        # OMENT-TRIUMPH-03
        t.d.recheck = 1
    return 0


cdef int leave_step(Table t, int phase, int step) except -1:
    cdef int token
    tell(t, EV_STEP_END, t.d.active, t.d.active, step, BY_RULE)
    end_mods(t, FOR_STEP, NONE)
    if phase == PH_FEAT:
        for token in range(t.d.tokens):
            if t.rules.card[t.d.token[token].card].kind == K_FEAT:
                t.d.token[token].fresh = 0
    phase += 1
    if phase == PH_FEAT and not t.rules.omega:
        phase = PH_WAR
    if phase == PH_CHALLENGE and not t.rules.challenges:
        phase = PH_WAR
    t.d.phase, t.d.stage = phase, ENTERING
    return 0


cdef int window(Table t, int step) except -1:
    # OMENX-WIN-01
    if t.rules.use_steps >> step & 1 or t.d.mods and (may_play_in(t, 0) or may_play_in(t, 1)):
        push(t, FR_WINDOW)
    return 0


# -- Wealth -----------------------------------------------------------------------------------------------------------


cdef int wealth_actions(Table t) noexcept:
    cdef int count = t.rules.first_wealth if t.d.turn == 1 else 3
    count = changed(t, W_WEALTH_ACTIONS, TG_SEAT, t.d.active, count + t.d.spoils)
    return 0 if count < 0 else 200 if count > 200 else count


cdef int wealth_left(Table t) noexcept:
    """Wealth actions that are still to be spent; 0 outside the step."""
    return wealth_actions(t) - t.d.draws - t.d.gains - t.d.lost if t.d.phase == PH_WEALTH else 0


cdef int wealth(Table t) except -1:
    cdef int count = wealth_actions(t), spent = t.d.draws + t.d.gains + t.d.lost
    if spent < count:
        t.d.ask, t.d.asked = ASK_WEALTH, t.d.active
        return 0
    t.d.stage = CLOSING
    # OMEN-WEALTH-04 to -07, -12
    if count and t.d.draws == spent:
        start_draws(t, t.d.active, 1, False, BY_WEALTH)
    elif count and t.d.gains == spent:
        gain(t, t.d.active, t.d.active, 1, BY_WEALTH)
    return 0


# -- Surge and Portent ------------------------------------------------------------------------------------------------


cdef int surge(Table t) except -1:
    if t.d.stage == MORE:
        # A main action is complete (OMENX-WIN-01).
        t.d.stage = BODY
        return window(t, STEP_SURGE)
    t.d.ask, t.d.asked = ASK_SURGE, t.d.active
    return 0


cdef int portents(Table t, Set* out) noexcept:
    # Oracles or GLEAN Units that are still to be used (OMEN-PORT-01 to -03, -05, OMENT-GLEAN-01).
    cdef int city, token
    clear(out)
    for city in range(t.rules.cities):
        token = t.d.head[side_of(city, t.d.active)]
        while token != NONE:
            if not t.d.token[token].used and not t.d.token[token].enraged and (
                not t.rules.omega or type_of(t, token) == T_ORACLE
            ):
                if next_ability(t, H_PORTENT, token, t.d.active, city, 0) >= 0:
                    insert(out, token)
            token = t.d.token[token].next
    return size_of(out)


cdef int portent(Table t) except -1:
    cdef Set cards
    if portents(t, &cards):
        t.d.ask, t.d.asked = ASK_PORTENT, t.d.active
    else:
        t.d.stage = CLOSING
    return 0


cdef int use_portent(Table t, int token) except -1:
    cdef int card = t.d.token[token].card, city = city_of(t.d.token[token].zone), count = 0, i
    cdef int number = next_ability(t, H_PORTENT, token, t.d.active, city, 0)
    cdef int[MOST_ABILITIES] numbers
    t.d.token[token].used = 1
    while number >= 0 and count < MOST_ABILITIES:
        numbers[count] = number
        count += 1
        number = next_ability(t, H_PORTENT, token, t.d.active, city, t.rules.ability[number].number + 1)
    # Several abilities happen in printed order: the last that is started comes first.
    for i in range(count - 1, -1, -1):
        mark(t, token, &t.rules.ability[numbers[i]])
        begin(t, numbers[i], token, card, t.d.active, city, BY_ABILITY, NULL)
    return 0


# -- Feats and Challenges ---------------------------------------------------------------------------------------------


cdef int met(Table t, int zone, Set* out) noexcept:
    # The Feats or Challenges of a pile whose condition holds for the Active player.
    cdef int token = t.d.head[zone], ability
    cdef Env env
    clear(out)
    while token != NONE:
        ability = ability_of(t, t.d.token[token].card, H_CLAIM, 0)
        env_of(t, &env, t.d.active, token, NONE)
        if ability >= 0 and holds(t, &env, t.rules.ability[ability].when):
            if holds(t, &env, t.rules.ability[ability].cond):
                insert(out, token)
        token = t.d.token[token].next
    return size_of(out)


cdef int achieve(Table t, int token) except -1:
    open_move(t, token, PILE_FEATS_DOWN + t.d.active)
    t.d.token[token].fresh = 1
    emit(t, EV_FEAT, t.d.active, t.d.active, token, NONE, NONE, NONE, 0, BY_RULE, EVERYONE)
    return 0


cdef int feat(Table t) except -1:
    cdef Set cards
    cdef int token, next_, fresh = 0
    if t.d.stage == BODY:
        if met(t, PILE_FEATS_UP + t.d.active, &cards):
            if t.rules.feat_optional:
                t.d.ask, t.d.asked = ASK_FEAT, t.d.active
                return 0
            # All against the same position (OMEN-FEAT-01, -03).
            token = t.d.head[PILE_FEATS_UP + t.d.active]
            while token != NONE:
                next_ = t.d.token[token].next
                if has(&cards, token):
                    achieve(t, token)
                token = next_
        t.d.stage = MORE
    elif t.d.stage == MORE:
        token = t.d.head[PILE_FEATS_DOWN + t.d.active]
        while token != NONE:
            fresh += t.d.token[token].fresh
            token = t.d.token[token].next
        if t.rules.relics and fresh and not t.d.relic_taken and t.d.size[PILE_RELICS]:
            t.d.ask, t.d.asked = ASK_FEATRELIC, t.d.active
        else:
            t.d.stage = CLOSING
    elif t.d.stage == THIRD:
        t.d.ask, t.d.asked = ASK_RELIC, t.d.active
    else:
        t.d.ask, t.d.asked = ASK_CITY, t.d.active
    return 0


cdef int challenge(Table t) except -1:
    cdef Set cards
    if t.d.challenges_taken < changed(t, W_CHALLENGES, TG_SEAT, t.d.active, 1) and met(t, PILE_CHALLENGES, &cards):
        t.d.ask, t.d.asked = ASK_CHALLENGE, t.d.active
    else:
        t.d.stage = CLOSING
    return 0


# -- War and Offering -------------------------------------------------------------------------------------------------


cdef bint embattled(Table t, int city) noexcept:
    # OMEN-WAR-16, OMENT-WAR-02, OMENX-LOOP-04
    return to_resolve(t, city) and not t.d.stuck >> city & 1 and (t.rules.omega or not t.d.resolved >> city & 1)


cdef int war(Table t) except -1:
    cdef int city, count = 0, only = NONE
    for city in range(t.rules.cities):
        if embattled(t, city):
            count += 1
            only = city
    if count > 1:
        t.d.ask, t.d.asked = ASK_WARCITY, t.d.active
    elif count == 1:
        push(t, FR_WAR).city = only
    else:
        t.d.stage = CLOSING
    return 0


cdef int offering(Table t) except -1:
    if t.d.offers < changed(t, W_OFFERINGS, TG_SEAT, t.d.active, 1) and not forbidden(t, W_OFFER, t.d.active, NONE):
        t.d.ask, t.d.asked = ASK_OFFER, t.d.active
    else:
        t.d.stage = CLOSING
    return 0


# -- options and answers ----------------------------------------------------------------------------------------------


cdef int turn_options(Table t, Codes out, uint8_t* tokens) except -1:
    """The options where no frame is pending."""
    cdef int ask = t.d.ask, city, token
    cdef Set cards
    if ask == ASK_WEALTH:
        split_options(t, t.d.active, V_WEALTH, out, tokens)
    elif ask == ASK_SURGE:
        surge_options(t, out, tokens)
    elif ask == ASK_PORTENT:
        portents(t, &cards)
        push_places(t, V_PORTENT, &cards, out, tokens)
        sort_options(out, tokens)
    elif ask == ASK_FEAT:
        met(t, PILE_FEATS_UP + t.d.active, &cards)
        push_cards(t, V_FEAT, &cards, out, tokens)
        sort_options(out, tokens)
        push_option(out, tokens, V_FEAT_DONE, NONE)
    elif ask == ASK_FEATRELIC:
        clear(&cards)
        token = t.d.head[PILE_FEATS_DOWN + t.d.active]
        while token != NONE:
            if t.d.token[token].fresh:
                insert(&cards, token)
            token = t.d.token[token].next
        push_cards(t, V_ROTATE, &cards, out, tokens)
        sort_options(out, tokens)
        push_option(out, tokens, V_ROTATE_NONE, NONE)
    elif ask == ASK_RELIC:
        clear(&cards)
        token = t.d.head[PILE_RELICS]
        while token != NONE:
            insert(&cards, token)
            token = t.d.token[token].next
        push_cards(t, V_RELIC, &cards, out, tokens)
        sort_options(out, tokens)
    elif ask == ASK_CITY:
        for city in range(t.rules.cities):
            push_option(out, tokens, V_CITY | city, NONE)
    elif ask == ASK_CHALLENGE:
        met(t, PILE_CHALLENGES, &cards)
        push_cards(t, V_CHALLENGE, &cards, out, tokens)
        sort_options(out, tokens)
        push_option(out, tokens, V_CHALLENGE_NONE, NONE)
    elif ask == ASK_WARCITY:
        for city in range(t.rules.cities):
            if embattled(t, city):
                push_option(out, tokens, V_WAR_CITY | city, NONE)
    else:
        units_in_hand(t, ask == ASK_LIMIT, &cards)
        push_cards(t, V_LIMIT if ask == ASK_LIMIT else V_OFFER, &cards, out, tokens)
        sort_options(out, tokens)
        if ask == ASK_OFFER:
            push_option(out, tokens, V_OFFER_NONE, NONE)
    return 0


cdef int answer_turn(Table t, int32_t code, int token) except -1:
    """Take an answer where no frame is pending (code -1: there was nothing to choose)."""
    cdef int ask = t.d.ask, seat = t.d.active
    cdef Frame* frame
    if ask == ASK_WEALTH:
        if code == -1:
            # OMEN-WEALTH-11
            t.d.lost = wealth_actions(t) - t.d.draws - t.d.gains
        elif code & 1:
            t.d.gains += 1
            gain(t, seat, seat, 1, BY_WEALTH)
        else:
            t.d.draws += 1
            start_draws(t, seat, 1, False, BY_WEALTH)
    elif ask == ASK_SURGE:
        if code == V_SURGE_END:
            t.d.stage = CLOSING
            return 0
        t.d.stage = MORE
        frame = push(t, FR_MODE)
        frame.token, frame.seat, frame.event.card = token, seat, t.d.token[token].card
    elif ask == ASK_PORTENT:
        use_portent(t, token)
    elif ask == ASK_FEAT:
        if code == V_FEAT_DONE:
            t.d.stage = MORE
        else:
            achieve(t, token)
    elif ask == ASK_FEATRELIC:
        if code == V_ROTATE_NONE:
            t.d.stage = CLOSING
        else:
            open_move(t, token, PILE_FEATS_ROTATED + seat)
            t.d.token[token].fresh = 0
            emit(t, EV_FEAT_ROTATED, seat, seat, token, NONE, NONE, NONE, 0, BY_RULE, EVERYONE)
            t.d.relic_taken = 1
            t.d.stage = THIRD
    elif ask == ASK_RELIC:
        # Which one is to be placed: it comes first in its row.
        open_move(t, token, PILE_RESOLVING)
        t.d.stage = FOURTH
    elif ask == ASK_CITY:
        t.d.stage = CLOSING
        start_relic(t, t.d.head[PILE_RESOLVING], code & 7, seat, BY_RULE)
    elif ask == ASK_CHALLENGE:
        if code == V_CHALLENGE_NONE:
            t.d.stage = CLOSING
        else:
            t.d.challenges_taken += 1
            open_move(t, token, PILE_TAKEN + seat)
            emit(t, EV_CHALLENGE, seat, seat, token, NONE, NONE, NONE, 0, BY_RULE, EVERYONE)
    elif ask == ASK_WARCITY:
        push(t, FR_WAR).city = code & 7
    elif ask == ASK_OFFER:
        if code == V_OFFER_NONE:
            t.d.stage = CLOSING
        else:
            t.d.offers += 1
            frame = push(t, FR_OFFER)
            frame.token, frame.seat, frame.event.card = token, seat, t.d.token[token].card
    elif t.rules.card[t.d.token[token].card].kind == K_UNIT:
        request(t, EV_DISCARD, seat, seat, token, NONE, 0, BY_LIMIT, 0)
    else:
        # OMEN-EOT-03
        hidden_move(t, token, PILE_USED + seat, bit(seat), True)
        t.d.token[token].laid = 1
        emit(t, EV_PRIZE_SHED, seat, seat, token, NONE, Z_HAND, Z_USED, 0, BY_LIMIT, bit(seat))
    return 0
