# Choosing cards: the options of a decision as codes, the picks of a selector (OMENX-FX-02 to -08), paying costs.

# Stages of a frame that picks cards.
cdef enum:
    BEGIN = 0
    PICKING = 1
    DOING = 2


cdef int MAX_NTH = 15


# -- options ----------------------------------------------------------------------------------------------------------


cdef int push_option(Codes out, uint8_t* tokens, int code, int token) except -1:
    """Append an option with its card (NONE: no card), unless it is listed already (equal copies are one option)."""
    cdef Py_ssize_t i
    for i in range(out.size):
        if out.code[i] == code:
            return 0
    if out.size >= MAX_CARDS:
        raise OverflowError("too many options")
    tokens[out.size] = token
    out.push(code)
    return 0


cdef inline int sort_key(int32_t code) noexcept nogil:
    # Units in Cities are ordered by seat, City and card, other cards by card; copies that differ in state follow each other.
    cdef int verb = code & ~0xFFFFFF, card
    if verb == V_UNIT or verb == V_PORTENT or verb == V_TRIUMPH:
        card = (code >> SHIFT_UNIT_CARD & 0xFF) << 8 | code >> SHIFT_UNIT_NTH & MAX_NTH
        return (code & 1) << 19 | (code >> SHIFT_UNIT_CITY & 7) << 16 | card
    return (code & 0xFF) << 8 | code >> SHIFT_CARD_NTH & MAX_NTH


cdef int sort_options(Codes out, uint8_t* tokens) except -1:
    """Sort options into canonical order (OMENX-ATOM-05)."""
    cdef Py_ssize_t i, j
    cdef int32_t code
    cdef uint8_t token
    for i in range(1, out.size):
        code, token, j = out.code[i], tokens[i], i
        while j > 0 and sort_key(out.code[j - 1]) > sort_key(code):
            out.code[j], tokens[j] = out.code[j - 1], tokens[j - 1]
            j -= 1
        out.code[j], tokens[j] = code, token
    return 0


cdef uint64_t copy_key(CoreState s, int token) noexcept:
    # A key that is equal for copies of a card which differ at most in what viewers know about them.
    cdef Token* one = &s.d.token[token]
    cdef uint64_t key
    cdef int i
    key = one.zone
    key = key << 1 | one.enraged
    key = key << 1 | one.fresh
    key = key << 1 | one.used
    key = key << 1 | one.trait_used
    key = key << 1 | one.laid
    key = key << 2 | one.owner
    key = key << 8 | one.turn_uses
    key = key << 8 | one.game_uses
    for i in range(s.d.mods):
        if s.d.mod[i].target == TG_CARD and s.d.mod[i].who == token:
            key += (<uint64_t> (s.d.mod[i].what + 1) << 40) + (<uint64_t> (s.d.mod[i].value + 512) << 28)
    return key


cdef int first_in_order(CoreState s, const TokenSet* cards) noexcept:
    """The first card of a set in canonical order, independent of token numbers; NONE if it is empty."""
    cdef int i, best = NONE
    for i in range(s.d.tokens):
        if has(cards, i) and (
            best == NONE or s.d.token[i].card < s.d.token[best].card
            or s.d.token[i].card == s.d.token[best].card and copy_key(s, i) < copy_key(s, best)
        ):
            best = i
    return best


cdef int nth_of(CoreState s, const TokenSet* cards, int token) noexcept:
    # The number of different copies of the card before this one.
    cdef uint64_t mine = copy_key(s, token), other, last
    cdef int i, j, nth = 0
    cdef bint seen
    for i in range(s.d.tokens):
        if i == token or not has(cards, i) or s.d.token[i].card != s.d.token[token].card:
            continue
        other = copy_key(s, i)
        if other >= mine:
            continue
        seen = False
        for j in range(i):
            if has(cards, j) and s.d.token[j].card == s.d.token[token].card and copy_key(s, j) == other:
                seen = True
        if not seen:
            nth += 1
    return nth if nth < MAX_NTH else MAX_NTH


