"""The loop that goes on until somebody has something to choose or chance has to decide, and what can be chosen.

After each action or outcome the table stands at the next decision, chance node or end: ``ask`` says of what kind and
``asked`` of whom. Both are made anew by :func:`settle`, so they are no part of a position.
"""

from libc.stdint cimport int32_t, uint8_t

from cext.state cimport C_CHANCE, C_SIMULTANEOUS, Codes
from gamepacks.omen.engine.abilities cimport (
    answer_curse, answer_spirit, attend, curse_options, react_options, resolve, run_ability, run_curse, run_drain,
    run_react, run_spirit,
)
from gamepacks.omen.engine.beliefs cimport show
from gamepacks.omen.engine.control cimport rolled
from gamepacks.omen.engine.costs cimport run_cost
from gamepacks.omen.engine.drawing cimport drawn, peeked, prize_shown, run_draws, run_peek, run_prize, start_draws
from gamepacks.omen.engine.effects cimport answer_effect, effect_options, run_block, run_effect
from gamepacks.omen.engine.hidden cimport options_depend
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport can_enter, gain, run_op, run_raze
from gamepacks.omen.engine.picks cimport pick_options, push_option, push_places, selector_of, sort_options
from gamepacks.omen.engine.playing cimport (
    answer_free, free_options, make_known, modes_of, react_with, run_card, run_free, run_offer, run_play, split_options, use_card,
)
from gamepacks.omen.engine.setup cimport answer_setup, dealt, run_setup, setup_options
from gamepacks.omen.engine.stack cimport act, context, front, pop, top
from gamepacks.omen.engine.table cimport (
    bit, clear, EVERYONE, FR_ABILITY, FR_BLOCK, FR_CARD, FR_COST, FR_CURSE, FR_DRAIN, FR_DRAW, FR_EFFECT, FR_FREE,
    FR_MODE, FR_OFFER, FR_OP, FR_PEEK, FR_PLAY, FR_PRIZE, FR_RAZE, FR_REACT, FR_SPIRIT, FR_TRIUMPH, FR_WAR, FR_WINDOW,
    Frame, has, in_hand, insert, is_chance, is_prize, Set, Table,
)
from gamepacks.omen.engine.stats cimport cost_in
from gamepacks.omen.engine.turn cimport answer_turn, run_turn, turn_options
from gamepacks.omen.engine.uses cimport usable
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.war cimport answer_keep, keep_options, move_triumph, run_triumph, run_war, triumphs
from gamepacks.omen.engine.zones cimport emit, find_card, put_last, take

# More rounds than any chain of automatic steps can take.
cdef int MOST_ROUNDS = 200000


cdef int run_frame(Table t) except -1:
    cdef Frame* frame = top(t)
    cdef int kind = frame.kind
    if kind == FR_BLOCK:
        return run_block(t, frame)
    if kind == FR_EFFECT:
        return run_effect(t, frame)
    if kind == FR_ABILITY:
        return run_ability(t, frame)
    if kind == FR_OP:
        return run_op(t, frame)
    if kind == FR_DRAW:
        return run_draws(t, frame)
    if kind == FR_CARD:
        return run_card(t, frame)
    if kind == FR_PLAY:
        return run_play(t, frame)
    if kind == FR_REACT or kind == FR_WINDOW:
        return run_react(t, frame)
    if kind == FR_DRAIN:
        return run_drain(t, frame)
    if kind == FR_PRIZE:
        return run_prize(t, frame)
    if kind == FR_WAR:
        return run_war(t, frame)
    if kind == FR_RAZE:
        return run_raze(t, frame)
    if kind == FR_TRIUMPH:
        return run_triumph(t, frame)
    if kind == FR_OFFER:
        return run_offer(t, frame)
    if kind == FR_PEEK:
        return run_peek(t, frame)
    if kind == FR_SPIRIT:
        return run_spirit(t, frame)
    if kind == FR_FREE:
        return run_free(t, frame)
    if kind == FR_CURSE:
        return run_curse(t, frame)
    if kind == FR_COST:
        return run_cost(t, frame)
    t.d.ask, t.d.asked = ASK_MODE, frame.seat
    return 0


