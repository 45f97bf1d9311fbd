"""Reading the table: values of cards with all that changes them, selectors, amounts and predicates (section 10).

All of it is without choices and changes nothing.
"""

from libc.stdint cimport int32_t, uint64_t

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.stack cimport in_steps
from gamepacks.omen.engine.stats cimport stat_of, to_resolve, type_of, weight_of
from gamepacks.omen.engine.table cimport (
    Card, city_of, clear, ENRAGED_STRENGTH, Env, has, in_city, in_hand, insert, is_prize, Record, relic_in_city,
    relic_of, seat_of_side, Set, side_of, size_of, Table, unite, VAR_CARDS,
)
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport deck_of, deck_size


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


cdef int seat_of(Table t, const Env* env, int ref) noexcept:
    """The seat that a reference means; SR_EACH + 16 for each and any, NONE for nobody."""
    if ref == SR_YOU:
        return env.you
    if ref == SR_OPP:
        return 1 - env.you
    if ref == SR_ACTIVE:
        return t.d.active
    if ref == SR_OPPOSING:
        return 1 - t.d.active
    if ref >= VAR:
        return env.context.vars[ref - VAR].value & 1 if env.context != NULL else NONE
    return SR_EACH + 16


cdef int city_ref(Table t, const Env* env, int ref) noexcept:
    """The City that HERE or a variable means; NONE for ANY, OTHER or nothing."""
    if ref == CR_HERE:
        return env.city
    if ref >= VAR and env.context != NULL:
        return env.context.vars[ref - VAR].value
    return NONE


# -- selectors --------------------------------------------------------------------------------------------------------


cdef bint compares(Table t, const Env* env, int pointer, int value) noexcept:
    cdef int i
    cdef int32_t* code = t.rules.code
    for i in range(code[pointer]):
        if not compare(value, code[pointer + 1 + 2 * i], amount(t, env, code[pointer + 2 + 2 * i])):
            return False
    return True


cdef bint filters(
    Table t, const Env* env, int sel, int number, int type, bint enraged, int cost, int offering, int strength
) noexcept:
    # The filters of a selector that look at a card.
    cdef int32_t* s = &t.rules.code[sel]
    cdef Card* card = &t.rules.card[number]
    cdef int mask, i
    if s[S_KIND] < 0:
        if not is_prize(card.kind):
            return False
    elif card.kind != s[S_KIND]:
        return False
    mask = s[S_TYPE]
    if mask < 0:
        mask = 1 << env.context.vars[-1 - mask].value if env.context != NULL else 0
    if mask and not mask >> type & 1 or s[S_NOT_TYPE] >> type & 1:
        return False
    mask = s[S_TRAIT]
    if mask < 0:
        mask = 1 << env.context.vars[-1 - mask].value if env.context != NULL else 0
    if mask and not mask & card.traits:
        return False
    if s[S_ENRAGED] >= 0 and enraged != (s[S_ENRAGED] == 1):
        return False
    if s[S_IDS]:
        for i in range(t.rules.code[s[S_IDS]]):
            if t.rules.code[s[S_IDS] + 1 + i] == number:
                break
        else:
            return False
    return (
        (not s[S_COST] or compares(t, env, s[S_COST], cost))
        and (not s[S_OFFERING] or compares(t, env, s[S_OFFERING], offering))
        and (not s[S_STRENGTH] or compares(t, env, s[S_STRENGTH], strength))
    )


cdef bint matches(Table t, const Env* env, int sel, int token) noexcept:
    """Does a card pass the filters of a selector (not its zone, side and City)?"""
    cdef int32_t* s = &t.rules.code[sel]
    cdef int number = t.d.token[token].card
    cdef Card* card = &t.rules.card[number]
    cdef bint still = env.still
    if s[S_SELF] and (token == env.source) != (s[S_SELF] == 1):
        return False
    if s[S_OWNER] >= 0 and t.d.token[token].owner != seat_of(t, env, s[S_OWNER]):
        return False
    if s[S_SAME_AS] >= 0 and (env.context == NULL or not has(&env.context.vars[s[S_SAME_AS]].cards, token)):
        return False
    if s[S_NOT] >= 0 and env.context != NULL and has(&env.context.vars[s[S_NOT]].cards, token):
        return False
    # What changes values is read from the cards as printed: it may not depend on itself (OMENX-FX-21).
    return filters(
        t, env, sel, number,
        (T_BEAST if t.d.token[token].enraged else card.type) if still else type_of(t, token),
        t.d.token[token].enraged != 0,
        0 if not s[S_COST] else card.cost if still else stat_of(t, token, ST_COST),
        0 if not s[S_OFFERING] else card.offering if still else stat_of(t, token, ST_OFFERING),
        0 if not s[S_STRENGTH] else card.strength if still else stat_of(t, token, ST_STRENGTH),
    )


