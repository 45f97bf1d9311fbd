"""When the game ends, and the final count (sections 4.13, 6.7)."""

from libc.stdint cimport int32_t

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.stack cimport env_of
from gamepacks.omen.engine.table cimport (
    Ability, Card, city_of, END_CHALLENGES, END_CITIES, END_FEATS, END_TURNS, Env, in_city, in_hand, is_prize,
    relic_in_city, relic_of, seat_of_side, Table,
)
from gamepacks.omen.engine.values cimport amount, holds, seat_of
from gamepacks.omen.engine.vocabulary cimport *

cdef int FEATS_TO_END = 5
cdef int CITIES_TO_END = 2
cdef int CHALLENGES_TO_END = 2
cdef int CHALLENGE_POINTS = 3


cdef int achieved(Table t, int seat) noexcept:
    return t.d.size[PILE_FEATS_DOWN + seat] + t.d.size[PILE_FEATS_ROTATED + seat]


cdef int endings(Table t) noexcept:
    """The conditions by which this turn is the last one, a bit each; 0: it is not (OMEN-END, OMEN-CHAL, OMENT-END)."""
    cdef int city, empty = 0, razed = 0, met = 0, count
    for city in range(t.rules.cities):
        empty += not t.d.left[city]
        razed += t.d.razed >> city & 1
    if not t.rules.omega:
        if razed == t.rules.cities or t.rules.combined and razed >= CITIES_TO_END:
            met = END_CITIES
    else:
        if empty >= CITIES_TO_END:
            met |= END_CITIES
        if achieved(t, 1 - t.d.active) >= FEATS_TO_END or t.rules.feat_either and achieved(t, t.d.active) >= FEATS_TO_END:
            met |= END_FEATS
        if t.rules.challenges and t.d.size[PILE_CHALLENGES] <= CHALLENGES_TO_END:
            met |= END_CHALLENGES
        if t.rules.challenges == 2:
            # OMEN-CHAL-05
            count = (met & 1) + (met >> 1 & 1) + (met >> 2 & 1)
            if count < 2:
                met = 0
    if t.d.turn >= t.rules.max_turns:
        met |= END_TURNS
    return met


cdef int score_of(Table t, int seat) noexcept:
    """The points of a seat if the game ended now."""
    cdef int points = 0, token, city
    cdef Card* card
    token = t.d.head[PILE_HAND + seat]
    while token != NONE:
        card = &t.rules.card[t.d.token[token].card]
        if is_prize(card.kind):
            points += 2
        elif card.kind == K_WHIM:
            points += card.hold_points
        elif t.rules.omega:
            points += card.type == T_HERO
        else:
            points += card.traits >> TR_COVETED & 1
        token = t.d.token[token].next
    token = t.d.head[PILE_USED + seat]
    while token != NONE:
        # OMENT-TRIUMPH-05
        points += 2 if t.rules.card[t.d.token[token].card].kind == K_UNIT else 1
        token = t.d.token[token].next
    points += 2 * t.d.size[PILE_FEATS_DOWN + seat] + t.d.size[PILE_FEATS_ROTATED + seat]
    points += CHALLENGE_POINTS * t.d.size[PILE_TAKEN + seat]
    for city in range(t.rules.cities):
        points += t.d.size[relic_of(city, seat)]
    return points + extra_points(t, seat)


cdef int extra_points(Table t, int seat) noexcept:
    # Abilities of cards that score (hook end_game).
    cdef int token, i, j, effect, zone, owner, place, points = 0, who
    cdef Card* card
    cdef Ability* ability
    cdef Env env
    for token in range(t.d.tokens):
        card = &t.rules.card[t.d.token[token].card]
        if not card.hooks >> H_END_GAME & 1:
            continue
        zone = t.d.token[token].zone
        if in_city(zone) or relic_in_city(zone):
            owner, place = seat_of_side(zone), Z_CITY
        elif in_hand(zone):
            owner, place = zone - PILE_HAND, Z_HAND
        elif zone == PILE_USED or zone == PILE_USED_B:
            owner, place = zone - PILE_USED, Z_USED
        else:
            continue
        if t.d.token[token].enraged:
            continue
        for i in range(card.abilities):
            ability = &t.rules.ability[card.first_ability + i]
            if ability.hook != H_END_GAME or ability.zone != place or not ability.do:
                continue
            env_of(t, &env, owner, token, city_of(zone) if place == Z_CITY else NONE)
            if not holds(t, &env, ability.when) or not holds(t, &env, ability.cond):
                continue
            for j in range(t.rules.code[ability.do]):
                effect = t.rules.code[ability.do + 1 + j]
                if t.rules.code[effect] == E_SCORE:
                    who = seat_of(t, &env, t.rules.code[effect + 1])
                    if who >= 2 or who == seat:
                        points += amount(t, &env, t.rules.code[effect + 2])
    return points


cdef int winners_of(Table t) noexcept:
    """A mask of the seats that win if the game ended now (OMEN-SCORE-05, OMENT-SCORE-02)."""
    cdef int a = score_of(t, 0), b = score_of(t, 1)
    if a == b and t.rules.omega:
        a, b = t.d.size[PILE_FEATS_DOWN], t.d.size[PILE_FEATS_DOWN_B]
    if a != b:
        return 1 if a > b else 2
    if t.rules.tie_second and t.d.first < 2:
        return 1 << (1 - t.d.first)
    return 3
