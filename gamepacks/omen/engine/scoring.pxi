# The conditions that end the game, and the scores (section 6).

cdef int FEATS_TO_END = 5
cdef int CITIES_TO_END = 2
cdef int CHALLENGES_TO_END = 2


cdef int end_conditions(CoreState s) noexcept:
    """Conditions that end the game after this turn, as bits; 0 if none holds (OMEN-END, OMEN-CHAL, OMENT-END)."""
    cdef int city, empty = 0, razed = 0, met = 0, count
    for city in range(s.config.cities):
        empty += not s.d.left[city]
        razed += s.d.razed >> city & 1
    if not s.config.omega:
        if razed == s.config.cities or s.config.combined and razed >= CITIES_TO_END:
            met = END_CITIES
    else:
        if empty >= CITIES_TO_END:
            met |= END_CITIES
        if feats_achieved(s, 1 - s.d.active) >= FEATS_TO_END or s.config.feat_either and feats_achieved(s, s.d.active) >= FEATS_TO_END:
            met |= END_FEATS
        if s.config.challenges != CHALLENGES_NONE and s.d.size[PILE_CHALLENGES] <= CHALLENGES_TO_END:
            met |= END_CHALLENGES
        if s.config.challenges == CHALLENGES_LONG:
            # OMEN-CHAL-05
            count = (met & 1) + (met >> 1 & 1) + (met >> 2 & 1)
            if count < 2:
                met = 0
    if s.d.turn >= s.config.max_turns:
        met |= END_TURNS
    return met


cdef int score_of(CoreState s, int seat) noexcept:
    """The points of a seat if the game ended now."""
    cdef int points = 0, token, city
    cdef CompiledCard* card
    token = s.d.head[PILE_HAND + seat]
    while token != NONE:
        card = &s.config.card[s.d.token[token].card]
        if is_prize(card.kind):
            points += PRIZE_POINTS
        elif card.kind == KIND_WHIM:
            points += card.hold_points
        elif s.config.omega:
            points += card.type == UNIT_TYPE_HERO
        else:
            points += card.traits >> TRAIT_COVETED & 1
        token = s.d.token[token].next
    token = s.d.head[PILE_USED + seat]
    while token != NONE:
        # OMENT-TRIUMPH-05
        points += TRIUMPH_POINTS if s.config.card[s.d.token[token].card].kind == KIND_UNIT else 1
        token = s.d.token[token].next
    points += FEAT_POINTS * s.d.size[PILE_FEATS_DOWN + seat] + s.d.size[PILE_FEATS_ROTATED + seat]
    points += CHALLENGE_POINTS * s.d.size[PILE_TAKEN + seat]
    for city in range(s.config.cities):
        points += s.d.size[relic_of(city, seat)]
    return points + extra_points(s, seat)


cdef int extra_points(CoreState s, int seat) noexcept:
    # Points by abilities of cards (hook end_game).
    cdef int token, i, j, effect, zone, owner, place, points = 0, who
    cdef CompiledCard* card
    cdef CompiledAbility* ability
    cdef Env env
    for token in range(s.d.tokens):
        card = &s.config.card[s.d.token[token].card]
        if not card.hooks >> H_END_GAME & 1:
            continue
        zone = s.d.token[token].zone
        if in_city(zone) or relic_in_city(zone):
            owner, place = seat_of_side(zone), ZONE_CITY
        elif in_hand(zone):
            owner, place = zone - PILE_HAND, ZONE_HAND
        elif zone == PILE_USED or zone == PILE_USED_B:
            owner, place = zone - PILE_USED, ZONE_USED
        else:
            continue
        if s.d.token[token].enraged:
            continue
        for i in range(card.abilities):
            ability = &s.config.ability[card.first_ability + i]
            if ability.hook != H_END_GAME or ability.zone != place or not ability.do:
                continue
            card_env(s, &env, owner, token, city_of(zone) if place == ZONE_CITY else NONE)
            if not holds(s, &env, ability.when) or not holds(s, &env, ability.cond):
                continue
            for j in range(s.config.code[ability.do]):
                effect = s.config.code[ability.do + 1 + j]
                if s.config.code[effect] == E_SCORE:
                    who = seat_of(s, &env, s.config.code[effect + 1])
                    if who >= 2 or who == seat:
                        points += amount(s, &env, s.config.code[effect + 2])
    return points


cdef int winners_of(CoreState s) noexcept:
    """A mask of the seats that win if the game ended now (OMEN-SCORE-05, OMENT-SCORE-02)."""
    cdef int a = score_of(s, 0), b = score_of(s, 1)
    if a == b and s.config.omega:
        a, b = s.d.size[PILE_FEATS_DOWN], s.d.size[PILE_FEATS_DOWN_B]
    if a != b:
        return 1 if a > b else 2
    if s.config.tie_second and s.d.first < 2:
        return 1 << (1 - s.d.first)
    return 3
