"""Opposing pyramids drawn anew from what a viewer knows; every way to lay the runes that it does not see is equally
likely.

Where the active player's pyramid is known to allow what is being placed, deals that do not are drawn again; after a few
tries its runes are drawn from the exact odds instead, which are counted for all hands that allow it. So a hand is found
however rare it is, and the truth is never needed.
"""

from libc.stdlib cimport calloc, free

from cext.random cimport Rng
from gamepacks.omega.engine.table cimport Player, Rules, TYPES, Table
from gamepacks.omega.engine.unseen cimport Unseen, look

# Deals before the odds are counted.
cdef int TRIES = 40


cdef int deal(Rules rules, Table* out, int viewer, const Wish* wish, Rng dice) except -1:
    """Draw the pyramids that ``viewer`` does not see, and the bag. ``wish``: what the active one holds; NULL for any."""
    cdef Unseen unseen
    cdef int number
    look(rules, out, viewer, &unseen)
    for number in range(TRIES):
        strip(rules, out, viewer)
        lay_out(rules, out, &unseen, dice)
        if wish == NULL or granted(&out.player[out.active], wish):
            return 0
    strip(rules, out, viewer)
    draw_active(out, &unseen, wish, dice)
    lay_out(rules, out, &unseen, dice)
    return 0


cdef void strip(Rules rules, Table* out, int viewer) noexcept nogil:
    # Only what was shown is left of the pyramids that the viewer does not see.
    cdef int seat, type
    for seat in range(rules.players):
        if seat != viewer:
            for type in range(TYPES):
                out.player[seat].pyramid[type] = out.player[seat].shown[type]


cdef void lay_out(Rules rules, Table* out, const Unseen* unseen, Rng dice) noexcept:
    """Lay the unseen runes on what is free of the unseen slots; what is left is the bag."""
    cdef int[TYPES] pool
    cdef unsigned char[160] seats
    cdef int seat, type, slots = 0, i, j, left = 0
    for type in range(TYPES):
        pool[type] = unseen.pool[type]
    for seat in range(rules.players):
        j = unseen.slots[seat]
        if not j:
            continue
        # Runes drawn before lie there already.
        for type in range(TYPES):
            i = out.player[seat].pyramid[type] - out.player[seat].shown[type]
            pool[type] -= i
            j -= i
        for i in range(j):
            seats[slots] = seat
            slots += 1
    for i in range(slots - 1, 0, -1):
        j = dice.bounded(i + 1)
        seats[i], seats[j] = seats[j], seats[i]
    # What the bag is known to have none of lies in the pyramids.
    for type in range(TYPES):
        if unseen.absent[type]:
            while pool[type]:
                slots -= 1
                out.player[seats[slots]].pyramid[type] += 1
                pool[type] -= 1
        left += pool[type]
    while slots:
        slots -= 1
        j = dice.bounded(left)
        type = 0
        while j >= pool[type]:
            j -= pool[type]
            type += 1
        pool[type] -= 1
        left -= 1
        out.player[seats[slots]].pyramid[type] += 1
    for type in range(TYPES):
        out.bag[type] = pool[type]


cdef bint granted(const Player* player, const Wish* wish) noexcept nogil:
    cdef int first = 0, second = 0, type
    for type in range(TYPES):
        if wish.types >> type & 1:
            ranked(&first, &second, player.pyramid[type], wish)
    return first + second >= wish.runes


cdef inline void ranked(int* first, int* second, int number, const Wish* wish) noexcept nogil:
    # One more number; the largest two are kept, or the largest one.
    if number > wish.runes:
        number = wish.runes
    if number > first[0]:
        second[0] = first[0]
        first[0] = number
    elif number > second[0]:
        second[0] = number
    if wish.colours == 1:
        second[0] = 0


# -- the exact odds ---------------------------------------

# The ways to go on are counted backwards over the types, for each number of runes in the hand so far, of those among
# them that the bag has none of, and of the largest two numbers of a type.
cdef struct Ways:
    int slots
    int absent
    int ranks
    double* way


cdef inline double* at(const Ways* ways, int type, int used, int absent, int first, int second) noexcept nogil:
    cdef size_t place = type
    place = place * (ways.slots + 1) + used
    place = place * (ways.absent + 1) + absent
    place = place * ways.ranks + first
    return ways.way + place * ways.ranks + second