cdef int settle(Table t) except -1:
    """Go on to the next decision, chance node or the end."""
    cdef uint8_t[MAX_CARDS] tokens
    cdef Codes out = t.scratch
    cdef int round, kind
    for round in range(MOST_ROUNDS):
        t.d.ask, t.d.asked = ASK_NOTHING, -1
        if t.d.depth:
            t.d.moment += 1
            kind = top(t).kind
            run_frame(t)
            if not t.rules.omega and kind != FR_DRAIN and kind != FR_TRIUMPH and kind != FR_WINDOW:
                # Something was carried out.
                t.d.recheck = 1
        elif t.d.phase == PH_OVER:
            return 0
        elif t.d.phase < PH_WEALTH:
            run_setup(t)
        else:
            t.d.moment += 1
            run_turn(t)
        if t.d.attended < t.d.afters:
            attend(t)
        if not t.d.queued:
            t.d.moment = 0
        if not t.d.ask:
            continue
        if is_chance(t.d.ask) or t.d.asked == C_SIMULTANEOUS:
            return 0
        options(t, t.d.asked, out, tokens)
        if out.size == 0:
            # Nothing to choose: it does nothing (OMENX-ATOM-03).
            answer(t, -1, NONE, t.d.asked)
        elif out.size == 1 and t.rules.auto_single and not options_depend(t):
            if t.story is not None:
                t.story.append((
                    EV_AUTOMATIC, t.d.asked, t.d.asked,
                    t.d.token[tokens[0]].card if tokens[0] != NONE else NONE, NONE, NONE, NONE, out.code[0], BY_RULE,
                    bit(t.d.asked), (),
                ))
            answer(t, out.code[0], tokens[0], t.d.asked)
        else:
            return 0
    raise OverflowError("no decision is ever reached")


# -- decisions --------------------------------------------------------------------------------------------------------


cdef int options(Table t, int seat, Codes out, uint8_t* tokens) except -1:
    """The codes from which a seat that is asked may choose, and the card that each means (NONE: none)."""
    cdef Frame* frame
    cdef int kind, i, city
    cdef Set cards
    out.size = 0
    if t.d.phase < PH_WEALTH and not t.d.depth:
        return setup_options(t, seat, out, tokens)
    if not t.d.depth:
        return turn_options(t, out, tokens)
    frame = top(t)
    kind = frame.kind
    if kind == FR_EFFECT or kind == FR_COST:
        return effect_options(t, frame, out, tokens)
    if kind == FR_REACT or kind == FR_WINDOW:
        return react_options(t, frame, seat, out, tokens)
    if kind == FR_ABILITY or kind == FR_DRAW:
        push_option(out, tokens, V_DO, NONE)
        push_option(out, tokens, V_SKIP, NONE)
    elif kind == FR_PLAY:
        for city in range(t.rules.cities):
            if can_enter(t, frame.token, seat, city, NONE) and cost_in(t, frame.token, city) <= t.d.coins[seat]:
                push_option(out, tokens, V_CITY | city, NONE)
    elif kind == FR_DRAIN:
        for i in range(front(t)):
            if i < 64:
                push_option(out, tokens, V_ORDER | i, NONE)
    elif kind == FR_WAR:
        keep_options(t, frame, out)
        for i in range(out.size):
            tokens[i] = NONE
    elif kind == FR_TRIUMPH:
        triumphs(t, &cards)
        push_places(t, V_TRIUMPH, &cards, out, tokens)
        sort_options(out, tokens)
    elif kind == FR_OFFER:
        split_options(t, seat, V_SPLIT, out, tokens)
    elif kind == FR_SPIRIT:
        for i in range(t.rules.card[frame.b].abilities):
            if i < 2:
                push_option(out, tokens, V_SPIRIT | i, NONE)
    elif kind == FR_FREE:
        free_options(t, frame, out, tokens)
    elif kind == FR_CURSE:
        curse_options(t, frame, out, tokens)
    elif kind == FR_MODE:
        kind = modes_of(t, frame.seat, frame.token)
        for i in range(M_PILFER + 1):
            if kind >> i & 1:
                push_option(out, tokens, V_MODE | i, NONE)
    return 0


