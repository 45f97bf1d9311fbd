"""Cards from the hand: playing Units, Beasts, JILT, Spirits, Heroes, prizes, free traits, the Offering."""

from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.beliefs cimport gather, show
from gamepacks.omen.engine.drawing cimport start_draws
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport before, can_enter, FROM_PLAY, pay_coins, request
from gamepacks.omen.engine.picks cimport push_cards, push_option, sort_options
from gamepacks.omen.engine.stack cimport ability_of, begin, env_of, pop, push
from gamepacks.omen.engine.stats cimport changed, cost_in, forbidden, stat_of
from gamepacks.omen.engine.table cimport (
    Ability, bit, Card, city_of, clear, Env, EVERYONE, FR_CARD, FR_FREE, FR_PLAY, FR_SPIRIT, Frame, in_hand, insert,
    is_prize, Record, relic_in_city, relic_of, Set, Table,
)
from gamepacks.omen.engine.uses cimport cause_of, mark, next_ability, usable
from gamepacks.omen.engine.values cimport holds
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport deck_of, deck_size, emit, hidden_move, open_move, pile_for


cdef void make_known(Table t, int token, int viewers) noexcept:
    """Some viewers see a card, which stays where it is."""
    if in_hand(t.d.token[token].zone):
        gather(t, t.d.token[token].zone, token, viewers)
    show(t, token, viewers)


# -- what can be done with a card -------------------------------------------------------------------------------------


cdef bint playable(Table t, int seat, int token) noexcept:
    """Can a Unit be played (OMEN-SURGE-03, -04, -06)?"""
    cdef int city
    if t.rules.card[t.d.token[token].card].kind != K_UNIT or forbidden(t, W_PLAY, seat, token):
        return False
    for city in range(t.rules.cities):
        if cost_in(t, token, city) <= t.d.coins[seat] and can_enter(t, token, seat, city, NONE):
            return True
    return False


cdef int modes_of(Table t, int seat, int token) noexcept:
    """What the Active player can do with a card in Surge: a mask of ``1 << Mode``."""
    cdef int modes = 0
    cdef Card* card = &t.rules.card[t.d.token[token].card]
    if t.d.actions >= t.rules.action_cap:
        return 0
    if is_prize(card.kind):
        # OMEN-REWARD-02, -03, OMENT-KRATER-02, -03
        if t.rules.omega and t.d.token[token].fresh or forbidden(t, W_USE_PRIZE, seat, token):
            return 0
        if t.d.prizes_used >= changed(t, W_PRIZE_USES, TG_SEAT, seat, 1):
            return 0
        return 1 << M_USE if usable(t, seat, token, H_USE, NULL, False) >= 0 else 0
    if card.kind != K_UNIT:
        return 1 << M_USE if usable(t, seat, token, H_USE, NULL, False) >= 0 else 0
    if playable(t, seat, token):
        modes |= 1 << M_PLAY
    if card.hooks >> H_HAND_USE & 1 and stat_of(t, token, ST_COST) <= t.d.coins[seat]:
        if next_ability(t, H_HAND_USE, token, seat, NONE, 0) >= 0 and not forbidden(t, W_HAND_USE, seat, token):
            modes |= 1 << M_ABILITY
    if t.rules.omega:
        if card.type == T_SPIRIT and card.abilities and stat_of(t, token, ST_INVOKE) <= t.d.coins[seat]:
            if not forbidden(t, W_USE_INVOKE, seat, token):
                modes |= 1 << M_INVOKE
        if card.hooks >> H_USE & 1 and usable(t, seat, token, H_USE, NULL, False) >= 0:
            modes |= 1 << M_USE
    elif not (t.rules.trait_once and t.d.token[token].traited) and not forbidden(t, W_DISCARD, NONE, token):
        # OMENT-FREE-01, OMENT-FREE-02
        if card.traits >> TR_FATE & 1:
            modes |= 1 << M_FATE
        if card.traits >> TR_RECRUIT & 1:
            modes |= 1 << M_RECRUIT
        if card.traits >> TR_PILFER & 1:
            modes |= 1 << M_PILFER
    return modes


