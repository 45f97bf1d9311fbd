# The search of the planner bot: random play-outs to the end of the turn, compared by an evaluation of their ends.

cdef enum:
    # Steps of a play-out; a turn is much shorter (OMEGA-INV-12).
    MAX_STEPS = 2000


def best_action(OmegaState state not None, int seat, Rng rng not None, int playouts=0, double seconds=0.0):
    """The legal action with the best play-out.

    ``playouts`` and ``seconds`` limit the search; 0 is no limit. By successive halving, half of the play-outs are spread
    evenly over the legal actions, the rest over the better half of them, and so on. The value of an action is that of
    its best play-out.
    """
    cdef Codes legal = Codes(), buffer = Codes()
    cdef int32_t[256] best
    cdef int[256] order
    cdef int remaining, i, j, number, each, k
    cdef int32_t found
    cdef double deadline = now() + seconds
    state.fill_legal(seat, legal)
    remaining = <int> legal.size
    if remaining == 1:
        return legal.code[0]
    for i in range(remaining):
        order[i] = i
        best[i] = -0x7FFFFFFF
    # Shuffled, so that ties do not favour the actions that are listed first.
    for i in range(remaining - 1, 0, -1):
        j = rng.bounded(i + 1)
        order[i], order[j] = order[j], order[i]
    if playouts <= 0:
        playouts = 0x7FFFFFFF
    while remaining > 1:
        each = playouts // 2 // remaining if remaining > 2 else playouts // remaining
        each = each if each > 1 else 1
        for number in range(each):
            for k in range(remaining):
                i = order[k]
                found = playout_value(state, legal.code[i], seat, rng, buffer)
                if found > best[i]:
                    best[i] = found
            if seconds > 0 and now() > deadline:
                break
        playouts -= each * remaining
        # Stable insertion sort, best first.
        for i in range(1, remaining):
            j = i
            while j > 0 and best[order[j]] > best[order[j - 1]]:
                order[j], order[j - 1] = order[j - 1], order[j]
                j -= 1
        remaining = (remaining + 1) // 2
        if playouts < remaining or seconds > 0 and now() > deadline:
            break
    return legal.code[order[0]]


cdef int32_t playout_value(OmegaState state, int32_t code, int seat, Rng rng, Codes buffer) except? -0x7FFFFFFF:
    """Play an action and then at random to the end of the turn, or of the seat's decisions in it; evaluate the end."""
    cdef OmegaState end = state.clone()
    end.step(code, seat)
    play_turn(end, seat, state.data.turn, rng, buffer)
    return evaluate(end.rules, &end.data, seat)


cdef OmegaState best_end(OmegaState state, int count, Rng rng, Codes buffer):
    """The best of ``count`` random ends of the turn for the seat that is to act; at a chance node the state itself."""
    cdef OmegaState end, best = state
    cdef int32_t value, highest = -0x7FFFFFFF
    cdef int number, seat = state.actor()
    if seat < 0:
        return state
    for number in range(count):
        end = state.clone()
        play_turn(end, seat, state.data.turn, rng, buffer)
        value = evaluate(end.rules, &end.data, seat)
        if value > highest:
            best, highest = end, value
    return best


cdef int play_turn(OmegaState end, int seat, int turn, Rng rng, Codes buffer) except -1:
    """Play at random to the end of a turn, or of the seat's decisions in the turn of another."""
    cdef bint own = end.data.active == seat
    cdef int steps = 0
    while steps < MAX_STEPS and end.data.phase != PHASE_OVER and end.data.turn == turn and (own or end.actor() == seat):
        random_step(end, rng, buffer)
        steps += 1
    return 0


# -- evaluation ---------------------------------------
#
# The unit is a hundredth of a point. All numbers are integers, so that the bot plays the same on every machine. The
# potential, points that a seat may still score, counts less near the end.


cdef enum:
    POINT = 100
    # Mean value of an Arcana token.
    TOKEN = 6 * POINT
    # Turns whose thrust counts at the start of the game.
    TURNS = 4
    # Mean value of a player's last turn, and of each rune in its pyramid then.
    LAST_TURN = 4 * POINT
    LAST_RUNE = 69
    # A draw by a book power; a rune taken back by one.
    DRAWN_RUNE = 80
    CYCLED_RUNE = 37
    # Each square of the thrust number of a captured Egregor.
    THRUST_SQUARE = 60
    # An Egregor in the row.
    EGREGOR = 63
    # A Prestige token.
    PRESTIGE = 114
    # Weight of the potential at the end of the game, in 150ths; the distance to the end, in hundredths, is added.
    POTENTIAL_WEIGHT = 139
    # Weight of the best opponent against the mean of all opponents, in percent.
    BEST_OPPONENT_WEIGHT = 96

# Value of a rune in the pyramid, by type.
cdef int[TYPES] IN_PYRAMID
IN_PYRAMID[:] = [95, 294, 100, 75, 109, 130]