cdef int answer(Table t, int32_t code, int token, int seat) except -1:
    """Take a decision (code -1: there was none to take). Whoever calls settles afterwards."""
    cdef Frame* frame
    cdef int kind, mode
    if token != NONE:
        make_known(t, token, seen_by(t, code, token, seat))
    if not t.rules.omega:
        # A decision may have changed what a TRIUMPH looks at (OMENT-TRIUMPH-03).
        t.d.recheck = 1
    if not t.d.depth:
        if t.d.phase < PH_WEALTH:
            return answer_setup(t, code, token, seat)
        return answer_turn(t, code, token)
    frame = top(t)
    kind = frame.kind
    if kind == FR_EFFECT or kind == FR_COST:
        return answer_effect(t, frame, code, token)
    if kind == FR_REACT or kind == FR_WINDOW:
        return answer_react(t, frame, code, token, seat)
    if kind == FR_ABILITY:
        frame.stage = 3 if code == V_DO else 5
    elif kind == FR_DRAW:
        if code == V_DO:
            frame.stage = 1
        else:
            frame.n = 0
    elif kind == FR_PLAY:
        if code == -1:
            pop(t)
        else:
            frame.city, frame.stage = code & 7, 1
    elif kind == FR_DRAIN:
        resolve(t, code & 63)
    elif kind == FR_WAR:
        answer_keep(t, frame, code & 0xFFFFFF)
    elif kind == FR_TRIUMPH:
        move_triumph(t, token)
    elif kind == FR_OFFER:
        if code == -1:
            frame.n = 0
        else:
            frame.n -= 1
            if code & 1:
                gain(t, seat, seat, 1, BY_OFFERING)
            else:
                start_draws(t, seat, 1, False, BY_OFFERING)
    elif kind == FR_SPIRIT:
        if code == -1:
            pop(t)
        else:
            answer_spirit(t, frame, code & 1)
    elif kind == FR_FREE:
        answer_free(t, frame, code, token)
    elif kind == FR_CURSE:
        answer_curse(t, frame, token)
    else:
        token, seat = frame.token, frame.seat
        pop(t)
        if code != -1:
            mode = code & 7
            act(t)
            use_card(t, seat, token, mode)
    return 0


cdef int answer_react(Table t, Frame* frame, int32_t code, int token, int seat) except -1:
    # A card is used or reacts, or the seat declines (OMENX-WIN-02, -03).
    if code == V_PASS or code == -1:
        frame.a += 1
        frame.m = 1 - frame.m
        return 0
    frame.a = 0
    act(t)
    if frame.kind == FR_REACT:
        return react_with(t, seat, token, &frame.event, not frame.c)
    t.d.window_used = 1
    return use_card(t, seat, token, M_USE if usable(t, seat, token, H_USE, NULL, False) >= 0 else M_PLAY)


# -- chance -----------------------------------------------------------------------------------------------------------


cdef int random_options(Table t, Frame* frame, Set* out) except -1:
    # The cards of a hand among which chance decides.
    cdef int token
    if frame.kind == FR_EFFECT and t.rules.code[frame.node] == E_LOOK:
        clear(out)
        token = t.d.head[PILE_HAND + frame.seat]
        while token != NONE:
            if not has(&frame.set, token) and t.rules.card[t.d.token[token].card].kind == K_UNIT:
                insert(out, token)
            token = t.d.token[token].next
    else:
        pick_options(t, frame, selector_of(t, frame), out)
    return 0


cdef int chance_pile(Table t) noexcept nogil:
    # The pile from which chance takes a card.
    cdef Frame* frame = top(t)
    if t.d.ask == ASK_C_UNIT:
        if frame.kind == FR_PEEK:
            return PILE_DECK + frame.a
        return PILE_DECK + (frame.seat if t.d.drafted else 0)
    if t.d.ask == ASK_C_PRIZE:
        return PILE_PRIZE_POOL
    return PILE_WHIM_PILE if t.d.ask == ASK_C_WHIM else PILE_DRAFT_POOL


cdef int outcomes(Table t, Codes out) except -1:
    """The outcomes of a chance node with their weights, by card (section 9.4)."""
    cdef uint8_t[256] count
    cdef int card, token, verb
    cdef Frame* frame
    cdef Set cards
    out.size = 0
    if t.d.ask == ASK_C_FIRST:
        out.push_weighted(V_FIRST, 1)
        out.push_weighted(V_FIRST | 1, 1)
        return 0
    if t.d.ask == ASK_C_DIE:
        frame = top(t)
        for card in range(1, t.rules.code[frame.node + 1] + 1):
            out.push_weighted(V_ROLL | card, 1)
        return 0
    for card in range(256):
        count[card] = 0
    if t.d.ask == ASK_C_HAND:
        random_options(t, top(t), &cards)
        for token in range(t.d.tokens):
            if has(&cards, token):
                count[t.d.token[token].card] += 1
        verb = V_RANDOM
    else:
        token = t.d.head[chance_pile(t)]
        while token != NONE:
            count[t.d.token[token].card] += 1
            token = t.d.token[token].next
        verb = V_DRAWN if t.d.ask == ASK_C_UNIT else V_PRIZE if t.d.ask == ASK_C_PRIZE else V_WHIM
        if t.d.ask == ASK_C_DEAL:
            verb = V_DEALT
    for card in range(t.rules.card_count):
        if count[card]:
            out.push_weighted(verb | card, count[card])
    return 0