cdef int surge_options(Table t, Codes out, uint8_t* tokens) except -1:
    cdef Set cards
    cdef int seat = t.d.active, token = t.d.head[PILE_HAND + seat], city
    clear(&cards)
    while token != NONE:
        if modes_of(t, seat, token):
            insert(&cards, token)
        token = t.d.token[token].next
    if t.rules.relics:
        for city in range(t.rules.cities):
            token = t.d.head[relic_of(city, seat)]
            while token != NONE:
                if modes_of(t, seat, token):
                    insert(&cards, token)
                token = t.d.token[token].next
    push_cards(t, V_SURGE, &cards, out, tokens)
    sort_options(out, tokens)
    return push_option(out, tokens, V_SURGE_END, NONE)


# -- doing it ---------------------------------------------------------------------------------------------------------


cdef int use_card(Table t, int seat, int token, int mode) except -1:
    """Start what a seat does with a card; the action is counted where it was chosen."""
    cdef Frame* frame
    if mode == M_PLAY:
        frame = push(t, FR_PLAY)
    elif mode >= M_FATE:
        frame = push(t, FR_FREE)
    else:
        frame = push(t, FR_CARD)
        if mode == M_USE:
            frame.n = usable(t, seat, token, H_USE, NULL, False)
        elif mode == M_ABILITY:
            frame.n = next_ability(t, H_HAND_USE, token, seat, NONE, 0)
    frame.token, frame.seat, frame.a, frame.event.card = token, seat, mode, t.d.token[token].card
    return 0


cdef int react_with(Table t, int seat, int token, const Record* event, bint before_) except -1:
    """Start a reaction to an event."""
    cdef int ability = usable(t, seat, token, H_REACT, event, before_)
    cdef Frame* frame = push(t, FR_CARD)
    frame.token, frame.seat, frame.a, frame.n, frame.b = token, seat, M_USE, ability, 1
    frame.event = event[0]
    frame.m = t.d.token[token].card
    return 0


cdef int card_of(Frame* frame) noexcept nogil:
    """The card of a frame that carries one out; a reaction's event has a card of its own."""
    return frame.m if frame.b else frame.event.card


cdef int run_card(Table t, Frame* frame) except -1:
    cdef int token = frame.token, seat = frame.seat, mode = frame.a, stage = frame.stage, cause
    # A card that has been discarded may be in the deck again by now: what it is stands in the frame.
    cdef int kind = t.rules.card[card_of(frame)].kind
    frame.stage += 1
    if mode == M_ABILITY:
        # Its Cost, its ability, then the discard pile (OMEN-BEAST-02, -03, OMENT-JILT-01, -02).
        cause = BY_BEAST if t.rules.omega else BY_JILT
        if stage == 0:
            pay_coins(t, seat, stat_of(t, token, ST_COST), cause)
            mark(t, token, &t.rules.ability[frame.n])
            open_move(t, token, PILE_RESOLVING)
            begin(t, frame.n, token, card_of(frame), seat, NONE, cause, NULL)
        elif stage == 1:
            request(t, EV_DISCARD, seat, seat, token, NONE, 0, cause, 0)
        else:
            end_card(t, token)
        return 0
    if mode == M_INVOKE:
        return invoke(t, frame, stage)
    if kind == K_UNIT:
        # A Hero goes to the discard pile first (OMEN-HERO-02).
        if stage == 0:
            request(t, EV_DISCARD, seat, seat, token, NONE, 0, BY_HERO, 0)
        elif stage == 1:
            start_use(t, frame, BY_HERO)
        else:
            pop(t)
    elif kind == K_WHIM:
        if stage == 0:
            open_move(t, token, PILE_WHIMS_USED)
            emit(t, EV_WHIM_USED, seat, seat, token, NONE, Z_HAND, Z_OUT, 0, BY_WHIM, EVERYONE)
            start_use(t, frame, BY_WHIM)
        else:
            pop(t)
    elif kind == K_RELIC:
        if stage == 0:
            start_use(t, frame, BY_RELIC)
        else:
            pop(t)
    else:
        return use_prize(t, frame, stage)
    return 0