cdef bint matches_place(Table t, const Env* env, int sel, int token) noexcept:
    """Does a card lie where a selector looks?"""
    cdef int32_t* s = &t.rules.code[sel]
    cdef int zone = t.d.token[token].zone, seat = seat_of(t, env, s[S_SIDE]), wanted = s[S_ZONE], city
    if wanted == Z_CITY:
        if not (relic_in_city(zone) if s[S_KIND] == K_RELIC else in_city(zone)):
            return False
        if seat < 2 and seat_of_side(zone) != seat:
            return False
        city = s[S_CITY]
        if city == CR_ANY:
            return True
        if city == CR_OTHER:
            return city_of(zone) != env.city
        return city_of(zone) == city_ref(t, env, city)
    if wanted == Z_HAND:
        return in_hand(zone) and (seat >= 2 or zone == PILE_HAND + seat)
    if wanted == Z_DISCARD:
        return zone == PILE_DISCARD + deck_of(t, env.you if seat >= 2 else seat)
    if wanted == Z_USED:
        return (zone == PILE_USED or zone == PILE_USED_B) and (seat >= 2 or zone == PILE_USED + seat)
    if wanted == Z_SIDE:
        return zone == PILE_RELICS or zone == PILE_CHALLENGES
    return False


cdef bint by_face(Table t, int sel) noexcept nogil:
    """Does a selector tell cards apart by what only those know who know their faces?"""
    cdef int32_t* s = &t.rules.code[sel]
    return (
        s[S_TYPE] or s[S_NOT_TYPE] or s[S_TRAIT] or s[S_IDS] or s[S_COST] or s[S_OFFERING] or s[S_STRENGTH]
        or s[S_SAME_AS] >= 0 or s[S_NOT] >= 0
    )


cdef inline bint legible(Table t, const Env* env, int token) noexcept nogil:
    # May the expression read the face of a card (OMENX-HID-07)?
    return t.d.token[token].known & env.reader == env.reader


cdef void add_zone(Table t, const Env* env, int sel, int zone, bint reads_face, Set* out) noexcept:
    cdef int token = t.d.head[zone], left = t.rules.code[sel + S_TOP]
    if not left:
        left = MAX_CARDS
    while token != NONE and left:
        if (not reads_face or legible(t, env, token)) and matches(t, env, sel, token):
            insert(out, token)
        token = t.d.token[token].next
        left -= 1


cdef void candidates(Table t, const Env* env, int sel, bint reads_face, Set* out) noexcept:
    """All cards that a selector means, before it is picked among them; if faces are read, those that the reader knows."""
    cdef int32_t* s = &t.rules.code[sel]
    cdef int zone = s[S_ZONE], side = seat_of(t, env, s[S_SIDE]), seat, city, wanted, token, place, i
    cdef Set list, bound
    clear(out)
    clear(&bound)
    reads_face = reads_face or by_face(t, sel)
    if zone == Z_SET or zone == Z_REVEAL:
        if env.context == NULL:
            return
        list = env.context.revealed
        if zone == Z_SET:
            list = env.context.looked
            for i in range(MAX_VARS):
                if env.context.vars[i].kind == VAR_CARDS:
                    unite(&bound, &env.context.vars[i].cards)
        for token in range(t.d.tokens):
            if (has(&list, token) or has(&bound, token) and has(&env.context.present, token)) and (
                not reads_face or legible(t, env, token)
            ) and matches(t, env, sel, token):
                insert(out, token)
        return
    if zone == Z_SIDE:
        add_zone(t, env, sel, PILE_RELICS if s[S_KIND] == K_RELIC else PILE_CHALLENGES, reads_face, out)
        return
    wanted = city_ref(t, env, s[S_CITY])
    for seat in range(2):
        if side < 2 and seat != side:
            continue
        if zone == Z_CITY:
            for city in range(t.rules.cities):
                if s[S_CITY] == CR_OTHER:
                    if city == env.city:
                        continue
                elif s[S_CITY] != CR_ANY and city != wanted:
                    continue
                place = relic_of(city, seat) if s[S_KIND] == K_RELIC else side_of(city, seat)
                add_zone(t, env, sel, place, reads_face, out)
        elif zone == Z_HAND:
            add_zone(t, env, sel, PILE_HAND + seat, reads_face, out)
        elif zone == Z_DISCARD:
            # "The discard pile" is that of whoever uses the text (OMEN-DRAFT-02).
            if side < 2 or deck_of(t, seat) == deck_of(t, env.you) and (t.d.drafted or seat == 0):
                add_zone(t, env, sel, PILE_DISCARD + deck_of(t, seat), reads_face, out)
        elif zone == Z_DECK_TOP:
            if side < 2 or seat == env.you:
                add_zone(t, env, sel, PILE_TOP + deck_of(t, seat), reads_face, out)
        elif zone == Z_USED:
            add_zone(t, env, sel, PILE_USED + seat, reads_face, out)


