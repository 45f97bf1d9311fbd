# Resampling: another state that a viewer cannot distinguish from the true one (section 15.6 of RULES.md).
#
# Opposing pyramids, the bag, the cards looked at and the runes being placed are drawn anew from what the viewer knows.
# No value that the viewer cannot know is used: with the same random numbers, two states that the viewer cannot distinguish
# give the same result.
#
# A viewer knows the size of each pyramid, the runes in it that entered face up and have not left since (``shown``), and
# all runes outside the bag and the opposing pyramids. After a failed search it knows that the bag has no rune of that
# type (``absent``).

# The runes that are hidden from a viewer.
cdef struct HiddenRunes:
    # Runes by type that are in the bag or hidden in pyramids.
    int[TYPES] pool
    # Types that the bag is known not to have: all of these runes are in pyramids.
    bint[TYPES] absent
    int absent_total
    int total
    # Hidden runes in each pyramid; 0 for the viewer's own.
    int[SEATS] slots
    int all_slots


# A constraint on the active player's pyramid: the ``colours`` largest counts among ``types`` (a bit each) add up to at
# least ``runes``.
cdef struct HandConstraint:
    int types
    int colours
    int runes


cdef int resample(OmegaRules rules, const StateData* truth, StateData* out, int viewer, Rng rng) except -1:
    """Resample ``out``, a copy of ``truth``, for ``viewer``: a seat, or -1 for the spectator."""
    cdef int kind = truth.stack[truth.depth - 1].kind if truth.depth else 0
    cdef HandConstraint constraint
    if truth.active != viewer and (
        kind == FRAME_KIND_BATCH or kind == FRAME_KIND_TARGET
        or kind == FRAME_KIND_PAIR_FIRST or kind == FRAME_KIND_PAIR_SECOND
    ):
        constrain_placing(rules, truth, kind, &constraint)
        deal_hidden_runes(rules, out, viewer, &constraint, rng)
        resample_placing(rules, out, kind, constraint.runes, rng)
    else:
        deal_hidden_runes(rules, out, viewer, NULL, rng)
    if truth.looked and truth.active != viewer:
        resample_looked(rules, out, kind, rng)
    return 0


cdef void constrain_placing(OmegaRules rules, const StateData* s, int kind, HandConstraint* constraint) noexcept nogil:
    """Set the constraint that a placing in progress puts on the active player's pyramid, by public facts."""
    cdef const Player* player = &s.player[s.active]
    cdef int type, place
    constraint.types, constraint.colours, constraint.runes = 0, 1, 1
    if kind == FRAME_KIND_BATCH:
        # OMEGA-CAPTURE-14: the pyramid allows a batch of sufficient size.
        constraint.types, constraint.colours = (1 << BLACK) - 1, batch_colour_limit(rules, s)
        constraint.runes = max(smallest_batch(s), s.batch_size)
    elif kind == FRAME_KIND_PAIR_SECOND:
        # Two decisions without a placed rune show that it is a pair of greens.
        constraint.types, constraint.runes = 1 << GREEN, 2
    else:
        for type in range(BLACK):
            for place in range(player.row_size):
                if can_carry(rules, &player.row[place], type):
                    constraint.types |= 1 << type


cdef int resample_placing(OmegaRules rules, StateData* out, int kind, int needed, Rng rng) except -1:
    """Draw anew the runes that the active player is placing."""
    cdef Player* player = &out.player[out.active]
    cdef int[TYPES + 1] choices
    cdef int type, place, count, size
    if kind == FRAME_KIND_BATCH:
        size = out.batch_size
        memset(out.batch, 0, sizeof(out.batch))
        out.batch_size = 0
        while out.batch_size < size:
            count = 0
            for type in range(BLACK):
                if can_add(player, out.batch, out.batch_size, batch_colour_limit(rules, out), needed, type):
                    choices[count] = type
                    count += 1
            type = choose_one(choices, count, rng)
            out.batch[type] += 1
            out.batch_size += 1
        return 0
    count = 0
    if kind == FRAME_KIND_PAIR_SECOND:
        for place in range(player.row_size):
            if can_pair_first(rules, player, place):
                choices[count] = place
                count += 1
        out.stack[out.depth - 1].a = choose_one(choices, count, rng)
        return 0
    for type in range(BLACK):
        if can_place(rules, player, type):
            choices[count] = type
            count += 1
    if not rules.consecutive and can_pair(rules, player):
        choices[count] = TYPES
        count += 1
    type = choose_one(choices, count, rng)
    out.stack[out.depth - 1].kind = FRAME_KIND_PAIR_FIRST if type == TYPES else FRAME_KIND_TARGET
    out.stack[out.depth - 1].a = 0 if type == TYPES else type
    return 0