cdef int draw_active(Table* out, const Unseen* unseen, const Wish* wish, Rng dice) except -1:
    """Draw the unknown runes of the active player's pyramid among all hands that grant the wish."""
    cdef Player* player = &out.player[out.active]
    cdef Ways ways
    cdef int type, number, used = 0, absent = 0, first = 0, second = 0
    cdef double left
    ways.slots = unseen.slots[out.active]
    ways.absent = min(ways.slots, unseen.absent_total)
    ways.ranks = wish.runes + 1
    ways.way = <double*> calloc(
        <size_t> (TYPES + 1) * (ways.slots + 1) * (ways.absent + 1) * ways.ranks * ways.ranks, sizeof(double)
    )
    if ways.way == NULL:
        raise MemoryError()
    try:
        count_ways(player, unseen, wish, &ways)
        if at(&ways, 0, 0, 0, 0, 0)[0] <= 0:
            raise RuntimeError("no pyramid of the active player agrees with what is being placed")
        for type in range(TYPES):
            left = at(&ways, type, used, absent, first, second)[0] * (dice.next64() >> 11) * 2.0 ** -53
            number = chosen(player, unseen, wish, &ways, type, used, absent, first, second, left)
            player.pyramid[type] += number
            used += number
            if unseen.absent[type]:
                absent += number
            if wish.types >> type & 1:
                ranked(&first, &second, player.pyramid[type], wish)
    finally:
        free(ways.way)
    return 0


cdef void count_ways(const Player* player, const Unseen* unseen, const Wish* wish, Ways* ways) noexcept nogil:
    cdef int type, used, absent, first, second, number
    cdef double total
    for absent in range(ways.absent + 1):
        for first in range(ways.ranks):
            for second in range(ways.ranks if wish.colours > 1 else 1):
                if first + second >= wish.runes:
                    at(ways, TYPES, ways.slots, absent, first, second)[0] = ways_of_others(unseen, ways, absent)
    for type in range(TYPES - 1, -1, -1):
        for used in range(ways.slots + 1):
            for absent in range(min(used, ways.absent) + 1):
                for first in range(ways.ranks):
                    for second in range((first if wish.colours > 1 else 0) + 1):
                        total = 0
                        for number in range(min(unseen.pool[type], ways.slots - used) + 1):
                            total += ways_with(player, unseen, wish, ways, type, used, absent, first, second, number)
                        at(ways, type, used, absent, first, second)[0] = total


cdef int chosen(
    const Player* player, const Unseen* unseen, const Wish* wish, const Ways* ways, int type, int used, int absent,
    int first, int second, double left
) noexcept nogil:
    """How many runes of a type: the number in whose share of the ways ``left`` falls."""
    cdef int number, found = 0
    cdef double share
    for number in range(min(unseen.pool[type], ways.slots - used) + 1):
        share = ways_with(player, unseen, wish, ways, type, used, absent, first, second, number)
        if share > 0:
            found = number
            left -= share
            if left < 0:
                break
    return found


cdef double ways_with(
    const Player* player, const Unseen* unseen, const Wish* wish, const Ways* ways, int type, int used, int absent,
    int first, int second, int number
) noexcept nogil:
    """The ways to go on with so many runes of a type."""
    if unseen.absent[type]:
        absent += number
        if absent > ways.absent:
            return 0
    if wish.types >> type & 1:
        ranked(&first, &second, player.shown[type] + number, wish)
    return choose(unseen.pool[type], number) * at(ways, type + 1, used + number, absent, first, second)[0]


cdef double ways_of_others(const Unseen* unseen, const Ways* ways, int absent) noexcept nogil:
    """The share of the ways to lay the rest of the runes that leaves the bag none of what it is known to have none of."""
    cdef int room = unseen.all_slots - ways.slots, rest = unseen.total - ways.slots, i
    cdef double share = 1
    for i in range(unseen.absent_total - absent):
        if i >= room:
            return 0
        share *= <double> (room - i) / (rest - i)
    return share


cdef double choose(int whole, int part) noexcept nogil:
    cdef double ways = 1
    cdef int i
    for i in range(part):
        ways = ways * (whole - i) / (i + 1)
    return ways