cdef int push_places(CoreState s, int verb, const TokenSet* cards, Codes out, uint8_t* tokens) except -1:
    """List Units in Cities as options."""
    cdef int token, zone, other
    cdef TokenSet side
    for token in range(s.d.tokens):
        if not has(cards, token):
            continue
        zone = s.d.token[token].zone
        clear(&side)
        other = s.d.head[zone]
        while other != NONE:
            insert(&side, other)
            other = s.d.token[other].next
        push_option(out, tokens, (
            verb | seat_of_side(zone) | city_of(zone) << SHIFT_UNIT_CITY | s.d.token[token].card << SHIFT_UNIT_CARD
            | nth_of(s, &side, token) << SHIFT_UNIT_NTH
        ), token)
    return 0


cdef int push_cards(CoreState s, int verb, const TokenSet* cards, Codes out, uint8_t* tokens) except -1:
    """List cards of a hand, pile or list as options."""
    cdef int token
    for token in range(s.d.tokens):
        if has(cards, token):
            push_option(out, tokens, verb | s.d.token[token].card | nth_of(s, cards, token) << SHIFT_CARD_NTH, token)
    return 0


# -- picking ----------------------------------------------------------------------------------------------------------


cdef int selector_of(CoreState s, Frame* frame) noexcept nogil:
    """The selector by which an effect or cost picks."""
    cdef int32_t* e = &s.config.code[frame.node]
    if frame.kind == FR_COST:
        return e[1]
    if e[0] == E_SWAP:
        return e[2] if frame.m else e[1]
    if e[0] == E_MOD or e[0] == E_FORBID:
        return e[3]
    if e[0] == E_REVEAL:
        return e[4]
    if e[0] == E_RELIC or e[0] == E_CLAIM or e[0] == E_FOR_EACH:
        return e[2]
    if e[0] == E_GRANT:
        return e[5]
    return e[1]


cdef bint picks_unit(CoreState s, int sel) noexcept nogil:
    """Whether a selector picks a Unit in a City (UNIT), not a card (CARD)."""
    return s.config.code[sel + S_ZONE] == ZONE_CITY and s.config.code[sel + S_KIND] == KIND_UNIT


cdef void picker_env(CoreState s, Frame* frame, Env* env) noexcept:
    """Set ``env`` for a selector: the ability's environment, for a cost that of the payer (``a`` is the seat + 1)."""
    ability_env(s, env)
    if frame.kind == FR_COST and frame.a:
        set_reader(env, frame.a - 1)


cdef int begin_pick(CoreState s, Frame* frame, int sel) noexcept:
    """Prepare a pick in a frame: ``seat`` picks, ``n`` cards (-1: all), ``c``: fewer are allowed."""
    cdef int32_t* q = &s.config.code[sel]
    cdef Env env
    cdef int side, pick = q[S_PICK]
    picker_env(s, frame, &env)
    clear(&frame.set)
    frame.n = amount(s, &env, q[S_N]) if q[S_N] else 1
    if frame.n < 0:
        frame.n = 0
    if q[S_COUNT] == N_ALL:
        frame.n = -1
    frame.c = q[S_COUNT] == N_UP_TO
    side = seat_of(s, &env, q[S_SIDE])
    if side >= 2:
        side = env.you
    frame.seat = env.you
    if pick == PICK_OPP:
        frame.seat = 1 - env.you
    elif pick == PICK_OWNER:
        frame.seat = side
    elif pick == PICK_DEFAULT and q[S_ZONE] == ZONE_HAND and is_discard(s, frame):
        # OMENX-FX-04
        frame.seat = side
    return 0


cdef bint is_discard(CoreState s, Frame* frame) noexcept nogil:
    return s.config.code[frame.node] == (COST_DISCARD if frame.kind == FR_COST else E_DISCARD)