cdef int start_use(Table t, Frame* frame, int cause) except -1:
    # The ability of a used or reacting card.
    cdef int token = frame.token, seat = frame.seat, city = NONE
    cdef Ability* ability = &t.rules.ability[frame.n]
    cdef Record event
    mark(t, token, ability)
    if relic_in_city(t.d.token[token].zone):
        city = city_of(t.d.token[token].zone)
    if not frame.b:
        return begin(t, frame.n, token, card_of(frame), seat, city, cause, NULL)
    event = frame.event
    if event.city != NONE:
        city = event.city
    return begin(t, frame.n, token, card_of(frame), seat, city, cause, &event)


cdef int use_prize(Table t, Frame* frame, int stage) except -1:
    # Face up, its ability, face down (OMEN-REWARD-04, OMENT-KRATER-01).
    cdef int token = frame.token, seat = frame.seat
    if stage == 0:
        t.d.prizes_used += 1
        make_known(t, token, EVERYONE)
        if before(t, EV_PRIZE_USED, seat, seat, token, NONE, 0, cause_of(t, t.d.token[token].card)):
            return 0
        frame.stage, stage = 2, 1
    if stage == 1:
        frame.c = t.d.verdict
        t.d.verdict = 0
        open_move(t, token, PILE_RESOLVING)
        emit(t, EV_PRIZE_USED, seat, seat, token, NONE, Z_HAND, Z_USED, 0, cause_of(t, t.d.token[token].card), EVERYONE)
        if not frame.c:
            start_use(t, frame, cause_of(t, t.d.token[token].card))
        return 0
    open_move(t, token, PILE_USED + seat)
    t.d.token[token].fresh = 0
    pop(t)
    return 0


cdef int invoke(Table t, Frame* frame, int stage) except -1:
    # The Invoke cost, the discard pile, then both abilities (OMEN-SPIR-03, -08).
    cdef int token = frame.token, seat = frame.seat, card = frame.event.card
    cdef Frame* spirit
    if stage == 0:
        pay_coins(t, seat, stat_of(t, token, ST_INVOKE), BY_INVOKE)
        request(t, EV_DISCARD, seat, seat, token, NONE, 0, BY_INVOKE, 0)
    elif stage == 1 and t.rules.spirit_player:
        frame.stage = 3
        spirit = push(t, FR_SPIRIT)
        spirit.token, spirit.b, spirit.seat, spirit.a, spirit.event.card = token, card, seat, NONE, card
    elif stage <= 2:
        begin(t, t.rules.card[card].first_ability + stage - 1, token, card, seat, NONE, BY_INVOKE, NULL)
    else:
        pop(t)
    return 0


cdef int end_card(Table t, int token) except -1:
    # Where a reaction kept a card from the discard pile it goes there all the same: it was carried out.
    pop(t)
    if t.d.token[token].zone == PILE_RESOLVING:
        open_move(t, token, PILE_DISCARD + pile_for(t, token))
    return 0


cdef int run_play(Table t, Frame* frame) except -1:
    """Choose a City, pay the Cost, put the Unit there (OMEN-SURGE-03)."""
    cdef int token = frame.token, seat = frame.seat
    if frame.stage == 0:
        t.d.ask, t.d.asked = ASK_CITY, seat
    elif frame.stage == 1:
        frame.stage = 2
        pay_coins(t, seat, cost_in(t, token, frame.city), BY_PLAY)
        open_move(t, token, PILE_RESOLVING)
        before(t, EV_PLAY, seat, seat, token, frame.city, 0, BY_PLAY)
    elif frame.stage == 2:
        frame.stage = 3
        if t.d.verdict:
            t.d.verdict = 0
            request(t, EV_DISCARD, seat, seat, token, NONE, 0, BY_PLAY, 0)
        else:
            emit(t, EV_PLAY, seat, seat, token, frame.city, Z_HAND, Z_CITY, 0, BY_PLAY, EVERYONE)
            request(t, EV_ENTER, seat, seat, token, frame.city, 0, BY_PLAY, FROM_PLAY)
    else:
        end_card(t, token)
    return 0


# -- free traits ------------------------------------------------------------------------------------------------------


