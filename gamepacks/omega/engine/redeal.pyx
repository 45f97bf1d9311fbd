"""Another table that a viewer cannot tell from the true one: opposing pyramids, the bag, cards looked at, and what is
being placed are drawn anew from what the viewer knows (section 15.6 of RULES.md).

The viewer knows the number of runes in each pyramid, what of it entered in the open and has not left since (``shown``),
and all runes but those of the bag and the opposing pyramids. After a search in vain it knows that the bag has none of
that colour (``absent``).
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from cext.random cimport Rng
from gamepacks.omega.engine.moves cimport adds, can_pair, can_place, key_fits_any, limit_of, need, reach
from gamepacks.omega.engine.table cimport (
    BLACK, CARDS, F_BATCH, F_KEY_PLACE, F_PAIR_FIRST, F_PAIR_SECOND, F_TARGET, GREEN, Player, Rules, TYPES, Table,
)

# Tries before the acting player's pyramid is drawn with the runes that the placing needs put in first.
cdef int TRIES = 40
cdef int MORE_TRIES = 2000


cdef int redeal(Rules rules, const Table* truth, Table* out, int viewer, object rng) except -1:
    """Change ``out``, a copy of ``truth``, into such a table. ``viewer``: a seat, or -1 for the spectator."""
    cdef Rng dice = rng
    cdef int kind = truth.stack[truth.depth - 1].kind if truth.depth else 0
    cdef bint placing = truth.active != viewer and (
        kind == F_BATCH or kind == F_TARGET or kind == F_PAIR_FIRST or kind == F_PAIR_SECOND
    )
    cdef int number
    for number in range(TRIES + MORE_TRIES):
        memcpy(out, truth, sizeof(Table))
        if not deal(rules, out, viewer, dice, placing and number >= TRIES):
            continue
        if not placing or place_anew(rules, truth, out, kind, dice):
            break
    else:
        # Never reached in practice: the true table is among those that are drawn from.
        memcpy(out, truth, sizeof(Table))
    if truth.looked and truth.active != viewer:
        look_anew(rules, truth, out, kind, dice)
    return 0


cdef bint deal(Rules rules, Table* out, int viewer, Rng dice, bint favour):
    """Draw the opposing pyramids; False where that came to a dead end. ``favour``: put runes of at most two random
    colours first into the active player's, as many as the batch needs."""
    cdef int[TYPES] pool
    cdef uint8_t[160] seats
    cdef int seat, type, slots = 0, i, j, left = 0, first, second, missing, size
    cdef Player* player
    for type in range(TYPES):
        pool[type] = out.bag[type]
    for seat in range(rules.players):
        if seat == viewer:
            continue
        player = &out.player[seat]
        for type in range(TYPES):
            for i in range(player.pyramid[type] - player.shown[type]):
                seats[slots] = seat
                slots += 1
            pool[type] += player.pyramid[type] - player.shown[type]
            player.pyramid[type] = player.shown[type]
    for i in range(slots - 1, 0, -1):
        j = dice.bounded(i + 1)
        seats[i], seats[j] = seats[j], seats[i]
    if favour:
        first, second = dice.bounded(BLACK), dice.bounded(BLACK)
        player = &out.player[out.active]
        size = out.batch_size
        if out.stack[out.depth - 1].kind == F_BATCH and need(out) > size:
            size = need(out)
        elif out.stack[out.depth - 1].kind != F_BATCH:
            first = second
            size = 2 if first == GREEN else 1
        missing = size - player.pyramid[first] - (player.pyramid[second] if first != second else 0)
        for i in range(slots - 1, -1, -1):
            if missing <= 0:
                break
            if seats[i] == out.active:
                type = first if pool[first] and (not pool[second] or dice.bounded(2)) else second
                if not pool[type]:
                    return False
                pool[type] -= 1
                player.pyramid[type] += 1
                missing -= 1
                slots -= 1
                seats[i] = seats[slots]
        if missing > 0:
            return False
    # What the bag is known to have none of lies in the pyramids.
    for type in range(TYPES):
        if out.absent[type]:
            while pool[type]:
                if not slots:
                    return False
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
    return True


cdef bint place_anew(Rules rules, const Table* truth, Table* out, int kind, Rng dice):
    """Choose anew what the active player is placing; False where its pyramid allows nothing."""
    cdef Player* player = &out.player[out.active]
    cdef int[TYPES + 1] choices
    cdef int type, count, size, needed
    if kind == F_BATCH:
        size, needed = truth.batch_size, need(truth)
        if size > needed:
            needed = size
        memset(out.batch, 0, sizeof(out.batch))
        out.batch_size = 0
        if reach(player, out.batch, limit_of(rules, out)) < needed:
            return False
        while out.batch_size < size:
            count = 0
            for type in range(BLACK):
                if adds(player, out.batch, out.batch_size, limit_of(rules, out), needed, type):
                    choices[count] = type
                    count += 1
            if not count:
                return False
            type = choices[dice.bounded(count)]
            out.batch[type] += 1
            out.batch_size += 1
        return True
    count = 0
    for type in range(BLACK):
        if can_place(rules, player, type):
            choices[count] = type
            count += 1
    if not rules.consecutive and can_pair(rules, player):
        choices[count] = TYPES
        count += 1
    if not count:
        return False
    type = choices[dice.bounded(count)]
    out.stack[out.depth - 1].kind = F_PAIR_FIRST if type == TYPES else F_TARGET
    out.stack[out.depth - 1].a = 0 if type == TYPES else type
    return True


cdef int look_anew(Rules rules, const Table* truth, Table* out, int kind, Rng dice) except -1:
    """Choose anew which cards of the deck are being looked at."""
    cdef uint64_t union = truth.deck | truth.looked & ~truth.certain
    cdef int[CARDS] cards
    cdef int count = 0, card, wanted = 0, i, j, number
    for card in range(CARDS):
        if union >> card & 1:
            cards[count] = card
            count += 1
        if (truth.looked & ~truth.certain) >> card & 1:
            wanted += 1
    for number in range(MORE_TRIES):
        for i in range(wanted):
            j = i + dice.bounded(count - i)
            cards[i], cards[j] = cards[j], cards[i]
        out.looked = truth.certain
        for i in range(wanted):
            out.looked |= <uint64_t> 1 << cards[i]
        out.deck = union & ~out.looked
        if kind != F_KEY_PLACE:
            return 0
        # A card has been chosen already: one that fits some Key.
        i = 0
        for card in range(CARDS):
            if out.looked >> card & 1 and key_fits_any(rules, out, card):
                i += 1
                if dice.bounded(i) == 0:
                    out.stack[out.depth - 1].a = card
        if i:
            return 0
    out.looked, out.deck = truth.looked, truth.deck
    out.stack[out.depth - 1].a = truth.stack[truth.depth - 1].a
    return 0