cdef int chance_answer(Table t, int32_t code) except -1:
    """Take an outcome. Whoever calls settles afterwards."""
    cdef int card = code & 0xFF, token, best = NONE
    cdef Frame* frame
    cdef Set cards
    if t.d.ask == ASK_C_FIRST:
        t.d.first = code & 1
    elif t.d.ask == ASK_C_DIE:
        rolled(t, card)
    elif t.d.ask == ASK_C_DEAL:
        dealt(t, card)
    elif t.d.ask == ASK_C_WHIM:
        token = find_card(t, PILE_WHIM_PILE, card)
        take(t, token)
        show(t, token, bit(1 - t.d.first))
        put_last(t, token, PILE_HAND + 1 - t.d.first)
        emit(t, EV_DRAW, 1 - t.d.first, 1 - t.d.first, token, NONE, Z_DECK, Z_HAND, 1, BY_SETUP, bit(1 - t.d.first))
        t.d.whims_drawn += 1
        t.d.stage = 0
    elif t.d.ask == ASK_C_PRIZE:
        prize_shown(t, card)
    elif t.d.ask == ASK_C_UNIT:
        if top(t).kind == FR_PEEK:
            peeked(t, card)
        else:
            drawn(t, card)
    else:
        frame = top(t)
        random_options(t, frame, &cards)
        for token in range(t.d.tokens):
            if has(&cards, token) and t.d.token[token].card == card:
                best = token
                break
        make_known(t, best, seen_by(t, code, best, -1))
        if frame.kind == FR_EFFECT and t.rules.code[frame.node] == E_LOOK:
            insert(&frame.set, best)
            frame.n -= 1
        else:
            answer_effect(t, frame, code, best)
    return 0


# -- who may know a code ----------------------------------------------------------------------------------------------


cdef int seen_by(Table t, int32_t code, int token, int seat) except -1:
    """The viewers, as a mask, who may know a code that is taken now: those who see the card that it names."""
    cdef int ask = t.d.ask, verb = code & ~0xFFFFFF, op, to, mask
    cdef Frame* frame = top(t) if t.d.depth else NULL
    if ask == ASK_C_UNIT or ask == ASK_C_PRIZE:
        return frame.b if frame.kind == FR_PEEK else bit(frame.seat)
    if ask == ASK_C_WHIM:
        return bit(1 - t.d.first)
    if ask == ASK_C_DEAL:
        return bit(t.d.dealt // 3) if t.rules.draft == 1 else EVERYONE
    if ask == ASK_C_HAND:
        if frame.kind == FR_EFFECT and t.rules.code[frame.node] == E_LOOK:
            return bit(context(t).controller)
        token = NONE
    if ask == ASK_EMISSARY or ask == ASK_DRAFT:
        return bit(seat)
    if verb == V_WHIM_PASS:
        return bit(0) | bit(1)
    if verb == V_LIMIT and token != NONE and is_prize(t.rules.card[t.d.token[token].card].kind):
        return bit(seat)
    if ask != ASK_CARD and ask != ASK_C_HAND or verb == V_STOP or verb == V_FATE_DRAW:
        return EVERYONE
    if frame.kind == FR_FREE:
        return bit(seat) if frame.a == M_RECRUIT else EVERYONE
    if frame.kind != FR_EFFECT:
        return EVERYONE
    op = t.rules.code[frame.node]
    if op == E_DISCARD or op == E_DEPLOY or op == E_REVEAL or op == E_CLAIM or op == E_RELIC:
        return EVERYONE
    if op == E_SHED_PRIZE:
        return bit(seat)
    if op == E_PUT:
        to = t.rules.code[frame.node + 2]
        if to == Z_DISCARD or to == Z_OUT:
            return EVERYONE
    mask = bit(context(t).controller)
    if ask == ASK_C_HAND:
        # A card taken at random: its old and its new holder see it.
        return bit(0) | bit(1)
    if token != NONE:
        mask |= bit(seat)
        if in_hand(t.d.token[token].zone):
            mask |= bit(t.d.token[token].zone - PILE_HAND)
        else:
            mask |= t.d.token[token].known
    return mask