cdef void keep_extreme(CoreState s, int pick, TokenSet* out) noexcept:
    # Keep only the cards with the highest or lowest value.
    cdef int token, value, best = 0, stat = pick & 3
    cdef bint lowest = pick >= PICK_LOWEST, found = False
    for token in range(s.d.tokens):
        if has(out, token):
            value = stat_of(s, token, stat)
            if not found or (value < best if lowest else value > best):
                best, found = value, True
    for token in range(s.d.tokens):
        if has(out, token) and stat_of(s, token, stat) != best:
            remove(out, token)


cdef void pick_options(CoreState s, Frame* frame, int sel, TokenSet* out) noexcept:
    """Collect the cards that can be picked next."""
    cdef Env env
    cdef int token, op = s.config.code[frame.node]
    cdef bint reads_face
    picker_env(s, frame, &env)
    # For a pick by face the picker must know the face; deploy and run read the face, too.
    env.reader = bit(frame.seat)
    reads_face = frame.kind == FR_EFFECT and (op == E_RUN or op == E_DEPLOY)
    candidates(s, &env, sel, reads_face or s.config.code[sel + S_PICK] >= PICK_HIGHEST, out)
    for token in range(s.d.tokens):
        if has(out, token) and (has(&frame.set, token) or not is_allowed(s, frame, &env, token)):
            remove(out, token)
    if s.config.code[sel + S_PICK] >= PICK_HIGHEST:
        keep_extreme(s, s.config.code[sel + S_PICK], out)


cdef bint has_unseen(CoreState s, int seat, const TokenSet* cards) noexcept:
    # Whether a seat does not know one of these cards.
    cdef int token
    for token in range(s.d.tokens):
        if has(cards, token) and not s.d.token[token].known >> seat & 1:
            return True
    return False


cdef int continue_pick(CoreState s, Frame* frame, int sel) except -1:
    """Continue a pick: 1 if it is complete (in ``set``), 0 if a decision was asked for."""
    cdef TokenSet options
    cdef int token, size
    pick_options(s, frame, sel, &options)
    size = size_of(&options)
    if not size or frame.n == 0:
        return 1
    if frame.n < 0 or not frame.c and size <= frame.n and not depends_on_hidden(s, frame.node):
        for token in range(s.d.tokens):
            if has(&options, token):
                insert(&frame.set, token)
        return 1
    if s.config.code[sel + S_PICK] == PICK_RANDOM or has_unseen(s, frame.seat, &options):
        # A seat that cannot see the cards picks at random (OMENX-CHANCE-06).
        s.d.decision, s.d.decider = DECISION_CHANCE_HAND, -1
    else:
        s.d.decision, s.d.decider = DECISION_UNIT if picks_unit(s, sel) else DECISION_CARD, frame.seat
    return 0


# -- conditions of picks ----------------------------------------------------------------------------------------------


cdef bint city_fits(CoreState s, const Env* env, int ref, int city, int from_) noexcept:
    """Whether a City fits the reference of an effect. ``from_``: the City that a Unit is in, or NONE."""
    if ref == CR_ANY:
        return city != from_
    if ref == CR_OTHER:
        return city != (from_ if from_ != NONE else env.city)
    return city == city_ref(s, env, ref) and city != from_


cdef int deploy_cost(CoreState s, const Env* env, int effect, int token, int city) noexcept:
    cdef int32_t* e = &s.config.code[effect]
    cdef int cost
    if e[4] == PAY_FREE:
        return 0
    cost = cost_in(s, token, city, env.you)
    if e[4] == PAY_LESS:
        cost -= amount(s, env, e[5])
    return cost if cost > 0 else 0


cdef bint put_fits(CoreState s, int token, int to) noexcept:
    """Whether a card of this kind can lie in that zone (OMEN-REWARD-07)."""
    cdef int kind = s.config.card[s.d.token[token].card].kind
    if to == ZONE_DECK_TOP or to == ZONE_DECK_BOTTOM or to == ZONE_DISCARD:
        return kind == KIND_UNIT
    if to == ZONE_USED or to == ZONE_PRIZE:
        return is_prize(kind)
    return kind == KIND_UNIT or kind == KIND_WHIM or is_prize(kind)


