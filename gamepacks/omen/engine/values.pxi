# Expressions of card texts: references, selectors, event filters, amounts and predicates (section 10).
#
# Their evaluation needs no decision and does not change the state.

cdef bint compare(int left, int op, int right) noexcept nogil:
    if op == CMP_EQ:
        return left == right
    if op == CMP_NE:
        return left != right
    if op == CMP_LT:
        return left < right
    if op == CMP_LE:
        return left <= right
    if op == CMP_GT:
        return left > right
    return left >= right


# -- references -------------------------------------------------------------------------------------------------------


cdef int seat_of(CoreState s, const Env* env, int ref) noexcept:
    """Resolve a seat reference; SR_EACH + 16 for each and any, NONE for nobody."""
    if ref == SR_YOU:
        return env.you
    if ref == SR_OPP:
        return 1 - env.you
    if ref == SR_ACTIVE:
        return s.d.active
    if ref == SR_OPPOSING:
        return 1 - s.d.active
    if ref >= VAR:
        return env.context.vars[ref - VAR].value & 1 if env.context != NULL else NONE
    return SR_EACH + 16


cdef int city_ref(CoreState s, const Env* env, int ref) noexcept:
    """Resolve HERE or a variable to a City; NONE for ANY, OTHER or nothing."""
    if ref == CR_HERE:
        return env.city
    if VAR <= ref < VAR + MAX_VARS and env.context != NULL:
        return env.context.vars[ref - VAR].value
    return NONE


# -- selectors --------------------------------------------------------------------------------------------------------


cdef bint passes_comparisons(CoreState s, const Env* env, int pointer, int value) noexcept:
    cdef int i
    cdef int32_t* code = s.config.code
    for i in range(code[pointer]):
        if not compare(value, code[pointer + 1 + 2 * i], amount(s, env, code[pointer + 2 + 2 * i])):
            return False
    return True


cdef bint passes_filters(
    CoreState s, const Env* env, int sel, int number, int type, bint enraged, int cost, int offering, int strength
) noexcept:
    # Whether a card passes the filters of a selector that read its face.
    cdef int32_t* q = &s.config.code[sel]
    cdef CompiledCard* card = &s.config.card[number]
    cdef int mask, i
    if q[S_KIND] < 0:
        if not is_prize(card.kind):
            return False
    elif card.kind != q[S_KIND]:
        return False
    mask = q[S_TYPE]
    if mask < 0:
        mask = 1 << env.context.vars[-1 - mask].value if env.context != NULL else 0
    if mask and not mask >> type & 1 or q[S_NOT_TYPE] >> type & 1:
        return False
    mask = q[S_TRAIT]
    if mask < 0:
        mask = 1 << env.context.vars[-1 - mask].value if env.context != NULL else 0
    if mask and not mask & card.traits:
        return False
    if q[S_ENRAGED] >= 0 and enraged != (q[S_ENRAGED] == 1):
        return False
    if q[S_IDS]:
        for i in range(s.config.code[q[S_IDS]]):
            if s.config.code[q[S_IDS] + 1 + i] == number:
                break
        else:
            return False
    return (
        (not q[S_COST] or passes_comparisons(s, env, q[S_COST], cost))
        and (not q[S_OFFERING] or passes_comparisons(s, env, q[S_OFFERING], offering))
        and (not q[S_STRENGTH] or passes_comparisons(s, env, q[S_STRENGTH], strength))
    )


cdef bint matches(CoreState s, const Env* env, int sel, int token) noexcept:
    """Whether a card passes the filters of a selector (not its zone, side and City)."""
    cdef int32_t* q = &s.config.code[sel]
    cdef int number = s.d.token[token].card
    cdef CompiledCard* card = &s.config.card[number]
    cdef bint printed = env.printed
    if q[S_SELF] and (token == env.source) != (q[S_SELF] == 1):
        return False
    if q[S_OWNER] >= 0 and s.d.token[token].owner != seat_of(s, env, q[S_OWNER]):
        return False
    if q[S_SAME_AS] >= 0 and (env.context == NULL or not has(&env.context.vars[q[S_SAME_AS]].cards, token)):
        return False
    if q[S_NOT] >= 0 and env.context != NULL and has(&env.context.vars[q[S_NOT]].cards, token):
        return False
    # Modifiers read the printed values: a modifier may not depend on modified values (OMENX-FX-21).
    return passes_filters(
        s, env, sel, number,
        (UNIT_TYPE_BEAST if s.d.token[token].enraged else card.type) if printed else type_of(s, token),
        s.d.token[token].enraged != 0,
        0 if not q[S_COST] else card.cost if printed else stat_of(s, token, ST_COST),
        0 if not q[S_OFFERING] else card.offering if printed else stat_of(s, token, ST_OFFERING),
        0 if not q[S_STRENGTH] else card.strength if printed else stat_of(s, token, ST_STRENGTH),
    )


