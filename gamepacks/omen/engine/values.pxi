# Values of cards, seats and Cities: selectors, amounts, predicates, and everything that modifies a value (section 10).
#
# Nothing here asks for a choice or changes the state.

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
    if ref >= VAR and env.context != NULL:
        return env.context.vars[ref - VAR].value
    return NONE


# -- selectors --------------------------------------------------------------------------------------------------------


cdef bint compares(CoreState s, const Env* env, int pointer, int value) noexcept:
    cdef int i
    cdef int32_t* code = s.config.code
    for i in range(code[pointer]):
        if not compare(value, code[pointer + 1 + 2 * i], amount(s, env, code[pointer + 2 + 2 * i])):
            return False
    return True


cdef bint filters(
    CoreState s, const Env* env, int sel, int number, int type, bint enraged, int cost, int offering, int strength
) noexcept:
    # Whether a card passes the filters of a selector that read its face.
    cdef int32_t* q = &s.config.code[sel]
    cdef Card* card = &s.config.card[number]
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
        (not q[S_COST] or compares(s, env, q[S_COST], cost))
        and (not q[S_OFFERING] or compares(s, env, q[S_OFFERING], offering))
        and (not q[S_STRENGTH] or compares(s, env, q[S_STRENGTH], strength))
    )


cdef bint matches(CoreState s, const Env* env, int sel, int token) noexcept:
    """Whether a card passes the filters of a selector (not its zone, side and City)."""
    cdef int32_t* q = &s.config.code[sel]
    cdef int number = s.d.token[token].card
    cdef Card* card = &s.config.card[number]
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
    return filters(
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
    # May the expression read the face of a card (OMENX-HID-07)?
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
    cdef Card* card
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
        return filters(
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


cdef int achieved(CoreState s, int seat) noexcept:
    return s.d.size[PILE_FEATS_DOWN + seat] + s.d.size[PILE_FEATS_ROTATED + seat]


cdef int weigh(CoreState s, const TokenSet* cards) noexcept:
    cdef int token, sum = 0
    for token in range(s.d.tokens):
        if has(cards, token):
            sum += weight_of(s, token)
    return sum


cdef int bounded(long long value) noexcept nogil:
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
        return size_of(&cards) if op == A_COUNT else weigh(s, &cards)
    if op == A_STAT:
        value = 0
        if env.context != NULL:
            for token in range(s.d.tokens):
                if has(&env.context.vars[c[2]].cards, token) and (
                    not in_hand(s.d.token[token].zone) or face_readable(s, env, token)
                ):
                    value += stat_of(s, token, c[1])
        return bounded(value)
    if op == A_TOTAL:
        candidates(s, env, c[2], True, &cards)
        value = 0
        for token in range(s.d.tokens):
            if has(&cards, token):
                value += stat_of(s, token, c[1])
        return bounded(value)
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
                    value += s.d.size[PILE_HAND + seat] if op == A_HAND else achieved(s, seat)
        return bounded(value)
    if op == A_DECK:
        return deck_size(s, deck_of(s, env.you))
    if op == A_PRIZES:
        i = city_ref(s, env, c[1])
        return s.d.left[i] if i < s.config.cities else 0
    if op == A_TURN:
        return bounded(s.d.turn)
    if op == A_CITIES:
        here = env[0]
        value = 0
        for i in range(s.config.cities):
            here.city = i
            if not s.d.razed >> i & 1 and holds(s, &here, c[1]):
                value += 1
        return bounded(value)
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
        return bounded(value)
    if op == A_SUB:
        return bounded(amount(s, env, c[1]) - amount(s, env, c[2]))
    if op == A_MUL:
        return bounded(<long long> amount(s, env, c[1]) * c[2])
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
        return (weigh(s, &cards) if s.config.code[c[1] + S_WEIGH] else size_of(&cards)) >= wanted
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


# == modified values ==================================================================================================


cdef int MAX_LIMIT = 20


# -- what changes values ----------------------------------------------------------------------------------------------


cdef struct Change:
    # The value that is set, if any, and the sum of what is added.
    bint is_set
    int value
    int added
    # Number of modifiers found, for what is forbidden or granted.
    int count


cdef bint modifier_applies(
    CoreState s, const Env* env, int target, int ref, int sel, int wanted, int who
) noexcept:
    # Whether a modifier for (target, ref or sel) holds for a card, seat or City.
    if target != wanted:
        return False
    if target == TG_SEL:
        return matches_place(s, env, sel, who) and matches(s, env, sel, who)
    if target == TG_SEAT:
        ref = seat_of(s, env, ref)
        return ref == who or ref == SR_EACH + 16
    return city_ref(s, env, ref) == who or ref == CR_ANY


cdef bint effect_applies(CoreState s, const Env* env, int effect, int seat_at, int target, int who, int seat) noexcept:
    # Whether a static mod or forbid holds for a card, seat or City. Of a City it may hold for one seat alone; the operand at
    # ``seat_at`` is that seat, -1 for both.
    cdef int32_t* e = &s.config.code[effect]
    cdef int only
    if not modifier_applies(s, env, e[2], e[3], e[3], target, who):
        return False
    if target != TG_CITY or e[seat_at] < 0:
        return True
    only = seat_of(s, env, e[seat_at])
    return only >= 2 or only == seat


cdef void collect_changes(CoreState s, int what, int target, int who, int seat, Change* out) noexcept:
    """Collect all modifiers of ``what`` for a card (TG_SEL), a seat or a City; of a City those that hold for ``seat``
    (NONE: those that hold for both)."""
    cdef int i
    cdef Mod* mod
    cdef Env env
    out.is_set, out.value, out.added, out.count = False, 0, 0, 0
    if s.config.static_what >> what & 1 and not s.in_static:
        s.in_static = True
        collect_static_changes(s, what, target, who, seat, out)
        s.in_static = False
    for i in range(s.d.mods):
        mod = &s.d.mod[i]
        if mod.what != what:
            continue
        if mod.target == TG_SEL:
            if target != TG_SEL:
                continue
            env.you, env.city, env.source, env.card = mod.controller, mod.city, mod.source, NONE
            env.printed, env.reader, env.context, env.event = True, EVERYONE, NULL, NULL
            if not matches_place(s, &env, mod.sel, who) or not matches(s, &env, mod.sel, who):
                continue
        elif mod.who != who or (target == TG_SEL) != (mod.target == TG_CARD) or (
            mod.target != TG_CARD and mod.target != target
        ) or (mod.seat != NONE and mod.seat != seat):
            continue
        out.count += 1
        if mod.is_set:
            out.is_set, out.value = True, mod.value
        else:
            out.added += mod.value


cdef void collect_static_changes(CoreState s, int what, int target, int who, int affected, Change* out) noexcept:
    cdef int token, i, j, number, effect, op, zone, seat, value
    cdef Ability* ability
    cdef Card* card
    cdef Token* one
    cdef Env env
    for token in range(s.d.tokens):
        one = &s.d.token[token]
        card = &s.config.card[one.card]
        zone = one.zone
        if not card.hooks >> H_STATIC & 1 or one.enraged:
            continue
        if in_city(zone) or relic_in_city(zone):
            number, seat = ZONE_CITY, seat_of_side(zone)
            env.city = city_of(zone)
        elif in_hand(zone):
            number, seat = ZONE_HAND, zone - PILE_HAND
            env.city = NONE
        else:
            continue
        # The effect of a static ability is public, so it may read only what everyone knows.
        env.you, env.source, env.card, env.printed, env.context, env.event = seat, token, one.card, True, NULL, NULL
        env.reader = EVERYONE
        for i in range(card.abilities):
            ability = &s.config.ability[card.first_ability + i]
            if ability.hook != H_STATIC or ability.zone != number or not ability.do:
                continue
            if ability.steps and not in_steps(s, ability.steps) or not right_turn(s, ability.turn, seat):
                continue
            if ability.when and not holds(s, &env, ability.when) or ability.cond and not holds(s, &env, ability.cond):
                continue
            for j in range(s.config.code[ability.do]):
                effect = s.config.code[ability.do + 1 + j]
                op = s.config.code[effect]
                if s.config.code[effect + 1] != what:
                    continue
                if op == E_MOD and effect_applies(s, &env, effect, 7, target, who, affected):
                    out.count += 1
                    value = amount(s, &env, s.config.code[effect + 5])
                    if not s.config.code[effect + 4]:
                        out.added += value
                    elif not out.is_set or value > out.value:
                        # Of several values that are set the highest counts.
                        out.is_set, out.value = True, value
                elif op == E_FORBID and effect_applies(s, &env, effect, 5, target, who, affected):
                    out.count += 1
                elif op == E_GRANT and target == TG_SEAT:
                    if modifier_applies(s, &env, TG_SEAT, s.config.code[effect + 2], 0, target, who):
                        out.count += 1
                        out.added += amount(s, &env, s.config.code[effect + 3])


cdef int modified(CoreState s, int what, int target, int who, int value) noexcept:
    """A value of a card (TG_SEL), a seat or a City with all modifiers applied."""
    cdef Change change
    if not s.d.mods and not s.config.static_what >> what & 1:
        return value
    collect_changes(s, what, target, who, NONE, &change)
    return (change.value if change.is_set else value) + change.added


cdef bint forbidden(CoreState s, int what, int seat, int token) noexcept:
    """Whether something is forbidden to a seat, or for a card (NONE: the seat or card is not looked at)."""
    cdef Change change
    if not s.d.mods and not s.config.static_what >> what & 1:
        return False
    if seat != NONE:
        collect_changes(s, what, TG_SEAT, seat, NONE, &change)
        if change.count:
            return True
    if token == NONE:
        return False
    collect_changes(s, what, TG_SEL, token, NONE, &change)
    return change.count > 0


cdef bint entry_forbidden(CoreState s, int city, int seat) noexcept:
    """Whether a seat's Units are forbidden to enter a City."""
    cdef Change change
    if not s.d.mods and not s.config.static_what >> W_ENTER & 1:
        return False
    collect_changes(s, W_ENTER, TG_CITY, city, seat, &change)
    return change.count > 0


cdef bint stat_changed(CoreState s, int what) noexcept:
    """Whether anything can change that value now."""
    return s.d.mods > 0 or s.config.static_what >> what & 1


cdef int type_of(CoreState s, int token) noexcept:
    """The current type of a Unit (OMEN-ENRAGE-02)."""
    if s.d.token[token].enraged:
        return UNIT_TYPE_BEAST
    return modified(s, W_TYPE, TG_SEL, token, s.config.card[s.d.token[token].card].type)


cdef int weight_of(CoreState s, int token) noexcept:
    """Number of Units that a Unit in a City counts as."""
    cdef int weight = 2 if (
        type_of(s, token) == UNIT_TYPE_BEAST or s.config.card[s.d.token[token].card].traits >> TRAIT_MYRIAD & 1
    ) else 1
    weight = modified(s, W_WEIGHT, TG_SEL, token, weight)
    return weight if weight > 1 else 1


cdef int stat_of(CoreState s, int token, int stat) noexcept:
    """Cost, Offering, Strength or Invoke cost with all modifiers applied (OMENX-FX-11)."""
    cdef Card* card = &s.config.card[s.d.token[token].card]
    cdef int value, what
    if stat == ST_STRENGTH:
        value, what = ENRAGED_STRENGTH if s.d.token[token].enraged else card.strength, W_STRENGTH
    elif stat == ST_COST:
        value, what = card.cost, W_COST
    elif stat == ST_OFFERING:
        value, what = card.offering, W_OFFERING
    else:
        value, what = card.invoke, W_INVOKE
    value = modified(s, what, TG_SEL, token, value)
    return value if value > 0 else 0


cdef int cost_in(CoreState s, int token, int city, int seat) noexcept:
    """The Cost of a Unit that a seat puts into a City (OMENX-FX-30)."""
    cdef int cost = stat_of(s, token, ST_COST)
    cdef Change change
    if s.d.mods or s.config.static_what >> W_COST & 1:
        collect_changes(s, W_COST, TG_CITY, city, seat, &change)
        cost += change.added
    return cost if cost > 0 else 0


cdef int units_on(CoreState s, int city, int seat) noexcept:
    """Number of Units on a side of a City, by weight."""
    cdef int token = s.d.head[side_of(city, seat)], count = 0
    while token != NONE:
        count += weight_of(s, token)
        token = s.d.token[token].next
    return count


cdef int strength_on(CoreState s, int city, int seat) noexcept:
    """Strength of a side of a City."""
    cdef int token = s.d.head[side_of(city, seat)], sum = 0
    while token != NONE:
        sum += stat_of(s, token, ST_STRENGTH)
        token = s.d.token[token].next
    return sum


cdef int limit_on(CoreState s, int city, int seat) noexcept:
    """The City Limit of a side (OMEN-SURGE-06)."""
    cdef int limit = modified(s, W_CITY_LIMIT, TG_CITY, city, s.config.city_limit)
    limit = modified(s, W_CITY_LIMIT, TG_SEAT, seat, limit)
    return limit if limit < MAX_LIMIT else MAX_LIMIT


cdef bint is_war_torn(CoreState s, int city) noexcept:
    """Whether a City is war-torn (OMEN-WAR-01) or to be Sacked (OMENT-WAR-01)."""
    cdef int opposing, both
    cdef Change change
    if s.d.razed >> city & 1 or not s.d.left[city]:
        return False
    opposing = units_on(s, city, 1 - s.d.active)
    both = opposing + units_on(s, city, s.d.active)
    if not stat_changed(s, W_WAR_TOTAL) and not stat_changed(s, W_WAR_OPPOSING) and not stat_changed(s, W_NEVER_WAR):
        return opposing >= 3 or both >= 5
    collect_changes(s, W_NEVER_WAR, TG_CITY, city, NONE, &change)
    if change.count:
        return False
    return (
        opposing >= modified(s, W_WAR_OPPOSING, TG_CITY, city, 3) or both >= modified(s, W_WAR_TOTAL, TG_CITY, city, 5)
    )