cdef bint lies_there(CoreState s, int zone, int to, int seat) noexcept nogil:
    # Whether a card already is where it would be put.
    if to == ZONE_DECK_TOP:
        return zone == PILE_TOP or zone == PILE_TOP_B
    if to == ZONE_DECK_BOTTOM:
        return zone == PILE_BOTTOM or zone == PILE_BOTTOM_B
    if to == ZONE_HAND:
        return zone == PILE_HAND + seat
    if to == ZONE_DISCARD:
        return zone == PILE_DISCARD or zone == PILE_DISCARD_B
    return zone == PILE_OUT or to == ZONE_USED and zone == PILE_USED + seat


cdef bint payable(CoreState s, const Env* env, int cost) noexcept:
    """Whether a cost can be paid in full (OMENX-FX-10)."""
    cdef int32_t* c = &s.config.code[cost]
    cdef TokenSet cards
    cdef int token, seat, wanted
    if not cost:
        return True
    if c[0] == COST_COINS:
        return amount(s, env, c[1]) <= s.d.coins[env.you]
    candidates(s, env, c[1], False, &cards)
    for token in range(s.d.tokens):
        if has(&cards, token) and c[0] == COST_DESTROY and not can_destroy(s, token):
            remove(&cards, token)
        if has(&cards, token) and c[0] == COST_DISCARD and forbidden(s, W_DISCARD, NONE, token):
            remove(&cards, token)
    wanted = 1
    if s.config.code[c[1] + S_COUNT] == N_EXACT and s.config.code[c[1] + S_N]:
        wanted = amount(s, env, s.config.code[c[1] + S_N])
    return size_of(&cards) >= wanted


cdef bint is_allowed(CoreState s, Frame* frame, const Env* env, int token) noexcept:
    # Whether the effect would have a legal result for this card (OMENX-FX-08).
    cdef int32_t* e = &s.config.code[frame.node]
    cdef int op = e[0], zone = s.d.token[token].zone, city, seat, other
    if frame.kind == FR_COST:
        if op == COST_DESTROY:
            return can_destroy(s, token)
        return op != COST_DISCARD or not forbidden(s, W_DISCARD, NONE, token)
    if op == E_MOVE:
        if not in_city(zone) or forbidden(s, W_MOVE, NONE, token):
            return False
        for city in range(s.config.cities):
            if city_fits(s, env, e[2], city, city_of(zone)):
                if can_enter(s, token, seat_of_side(zone), city, NONE):
                    return True
        return False
    if op == E_SEIZE or op == E_GIVE:
        if not in_city(zone) or forbidden(s, W_MOVE, NONE, token):
            return False
        seat = env.you if op == E_SEIZE else 1 - seat_of_side(zone)
        return seat != seat_of_side(zone) and can_enter(s, token, seat, city_of(zone), NONE)
    if op == E_SWAP:
        if not in_city(zone):
            return False
        if not frame.m:
            return True
        for other in range(s.d.tokens):
            if has(&frame.set, other):
                return other != token and s.d.token[other].zone != zone and swap_fits(s, other, token)
        return False
    if op == E_ENRAGE:
        return can_enrage(s, token)
    if op == E_UNRAGE:
        return s.d.token[token].enraged
    if op == E_DESTROY:
        return can_destroy(s, token)
    if op == E_DISCARD:
        return not forbidden(s, W_DISCARD, zone - PILE_HAND if in_hand(zone) else NONE, token)
    if op == E_DEPLOY:
        if s.config.card[s.d.token[token].card].kind != KIND_UNIT or in_city(zone):
            return False
        seat = seat_of(s, env, e[3])
        if seat >= 2:
            return False
        for city in range(s.config.cities):
            if city_fits(s, env, e[2], city, NONE) and can_enter(s, token, seat, city, NONE):
                if deploy_cost(s, env, frame.node, token, city) <= s.d.coins[env.you]:
                    return True
        return False
    if op == E_PUT:
        seat = seat_of(s, env, e[3])
        if e[2] == ZONE_PRIZE:
            # A City takes no more than it began with.
            city = city_ref(s, env, e[4])
            if city >= s.config.cities or s.d.razed >> city & 1 or s.d.left[city] >= s.config.prizes_per_city:
                return False
        return put_fits(s, token, e[2]) and not in_city(zone) and not lies_there(s, zone, e[2], seat)
    if op == E_RETURN:
        return in_city(zone)
    if op == E_READY_PRIZE:
        return is_prize(s.config.card[s.d.token[token].card].kind)
    if op == E_RUN:
        return token != env.source and ability_of(s, s.d.token[token].card, e[2], 0) >= 0
    if op == E_CLAIM:
        return zone == PILE_FEATS_UP + env.you or zone == PILE_CHALLENGES
    if op == E_RELIC:
        return zone == PILE_RELICS if e[1] == 0 else relic_in_city(zone)
    return True


