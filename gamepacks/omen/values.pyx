"""Reading the table: values of cards with all that changes them, selectors, amounts and predicates (section 10).

All of it is without choices and changes nothing.
"""

from libc.stdint cimport int32_t, uint64_t

from gamepacks.omen.numbers cimport *
from gamepacks.omen.vocabulary cimport *
from gamepacks.omen.table cimport (
    Ability, Card, ENRAGED_STRENGTH, Env, Mod, Record, Set, TG_CARD, Table, Token, VAR_CARDS, city_of, clear, has,
    in_city, in_hand, insert, is_prize, relic_in_city, relic_of, seat_of_side, side_of, size_of, unite,
)
from gamepacks.omen.zones cimport deck_of, deck_size

cdef int MOST_LIMIT = 20


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


# -- what changes values ----------------------------------------------------------------------------------------------


cdef struct Change:
    # A value set, if any, and the sum of what is added.
    bint is_set
    int value
    int added
    # For what is forbidden or granted: how often.
    int count


cdef bint applies(
    Table t, const Env* env, int target, int ref, int sel, int wanted, int who
) noexcept:
    # Does a modifier for (target, ref or sel) hold for a card, seat or City?
    if target != wanted:
        return False
    if target == TG_SEL:
        return matches_place(t, env, sel, who) and matches(t, env, sel, who)
    if target == TG_SEAT:
        ref = seat_of(t, env, ref)
        return ref == who or ref == SR_EACH + 16
    return city_ref(t, env, ref) == who or ref == CR_ANY


cdef void gather(Table t, int what, int target, int who, Change* out) noexcept:
    """All that changes ``what`` for a card (TG_SEL), a seat or a City."""
    cdef int i
    cdef Mod* mod
    cdef Env env
    out.is_set, out.value, out.added, out.count = False, 0, 0, 0
    if t.rules.static_what >> what & 1 and not t.reading:
        t.reading = True
        gather_static(t, what, target, who, out)
        t.reading = False
    for i in range(t.d.mods):
        mod = &t.d.mod[i]
        if mod.what != what:
            continue
        if mod.target == TG_SEL:
            if target != TG_SEL:
                continue
            env.you, env.city, env.source, env.card = mod.controller, mod.city, mod.source, NONE
            env.still, env.context, env.event = True, NULL, NULL
            if not matches_place(t, &env, mod.sel, who) or not matches(t, &env, mod.sel, who):
                continue
        elif mod.who != who or (target == TG_SEL) != (mod.target == TG_CARD) or (
            mod.target != TG_CARD and mod.target != target
        ):
            continue
        out.count += 1
        if mod.is_set:
            out.is_set, out.value = True, mod.value
        else:
            out.added += mod.value


cdef void gather_static(Table t, int what, int target, int who, Change* out) noexcept:
    cdef int token, i, j, number, effect, op, zone, seat, value
    cdef Ability* ability
    cdef Card* card
    cdef Token* one
    cdef Env env
    for token in range(t.d.tokens):
        one = &t.d.token[token]
        card = &t.rules.card[one.card]
        zone = one.zone
        if not card.hooks >> H_STATIC & 1 or one.enraged:
            continue
        if in_city(zone) or relic_in_city(zone):
            number, seat = Z_CITY, seat_of_side(zone)
            env.city = city_of(zone)
        elif in_hand(zone):
            number, seat = Z_HAND, zone - PILE_HAND
            env.city = NONE
        else:
            continue
        env.you, env.source, env.card, env.still, env.context, env.event = seat, token, one.card, True, NULL, NULL
        for i in range(card.abilities):
            ability = &t.rules.ability[card.first_ability + i]
            if ability.hook != H_STATIC or ability.zone != number or not ability.do:
                continue
            if ability.steps and not in_steps(t, ability.steps) or not right_turn(t, ability.turn, seat):
                continue
            if ability.when and not holds(t, &env, ability.when) or ability.cond and not holds(t, &env, ability.cond):
                continue
            for j in range(t.rules.code[ability.do]):
                effect = t.rules.code[ability.do + 1 + j]
                op = t.rules.code[effect]
                if t.rules.code[effect + 1] != what:
                    continue
                if op == E_MOD:
                    if applies(t, &env, t.rules.code[effect + 2], t.rules.code[effect + 3], t.rules.code[effect + 3],
                               target, who):
                        out.count += 1
                        value = amount(t, &env, t.rules.code[effect + 5])
                        if not t.rules.code[effect + 4]:
                            out.added += value
                        elif not out.is_set or value > out.value:
                            # Of several values that are set the highest holds.
                            out.is_set, out.value = True, value
                elif op == E_FORBID:
                    if applies(t, &env, t.rules.code[effect + 2], t.rules.code[effect + 3], t.rules.code[effect + 3],
                               target, who):
                        out.count += 1
                elif op == E_GRANT and target == TG_SEAT:
                    if applies(t, &env, TG_SEAT, t.rules.code[effect + 2], 0, target, who):
                        out.count += 1
                        out.added += amount(t, &env, t.rules.code[effect + 3])


