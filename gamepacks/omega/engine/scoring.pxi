# The score of each seat (section 11 of RULES.md) and the points of Arcana tokens (section 16.3).

cdef struct SeatScore:
    int64_t runes
    int64_t gold
    int64_t arcana
    int64_t bonus
    int64_t total

# Bounds of a number that is only partly known; equal if it is known.
cdef struct Bounds:
    int64_t least
    int64_t most


cdef int[11] RUNE_POINTS
# OMEGA-SCORE-02, by load
RUNE_POINTS[:] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 9, 12]
cdef int PRESTIGE_BONUS = 5

cdef enum:
    NO = 0
    MAYBE = 1
    YES = 2


cdef void score_seats(OmegaRules rules, const StateData* s, SeatScore* out) noexcept nogil:
    """Score all seats as if the judgement were now."""
    cdef const Player* player
    cdef int seat, place, best = 0
    for seat in range(rules.players):
        if s.player[seat].prestige > best:
            best = s.player[seat].prestige
    for seat in range(rules.players):
        player = &s.player[seat]
        out[seat].runes = out[seat].gold = out[seat].arcana = out[seat].bonus = 0
        for place in range(player.row_size):
            out[seat].runes += RUNE_POINTS[player.row[place].total]
            # OMEGA-SCORE-03
            out[seat].gold += 2 * player.row[place].load[GOLD]
        for place in range(player.token_count):
            out[seat].arcana += token_points(rules, s, player.token[place], seat, NULL).least
        if player.prestige == best and (best or rules.zero_bonus):
            # OMEGA-SCORE-04, OMEGA-SCORE-05
            out[seat].bonus = PRESTIGE_BONUS
        # OMEGA-SCORE-01
        out[seat].total = out[seat].runes + out[seat].gold + out[seat].arcana + out[seat].bonus


cdef Bounds held_token_points(OmegaRules rules, const StateData* s, int seat) noexcept nogil:
    """Bounds of the points of a seat's tokens, given what the seat knows (section 15.6)."""
    cdef HiddenRunes hidden
    cdef Bounds part, points
    cdef int place
    points.least = points.most = 0
    count_hidden_runes(rules, s, seat, &hidden)
    for place in range(s.player[seat].token_count):
        part = token_points(rules, s, s.player[seat].token[place], seat, &hidden)
        points.least += part.least
        points.most += part.most
    return points


cdef Bounds token_points(
    OmegaRules rules, const StateData* s, int token, int seat, const HiddenRunes* hidden
) noexcept nogil:
    """Bounds of the points of one token for its holder, given the runes hidden from the viewer (NULL for none)."""
    return formula_points(rules, s, &rules.formula[token], seat, hidden)


cdef Bounds formula_points(
    OmegaRules rules, const StateData* s, const CompiledFormula* formula, int seat, const HiddenRunes* hidden
) noexcept nogil:
    cdef Bounds points, part
    cdef int number
    if formula.kind == FORMULA_MOST:
        points.least = points.most = 0
        number = has_most(rules, s, formula, seat, hidden)
        if number == YES:
            points.least = points.most = formula.n
        elif number == MAYBE:
            if formula.n > 0:
                points.most = formula.n
            else:
                points.least = formula.n
        return points
    if formula.kind != FORMULA_SUM:
        points.least = points.most = holder_points(rules, &s.player[seat], formula)
        return points
    points.least = points.most = 0
    for number in range(formula.first, formula.first + formula.count):
        part = formula_points(rules, s, &rules.formula[number], seat, hidden)
        points.least += part.least
        points.most += part.most
    return points