cdef bint swap_fits(CoreState s, int one, int other) noexcept:
    # Two Units may change places if both sides still keep their limits.
    cdef int zone1 = s.d.token[one].zone, zone2 = s.d.token[other].zone
    cdef int w1 = weight_of(s, one), w2 = weight_of(s, other)
    return (
        not s.d.razed >> city_of(zone1) & 1 and not s.d.razed >> city_of(zone2) & 1
        and units_on(s, city_of(zone1), seat_of_side(zone1)) - w1 + w2 <= limit_of_side(s, zone1)
        and units_on(s, city_of(zone2), seat_of_side(zone2)) - w2 + w1 <= limit_of_side(s, zone2)
    )


cdef inline int limit_of_side(CoreState s, int zone) noexcept:
    return limit_on(s, city_of(zone), seat_of_side(zone))


cdef bint same_copies(CoreState s, int one, int other) noexcept:
    """Whether two cards of a pile are indistinguishable for every viewer."""
    return s.d.token[one].card == s.d.token[other].card and copy_key(s, one) == copy_key(s, other)


# == costs ============================================================================================================


cdef int start_cost(CoreState s, int cost) except -1:
    """Start to pay a cost that the controller can pay."""
    cdef Env env
    ability_env(s, &env)
    if not cost:
        return 0
    if s.config.code[cost] == COST_COINS:
        return pay_coins(s, env.you, amount(s, &env, s.config.code[cost + 1]), context(s).cause)
    push(s, FR_COST).node = cost
    return 0


cdef int run_cost(CoreState s, Frame* frame) except -1:
    cdef int op = s.config.code[frame.node], sel = s.config.code[frame.node + 1], token, zone, depth = s.d.depth
    cdef int you = frame.a - 1 if frame.a else context(s).controller, cause = context(s).cause
    if frame.stage == BEGIN:
        frame.stage = PICKING
        begin_pick(s, frame, sel)
        frame.c = 0
    if frame.stage == PICKING:
        if not continue_pick(s, frame, sel):
            return 0
        frame.stage = DOING
    while has_any(&frame.set):
        token = first_in_order(s, &frame.set)
        remove(&frame.set, token)
        zone = s.d.token[token].zone
        if op == COST_DISCARD and in_hand(zone):
            request(s, EVENT_TYPE_DISCARD, you, zone - PILE_HAND, token, NONE, 0, cause, 0)
        elif op == COST_DESTROY and in_city(zone):
            request(s, EVENT_TYPE_DESTROY, you, seat_of_side(zone), token, city_of(zone), 0, cause, 0)
        elif op == COST_RETURN and in_city(zone):
            request(s, EVENT_TYPE_RETURN_HAND, you, seat_of_side(zone), token, city_of(zone), 0, cause, ZONE_HAND)
        if s.d.depth > depth:
            return 0
    pop(s)
    return 0