cdef bint matches_place(CoreState s, const Env* env, int sel, int token) noexcept:
    """Whether a card lies in the zone, side and City of a selector."""
    cdef int32_t* q = &s.config.code[sel]
    cdef int zone = s.d.token[token].zone, seat = seat_of(s, env, q[S_SIDE]), wanted = q[S_ZONE], city
    if wanted == ZONE_CITY:
        if not (relic_in_city(zone) if q[S_KIND] == KIND_RELIC else in_city(zone)):
            return False
        if seat < 2 and seat_of_side(zone) != seat:
            return False
        city = q[S_CITY]
        if city == CR_ANY:
            return True
        if city == CR_OTHER:
            return city_of(zone) != env.city
        return city_of(zone) == city_ref(s, env, city)
    if wanted == ZONE_HAND:
        return in_hand(zone) and (seat >= 2 or zone == PILE_HAND + seat)
    if wanted == ZONE_DISCARD:
        return zone == PILE_DISCARD + deck_of(s, env.you if seat >= 2 else seat)
    if wanted == ZONE_USED:
        return (zone == PILE_USED or zone == PILE_USED_B) and (seat >= 2 or zone == PILE_USED + seat)
    if wanted == ZONE_SIDE:
        return zone == PILE_RELICS or zone == PILE_CHALLENGES
    return False


cdef bint filters_by_face(CoreState s, int sel) noexcept nogil:
    """Whether a selector filters by something that depends on the face of a card."""
    cdef int32_t* q = &s.config.code[sel]
    return (
        q[S_TYPE] or q[S_NOT_TYPE] or q[S_TRAIT] or q[S_IDS] or q[S_COST] or q[S_OFFERING] or q[S_STRENGTH]
        or q[S_SAME_AS] >= 0 or q[S_NOT] >= 0
    )


cdef inline bint face_readable(CoreState s, const Env* env, int token) noexcept nogil:
    # Whether the expression may read the face of a card (OMENX-HID-07).
    return s.d.token[token].known & env.reader == env.reader


cdef void add_zone(CoreState s, const Env* env, int sel, int zone, bint reads_face, TokenSet* out) noexcept:
    cdef int token = s.d.head[zone], left = s.config.code[sel + S_TOP]
    if not left:
        left = MAX_CARDS
    while token != NONE and left:
        if (not reads_face or face_readable(s, env, token)) and matches(s, env, sel, token):
            insert(out, token)
        token = s.d.token[token].next
        left -= 1


cdef void candidates(CoreState s, const Env* env, int sel, bint reads_face, TokenSet* out) noexcept:
    """Collect the cards that match a selector, before any pick; if faces are read, only cards that the reader knows."""
    cdef int32_t* q = &s.config.code[sel]
    cdef int zone = q[S_ZONE], side = seat_of(s, env, q[S_SIDE]), seat, city, wanted, token, place, i
    cdef TokenSet list, bound
    clear(out)
    clear(&bound)
    reads_face = reads_face or filters_by_face(s, sel)
    if zone == ZONE_SET or zone == ZONE_REVEAL:
        if env.context == NULL:
            return
        list = env.context.revealed
        if zone == ZONE_SET:
            list = env.context.looked
            for i in range(MAX_VARS):
                if env.context.vars[i].kind == VAR_CARDS:
                    unite(&bound, &env.context.vars[i].cards)
        for token in range(s.d.tokens):
            if (has(&list, token) or has(&bound, token) and has(&env.context.present, token)) and (
                not reads_face or face_readable(s, env, token)
            ) and matches(s, env, sel, token):
                insert(out, token)
        return
    if zone == ZONE_SIDE:
        add_zone(s, env, sel, PILE_RELICS if q[S_KIND] == KIND_RELIC else PILE_CHALLENGES, reads_face, out)
        return
    wanted = city_ref(s, env, q[S_CITY])
    for seat in range(2):
        if side < 2 and seat != side:
            continue
        if zone == ZONE_CITY:
            for city in range(s.config.cities):
                if q[S_CITY] == CR_OTHER:
                    if city == env.city:
                        continue
                elif q[S_CITY] != CR_ANY and city != wanted:
                    continue
                place = relic_of(city, seat) if q[S_KIND] == KIND_RELIC else side_of(city, seat)
                add_zone(s, env, sel, place, reads_face, out)
        elif zone == ZONE_HAND:
            add_zone(s, env, sel, PILE_HAND + seat, reads_face, out)
        elif zone == ZONE_DISCARD:
            # "The discard pile" is that of the player who uses the text (OMEN-DRAFT-02).
            if side < 2 or deck_of(s, seat) == deck_of(s, env.you) and (s.d.drafted or seat == 0):
                add_zone(s, env, sel, PILE_DISCARD + deck_of(s, seat), reads_face, out)
        elif zone == ZONE_DECK_TOP:
            if side < 2 or seat == env.you:
                add_zone(s, env, sel, PILE_TOP + deck_of(s, seat), reads_face, out)
        elif zone == ZONE_USED:
            add_zone(s, env, sel, PILE_USED + seat, reads_face, out)


