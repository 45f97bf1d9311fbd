"""The judgement in numbers (section 11 of RULES.md), and what tokens are worth (section 16.3)."""

from libc.stdint cimport int64_t

from gamepacks.omega.engine.table cimport (
    ANY, AT_LEAST, AT_MOST, BLACK, Card, Counter, Egregor, Filter, Formula, GOLD, K_FIXED, K_IF, K_MOST, K_PER,
    K_TABLE, N_ARCANA, N_COLOURS, N_LAPS, N_PRESTIGE, N_PYRAMID, N_RUNES, N_SETS, N_SNAKES, N_THRUSTS,
    NO_COLOUR, Player, Rules, TYPES, Table,
)

cdef int[11] RUNE_POINTS
# OMEGA-SCORE-02, by load
RUNE_POINTS[:] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 9, 12]
cdef int PRESTIGE_BONUS = 5


cdef void judge(Rules rules, const Table* t, Tally* out) noexcept nogil:
    """The numbers of all seats, if it came to judgement now."""
    cdef const Player* player
    cdef int seat, place, best = 0
    for seat in range(rules.players):
        if t.player[seat].prestige > best:
            best = t.player[seat].prestige
    for seat in range(rules.players):
        player = &t.player[seat]
        out[seat].runes = out[seat].gold = out[seat].arcana = out[seat].bonus = 0
        for place in range(player.owned):
            out[seat].runes += RUNE_POINTS[player.row[place].total]
            # OMEGA-SCORE-03
            out[seat].gold += 2 * player.row[place].load[GOLD]
        for place in range(player.held):
            out[seat].arcana += token_value(rules, t, player.token[place], seat)
        if player.prestige == best and (best or rules.zero_bonus):
            # OMEGA-SCORE-04, OMEGA-SCORE-05
            out[seat].bonus = PRESTIGE_BONUS
        # OMEGA-SCORE-01
        out[seat].total = out[seat].runes + out[seat].gold + out[seat].arcana + out[seat].bonus


cdef int64_t token_value(Rules rules, const Table* t, int token, int seat) noexcept nogil:
    """The points of one token for a holder."""
    return value(rules, t, &rules.formula[token], seat)


cdef int64_t value(Rules rules, const Table* t, const Formula* formula, int seat) noexcept nogil:
    cdef int64_t found, points = 0
    cdef int part
    if formula.kind == K_FIXED:
        return formula.n
    if formula.kind == K_MOST:
        return formula.n if leads(rules, t, formula, seat) else 0
    if formula.kind == K_PER:
        points = formula.n * (count(rules, &t.player[seat], &formula.counter) // formula.each)
        return formula.most if formula.bounded and points > formula.most else points
    if formula.kind == K_IF:
        found = count(rules, &t.player[seat], &formula.counter)
        return formula.n if holds(found, formula) else formula.otherwise
    if formula.kind == K_TABLE:
        found = count(rules, &t.player[seat], &formula.counter)
        return rules.number[formula.first + (found if found < formula.count else formula.count - 1)]
    for part in range(formula.first, formula.first + formula.count):
        points += value(rules, t, &rules.formula[part], seat)
    return points


cdef bint holds(int64_t found, const Formula* formula) noexcept nogil:
    if formula.comparison == AT_LEAST:
        return found >= formula.value
    if formula.comparison == AT_MOST:
        return found <= formula.value
    return found == formula.value


cdef bint leads(Rules rules, const Table* t, const Formula* formula, int seat) noexcept nogil:
    cdef int64_t own = count(rules, &t.player[seat], &formula.counter), other
    cdef int number
    for number in range(rules.players):
        if number != seat:
            other = count(rules, &t.player[number], &formula.counter)
            if other > own or other == own and not formula.ties:
                return False
    return True


cdef int64_t count(Rules rules, const Player* player, const Counter* counter) noexcept nogil:
    cdef int64_t total = 0
    cdef int place, type
    if counter.what == N_PRESTIGE:
        return player.prestige
    if counter.what == N_ARCANA:
        return player.held
    if counter.what == N_LAPS:
        return player.steps // rules.squares
    if counter.what == N_PYRAMID:
        for type in range(TYPES):
            if counter.colour in (NO_COLOUR, type):
                total += player.pyramid[type]
        return total
    if counter.what == N_COLOURS:
        for type in range(BLACK):
            total += on_egregors(player, type) > 0
        return total
    if counter.what == N_SETS:
        return sets(player, counter.colours)
    if counter.what == N_RUNES:
        for type in range(TYPES):
            if counter.colour in (NO_COLOUR, type):
                total += on_egregors(player, type)
        return total
    for place in range(player.owned):
        if counter.what == N_SNAKES:
            total += rules.card[player.row[place].card].snake
        elif counter.what == N_THRUSTS:
            total += rules.card[player.row[place].card].thrust
        else:
            total += passes(&rules.card[player.row[place].card], &player.row[place], &counter.filter)
    return total


cdef int on_egregors(const Player* player, int type) noexcept nogil:
    cdef int place, total = 0
    for place in range(player.owned):
        total += player.row[place].load[type]
    return total


cdef int sets(const Player* player, int colours) noexcept nogil:
    cdef int type, number, fewest = 0x7FFF
    for type in range(TYPES):
        if colours >> type & 1:
            number = on_egregors(player, type)
            if number < fewest:
                fewest = number
    return fewest


cdef bint passes(const Card* card, const Egregor* egregor, const Filter* wanted) noexcept nogil:
    return (
        wanted.renegade in (ANY, card.renegade)
        and wanted.primitive in (ANY, card.primitive)
        and wanted.key in (ANY, card.key > 0)
        and (wanted.trigger == ANY or has_trigger(card, wanted.trigger))
        and wanted.snake_min <= card.snake <= wanted.snake_max
        and wanted.thrust_min <= card.thrust <= wanted.thrust_max
        and wanted.load_min <= egregor.total <= wanted.load_max
        and (wanted.colour == ANY or egregor.load[wanted.colour] > 0)
    )


cdef bint has_trigger(const Card* card, int trigger) noexcept nogil:
    cdef int power
    for power in range(card.powers):
        if card.power[power].trigger == trigger:
            return True
    # 0 asks for a card without a power.
    return trigger == 0 and card.powers == 0