cdef int choose_one(const int* choices, int count, Rng rng) except -1:
    if not count:
        raise RuntimeError("the resampled state allows none of the choices that have been made")
    return choices[rng.bounded(count)]


cdef int resample_looked(OmegaRules rules, StateData* out, int kind, Rng rng) except -1:
    """Draw anew the cards that are being looked at."""
    cdef uint64_t certain = out.certain, hidden = out.deck | out.looked & ~certain
    cdef int[CARDS] fitting
    cdef int[CARDS] others
    cdef int[CARDS] chosen
    cdef int fit = 0, rest = 0, card, wanted = 0, i, number
    cdef bint some = kind == FRAME_KIND_KEY_PLACE
    for card in range(CARDS):
        if (out.looked & ~certain) >> card & 1:
            wanted += 1
    # In a KEY_PLACE frame a card has been chosen, so at least one of the cards can replace a Key.
    out.looked = hidden | certain
    for card in range(CARDS):
        if kind == FRAME_KIND_KEY_PLACE and can_replace_any_key(rules, out, card):
            if certain >> card & 1:
                some = False
            else:
                fitting[fit] = card
                fit += 1
        elif hidden >> card & 1:
            others[rest] = card
            rest += 1
    number = how_many_fit(fit, rest, wanted, some, rng)
    out.looked = certain | sample_cards(fitting, fit, number, rng) | sample_cards(others, rest, wanted - number, rng)
    out.deck = hidden & ~out.looked
    if kind == FRAME_KIND_KEY_PLACE:
        i = 0
        for card in range(CARDS):
            if out.looked >> card & 1 and can_replace_any_key(rules, out, card):
                chosen[i] = card
                i += 1
        out.stack[out.depth - 1].a = choose_one(chosen, i, rng)
    return 0


cdef int how_many_fit(int fit, int rest, int wanted, bint some, Rng rng) except -1:
    """Draw how many of ``wanted`` cards are among the ``fit`` that can replace a Key, not among the ``rest``; at least
    one if ``some``."""
    cdef double[CARDS + 1] ways
    cdef double total = 0, left
    cdef int number, found = -1
    for number in range(min(fit, wanted) + 1):
        ways[number] = 0
        if number >= some and wanted - number <= rest:
            ways[number] = binomial(fit, number) * binomial(rest, wanted - number)
            total += ways[number]
    left = total * (rng.next64() >> 11) * 2.0 ** -53
    for number in range(min(fit, wanted) + 1):
        if ways[number] > 0:
            found = number
            left -= ways[number]
            if left < 0:
                break
    if found < 0:
        raise RuntimeError("no card of the deck can replace a Key, though one was chosen")
    return found


cdef uint64_t sample_cards(int* cards, int count, int wanted, Rng rng) noexcept:
    """Draw some of the cards as a mask, each subset equally likely."""
    cdef uint64_t found = 0
    cdef int i, j
    for i in range(wanted):
        j = i + rng.bounded(count - i)
        cards[i], cards[j] = cards[j], cards[i]
        found |= <uint64_t> 1 << cards[i]
    return found


# -- runes that a viewer does not see ---------------------------------------


cdef void count_hidden_runes(OmegaRules rules, const StateData* s, int viewer, HiddenRunes* out) noexcept nogil:
    """Count the runes that are hidden from ``viewer``, a seat or -1 for the spectator."""
    cdef int seat, type, unknown
    memset(out, 0, sizeof(HiddenRunes))
    for type in range(TYPES):
        out.pool[type] = s.bag[type]
        out.absent[type] = s.absent[type]
    for seat in range(rules.players):
        if seat == viewer:
            continue
        for type in range(TYPES):
            unknown = s.player[seat].pyramid[type] - s.player[seat].shown[type]
            out.slots[seat] += unknown
            out.pool[type] += unknown
        out.all_slots += out.slots[seat]
    for type in range(TYPES):
        out.total += out.pool[type]
        if out.absent[type]:
            out.absent_total += out.pool[type]


cdef int min_hidden(const HiddenRunes* hidden, int seat, int type) noexcept nogil:
    """The fewest hidden runes of a type that a pyramid can hold."""
    cdef int slots = hidden.slots[seat]
    # Slots that other types cannot fill; or, if the bag has no rune of the type, runes for which other pyramids have no slot.
    cdef int found = slots - (hidden.total - hidden.pool[type])
    cdef int forced = hidden.pool[type] - (hidden.all_slots - slots) if hidden.absent[type] else 0
    if forced > found:
        found = forced
    return found if found > 0 else 0