# -- events -----------------------------------------------------------------------------------------------------------


cdef bint fits_event(CoreState s, const Env* env, int evf, const EventRecord* record) noexcept:
    """Whether an event passes an event filter."""
    cdef int32_t* f = &s.config.code[evf]
    cdef CompiledCard* card
    cdef int seat, type
    if record.type != f[F_TYPE]:
        return False
    if f[F_BY] >= 0:
        seat = seat_of(s, env, f[F_BY])
        if seat < 2 and record.by != seat:
            return False
    if f[F_WHO] >= 0:
        seat = seat_of(s, env, f[F_WHO])
        if seat < 2 and record.who != seat or seat >= 2 and record.who >= 2:
            return False
    if f[F_CITY] != CR_ANY and record.city != city_ref(s, env, f[F_CITY]):
        return False
    if f[F_FROM] >= 0 and record.source != f[F_FROM] or f[F_TO] >= 0 and record.to != f[F_TO]:
        return False
    if f[F_CAUSE] and not f[F_CAUSE] >> record.cause & 1:
        return False
    if f[F_SELF] and record.token != env.source:
        return False
    if f[F_CARD]:
        if record.card == NONE or record.seen & env.reader != env.reader:
            return False
        if s.config.code[f[F_CARD] + S_SELF] and (record.token == env.source) != (s.config.code[f[F_CARD] + S_SELF] == 1):
            return False
        card = &s.config.card[record.card]
        type = UNIT_TYPE_BEAST if record.enraged else card.type
        return passes_filters(
            s, env, f[F_CARD], record.card, type, record.enraged != 0, card.cost, card.offering,
            ENRAGED_STRENGTH if record.enraged else card.strength,
        )
    return True


cdef int count_events(CoreState s, const Env* env, int evf) noexcept:
    cdef int i, first = 0, sum = 0
    if s.config.code[evf + F_SINCE] == SINCE_STEP:
        first = s.d.step_logged
    elif s.config.code[evf + F_SINCE] == SINCE_ABILITY and env.context != NULL:
        first = env.context.logged
    for i in range(first, s.d.logged):
        if fits_event(s, env, evf, &s.d.log[i]):
            sum += s.d.log[i].n if s.config.code[evf + F_SUM] else 1
    return sum


# -- amounts and predicates -------------------------------------------------------------------------------------------


cdef int feats_achieved(CoreState s, int seat) noexcept:
    return s.d.size[PILE_FEATS_DOWN + seat] + s.d.size[PILE_FEATS_ROTATED + seat]


cdef int total_weight(CoreState s, const TokenSet* cards) noexcept:
    cdef int token, sum = 0
    for token in range(s.d.tokens):
        if has(cards, token):
            sum += weight_of(s, token)
    return sum


cdef int clamped(long long value) noexcept nogil:
    # Amounts are clamped so that products of products do not overflow.
    return <int> (MAX_VALUE if value > MAX_VALUE else -MAX_VALUE if value < -MAX_VALUE else value)


