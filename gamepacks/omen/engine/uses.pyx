"""When a card may be used or may react (sections 7.6 and 10.4)."""

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.picks cimport payable
from gamepacks.omen.engine.stack cimport ability_of, env_of, in_steps, right_turn
from gamepacks.omen.engine.table cimport Ability, Card, city_of, Env, Record, relic_in_city, Table
from gamepacks.omen.engine.values cimport fits_event, holds
from gamepacks.omen.engine.vocabulary cimport *


cdef int cause_of(Table t, int card) noexcept nogil:
    """The cause that the effects of a card have."""
    cdef int kind = t.rules.card[card].kind
    if kind == K_REWARD:
        return BY_REWARD
    if kind == K_KRATER:
        return BY_KRATER
    if kind == K_WHIM:
        return BY_WHIM
    if kind == K_RELIC:
        return BY_RELIC
    return BY_ABILITY


cdef bint unused(Table t, int token, Ability* ability) noexcept nogil:
    if ability.limit == LIMIT_TURN:
        return not t.d.token[token].turn_uses >> (ability.number & 7) & 1
    return ability.limit != LIMIT_GAME or not t.d.token[token].game_uses >> (ability.number & 7) & 1


cdef void mark(Table t, int token, Ability* ability) noexcept nogil:
    if ability.limit:
        t.d.token[token].turn_uses |= 1 << (ability.number & 7)
        t.d.token[token].game_uses |= 1 << (ability.number & 7)


cdef int next_ability(Table t, int hook, int token, int seat, int city, int first) noexcept:
    """The next ability of a card with a hook that may happen now, from its ability ``first`` on; -1 for none."""
    cdef int number = ability_of(t, t.d.token[token].card, hook, first)
    cdef Ability* ability
    cdef Env env
    while number >= 0:
        ability = &t.rules.ability[number]
        env_of(t, &env, seat, token, city)
        if unused(t, token, ability) and holds(t, &env, ability.when):
            return number
        number = ability_of(t, t.d.token[token].card, hook, ability.number + 1)
    return -1


cdef int usable(Table t, int seat, int token, int hook, const Record* event, bint before_) noexcept:
    """The ability (USE or REACT) by which a seat may use a card now; -1 for none."""
    cdef Card* card = &t.rules.card[t.d.token[token].card]
    cdef Ability* ability
    cdef Env env
    cdef int i, zone = t.d.token[token].zone, city = NONE
    if not card.hooks >> hook & 1 or t.d.actions >= t.rules.action_cap:
        return -1
    if relic_in_city(zone):
        city = city_of(zone)
    if event != NULL and event.city != NONE:
        city = event.city
    for i in range(card.abilities):
        ability = &t.rules.ability[card.first_ability + i]
        if ability.hook != hook or not in_steps(t, ability.steps) or not right_turn(t, ability.turn, seat):
            continue
        if t.d.phase < PH_WEALTH or not unused(t, token, ability):
            continue
        env_of(t, &env, seat, token, city)
        env.event = event
        if event != NULL and (ability.before != before_ or not fits_event(t, &env, ability.event, event)):
            continue
        if holds(t, &env, ability.when) and payable(t, &env, ability.cost):
            return card.first_ability + i
    return -1
