# Values of cards, seats and Cities as modifiers change them.

cdef int MAX_LIMIT = 20


# -- modifiers --------------------------------------------------------------------------------------------------------


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
    cdef ActiveMod* mod
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
    cdef CompiledAbility* ability
    cdef CompiledCard* card
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
                        # If several modifiers set a value, the highest counts.
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
    """Whether something is forbidden to a seat, or for a card (NONE: for any seat or card)."""
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
    cdef CompiledCard* card = &s.config.card[s.d.token[token].card]
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