cdef int amount(CoreState s, const Env* env, int node) noexcept:
    """The value of an amount; 0 for none."""
    cdef int32_t* c = &s.config.code[node]
    cdef int op, i, token, seat
    cdef long long value
    cdef TokenSet cards
    cdef Env here
    if not node:
        return 0
    op = c[0]
    if op == A_INT:
        return c[1]
    if op == A_COUNT or op == A_UNITS:
        candidates(s, env, c[1], op == A_UNITS, &cards)
        return size_of(&cards) if op == A_COUNT else total_weight(s, &cards)
    if op == A_STAT:
        value = 0
        if env.context != NULL:
            for token in range(s.d.tokens):
                if has(&env.context.vars[c[2]].cards, token) and (
                    not in_hand(s.d.token[token].zone) or face_readable(s, env, token)
                ):
                    value += stat_of(s, token, c[1])
        return clamped(value)
    if op == A_TOTAL:
        candidates(s, env, c[2], True, &cards)
        value = 0
        for token in range(s.d.tokens):
            if has(&cards, token):
                value += stat_of(s, token, c[1])
        return clamped(value)
    if op == A_COINS or op == A_HAND or op == A_FEATS or op == A_COUNTER:
        value = 0
        i = seat_of(s, env, c[1])
        for seat in range(2):
            if i >= 2 or i == seat:
                if op == A_COINS:
                    value += s.d.coins[seat]
                elif op == A_COUNTER:
                    value += s.d.counter[seat]
                else:
                    value += s.d.size[PILE_HAND + seat] if op == A_HAND else feats_achieved(s, seat)
        return clamped(value)
    if op == A_DECK:
        return deck_size(s, deck_of(s, env.you))
    if op == A_PRIZES:
        i = city_ref(s, env, c[1])
        return s.d.left[i] if i < s.config.cities else 0
    if op == A_TURN:
        return clamped(s.d.turn)
    if op == A_CITIES:
        here = env[0]
        value = 0
        for i in range(s.config.cities):
            here.city = i
            if not s.d.razed >> i & 1 and holds(s, &here, c[1]):
                value += 1
        return clamped(value)
    if op == A_EVENTS:
        return count_events(s, env, c[1])
    if op == A_VAR:
        return env.context.vars[c[1]].value if env.context != NULL else 0
    if op == A_ADD or op == A_MIN or op == A_MAX:
        value = amount(s, env, c[2]) if c[1] else 0
        for i in range(1, c[1]):
            token = amount(s, env, c[2 + i])
            if op == A_ADD:
                value += token
            elif op == A_MIN and token < value or op == A_MAX and token > value:
                value = token
        return clamped(value)
    if op == A_SUB:
        return clamped(amount(s, env, c[1]) - amount(s, env, c[2]))
    if op == A_MUL:
        return clamped(<long long> amount(s, env, c[1]) * c[2])
    # Halves, rounded towards or away from minus infinity.
    i = amount(s, env, c[1])
    return (i + (1 if op == A_HALF_UP else 0)) >> 1


cdef bint holds(CoreState s, const Env* env, int node) noexcept:
    """Whether a predicate holds; none (0) always does."""
    cdef int32_t* c = &s.config.code[node]
    cdef int op, i, wanted
    cdef TokenSet cards
    cdef Env here
    if not node:
        return True
    op = c[0]
    if op == P_ALL or op == P_ANY:
        for i in range(c[1]):
            if holds(s, env, c[2 + i]) != (op == P_ALL):
                return op == P_ANY
        return op == P_ALL
    if op == P_NOT:
        return not holds(s, env, c[1])
    if op == P_CMP:
        return compare(amount(s, env, c[1]), c[2], amount(s, env, c[3]))
    if op == P_EXISTS:
        candidates(s, env, c[1], s.config.code[c[1] + S_WEIGH] != 0, &cards)
        wanted = amount(s, env, s.config.code[c[1] + S_N]) if s.config.code[c[1] + S_N] else 1
        return (total_weight(s, &cards) if s.config.code[c[1] + S_WEIGH] else size_of(&cards)) >= wanted
    if op == P_EACH_CITY or op == P_SOME_CITY:
        here = env[0]
        for i in range(s.config.cities):
            here.city = i
            if not s.d.razed >> i & 1 and holds(s, &here, c[1]) != (op == P_EACH_CITY):
                return op == P_SOME_CITY
        return op == P_EACH_CITY
    if op == P_HAPPENED:
        return compare(count_events(s, env, c[1]), c[2], amount(s, env, c[3]) if c[3] else 1)
    if op == P_IS:
        if env.context == NULL:
            return False
        for i in range(s.d.tokens):
            if has(&env.context.vars[c[1]].cards, i) and (
                in_hand(s.d.token[i].zone) and not face_readable(s, env, i) or not matches(s, env, c[2], i)
            ):
                return False
        return size_of(&env.context.vars[c[1]].cards) > 0
    if op == P_STEP:
        return in_steps(s, c[1])
    if op == P_TURN_OF:
        wanted = seat_of(s, env, c[1])
        return wanted >= 2 or wanted == s.d.active
    if op == P_FIRST_TURN:
        return s.d.turn <= 2
    i = city_ref(s, env, c[1])
    if i >= s.config.cities:
        return False
    return is_war_torn(s, i) if op == P_WAR_TORN else not s.d.left[i]