cdef int max_hidden(const HiddenRunes* hidden, int seat, int type) noexcept nogil:
    """The most hidden runes of a type that a pyramid can hold."""
    cdef int found = hidden.slots[seat]
    # The pyramids must have room for all runes that the bag is known not to have.
    cdef int room = hidden.all_slots - hidden.absent_total
    if hidden.pool[type] < found:
        found = hidden.pool[type]
    return room if not hidden.absent[type] and room < found else found


# -- pyramids ---------------------------------------
#
# Every distribution of the hidden runes is equally likely. If the active player's pyramid is constrained, deals that
# violate the constraint are rejected; after MAX_DEALS its runes are drawn by exact probabilities, counted over all hands
# that satisfy it. So a hand is found even if it is rare.


# Rejected deals after which the hand is drawn by exact probabilities.
cdef int MAX_DEALS = 40


cdef int deal_hidden_runes(
    OmegaRules rules, StateData* out, int viewer, const HandConstraint* constraint, Rng rng
) except -1:
    """Draw the pyramids hidden from ``viewer``, and the bag. ``constraint``: on the active player's; NULL for none."""
    cdef HiddenRunes hidden
    cdef int number
    count_hidden_runes(rules, out, viewer, &hidden)
    for number in range(MAX_DEALS):
        clear_hidden_runes(rules, out, viewer)
        deal_rest(rules, out, &hidden, rng)
        if constraint == NULL or satisfies(&out.player[out.active], constraint):
            return 0
    clear_hidden_runes(rules, out, viewer)
    deal_active_hand(out, &hidden, constraint, rng)
    deal_rest(rules, out, &hidden, rng)
    return 0


cdef void clear_hidden_runes(OmegaRules rules, StateData* out, int viewer) noexcept nogil:
    """Leave only the shown runes in the pyramids that the viewer does not see."""
    cdef int seat, type
    for seat in range(rules.players):
        if seat != viewer:
            for type in range(TYPES):
                out.player[seat].pyramid[type] = out.player[seat].shown[type]


cdef void deal_rest(OmegaRules rules, StateData* out, const HiddenRunes* hidden, Rng rng) noexcept:
    """Deal the hidden runes into the free hidden slots; the rest is the bag."""
    cdef int[TYPES] pool
    cdef unsigned char[160] seats
    cdef int seat, type, slots = 0, i, j, left = 0
    for type in range(TYPES):
        pool[type] = hidden.pool[type]
    for seat in range(rules.players):
        j = hidden.slots[seat]
        if not j:
            continue
        # Runes that deal_active_hand has drawn are there already.
        for type in range(TYPES):
            i = out.player[seat].pyramid[type] - out.player[seat].shown[type]
            pool[type] -= i
            j -= i
        for i in range(j):
            seats[slots] = seat
            slots += 1
    for i in range(slots - 1, 0, -1):
        j = rng.bounded(i + 1)
        seats[i], seats[j] = seats[j], seats[i]
    # Types that the bag is known not to have are in the pyramids.
    for type in range(TYPES):
        if hidden.absent[type]:
            while pool[type]:
                slots -= 1
                out.player[seats[slots]].pyramid[type] += 1
                pool[type] -= 1
        left += pool[type]
    while slots:
        slots -= 1
        j = rng.bounded(left)
        type = 0
        while j >= pool[type]:
            j -= pool[type]
            type += 1
        pool[type] -= 1
        left -= 1
        out.player[seats[slots]].pyramid[type] += 1
    for type in range(TYPES):
        out.bag[type] = pool[type]


cdef bint satisfies(const Player* player, const HandConstraint* constraint) noexcept nogil:
    cdef int first = 0, second = 0, type
    for type in range(TYPES):
        if constraint.types >> type & 1:
            keep_largest(&first, &second, player.pyramid[type], constraint)
    return first + second >= constraint.runes


cdef inline void keep_largest(int* first, int* second, int number, const HandConstraint* constraint) noexcept nogil:
    """Update the largest two counts, or the largest one where the batch has one colour."""
    if number > constraint.runes:
        number = constraint.runes
    if number > first[0]:
        second[0] = first[0]
        first[0] = number
    elif number > second[0]:
        second[0] = number
    if constraint.colours == 1:
        second[0] = 0


# -- hands by exact probabilities ---------------------------------------

# Number of ways to complete a hand, by the types that are left, the runes in it, those among them of absent types, and
# the largest two counts of a type.
cdef struct WayTable:
    int slots
    int absent
    int ranks
    double* way