cdef int changed(Table t, int what, int target, int who, int value) noexcept:
    """A value of a card (TG_SEL), a seat or a City after all that changes it."""
    cdef Change change
    if not t.d.mods and not t.rules.static_what >> what & 1:
        return value
    gather(t, what, target, who, &change)
    return (change.value if change.is_set else value) + change.added


cdef bint forbidden(Table t, int what, int seat, int token) noexcept:
    """Is something forbidden to a seat (NONE: not asked), or for a card (NONE: not asked)?"""
    cdef Change change
    if not t.d.mods and not t.rules.static_what >> what & 1:
        return False
    if seat != NONE:
        gather(t, what, TG_SEAT, seat, &change)
        if change.count:
            return True
    if token == NONE:
        return False
    gather(t, what, TG_SEL, token, &change)
    return change.count > 0


cdef bint stat_changed(Table t, int what) noexcept:
    """Can anything change that value now?"""
    return t.d.mods > 0 or t.rules.static_what >> what & 1


# -- values of cards --------------------------------------------------------------------------------------------------


cdef int type_of(Table t, int token) noexcept:
    """The present type (OMEN-ENRAGE-02)."""
    if t.d.token[token].enraged:
        return T_BEAST
    return changed(t, W_TYPE, TG_SEL, token, t.rules.card[t.d.token[token].card].type)


cdef int weight_of(Table t, int token) noexcept:
    """As how many Units a Unit in a City counts."""
    cdef int weight = 2 if (
        type_of(t, token) == T_BEAST or t.rules.card[t.d.token[token].card].traits >> TR_MYRIAD & 1
    ) else 1
    weight = changed(t, W_WEIGHT, TG_SEL, token, weight)
    return weight if weight > 1 else 1


cdef int stat_of(Table t, int token, int stat) noexcept:
    """Cost, Offering, Strength or Invoke cost with all that changes it (OMENX-FX-11)."""
    cdef Card* card = &t.rules.card[t.d.token[token].card]
    cdef int value, what
    if stat == ST_STRENGTH:
        value, what = ENRAGED_STRENGTH if t.d.token[token].enraged else card.strength, W_STRENGTH
    elif stat == ST_COST:
        value, what = card.cost, W_COST
    elif stat == ST_OFFERING:
        value, what = card.offering, W_OFFERING
    else:
        value, what = card.invoke, W_INVOKE
    value = changed(t, what, TG_SEL, token, value)
    return value if value > 0 else 0


cdef int units_on(Table t, int city, int seat) noexcept:
    """count(side)."""
    cdef int token = t.d.head[side_of(city, seat)], count = 0
    while token != NONE:
        count += weight_of(t, token)
        token = t.d.token[token].next
    return count


cdef int strength_on(Table t, int city, int seat) noexcept:
    """strength(side)."""
    cdef int token = t.d.head[side_of(city, seat)], sum = 0
    while token != NONE:
        sum += stat_of(t, token, ST_STRENGTH)
        token = t.d.token[token].next
    return sum


cdef int limit_on(Table t, int city, int seat) noexcept:
    """The City Limit of a side (OMEN-SURGE-06)."""
    cdef int limit = changed(t, W_CITY_LIMIT, TG_CITY, city, t.rules.city_limit)
    limit = changed(t, W_CITY_LIMIT, TG_SEAT, seat, limit)
    return limit if limit < MOST_LIMIT else MOST_LIMIT