cdef int32_t evaluate(OmegaRules rules, const StateData* s, int seat) noexcept nogil:
    """The value of the state for a seat, less a weighted mean of its best opponent and of all opponents."""
    cdef int32_t best = -0x7FFFFFFF, total = 0, worth
    cdef SeatScore[SEATS] scores
    cdef int other, left = distance_to_end(rules, s)
    score_seats(rules, s, scores)
    for other in range(rules.players):
        if other != seat:
            worth = evaluate_seat(rules, s, other, <int32_t> scores[other].total, left, seat)
            total += worth
            if worth > best:
                best = worth
    return evaluate_seat(rules, s, seat, <int32_t> scores[seat].total, left, seat) - (
        best * BEST_OPPONENT_WEIGHT + total * (100 - BEST_OPPONENT_WEIGHT) // (rules.players - 1)
    ) // 100


cdef int distance_to_end(OmegaRules rules, const StateData* s) noexcept nogil:
    """The distance to the nearest ending, in hundredths."""
    cdef int seat, place, progress = 0, done, runes
    for seat in range(rules.players):
        done = 100 * s.player[seat].token_count // rules.arcanic
        if done > progress:
            progress = done
        runes = 0
        for place in range(s.player[seat].row_size):
            runes += s.player[seat].row[place].total
        done = 100 * runes // (GALLERY_SLOTS * MAX_LOAD)
        if done > progress:
            progress = done
    done = 100 - s.bag_size * 100 // 130
    if done > progress:
        progress = done
    return 100 - progress if progress < 95 else 5


cdef int32_t evaluate_seat(
    OmegaRules rules, const StateData* s, int seat, int32_t points, int left, int viewer
) noexcept nogil:
    cdef const Player* player = &s.player[seat]
    cdef int32_t worth = points * POINT, potential = 0, loss
    cdef int type, place, size = 0, thrust = 0
    for type in range(TYPES):
        size += player.pyramid[type]
        potential += player.pyramid[type] * IN_PYRAMID[type]
    if s.announcer >= 0:
        # Each other seat has one more turn; a seat that has had it keeps what it has.
        if seat != viewer and has_turn_left(rules, s, seat):
            worth += LAST_TURN + LAST_RUNE * (size if size < 10 else 10)
        return worth
    potential += player.prestige * PRESTIGE
    for place in range(player.row_size):
        potential += evaluate_egregor(rules, &player.row[place])
        thrust += rules.card[player.row[place].card].thrust
    potential += (player.steps + thrust * TURNS * left // 100) * TOKEN // rules.squares - player.token_count * TOKEN
    loss = capture_risk(rules, s, seat)
    return worth + potential * (POTENTIAL_WEIGHT + left) // 150 - loss


cdef bint has_turn_left(OmegaRules rules, const StateData* s, int seat) noexcept nogil:
    """Whether a seat still has a turn in the final round."""
    return (seat - s.active + rules.players) % rules.players < s.final_turns_left


cdef int32_t evaluate_egregor(OmegaRules rules, const EgregorState* egregor) noexcept nogil:
    """The potential of an Egregor: progress to the tenth rune, room for runes, book powers."""
    cdef const CompiledEgregor* card = &rules.card[egregor.card]
    cdef int32_t worth = EGREGOR + 8 * egregor.total * (MAX_LOAD - egregor.total)
    cdef int power, number
    for power in range(card.powers):
        if card.power[power].trigger == BOOK:
            for number in range(card.power[power].effects):
                if card.power[power].effect[number].op == OP_ADVANCE:
                    worth += card.power[power].effect[number].n * TOKEN // rules.squares * 4
                elif card.power[power].effect[number].op == OP_DRAW:
                    worth += card.power[power].effect[number].n * DRAWN_RUNE * 4
                elif card.power[power].effect[number].op == OP_CYCLE:
                    worth += card.power[power].effect[number].n * CYCLED_RUNE * 4
    return worth


cdef int32_t capture_risk(OmegaRules rules, const StateData* s, int seat) noexcept nogil:
    """The expected loss by a capture of the most valuable Egregor for which an opponent has enough runes."""
    cdef const Player* player = &s.player[seat]
    cdef int32_t worst = 0, loss
    cdef int place, other, type, size, largest = 0
    if player.row_size < 2 or player.lost:
        return 0
    for other in range(rules.players):
        if other != seat:
            size = 0
            for type in range(TYPES - 1):
                size += s.player[other].pyramid[type]
            if size > largest:
                largest = size
    for place in range(player.row_size):
        if player.mask == place or player.row[place].total >= MAX_LOAD or player.row[place].total * 3 > largest * 2:
            continue
        loss = player.row[place].total - rules.card[player.row[place].card].snake
        loss = (loss if loss > 0 else 0) * POINT + EGREGOR + PRESTIGE + rules.card[player.row[place].card].thrust * THRUST_SQUARE
        if loss > worst:
            worst = loss
    return worst // 3
