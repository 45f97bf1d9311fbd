"""What viewers can still conclude about cards that they do not know: gamepacks.api.beliefs, on the tokens of a table.

A token is a physical card: its face (``card``), who knows it (``known``), and for each viewer the *region* in which it
lost sight of the face (``since``; 0: never saw it) and the set of regions the token has been part of (``history``). A
face can be under those tokens whose history holds its ``since``. A region is one event of mixing: a shuffled deck, or a
hand that a card left unseen. Seats are viewers 0 and 1, the spectator is viewer 2.
"""

from libc.stdint cimport uint8_t, uint32_t

from cext.random cimport Rng
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.table cimport clear, EVERYONE, has, insert, KEPT_REGIONS, MOST_REGIONS, Set, Table, Token, VIEWERS
from gamepacks.omen.engine.vocabulary cimport *

# Passes of random exchanges where faces are bound to regions.
cdef int SWEEPS = 8


cdef int family(Table t, int token) noexcept nogil:
    """Cards with the same back: Units 0, prizes 1, Whims 2; what always lies open 3."""
    cdef int kind = t.rules.card[t.d.token[token].card].kind
    if kind == K_UNIT:
        return 0
    if kind == K_REWARD or kind == K_KRATER:
        return 1
    return 2 if kind == K_WHIM else 3


cdef inline bint fits(int region, uint32_t history) noexcept nogil:
    return region == 0 or history >> (region - 1) & 1


# -- losing sight -----------------------------------------------------------------------------------------------------


cdef int new_region(Table t) noexcept:
    if t.d.regions == MOST_REGIONS:
        forget_regions(t)
    t.d.regions += 1
    return t.d.regions


cdef void forget_regions(Table t) noexcept:
    # Number the newest regions that a face is still bound to from 1, and forget the others.
    cdef uint8_t[MOST_REGIONS + 1] number
    cdef int i, viewer, region, found = 0
    cdef uint32_t old, new
    cdef Token* token
    for i in range(MOST_REGIONS + 1):
        number[i] = 0
    for i in range(t.d.tokens):
        for viewer in range(VIEWERS):
            number[t.d.token[i].since[viewer]] = 1
    number[0] = 0
    for i in range(MOST_REGIONS, 0, -1):
        if number[i]:
            found += 1
            if found > KEPT_REGIONS:
                number[i] = 0
    found = 0
    for i in range(1, MOST_REGIONS + 1):
        if number[i]:
            found += 1
            number[i] = found
    for i in range(t.d.tokens):
        token = &t.d.token[i]
        for viewer in range(VIEWERS):
            old, new = token.history[viewer], 0
            for region in range(1, MOST_REGIONS + 1):
                if number[region] and old >> (region - 1) & 1:
                    new |= <uint32_t> 1 << (number[region] - 1)
            token.history[viewer] = new
            token.since[viewer] = number[token.since[viewer]]
    t.d.regions = found


cdef void mix_for(Table t, const Set* places, int viewer, int region) noexcept:
    # For one viewer these tokens can no longer be told apart; with a region, not even those whose face it knew.
    cdef int i, known = 1 << viewer
    cdef uint32_t merged = (<uint32_t> 1 << (region - 1)) if region else 0
    cdef Token* token
    for i in range(t.d.tokens):
        if has(places, i) and not t.d.token[i].known & known:
            merged |= t.d.token[i].history[viewer]
    for i in range(t.d.tokens):
        if not has(places, i):
            continue
        token = &t.d.token[i]
        if not token.known & known:
            token.history[viewer] = merged
        elif region:
            token.known &= ~known
            token.since[viewer] = region
            token.history[viewer] = merged


cdef void mix(Table t, const Set* places, const Set* placed) noexcept:
    """Tokens have been shuffled; ``placed`` are those of them that had a place before."""
    cdef int i, viewer, region = 0, known = 0
    for i in range(t.d.tokens):
        if has(placed, i):
            known |= t.d.token[i].known
    if known:
        region = new_region(t)
    for viewer in range(VIEWERS):
        mix_for(t, places, viewer, region if known >> viewer & 1 else 0)


cdef void leave(Table t, int zone, int token, int seen_by) noexcept:
    """A card is about to leave a hand or another unordered pile; who does not see its face is no longer sure of what
    stays of its kind."""
    cdef Set places
    cdef int other, viewer, known, count = 0, sure, first, region = 0, kind = family(t, token)
    cdef bint anything = t.d.regions != 0, varied
    gather(t, zone, token, seen_by)
    clear(&places)
    other = t.d.head[zone]
    while other != NONE:
        if family(t, other) == kind:
            insert(&places, other)
            count += 1
            if t.d.token[other].known & ~seen_by & EVERYONE:
                anything = True
        other = t.d.token[other].next
    if count < 2 or not anything:
        return
    for viewer in range(VIEWERS):
        known = 1 << viewer
        if seen_by & known and t.d.token[token].known & known:
            continue
        sure, first, varied = 0, NONE, False
        for other in range(t.d.tokens):
            if has(&places, other) and t.d.token[other].known & known:
                sure += 1
                if first == NONE:
                    first = t.d.token[other].card
                elif t.d.token[other].card != first:
                    varied = True
        # Unless all are known to be of one face, a viewer who does not see the card is sure of none any more.
        if seen_by & known or not sure:
            mix_for(t, &places, viewer, 0)
        elif sure < count or varied:
            if not region:
                region = new_region(t)
            mix_for(t, &places, viewer, region)


