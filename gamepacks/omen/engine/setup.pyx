"""The set-up: cards on the table, drafts, who begins, Whims (sections 4.1, 5.1, 5.2, 5.4, 6.1)."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from cext.state cimport C_SIMULTANEOUS, Codes
from gamepacks.omen.engine.beliefs cimport show
from gamepacks.omen.engine.closing cimport begin_turn
from gamepacks.omen.engine.drawing cimport start_draws
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport gain
from gamepacks.omen.engine.picks cimport push_cards, push_option, sort_options
from gamepacks.omen.engine.table cimport bit, Card, clear, copies_of, Data, EVERYONE, has, insert, is_prize, Set, Table, Token
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport emit, find_card, open_move, put_last, reshuffle, shuffle_in, take, tell

cdef int ROUNDS = 10
cdef int ROW = 20
cdef int ROWS = 3
cdef int MOST_WHIMS = 3


cdef int lay_out(Table t) except -1:
    """All cards in their first places; nothing dealt yet."""
    cdef int card, copy, zone, copies, kind, i
    cdef Card* c
    memset(&t.d, 0, sizeof(Data))
    for i in range(64):
        t.d.head[i] = t.d.tail[i] = NONE
    t.d.first = t.d.active = NONE
    t.d.commit[0] = t.d.commit[1] = NONE
    t.d.supply = t.rules.coin_supply
    for i in range(t.rules.cities):
        t.d.left[i] = t.rules.prizes_per_city
    for card in range(t.rules.card_count):
        c = &t.rules.card[card]
        kind, copies = c.kind, copies_of(t.rules, c)
        if kind == K_UNIT:
            zone = PILE_DRAFT_POOL if t.rules.draft else PILE_DECK
        elif is_prize(kind):
            zone = PILE_PRIZE_POOL
        elif kind == K_FEAT:
            zone = PILE_FEATS_UP
        elif kind == K_WHIM:
            zone = PILE_WHIM_PILE
        else:
            zone = PILE_CHALLENGES if kind == K_CHALLENGE else PILE_RELICS
        for copy in range(copies):
            add_token(t, card, zone + (copy if kind == K_FEAT else 0), (
                EVERYONE if kind == K_FEAT or kind == K_CHALLENGE or kind == K_RELIC else 0
            ))
    t.d.phase = PH_DRAFT if t.rules.draft else PH_DEAL
    t.d.stage = 0
    return 0


cdef int add_token(Table t, int card, int zone, int known) except -1:
    cdef Token* token
    if t.d.tokens == MAX_CARDS:
        raise ValueError(f"more than {MAX_CARDS} cards")
    token = &t.d.token[t.d.tokens]
    memset(token, 0, sizeof(Token))
    # 3: it started in nobody's deck.
    token.card, token.known, token.owner = card, known, 3
    t.d.tokens += 1
    put_last(t, t.d.tokens - 1, zone)
    return 0


cdef int run_setup(Table t) except -1:
    """Go on with the set-up until something is asked (OMEN-SETUP-07)."""
    cdef int seat
    if t.d.phase == PH_DRAFT:
        return draft(t)
    if t.d.phase == PH_DEAL:
        # OMEN-SETUP-05
        if t.d.stage < 2:
            start_draws(t, t.d.stage, t.rules.hand, False, BY_SETUP)
            t.d.stage += 1
            return 0
        for seat in range(2):
            gain(t, NONE, seat, t.rules.start_coins, BY_SETUP)
        t.d.phase, t.d.stage = PH_FIRST, 0
        return 0
    if t.d.phase == PH_FIRST:
        return first_player(t)
    return whims(t)


# -- drafts -----------------------------------------------------------------------------------------------------------


cdef int draft(Table t) except -1:
    cdef int seat, wanted
    if t.rules.draft == 1:
        if t.d.round == ROUNDS:
            return end_draft(t)
        if t.d.dealt < 6:
            # Three to A, then three to B (OMEN-DRAFT-04).
            t.d.ask, t.d.asked = ASK_C_DEAL, -1
        else:
            t.d.ask, t.d.asked = ASK_DRAFT, C_SIMULTANEOUS
        return 0
    if t.d.round == ROWS:
        return end_draft(t)
    if t.d.dealt < ROW:
        t.d.ask, t.d.asked = ASK_C_DEAL, -1
    elif t.d.size[PILE_DRAFT_ROW]:
        # OMEN-DRAFT-06, -07
        seat = t.rules.oldest ^ (ROW - t.d.size[PILE_DRAFT_ROW]) & 1
        if t.rules.draft_swap and t.d.round == 1:
            seat = 1 - seat
        t.d.ask, t.d.asked = ASK_PICK, seat
    else:
        t.d.round += 1
        t.d.dealt = 0
    return 0


cdef int dealt(Table t, int card) except -1:
    """Chance has decided which card is dealt in a draft."""
    cdef int token = find_card(t, PILE_DRAFT_POOL, card), seat
    take(t, token)
    if t.rules.draft == 1:
        seat = t.d.dealt // 3
        show(t, token, bit(seat))
        put_last(t, token, PILE_DEALT + seat)
        emit(t, EV_TO_HAND, NONE, seat, token, NONE, Z_OUT, Z_HAND, 0, BY_SETUP, bit(seat))
    else:
        show(t, token, EVERYONE)
        put_last(t, token, PILE_DRAFT_ROW)
        emit(t, EV_REVEAL, NONE, NONE, token, NONE, Z_OUT, Z_SIDE, 1, BY_SETUP, EVERYONE)
    t.d.dealt += 1
    return 0


cdef int pass_on(Table t) except -1:
    # Both have chosen: the passed cards change hands, the others are kept.
    cdef int seat, token
    for seat in range(2):
        token = t.d.commit[seat]
        take(t, token)
        show(t, token, bit(0) | bit(1))
        put_last(t, token, PILE_CHOSEN + 1 - seat)
        emit(t, EV_TO_HAND, seat, 1 - seat, token, NONE, Z_HAND, Z_HAND, 0, BY_SETUP, bit(0) | bit(1))
    for seat in range(2):
        while t.d.head[PILE_DEALT + seat] != NONE:
            token = t.d.head[PILE_DEALT + seat]
            take(t, token)
            put_last(t, token, PILE_CHOSEN + seat)
    t.d.commit[0] = t.d.commit[1] = NONE
    t.d.dealt = 0
    t.d.round += 1
    return 0


cdef int end_draft(Table t) except -1:
    # Each seat's cards are its own deck (OMEN-DRAFT-09); the others leave the game (OMEN-DRAFT-10).
    cdef int seat, token
    while t.d.head[PILE_DRAFT_POOL] != NONE:
        token = t.d.head[PILE_DRAFT_POOL]
        take(t, token)
        put_last(t, token, PILE_OUT)
    t.d.drafted = 1
    for seat in range(2):
        token = t.d.head[PILE_CHOSEN + seat]
        while token != NONE:
            t.d.token[token].owner = seat
            token = t.d.token[token].next
        shuffle_in(t, seat, PILE_CHOSEN + seat)
    t.d.round = t.d.dealt = 0
    t.d.phase, t.d.stage = PH_DEAL, 0
    return 0


# -- who begins -------------------------------------------------------------------------------------------------------


cdef int first_player(Table t) except -1:
    if t.d.first != NONE:
        t.d.phase, t.d.stage = PH_WHIMS, 0
    elif t.rules.start == 2:
        t.d.ask, t.d.asked = ASK_C_FIRST, -1
    elif t.rules.start == 1 and units_of(t, 0) and units_of(t, 1):
        t.d.ask, t.d.asked = ASK_EMISSARY, C_SIMULTANEOUS
    else:
        # OMEN-SETUP-06
        t.d.first = t.rules.oldest
    return 0


cdef int units_of(Table t, int seat) noexcept:
    cdef int token = t.d.head[PILE_HAND + seat], count = 0
    while token != NONE:
        count += t.rules.card[t.d.token[token].card].kind == K_UNIT
        token = t.d.token[token].next
    return count


cdef int emissaries(Table t) except -1:
    # OMEN-EMIS-02 to -05
    cdef int seat, token, first = t.rules.oldest
    cdef int[2] value, strength
    cdef Card* card
    for seat in range(2):
        card = &t.rules.card[t.d.token[t.d.commit[seat]].card]
        value[seat], strength[seat] = card.cost + card.offering + card.strength, card.strength
        show(t, t.d.commit[seat], EVERYONE)
        emit(t, EV_REVEAL, seat, seat, t.d.commit[seat], NONE, Z_HAND, NONE, 1, BY_SETUP, EVERYONE)
    if value[0] != value[1]:
        first = 0 if value[0] > value[1] else 1
    elif strength[0] != strength[1]:
        first = 0 if strength[0] > strength[1] else 1
    token = t.d.commit[first]
    t.d.commit[0] = t.d.commit[1] = NONE
    t.d.first = first
    open_move(t, token, PILE_DISCARD + (t.d.token[token].owner if t.d.drafted else 0))
    emit(t, EV_DISCARD, first, first, token, NONE, Z_HAND, Z_DISCARD, 0, BY_SETUP, EVERYONE)
    return reshuffle(t)


# -- Whims ------------------------------------------------------------------------------------------------------------


cdef int whims(Table t) except -1:
    cdef int second = 1 - t.d.first, token
    if t.d.stage == 0:
        # OMEN-WHIM-02
        if t.d.whims_drawn < MOST_WHIMS and t.d.size[PILE_WHIM_PILE]:
            t.d.ask, t.d.asked = ASK_WHIMDRAW, second
        else:
            t.d.stage = 2
    elif t.d.stage == 1:
        t.d.ask, t.d.asked = ASK_C_WHIM, -1
    elif t.d.stage == 2 and t.d.whims_drawn:
        # OMEN-WHIM-03
        t.d.ask, t.d.asked = ASK_WHIMPASS, second
    else:
        while t.d.head[PILE_WHIM_PILE] != NONE:
            token = t.d.head[PILE_WHIM_PILE]
            take(t, token)
            put_last(t, token, PILE_OUT)
        t.d.whims_drawn = 0
        tell(t, EV_GAME_START, NONE, t.d.first, 0, BY_SETUP)
        begin_turn(t, t.d.first)
    return 0


# -- options and answers ----------------------------------------------------------------------------------------------


cdef int setup_options(Table t, int seat, Codes out, uint8_t* tokens) except -1:
    cdef int ask = t.d.ask, token, zone, verb
    cdef Set cards
    clear(&cards)
    if ask == ASK_WHIMDRAW:
        push_option(out, tokens, V_WHIM_DRAW, NONE)
        return push_option(out, tokens, V_WHIM_STOP, NONE)
    if ask == ASK_EMISSARY:
        zone, verb = PILE_HAND + seat, V_EMISSARY
    elif ask == ASK_DRAFT:
        zone, verb = PILE_DEALT + seat, V_PASS_ON
    elif ask == ASK_PICK:
        zone, verb = PILE_DRAFT_ROW, V_PICK
    else:
        zone, verb = PILE_HAND + seat, V_WHIM_PASS
    token = t.d.head[zone]
    while token != NONE:
        if t.rules.card[t.d.token[token].card].kind == (K_WHIM if ask == ASK_WHIMPASS else K_UNIT):
            insert(&cards, token)
        token = t.d.token[token].next
    push_cards(t, verb, &cards, out, tokens)
    sort_options(out, tokens)
    if ask == ASK_WHIMPASS:
        push_option(out, tokens, V_WHIM_KEEP, NONE)
    return 0


cdef int answer_setup(Table t, int32_t code, int token, int seat) except -1:
    """Take an answer of the set-up; code -1: there was nothing to choose."""
    cdef int ask = t.d.ask
    if ask == ASK_EMISSARY or ask == ASK_DRAFT:
        t.d.commit[seat] = token
        tell(t, EV_COMMIT, seat, seat, 0, BY_SETUP)
        if t.d.commit[0] != NONE and t.d.commit[1] != NONE:
            if ask == ASK_DRAFT:
                pass_on(t)
            else:
                emissaries(t)
    elif ask == ASK_PICK:
        open_move(t, token, PILE_CHOSEN + seat)
        emit(t, EV_TO_HAND, seat, seat, token, NONE, Z_SIDE, Z_HAND, 0, BY_SETUP, EVERYONE)
    elif ask == ASK_WHIMDRAW:
        t.d.stage = 1 if code == V_WHIM_DRAW else 2
    else:
        t.d.stage = 3
        if token != NONE:
            take(t, token)
            show(t, token, bit(0) | bit(1))
            put_last(t, token, PILE_HAND + t.d.first)
            emit(t, EV_WHIM_PASSED, seat, t.d.first, token, NONE, Z_HAND, Z_HAND, 0, BY_SETUP, bit(0) | bit(1))
    return 0