cdef bint to_resolve(Table t, int city) noexcept:
    """Is a City war-torn (OMEN-WAR-01), or to be Sacked (OMENT-WAR-01)?"""
    cdef int opposing, both
    cdef Change change
    if t.d.razed >> city & 1 or not t.d.left[city]:
        return False
    opposing = units_on(t, city, 1 - t.d.active)
    both = opposing + units_on(t, city, t.d.active)
    if not stat_changed(t, W_WAR_TOTAL) and not stat_changed(t, W_WAR_OPPOSING) and not stat_changed(t, W_NEVER_WAR):
        return opposing >= 3 or both >= 5
    gather(t, W_NEVER_WAR, TG_CITY, city, &change)
    if change.count:
        return False
    return (
        opposing >= changed(t, W_WAR_OPPOSING, TG_CITY, city, 3) or both >= changed(t, W_WAR_TOTAL, TG_CITY, city, 5)
    )


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


cdef bint in_steps(Table t, int steps) noexcept:
    return t.d.phase >= PH_WEALTH and steps >> (t.d.phase - PH_WEALTH) & 1


cdef bint right_turn(Table t, int turn, int seat) noexcept:
    return turn == TURN_ANY or (turn == TURN_OWN) == (t.d.active == seat)


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


cdef void add_zone(Table t, const Env* env, int sel, int zone, Set* out) noexcept:
    cdef int token = t.d.head[zone], left = t.rules.code[sel + S_TOP]
    if not left:
        left = MAX_CARDS
    while token != NONE and left:
        if matches(t, env, sel, token):
            insert(out, token)
        token = t.d.token[token].next
        left -= 1


cdef void candidates(Table t, const Env* env, int sel, Set* out) noexcept:
    """All cards that a selector means, before it is picked among them."""
    cdef int32_t* s = &t.rules.code[sel]
    cdef int zone = s[S_ZONE], side = seat_of(t, env, s[S_SIDE]), seat, city, wanted, token, i
    cdef Set list
    clear(out)
    if zone == Z_SET or zone == Z_REVEAL:
        if env.context == NULL:
            return
        list = env.context.revealed
        if zone == Z_SET:
            list = env.context.looked
            for i in range(MAX_VARS):
                if env.context.vars[i].kind == VAR_CARDS:
                    unite(&list, &env.context.vars[i].cards)
        for token in range(t.d.tokens):
            if has(&list, token) and matches(t, env, sel, token):
                insert(out, token)
        return
    if zone == Z_SIDE:
        add_zone(t, env, sel, PILE_RELICS if s[S_KIND] == K_RELIC else PILE_CHALLENGES, out)
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
                add_zone(t, env, sel, relic_of(city, seat) if s[S_KIND] == K_RELIC else side_of(city, seat), out)
        elif zone == Z_HAND:
            add_zone(t, env, sel, PILE_HAND + seat, out)
        elif zone == Z_DISCARD:
            # "The discard pile" is that of whoever uses the text (OMEN-DRAFT-02).
            if side < 2 or deck_of(t, seat) == deck_of(t, env.you) and (t.d.drafted or seat == 0):
                add_zone(t, env, sel, PILE_DISCARD + deck_of(t, seat), out)
        elif zone == Z_DECK_TOP:
            if side < 2 or seat == env.you:
                add_zone(t, env, sel, PILE_TOP + deck_of(t, seat), out)
        elif zone == Z_USED:
            add_zone(t, env, sel, PILE_USED + seat, out)


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
        if record.card == NONE:
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
        candidates(t, env, c[1], &cards)
        return size_of(&cards) if op == A_COUNT else weigh(t, &cards)
    if op == A_STAT:
        value = 0
        if env.context != NULL:
            for token in range(t.d.tokens):
                if has(&env.context.vars[c[2]].cards, token):
                    value += stat_of(t, token, c[1])
        return bounded(value)
    if op == A_TOTAL:
        candidates(t, env, c[2], &cards)
        value = 0
        for token in range(t.d.tokens):
            if has(&cards, token):
                value += stat_of(t, token, c[1])
        return bounded(value)
    if op == A_COINS or op == A_HAND or op == A_FEATS:
        value = 0
        i = seat_of(t, env, c[1])
        for seat in range(2):
            if i >= 2 or i == seat:
                if op == A_COINS:
                    value += t.d.coins[seat]
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
        candidates(t, env, c[1], &cards)
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
            if has(&env.context.vars[c[1]].cards, i) and not matches(t, env, c[2], i):
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
