"""The judgement in numbers (section 11 of RULES.md), and what tokens are worth (section 16.3)."""

from libc.stdint cimport int64_t

from gamepacks.omega.engine.table cimport (
    ANY, AT_LEAST, AT_MOST, BLACK, Card, Counter, Egregor, Filter, Formula, GOLD, K_FIXED, K_IF, K_MOST, K_PER,
    K_SUM, N_ARCANA, N_COLOURS, N_LAPS, N_PRESTIGE, N_PYRAMID, N_RUNES, N_SETS, N_SNAKES, N_THRUSTS,
    NO_COLOUR, Player, Rules, TYPES, Table,
)
from gamepacks.omega.engine.unseen cimport Unseen, least, look, most

cdef int[11] RUNE_POINTS
# OMEGA-SCORE-02, by load
RUNE_POINTS[:] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 9, 12]
cdef int PRESTIGE_BONUS = 5

cdef enum:
    NO = 0
    MAYBE = 1
    YES = 2


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
            out[seat].arcana += token_worth(rules, t, player.token[place], seat, NULL).least
        if player.prestige == best and (best or rules.zero_bonus):
            # OMEGA-SCORE-04, OMEGA-SCORE-05
            out[seat].bonus = PRESTIGE_BONUS
        # OMEGA-SCORE-01
        out[seat].total = out[seat].runes + out[seat].gold + out[seat].arcana + out[seat].bonus


cdef Worth known_arcana(Rules rules, const Table* t, int seat) noexcept nogil:
    """What a seat's tokens are worth at least and at most by what the seat itself knows (section 15.6)."""
    cdef Unseen unseen
    cdef Worth part, points
    cdef int place
    points.least = points.most = 0
    look(rules, t, seat, &unseen)
    for place in range(t.player[seat].held):
        part = token_worth(rules, t, t.player[seat].token[place], seat, &unseen)
        points.least += part.least
        points.most += part.most
    return points


cdef Worth token_worth(Rules rules, const Table* t, int token, int seat, const Unseen* unseen) noexcept nogil:
    """The points of one token for a holder, as far as one knows who does not see what ``unseen`` says; NULL: exactly."""
    return worth(rules, t, &rules.formula[token], seat, unseen)


cdef Worth worth(Rules rules, const Table* t, const Formula* formula, int seat, const Unseen* unseen) noexcept nogil:
    cdef Worth points, part
    cdef int number
    if formula.kind == K_MOST:
        points.least = points.most = 0
        number = leads(rules, t, formula, seat, unseen)
        if number == YES:
            points.least = points.most = formula.n
        elif number == MAYBE:
            if formula.n > 0:
                points.most = formula.n
            else:
                points.least = formula.n
        return points
    if formula.kind != K_SUM:
        points.least = points.most = value(rules, &t.player[seat], formula)
        return points
    points.least = points.most = 0
    for number in range(formula.first, formula.first + formula.count):
        part = worth(rules, t, &rules.formula[number], seat, unseen)
        points.least += part.least
        points.most += part.most
    return points


cdef int64_t value(Rules rules, const Player* holder, const Formula* formula) noexcept nogil:
    """What rests on the holder alone, which knows all of it."""
    cdef int64_t found, points
    if formula.kind == K_FIXED:
        return formula.n
    found = count(rules, holder, &formula.counter)
    if formula.kind == K_PER:
        points = formula.n * (found // formula.each)
        return formula.most if formula.bounded and points > formula.most else points
    if formula.kind == K_IF:
        return formula.n if holds(found, formula) else formula.otherwise
    return rules.number[formula.first + (found if found < formula.count else formula.count - 1)]


cdef bint holds(int64_t found, const Formula* formula) noexcept nogil:
    if formula.comparison == AT_LEAST:
        return found >= formula.value
    if formula.comparison == AT_MOST:
        return found <= formula.value
    return found == formula.value


cdef int leads(Rules rules, const Table* t, const Formula* formula, int seat, const Unseen* unseen) noexcept nogil:
    """Does a seat lead in a counter: YES, NO, or MAYBE?"""
    cdef int64_t own = count(rules, &t.player[seat], &formula.counter)
    cdef Worth other
    cdef int number, answer = YES
    for number in range(rules.players):
        if number == seat:
            continue
        other = opposing(rules, t, &formula.counter, number, unseen)
        if other.least > own or other.least == own and not formula.ties:
            return NO
        if other.most > own or other.most == own and not formula.ties:
            answer = MAYBE
    return answer


cdef Worth opposing(Rules rules, const Table* t, const Counter* counter, int seat, const Unseen* unseen) noexcept nogil:
    """A counter of another seat: of its pyramid only the number of runes is public."""
    cdef Worth found
    if unseen == NULL or counter.what != N_PYRAMID or counter.colour == NO_COLOUR:
        found.least = found.most = count(rules, &t.player[seat], counter)
        return found
    found.least = found.most = t.player[seat].shown[counter.colour]
    found.least += least(unseen, seat, counter.colour)
    found.most += most(unseen, seat, counter.colour)
    return found


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
