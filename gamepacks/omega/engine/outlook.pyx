"""How good a table looks for a seat at the end of a turn: the eye of the planner bot.

The unit is a hundredth of a point. All numbers are whole, so that the bot plays the same on every machine. What is not
scored yet is worth less the nearer the end is: ``left`` is how far it still is, in hundredths.
"""

from libc.stdint cimport int32_t

from gamepacks.omega.engine.judgement cimport Tally, judge
from gamepacks.omega.engine.table cimport (
    BOOK, Card, Egregor, FULL, OP_ADVANCE, OP_CYCLE, OP_DRAW, Player, Rules, SEATS, SLOTS, TYPES, Table,
)

cdef enum:
    POINT = 100
    # Points that a passing of the Eye brings, about.
    TOKEN = 6 * POINT
    # Full turns that a game still lasts when nothing has been done yet, about.
    TURNS = 4
    # What a player's last turn adds, about, and each rune of its pyramid.
    LAST_TURN = 4 * POINT
    LAST_RUNE = 69
    # A draw of a book power; a rune taken back to be placed again.
    DRAWN = 80
    CYCLED = 37
    # What a captured Egregor's thrust number is worth, each.
    THRUST = 60
    # Room for ten more runes.
    ROOM = 63
    PRESTIGE = 114
    KEPT = 139
    # The part of the best of the others in what a seat is compared with, in percent.
    BEST = 96

# A rune in the pyramid, by type.
cdef int[TYPES] IN_PYRAMID
IN_PYRAMID[:] = [95, 294, 100, 75, 109, 130]


cdef int32_t outlook(Rules rules, const Table* t, int seat) noexcept nogil:
    """How good the table looks for a seat, beside the best of the others and their mean."""
    cdef int32_t best = -0x7FFFFFFF, total = 0, worth
    cdef Tally[SEATS] tally
    cdef int other, left = distance(rules, t)
    judge(rules, t, tally)
    for other in range(rules.players):
        if other != seat:
            worth = prospects(rules, t, other, <int32_t> tally[other].total, left, seat)
            total += worth
            if worth > best:
                best = worth
    return prospects(rules, t, seat, <int32_t> tally[seat].total, left, seat) - (
        best * BEST + total * (100 - BEST) // (rules.players - 1)
    ) // 100


cdef int distance(Rules rules, const Table* t) noexcept nogil:
    """How far the end is, in hundredths: by the ending that is nearest."""
    cdef int seat, place, gone = 0, done, runes
    for seat in range(rules.players):
        done = 100 * t.player[seat].held // rules.arcanic
        if done > gone:
            gone = done
        runes = 0
        for place in range(t.player[seat].owned):
            runes += t.player[seat].row[place].total
        done = 100 * runes // (SLOTS * FULL)
        if done > gone:
            gone = done
    done = 100 - t.bag_size * 100 // 130
    if done > gone:
        gone = done
    return 100 - gone if gone < 95 else 5


cdef int32_t prospects(Rules rules, const Table* t, int seat, int32_t points, int left, int viewer) noexcept nogil:
    cdef const Player* player = &t.player[seat]
    cdef int32_t worth = points * POINT, open = 0, loss
    cdef int type, place, size = 0, thrust = 0
    for type in range(TYPES):
        size += player.pyramid[type]
        open += player.pyramid[type] * IN_PYRAMID[type]
    if t.announcer >= 0:
        # The others have one more turn each, in order; who has had it keeps what it has.
        if seat != viewer and has_turn(rules, t, seat):
            worth += LAST_TURN + LAST_RUNE * (size if size < 10 else 10)
        return worth
    open += player.prestige * PRESTIGE
    for place in range(player.owned):
        open += on_card(rules, &player.row[place])
        thrust += rules.card[player.row[place].card].thrust
    open += (player.steps + thrust * TURNS * left // 100) * TOKEN // rules.squares - player.held * TOKEN
    loss = in_danger(rules, t, seat)
    # Most of what is open comes about even near the end.
    return worth + open * (KEPT + left) // 150 - loss


cdef bint has_turn(Rules rules, const Table* t, int seat) noexcept nogil:
    # The seats to come are those from the active one on, as many as turns are left.
    return (seat - t.active + rules.players) % rules.players < t.final_left


cdef int32_t on_card(Rules rules, const Egregor* egregor) noexcept nogil:
    """What an Egregor promises beside its points: runes towards the tenth, room, powers for use in each turn."""
    cdef const Card* card = &rules.card[egregor.card]
    cdef int32_t worth = ROOM + 8 * egregor.total * (FULL - egregor.total)
    cdef int power, number
    for power in range(card.powers):
        if card.power[power].trigger == BOOK:
            for number in range(card.power[power].effects):
                if card.power[power].effect[number].op == OP_ADVANCE:
                    worth += card.power[power].effect[number].n * TOKEN // rules.squares * 4
                elif card.power[power].effect[number].op == OP_DRAW:
                    worth += card.power[power].effect[number].n * DRAWN * 4
                elif card.power[power].effect[number].op == OP_CYCLE:
                    worth += card.power[power].effect[number].n * CYCLED * 4
    return worth


cdef int32_t in_danger(Rules rules, const Table* t, int seat) noexcept nogil:
    """What the likeliest capture would cost: of the dearest Egregor that somebody has enough runes for."""
    cdef const Player* player = &t.player[seat]
    cdef int32_t worst = 0, loss
    cdef int place, other, type, size, largest = 0
    if player.owned < 2 or player.lost:
        return 0
    for other in range(rules.players):
        if other != seat:
            size = 0
            for type in range(TYPES - 1):
                size += t.player[other].pyramid[type]
            if size > largest:
                largest = size
    for place in range(player.owned):
        if player.mask == place or player.row[place].total >= FULL or player.row[place].total * 3 > largest * 2:
            continue
        loss = player.row[place].total - rules.card[player.row[place].card].snake
        loss = (loss if loss > 0 else 0) * POINT + ROOM + PRESTIGE + rules.card[player.row[place].card].thrust * THRUST
        if loss > worst:
            worst = loss
    return worst // 3