cdef inline double* way_at(const WayTable* ways, int type, int used, int absent, int first, int second) noexcept nogil:
    cdef size_t place = type
    place = place * (ways.slots + 1) + used
    place = place * (ways.absent + 1) + absent
    place = place * ways.ranks + first
    return ways.way + place * ways.ranks + second


cdef int deal_active_hand(
    StateData* out, const HiddenRunes* hidden, const HandConstraint* constraint, Rng rng
) except -1:
    """Draw the hidden runes of the active player's pyramid among all hands that satisfy the constraint."""
    cdef Player* player = &out.player[out.active]
    cdef WayTable ways
    cdef int type, number, used = 0, absent = 0, first = 0, second = 0
    cdef double left
    ways.slots = hidden.slots[out.active]
    ways.absent = min(ways.slots, hidden.absent_total)
    ways.ranks = constraint.runes + 1
    ways.way = <double*> calloc(
        <size_t> (TYPES + 1) * (ways.slots + 1) * (ways.absent + 1) * ways.ranks * ways.ranks, sizeof(double)
    )
    if ways.way == NULL:
        raise MemoryError()
    try:
        count_ways(player, hidden, constraint, &ways)
        if way_at(&ways, 0, 0, 0, 0, 0)[0] <= 0:
            raise RuntimeError("no pyramid of the active player allows the choices that have been made")
        for type in range(TYPES):
            left = way_at(&ways, type, used, absent, first, second)[0] * (rng.next64() >> 11) * 2.0 ** -53
            number = choose_count(player, hidden, constraint, &ways, type, used, absent, first, second, left)
            player.pyramid[type] += number
            used += number
            if hidden.absent[type]:
                absent += number
            if constraint.types >> type & 1:
                keep_largest(&first, &second, player.pyramid[type], constraint)
    finally:
        free(ways.way)
    return 0


cdef void count_ways(
    const Player* player, const HiddenRunes* hidden, const HandConstraint* constraint, WayTable* ways
) noexcept nogil:
    cdef int type, used, absent, first, second, number
    cdef double total
    for absent in range(ways.absent + 1):
        for first in range(ways.ranks):
            for second in range(ways.ranks if constraint.colours > 1 else 1):
                if first + second >= constraint.runes:
                    way_at(ways, TYPES, ways.slots, absent, first, second)[0] = ways_of_others(hidden, ways, absent)
    for type in range(TYPES - 1, -1, -1):
        for used in range(ways.slots + 1):
            for absent in range(min(used, ways.absent) + 1):
                for first in range(ways.ranks):
                    for second in range((first if constraint.colours > 1 else 0) + 1):
                        total = 0
                        for number in range(min(hidden.pool[type], ways.slots - used) + 1):
                            total += ways_with(
                                player, hidden, constraint, ways, type, used, absent, first, second, number
                            )
                        way_at(ways, type, used, absent, first, second)[0] = total


cdef int choose_count(
    const Player* player, const HiddenRunes* hidden, const HandConstraint* constraint, const WayTable* ways,
    int type, int used, int absent, int first, int second, double left
) noexcept nogil:
    """The number of runes of a type in whose share of the ways ``left`` falls."""
    cdef int number, found = 0
    cdef double share
    for number in range(min(hidden.pool[type], ways.slots - used) + 1):
        share = ways_with(player, hidden, constraint, ways, type, used, absent, first, second, number)
        if share > 0:
            found = number
            left -= share
            if left < 0:
                break
    return found


cdef double ways_with(
    const Player* player, const HiddenRunes* hidden, const HandConstraint* constraint, const WayTable* ways,
    int type, int used, int absent, int first, int second, int number
) noexcept nogil:
    """The ways to complete the hand with ``number`` runes of a type."""
    if hidden.absent[type]:
        absent += number
        if absent > ways.absent:
            return 0
    if constraint.types >> type & 1:
        keep_largest(&first, &second, player.shown[type] + number, constraint)
    return binomial(hidden.pool[type], number) * way_at(ways, type + 1, used + number, absent, first, second)[0]


cdef double ways_of_others(const HiddenRunes* hidden, const WayTable* ways, int absent) noexcept nogil:
    """The share of the ways to deal the other runes that leaves the bag no rune of an absent type."""
    cdef int room = hidden.all_slots - ways.slots, rest = hidden.total - ways.slots, i
    cdef double share = 1
    for i in range(hidden.absent_total - absent):
        if i >= room:
            return 0
        share *= <double> (room - i) / (rest - i)
    return share


cdef double binomial(int whole, int part) noexcept nogil:
    cdef double ways = 1
    cdef int i
    for i in range(part):
        ways = ways * (whole - i) / (i + 1)
    return ways