# -- coming to know ---------------------------------------------------------------------------------------------------


cdef void gather(Table t, int zone, int token, int seen_by) noexcept:
    # Let a card of a hand be, for each of those viewers, the one of its face there that it knows, if any.
    cdef int other = t.d.head[zone], viewer, known
    while other != NONE:
        if other != token and t.d.token[other].card == t.d.token[token].card:
            known = t.d.token[other].known & seen_by & ~t.d.token[token].known
            for viewer in range(VIEWERS):
                if known >> viewer & 1:
                    swap_beliefs(&t.d.token[token], &t.d.token[other], viewer)
        other = t.d.token[other].next


cdef void swap_beliefs(Token* one, Token* other, int viewer) noexcept nogil:
    cdef int known = 1 << viewer, mine = one.known & known, theirs = other.known & known
    one.known = one.known & ~known | theirs
    other.known = other.known & ~known | mine
    one.since[viewer], other.since[viewer] = other.since[viewer], one.since[viewer]
    one.history[viewer], other.history[viewer] = other.history[viewer], one.history[viewer]


cdef void show(Table t, int token, int viewers) noexcept:
    """Some viewers come to know the face of a card: for each it is the one of that face that it knew most of."""
    cdef int viewer, other, best, new = viewers & ~t.d.token[token].known, kind
    cdef Token* one = &t.d.token[token]
    cdef Token* two
    if not new:
        return
    if t.d.regions:
        kind = family(t, token)
        for viewer in range(VIEWERS):
            if not new >> viewer & 1:
                continue
            best = token
            for other in range(t.d.tokens):
                two = &t.d.token[other]
                if (
                    two.card == one.card and other != token and not two.known >> viewer & 1
                    and two.since[viewer] > t.d.token[best].since[viewer]
                    and fits(two.since[viewer], one.history[viewer]) and fits(one.since[viewer], two.history[viewer])
                ):
                    best = other
            if best != token:
                t.d.token[best].since[viewer] = one.since[viewer]
            one.since[viewer] = 0
            one.history[viewer] = 0
    one.known |= new


# -- dealing anew -----------------------------------------------------------------------------------------------------


cdef struct Face:
    uint8_t card
    # Abilities of the card that were used.
    uint8_t turn_uses
    uint8_t game_uses
    uint8_t[VIEWERS] since


cdef int deal_anew(Table t, int viewer, object rng) except -1:
    """Deal the faces that a viewer does not know anew over the tokens that it does not know, in place.

    The faces are taken in an order that does not depend on where they are, so the truth decides nothing: with the same
    generator, tables that the viewer cannot tell apart are dealt the same.
    """
    cdef Rng dice = rng
    cdef int[MAX_CARDS] at
    cdef Face[MAX_CARDS] face
    cdef int[MAX_CARDS] taken
    cdef int[MAX_CARDS] block
    cdef int count, i, j, kind, region, sweep, bound
    for kind in range(3):
        count = unknown_of(t, viewer, kind, at, face)
        if count < 2:
            continue
        for i in range(count - 1, 0, -1):
            j = dice.bounded(i + 1)
            face[i], face[j] = face[j], face[i]
        possible_deal(t, viewer, at, face, count, taken, dice)
        for i in range(count):
            lay_face(&t.d.token[at[i]], &face[taken[i]])
        if t.d.regions:
            # From a possible deal random exchanges lead towards the uniform distribution over all of them.
            for sweep in range(SWEEPS):
                for region in range(t.d.regions + 1):
                    bound = 0
                    for i in range(count):
                        if region == 0 or t.d.token[at[i]].history[viewer] >> (region - 1) & 1:
                            block[bound] = at[i]
                            bound += 1
                    for i in range(bound):
                        exchange(&t.d.token[block[i]], &t.d.token[block[dice.bounded(bound)]], viewer)
            # The faces that are bound to nothing are mixed among themselves.
            bound = 0
            for i in range(count):
                if not t.d.token[at[i]].since[viewer]:
                    block[bound] = at[i]
                    bound += 1
            for i in range(bound - 1, 0, -1):
                exchange(&t.d.token[block[i]], &t.d.token[block[dice.bounded(i + 1)]], viewer)
    forget_what_fits_not(t, viewer)
    return 0


