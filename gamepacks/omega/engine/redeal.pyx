"""Another table that a viewer cannot tell from the true one: opposing pyramids, the bag, cards looked at, and what is
being placed are drawn anew from what the viewer knows (section 15.6 of RULES.md).

Everything is constructed: nothing that the viewer cannot know goes into a table, and with the same generator two tables
that the viewer cannot tell apart give the same one.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from cext.random cimport Rng
from gamepacks.omega.engine.hands cimport Wish, choose, deal
from gamepacks.omega.engine.moves cimport (
    adds, can_pair, can_pair_first, can_place, key_fits_any, limit_of, need, takes,
)
from gamepacks.omega.engine.table cimport (
    BLACK, CARDS, F_BATCH, F_KEY_PLACE, F_PAIR_FIRST, F_PAIR_SECOND, F_TARGET, GREEN, Player, Rules, TYPES, Table,
)


cdef int redeal(Rules rules, const Table* truth, Table* out, int viewer, object rng) except -1:
    """Change ``out``, a copy of ``truth``, into such a table. ``viewer``: a seat, or -1 for the spectator."""
    cdef Rng dice = rng
    cdef int kind = truth.stack[truth.depth - 1].kind if truth.depth else 0
    cdef Wish wish
    if truth.active != viewer and (
        kind == F_BATCH or kind == F_TARGET or kind == F_PAIR_FIRST or kind == F_PAIR_SECOND
    ):
        what_is_placed(rules, truth, kind, &wish)
        deal(rules, out, viewer, &wish, dice)
        place_anew(rules, out, kind, wish.runes, dice)
    else:
        deal(rules, out, viewer, NULL, dice)
    if truth.looked and truth.active != viewer:
        look_anew(rules, out, kind, dice)
    return 0


cdef void what_is_placed(Rules rules, const Table* t, int kind, Wish* wish) noexcept nogil:
    """What everyone knows of the active player's pyramid while something is being placed."""
    cdef const Player* player = &t.player[t.active]
    cdef int type, place
    wish.types, wish.colours, wish.runes = 0, 1, 1
    if kind == F_BATCH:
        # OMEGA-CAPTURE-14: a batch of sufficient size is within reach.
        wish.types, wish.colours, wish.runes = (1 << BLACK) - 1, limit_of(rules, t), need(t)
        if t.batch_size > wish.runes:
            wish.runes = t.batch_size
    elif kind == F_PAIR_SECOND:
        # Two decisions have been made and nothing lies yet: it is a pair of greens.
        wish.types, wish.runes = 1 << GREEN, 2
    else:
        for type in range(BLACK):
            for place in range(player.owned):
                if takes(rules, &player.row[place], type):
                    wish.types |= 1 << type


cdef int place_anew(Rules rules, Table* out, int kind, int needed, Rng dice) except -1:
    """Choose anew what the active player is placing."""
    cdef Player* player = &out.player[out.active]
    cdef int[TYPES + 1] choices
    cdef int type, place, count, size
    if kind == F_BATCH:
        size = out.batch_size
        memset(out.batch, 0, sizeof(out.batch))
        out.batch_size = 0
        while out.batch_size < size:
            count = 0
            for type in range(BLACK):
                if adds(player, out.batch, out.batch_size, limit_of(rules, out), needed, type):
                    choices[count] = type
                    count += 1
            type = one_of(choices, count, dice)
            out.batch[type] += 1
            out.batch_size += 1
        return 0
    count = 0
    if kind == F_PAIR_SECOND:
        for place in range(player.owned):
            if can_pair_first(rules, player, place):
                choices[count] = place
                count += 1
        out.stack[out.depth - 1].a = one_of(choices, count, dice)
        return 0
    for type in range(BLACK):
        if can_place(rules, player, type):
            choices[count] = type
            count += 1
    if not rules.consecutive and can_pair(rules, player):
        choices[count] = TYPES
        count += 1
    type = one_of(choices, count, dice)
    out.stack[out.depth - 1].kind = F_PAIR_FIRST if type == TYPES else F_TARGET
    out.stack[out.depth - 1].a = 0 if type == TYPES else type
    return 0


cdef int one_of(const int* choices, int count, Rng dice) except -1:
    if not count:
        raise RuntimeError("a resampled pyramid does not allow what is being placed")
    return choices[dice.bounded(count)]


cdef int look_anew(Rules rules, Table* out, int kind, Rng dice) except -1:
    """Choose anew which cards of the deck are being looked at."""
    cdef uint64_t certain = out.certain, unseen = out.deck | out.looked & ~certain
    cdef int[CARDS] fitting
    cdef int[CARDS] others
    cdef int[CARDS] chosen
    cdef int fit = 0, rest = 0, card, wanted = 0, i, number
    cdef bint some = kind == F_KEY_PLACE
    for card in range(CARDS):
        if (out.looked & ~certain) >> card & 1:
            wanted += 1
    # A card has been chosen already: at least one of them fits some Key.
    out.looked = unseen | certain
    for card in range(CARDS):
        if kind == F_KEY_PLACE and key_fits_any(rules, out, card):
            if certain >> card & 1:
                some = False
            else:
                fitting[fit] = card
                fit += 1
        elif unseen >> card & 1:
            others[rest] = card
            rest += 1
    number = how_many_fit(fit, rest, wanted, some, dice)
    out.looked = certain | several(fitting, fit, number, dice) | several(others, rest, wanted - number, dice)
    out.deck = unseen & ~out.looked
    if kind == F_KEY_PLACE:
        i = 0
        for card in range(CARDS):
            if out.looked >> card & 1 and key_fits_any(rules, out, card):
                chosen[i] = card
                i += 1
        out.stack[out.depth - 1].a = one_of(chosen, i, dice)
    return 0


cdef int how_many_fit(int fit, int rest, int wanted, bint some, Rng dice) except -1:
    """How many of ``wanted`` cards out of ``fit`` that fit and ``rest`` that do not are of the first kind; at least one
    if ``some``."""
    cdef double[CARDS + 1] ways
    cdef double total = 0, left
    cdef int number, found = -1
    for number in range(min(fit, wanted) + 1):
        ways[number] = 0
        if number >= some and wanted - number <= rest:
            ways[number] = choose(fit, number) * choose(rest, wanted - number)
            total += ways[number]
    left = total * (dice.next64() >> 11) * 2.0 ** -53
    for number in range(min(fit, wanted) + 1):
        if ways[number] > 0:
            found = number
            left -= ways[number]
            if left < 0:
                break
    if found < 0:
        raise RuntimeError("no card that may be looked at fits a Key, though one was chosen")
    return found


cdef uint64_t several(int* cards, int count, int wanted, Rng dice) noexcept:
    """Some of the cards, each choice equally likely."""
    cdef uint64_t found = 0
    cdef int i, j
    for i in range(wanted):
        j = i + dice.bounded(count - i)
        cards[i], cards[j] = cards[j], cards[i]
        found |= <uint64_t> 1 << cards[i]
    return found
