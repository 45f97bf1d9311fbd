"""Values of cards, seats and Cities with all that changes them (section 10.9, OMENX-FX-11, -21)."""

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.stack cimport in_steps, right_turn
from gamepacks.omen.engine.table cimport (
    Ability, Card, city_of, ENRAGED_STRENGTH, Env, EVERYONE, in_city, in_hand, Mod, relic_in_city, seat_of_side, side_of, Table,
    TG_CARD, Token,
)
from gamepacks.omen.engine.values cimport amount, city_ref, holds, matches, matches_place, seat_of
from gamepacks.omen.engine.vocabulary cimport *

cdef int MOST_LIMIT = 20


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
            env.still, env.reader, env.context, env.event = True, EVERYONE, NULL, NULL
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
        # What a static ability changes shows to everyone: it reads what everyone knows.
        env.you, env.source, env.card, env.still, env.context, env.event = seat, token, one.card, True, NULL, NULL
        env.reader = EVERYONE
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


cdef bint closed(Table t, int city) noexcept:
    """May no Unit enter a City at all?"""
    cdef Change change
    if not t.d.mods and not t.rules.static_what >> W_ENTER & 1:
        return False
    gather(t, W_ENTER, TG_CITY, city, &change)
    return change.count > 0


cdef bint stat_changed(Table t, int what) noexcept:
    """Can anything change that value now?"""
    return t.d.mods > 0 or t.rules.static_what >> what & 1


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


cdef int cost_in(Table t, int token, int city) noexcept:
    """The Cost of a Unit that is put into a City (OMENX-FX-30)."""
    cdef int cost = stat_of(t, token, ST_COST)
    if t.d.mods or t.rules.static_what >> W_COST & 1:
        cost += changed(t, W_COST, TG_CITY, city, 0)
    return cost if cost > 0 else 0


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