# -- events -----------------------------------------------------------------------------------------------------------


cdef bint fits_event(Table t, const Env* env, int evf, const Record* record) noexcept:
    """Does an event pass an event filter?"""
    cdef int32_t* f = &t.rules.code[evf]
    cdef Card* card
    cdef int seat, type
    if record.type != f[F_TYPE]:
        return False
    if f[F_BY] >= 0:
        seat = seat_of(t, env, f[F_BY])
        if seat < 2 and record.by != seat:
            return False
    if f[F_WHO] >= 0:
        seat = seat_of(t, env, f[F_WHO])
        if seat < 2 and record.who != seat or seat >= 2 and record.who >= 2:
            return False
    if f[F_CITY] != CR_ANY and record.city != city_ref(t, env, f[F_CITY]):
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
        if t.rules.code[f[F_CARD] + S_SELF] and (record.token == env.source) != (t.rules.code[f[F_CARD] + S_SELF] == 1):
            return False
        card = &t.rules.card[record.card]
        type = T_BEAST if record.enraged else card.type
        return filters(
            t, env, f[F_CARD], record.card, type, record.enraged != 0, card.cost, card.offering,
            ENRAGED_STRENGTH if record.enraged else card.strength,
        )
    return True


cdef int count_events(Table t, const Env* env, int evf) noexcept:
    cdef int i, first = 0, sum = 0
    if t.rules.code[evf + F_SINCE] == SINCE_STEP:
        first = t.d.step_logged
    elif t.rules.code[evf + F_SINCE] == SINCE_ABILITY and env.context != NULL:
        first = env.context.logged
    for i in range(first, t.d.logged):
        if fits_event(t, env, evf, &t.d.log[i]):
            sum += t.d.log[i].n if t.rules.code[evf + F_SUM] else 1
    return sum


# -- amounts and predicates -------------------------------------------------------------------------------------------


cdef int achieved(Table t, int seat) noexcept:
    return t.d.size[PILE_FEATS_DOWN + seat] + t.d.size[PILE_FEATS_ROTATED + seat]


cdef int weigh(Table t, const Set* cards) noexcept:
    cdef int token, sum = 0
    for token in range(t.d.tokens):
        if has(cards, token):
            sum += weight_of(t, token)
    return sum


cdef int bounded(long long value) noexcept nogil:
    # Amounts are small; products of products are cut, so that no arithmetic overflows.
    return <int> (30000 if value > 30000 else -30000 if value < -30000 else value)