cdef int run_free(Table t, Frame* frame) except -1:
    """FATE, RECRUIT, PILFER: discard the Unit, then what the trait gives."""
    cdef int token = frame.token, seat = frame.seat, deck = deck_of(t, seat)
    if frame.stage == 0:
        frame.stage = 1
        t.d.token[token].traited = 1
        request(t, EV_DISCARD, seat, seat, token, NONE, 0, BY_FREE_TRAIT, 0)
    elif frame.stage == 1:
        frame.stage = 2
        if in_hand(t.d.token[token].zone):
            frame.stage = 3
        elif frame.a == M_PILFER:
            frame.stage = 3
            if t.d.coins[1 - seat]:
                request(t, EV_TAKE_COINS, seat, 1 - seat, NONE, NONE, 1, BY_FREE_TRAIT, 0)
        elif frame.a == M_RECRUIT:
            start_draws(t, seat, 2, False, BY_FREE_TRAIT)
    elif frame.stage == 2:
        t.d.ask, t.d.asked = ASK_CARD, seat
    else:
        pop(t)
    return 0


cdef int free_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1:
    cdef Set cards
    cdef int token, deck = deck_of(t, frame.seat)
    clear(&cards)
    if frame.a == M_FATE:
        token = t.d.head[PILE_DISCARD + deck]
        while token != NONE:
            if token != frame.token:
                insert(&cards, token)
            token = t.d.token[token].next
        push_cards(t, V_CARD, &cards, out, tokens)
        sort_options(out, tokens)
        if deck_size(t, deck) and not forbidden(t, W_DRAW, frame.seat, NONE):
            push_option(out, tokens, V_FATE_DRAW, NONE)
        return 0
    token = t.d.head[PILE_HAND + frame.seat]
    while token != NONE:
        if t.rules.card[t.d.token[token].card].kind == K_UNIT:
            insert(&cards, token)
        token = t.d.token[token].next
    push_cards(t, V_CARD, &cards, out, tokens)
    return sort_options(out, tokens)


cdef int answer_free(Table t, Frame* frame, int code, int token) except -1:
    cdef int seat = frame.seat, deck
    frame.stage = 3
    if code == -1:
        return 0
    if code == V_FATE_DRAW:
        return start_draws(t, seat, 1, False, BY_FREE_TRAIT)
    if frame.a == M_FATE:
        open_move(t, token, PILE_HAND + seat)
        emit(t, EV_TO_HAND, seat, seat, token, NONE, Z_DISCARD, Z_HAND, 0, BY_FREE_TRAIT, EVERYONE)
        return 0
    # OMENT-RECRUIT-02
    deck = pile_for(t, token)
    hidden_move(t, token, PILE_TOP + deck, bit(seat), False)
    emit(t, EV_TO_DECK, seat, seat, token, NONE, Z_HAND, Z_DECK_TOP, 0, BY_FREE_TRAIT, bit(seat))
    return 0


# -- the Offering -----------------------------------------------------------------------------------------------------


cdef int run_offer(Table t, Frame* frame) except -1:
    """Discard the card, then its benefits one by one (OMEN-OFFER-02, -05)."""
    cdef int seat = frame.seat
    if frame.stage == 0:
        frame.stage, frame.n = 1, stat_of(t, frame.token, ST_OFFERING)
        request(t, EV_DISCARD, seat, seat, frame.token, NONE, 0, BY_OFFERING, 0)
    elif frame.n <= 0 or in_hand(t.d.token[frame.token].zone) and frame.stage == 1:
        pop(t)
    else:
        # Once discarded the card may come back to the hand by its own benefit.
        frame.stage = 2
        t.d.ask, t.d.asked = ASK_SPLIT, seat
    return 0


cdef int split_options(Table t, int seat, int verb, Codes out, uint8_t* tokens) except -1:
    """A card or a coin, as far as there are any (OMEN-WEALTH-11, OMEN-OFFER-03)."""
    cdef int deck = deck_of(t, seat)
    if (deck_size(t, deck) or t.d.size[PILE_DISCARD + deck]) and not forbidden(t, W_DRAW, seat, NONE):
        push_option(out, tokens, verb, NONE)
    if t.d.supply != 0 and not forbidden(t, W_COINS, seat, NONE):
        push_option(out, tokens, verb | 1, NONE)
    return 0