cdef void forget_what_fits_not(Table t, int viewer) noexcept nogil:
    """What another viewer concluded of a face that the viewer does not know may not fit where it is now; that viewer
    knows less then."""
    cdef int i, other
    cdef Token* one
    for i in range(t.d.tokens):
        one = &t.d.token[i]
        if not one.known >> viewer & 1:
            for other in range(VIEWERS):
                if not fits(one.since[other], one.history[other]):
                    one.since[other] = 0


cdef int unknown_of(Table t, int viewer, int kind, int* at, Face* face) noexcept nogil:
    """The tokens of a family that a viewer does not know, and in an order of their own the faces; returns how many."""
    cdef int count = 0, i, j, other
    cdef Face one
    for i in range(t.d.tokens):
        if t.d.token[i].known >> viewer & 1 or family(t, i) != kind:
            continue
        at[count] = i
        one.card, one.turn_uses, one.game_uses = t.d.token[i].card, t.d.token[i].turn_uses, t.d.token[i].game_uses
        for other in range(VIEWERS):
            one.since[other] = t.d.token[i].since[other]
        j = count
        while j and before(&one, &face[j - 1], viewer):
            face[j] = face[j - 1]
            j -= 1
        face[j] = one
        count += 1
    return count


cdef bint before(const Face* one, const Face* other, int viewer) noexcept nogil:
    cdef int i
    if one.since[viewer] != other.since[viewer]:
        return one.since[viewer] < other.since[viewer]
    if one.card != other.card:
        return one.card < other.card
    if one.turn_uses != other.turn_uses or one.game_uses != other.game_uses:
        return (one.turn_uses << 8 | one.game_uses) < (other.turn_uses << 8 | other.game_uses)
    for i in range(VIEWERS):
        if one.since[i] != other.since[i]:
            return one.since[i] < other.since[i]
    return False


cdef void lay_face(Token* token, const Face* face) noexcept nogil:
    cdef int i
    token.card, token.turn_uses, token.game_uses = face.card, face.turn_uses, face.game_uses
    for i in range(VIEWERS):
        token.since[i] = face.since[i]


cdef int possible_deal(
    Table t, int viewer, const int* at, const Face* face, int count, int* taken, Rng dice
) except -1:
    """By place, the number of a face that can be there: a matching by augmenting paths in random order, so every
    possible one can come out."""
    cdef int i, place
    for place in range(count):
        taken[place] = -1
    for i in range(count):
        if face[i].since[viewer] and not give_place(t, viewer, at, face, count, taken, i, dice):
            raise RuntimeError("a card that was lost sight of has no place where it can be")
    place = 0
    for i in range(count):
        if not face[i].since[viewer]:
            while taken[place] >= 0:
                place += 1
            taken[place] = i
    return 0


cdef bint give_place(
    Table t, int viewer, const int* at, const Face* face, int count, int* taken, int start, Rng dice
) noexcept:
    """Give one more face a place, moving others to further places of theirs where that is needed."""
    cdef int[MAX_CARDS] order
    cdef int[MAX_CARDS] wanted_by
    cdef int[MAX_CARDS] leaving
    cdef int[MAX_CARDS] waiting
    cdef int[MAX_CARDS] waiting_at
    cdef int left, depth = 1, i, j, place, item, free
    for place in range(count):
        order[place] = place
        wanted_by[place] = -1
    waiting[0], waiting_at[0] = start, -1
    while depth:
        depth -= 1
        item, left = waiting[depth], waiting_at[depth]
        for i in range(count - 1, 0, -1):
            j = dice.bounded(i + 1)
            order[i], order[j] = order[j], order[i]
        # Free places first.
        for free in range(2):
            for i in range(count):
                place = order[i]
                if (
                    wanted_by[place] >= 0 or (taken[place] < 0) == (free == 1)
                    or not fits(face[item].since[viewer], t.d.token[at[place]].history[viewer])
                ):
                    continue
                wanted_by[place], leaving[place] = item, left
                if taken[place] < 0:
                    while place >= 0:
                        taken[place] = wanted_by[place]
                        place = leaving[place]
                    return True
                waiting[depth], waiting_at[depth] = taken[place], place
                depth += 1
    return False


cdef bint exchange(Token* one, Token* other, int viewer) noexcept nogil:
    """Exchange two faces with what is bound to them (abilities used too: all saw it), if both can be there."""
    cdef int i
    if not fits(one.since[viewer], other.history[viewer]) or not fits(other.since[viewer], one.history[viewer]):
        return False
    one.card, other.card = other.card, one.card
    one.game_uses, other.game_uses = other.game_uses, one.game_uses
    one.turn_uses, other.turn_uses = other.turn_uses, one.turn_uses
    for i in range(VIEWERS):
        one.since[i], other.since[i] = other.since[i], one.since[i]
    return True