cdef int amount(Table t, const Env* env, int node) noexcept:
    """The value of an amount; 0 for none."""
    cdef int32_t* c = &t.rules.code[node]
    cdef int op, i, token, seat
    cdef long long value
    cdef Set cards
    cdef Env here
    if not node:
        return 0
    op = c[0]
    if op == A_INT:
        return c[1]
    if op == A_COUNT or op == A_UNITS:
        candidates(t, env, c[1], op == A_UNITS, &cards)
        return size_of(&cards) if op == A_COUNT else weigh(t, &cards)
    if op == A_STAT:
        value = 0
        if env.context != NULL:
            for token in range(t.d.tokens):
                if has(&env.context.vars[c[2]].cards, token) and (
                    not in_hand(t.d.token[token].zone) or legible(t, env, token)
                ):
                    value += stat_of(t, token, c[1])
        return bounded(value)
    if op == A_TOTAL:
        candidates(t, env, c[2], True, &cards)
        value = 0
        for token in range(t.d.tokens):
            if has(&cards, token):
                value += stat_of(t, token, c[1])
        return bounded(value)
    if op == A_COINS or op == A_HAND or op == A_FEATS or op == A_COUNTER:
        value = 0
        i = seat_of(t, env, c[1])
        for seat in range(2):
            if i >= 2 or i == seat:
                if op == A_COINS:
                    value += t.d.coins[seat]
                elif op == A_COUNTER:
                    value += t.d.counter[seat]
                else:
                    value += t.d.size[PILE_HAND + seat] if op == A_HAND else achieved(t, seat)
        return bounded(value)
    if op == A_DECK:
        return deck_size(t, deck_of(t, env.you))
    if op == A_PRIZES:
        i = city_ref(t, env, c[1])
        return t.d.left[i] if i < t.rules.cities else 0
    if op == A_TURN:
        return bounded(t.d.turn)
    if op == A_CITIES:
        here = env[0]
        value = 0
        for i in range(t.rules.cities):
            here.city = i
            if not t.d.razed >> i & 1 and holds(t, &here, c[1]):
                value += 1
        return bounded(value)
    if op == A_EVENTS:
        return count_events(t, env, c[1])
    if op == A_VAR:
        return env.context.vars[c[1]].value if env.context != NULL else 0
    if op == A_ADD or op == A_MIN or op == A_MAX:
        value = amount(t, env, c[2]) if c[1] else 0
        for i in range(1, c[1]):
            token = amount(t, env, c[2 + i])
            if op == A_ADD:
                value += token
            elif op == A_MIN and token < value or op == A_MAX and token > value:
                value = token
        return bounded(value)
    if op == A_SUB:
        return bounded(amount(t, env, c[1]) - amount(t, env, c[2]))
    if op == A_MUL:
        return bounded(<long long> amount(t, env, c[1]) * c[2])
    # Halves, rounded towards or away from minus infinity.
    i = amount(t, env, c[1])
    return (i + (1 if op == A_HALF_UP else 0)) >> 1


cdef bint holds(Table t, const Env* env, int node) noexcept:
    """Does a predicate hold? None (0) always does."""
    cdef int32_t* c = &t.rules.code[node]
    cdef int op, i, wanted
    cdef Set cards
    cdef Env here
    if not node:
        return True
    op = c[0]
    if op == P_ALL or op == P_ANY:
        for i in range(c[1]):
            if holds(t, env, c[2 + i]) != (op == P_ALL):
                return op == P_ANY
        return op == P_ALL
    if op == P_NOT:
        return not holds(t, env, c[1])
    if op == P_CMP:
        return compare(amount(t, env, c[1]), c[2], amount(t, env, c[3]))
    if op == P_EXISTS:
        candidates(t, env, c[1], t.rules.code[c[1] + S_WEIGH] != 0, &cards)
        wanted = amount(t, env, t.rules.code[c[1] + S_N]) if t.rules.code[c[1] + S_N] else 1
        return (weigh(t, &cards) if t.rules.code[c[1] + S_WEIGH] else size_of(&cards)) >= wanted
    if op == P_EACH_CITY or op == P_SOME_CITY:
        here = env[0]
        for i in range(t.rules.cities):
            here.city = i
            if not t.d.razed >> i & 1 and holds(t, &here, c[1]) != (op == P_EACH_CITY):
                return op == P_SOME_CITY
        return op == P_EACH_CITY
    if op == P_HAPPENED:
        return compare(count_events(t, env, c[1]), c[2], amount(t, env, c[3]) if c[3] else 1)
    if op == P_IS:
        if env.context == NULL:
            return False
        for i in range(t.d.tokens):
            if has(&env.context.vars[c[1]].cards, i) and (
                in_hand(t.d.token[i].zone) and not legible(t, env, i) or not matches(t, env, c[2], i)
            ):
                return False
        return size_of(&env.context.vars[c[1]].cards) > 0
    if op == P_STEP:
        return in_steps(t, c[1])
    if op == P_TURN_OF:
        wanted = seat_of(t, env, c[1])
        return wanted >= 2 or wanted == t.d.active
    if op == P_FIRST_TURN:
        return t.d.turn <= 2
    i = city_ref(t, env, c[1])
    if i >= t.rules.cities:
        return False
    return to_resolve(t, i) if op == P_WAR_TORN else not t.d.left[i]