cdef int64_t holder_points(OmegaRules rules, const Player* holder, const CompiledFormula* formula) noexcept nogil:
    """The points of a formula that depends on its holder alone."""
    cdef int64_t found, points
    if formula.kind == FORMULA_FIXED:
        return formula.n
    found = counter_value(rules, holder, &formula.counter)
    if formula.kind == FORMULA_PER:
        points = formula.n * (found // formula.each)
        return formula.most if formula.bounded and points > formula.most else points
    if formula.kind == FORMULA_IF:
        return formula.n if comparison_holds(found, formula) else formula.otherwise
    return rules.number[formula.first + (found if found < formula.count else formula.count - 1)]


cdef bint comparison_holds(int64_t found, const CompiledFormula* formula) noexcept nogil:
    if formula.comparison == AT_LEAST:
        return found >= formula.value
    if formula.comparison == AT_MOST:
        return found <= formula.value
    return found == formula.value


cdef int has_most(
    OmegaRules rules, const StateData* s, const CompiledFormula* formula, int seat, const HiddenRunes* hidden
) noexcept nogil:
    """Whether a seat has the most of a counter: YES, NO or MAYBE."""
    cdef int64_t own = counter_value(rules, &s.player[seat], &formula.counter)
    cdef Bounds other
    cdef int number, answer = YES
    for number in range(rules.players):
        if number == seat:
            continue
        other = count_bounds(rules, s, &formula.counter, number, hidden)
        if other.least > own or other.least == own and not formula.ties:
            return NO
        if other.most > own or other.most == own and not formula.ties:
            answer = MAYBE
    return answer


cdef Bounds count_bounds(
    OmegaRules rules, const StateData* s, const CompiledCounter* counter, int seat, const HiddenRunes* hidden
) noexcept nogil:
    """Bounds of a counter of another seat, of whose pyramid only the size is public."""
    cdef Bounds found
    if hidden == NULL or counter.what != COUNTER_PYRAMID or counter.colour == ANY_TYPE:
        found.least = found.most = counter_value(rules, &s.player[seat], counter)
        return found
    found.least = found.most = s.player[seat].shown[counter.colour]
    found.least += min_hidden(hidden, seat, counter.colour)
    found.most += max_hidden(hidden, seat, counter.colour)
    return found


cdef int64_t counter_value(OmegaRules rules, const Player* player, const CompiledCounter* counter) noexcept nogil:
    cdef int64_t total = 0
    cdef int place, type
    if counter.what == COUNTER_PRESTIGE:
        return player.prestige
    if counter.what == COUNTER_ARCANA:
        return player.token_count
    if counter.what == COUNTER_LAPS:
        return player.steps // rules.squares
    if counter.what == COUNTER_PYRAMID:
        for type in range(TYPES):
            if counter.colour in (ANY_TYPE, type):
                total += player.pyramid[type]
        return total
    if counter.what == COUNTER_COLOURS:
        for type in range(BLACK):
            total += count_on_egregors(player, type) > 0
        return total
    if counter.what == COUNTER_SETS:
        return count_sets(player, counter.colours)
    if counter.what == COUNTER_RUNES:
        for type in range(TYPES):
            if counter.colour in (ANY_TYPE, type):
                total += count_on_egregors(player, type)
        return total
    for place in range(player.row_size):
        if counter.what == COUNTER_SNAKES:
            total += rules.card[player.row[place].card].snake
        elif counter.what == COUNTER_THRUSTS:
            total += rules.card[player.row[place].card].thrust
        else:
            total += matches_filter(&rules.card[player.row[place].card], &player.row[place], &counter.filter)
    return total


cdef int count_on_egregors(const Player* player, int type) noexcept nogil:
    cdef int place, total = 0
    for place in range(player.row_size):
        total += player.row[place].load[type]
    return total


cdef int count_sets(const Player* player, int colours) noexcept nogil:
    cdef int type, number, fewest = 0x7FFF
    for type in range(TYPES):
        if colours >> type & 1:
            number = count_on_egregors(player, type)
            if number < fewest:
                fewest = number
    return fewest


cdef bint matches_filter(const CompiledEgregor* card, const EgregorState* egregor, const CompiledFilter* wanted) noexcept nogil:
    return (
        wanted.renegade in (UNSET, card.renegade)
        and wanted.primitive in (UNSET, card.primitive)
        and wanted.key in (UNSET, card.key > 0)
        and (wanted.trigger == UNSET or has_trigger(card, wanted.trigger))
        and wanted.snake_min <= card.snake <= wanted.snake_max
        and wanted.thrust_min <= card.thrust <= wanted.thrust_max
        and wanted.load_min <= egregor.total <= wanted.load_max
        and (wanted.colour == UNSET or egregor.load[wanted.colour] > 0)
    )


cdef bint has_trigger(const CompiledEgregor* card, int trigger) noexcept nogil:
    cdef int power
    for power in range(card.powers):
        if card.power[power].trigger == trigger:
            return True
    # Trigger 0: a card without a power.
    return trigger == 0 and card.powers == 0
