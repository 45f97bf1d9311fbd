"""Piles of cards: moving, shuffling, recording what happens, and what viewers can conclude about hidden cards.

The second half applies gamepacks.api.beliefs to the tokens of a state. A token is a physical card: its face (``card``),
the viewers who know it (``known``), and for each viewer the *region* in which it lost sight of the face (``since``; 0:
it never saw it) and the set of regions that the token has been part of (``history``). A face can be under those tokens
whose history contains its ``since``. A region is one event of mixing: a shuffled deck, or a hand that a card left
unseen. Seats are viewers 0 and 1, the spectator is viewer 2.
"""

from libc.stdint cimport uint32_t, uint64_t, uint8_t

from cext.dealing cimport deal_items
from gamepacks.omen.engine.data cimport (
    city_of, clear, CoreState, EventRecord, EVERYONE, has, in_city, in_hand, insert, KEPT_REGIONS, MAX_LOGGED,
    MAX_OPEN_EVENTS, MAX_REGIONS, relic_in_city, remove, TG_CARD, Token, TokenSet, VIEWERS,
)
from gamepacks.omen.codes_enums cimport *
from gamepacks.omen.cards.program_enums cimport *
from gamepacks.omen.v1.omen_enums cimport *

cdef int deck_of(CoreState s, int seat) noexcept nogil:
    """The deck that a seat draws from: 0, or its own after a draft (OMEN-DRAFT-02)."""
    return seat if s.d.drafted else 0


cdef int pile_for(CoreState s, int token) noexcept nogil:
    """The deck to which a card belongs: that of its owner in a draft (OMEN-DRAFT-03)."""
    return s.d.token[token].owner if s.d.drafted and s.d.token[token].owner < 2 else 0


# -- lists ------------------------------------------------------------------------------------------------------------


cdef int place_of(int zone) noexcept nogil:
    # The place of a card for stored sets: its pile; all Cities together are one place.
    if in_city(zone):
        return PILE_SIDE
    return PILE_RELIC if relic_in_city(zone) else zone


cdef void forget(CoreState s, int token, int old, int new) noexcept nogil:
    # A card that leaves its place leaves every stored set (picked cards, cards of a for_each, cards that an ability has
    # looked at, revealed or bound), and modifiers of it end when it leaves the hand or the Cities.
    cdef int i, kept = 0
    if place_of(old) == place_of(new):
        return
    for i in range(s.d.depth):
        remove(&s.d.frame[i].set, token)
    for i in range(s.d.contexts):
        remove(&s.d.context[i].revealed, token)
        remove(&s.d.context[i].looked, token)
        remove(&s.d.context[i].present, token)
    if not (in_city(old) or relic_in_city(old)) and (in_hand(new) or new == PILE_RESOLVING or in_city(new)):
        return
    for i in range(s.d.mods):
        if s.d.mod[i].target != TG_CARD or s.d.mod[i].who != token:
            s.d.mod[kept] = s.d.mod[i]
            kept += 1
    s.d.mods = kept


cdef void put_last(CoreState s, int token, int zone) noexcept nogil:
    cdef Token* one = &s.d.token[token]
    forget(s, token, one.zone, zone)
    one.zone, one.prev, one.next = zone, s.d.tail[zone], NONE
    if one.prev == NONE:
        s.d.head[zone] = token
    else:
        s.d.token[one.prev].next = token
    s.d.tail[zone] = token
    s.d.size[zone] += 1


cdef void put_first(CoreState s, int token, int zone) noexcept nogil:
    cdef Token* one = &s.d.token[token]
    forget(s, token, one.zone, zone)
    one.zone, one.prev, one.next = zone, NONE, s.d.head[zone]
    if one.next == NONE:
        s.d.tail[zone] = token
    else:
        s.d.token[one.next].prev = token
    s.d.head[zone] = token
    s.d.size[zone] += 1


cdef void take(CoreState s, int token) noexcept nogil:
    """Take a card out of its pile; the caller puts it into another one."""
    cdef Token* one = &s.d.token[token]
    if one.prev == NONE:
        s.d.head[one.zone] = one.next
    else:
        s.d.token[one.prev].next = one.next
    if one.next == NONE:
        s.d.tail[one.zone] = one.prev
    else:
        s.d.token[one.next].prev = one.prev
    s.d.size[one.zone] -= 1


cdef int find_card(CoreState s, int zone, int card) noexcept nogil:
    """Find the token of a pile with a face; of several the one that fewest viewers know. NONE if there is none."""
    cdef int token = s.d.head[zone], best = NONE
    while token != NONE:
        if s.d.token[token].card == card and (best == NONE or knows_less(&s.d.token[token], &s.d.token[best])):
            best = token
        token = s.d.token[token].next
    return best


cdef bint knows_less(const Token* one, const Token* other) noexcept nogil:
    # Order equal cards by what viewers know about them.
    cdef int i
    if one.known != other.known:
        return one.known < other.known
    for i in range(3):
        if one.since[i] != other.since[i]:
            return one.since[i] < other.since[i]
        if one.history[i] != other.history[i]:
            return one.history[i] < other.history[i]
    return one.owner < other.owner


cdef int deck_size(CoreState s, int deck) noexcept nogil:
    return s.d.size[PILE_DECK + deck] + s.d.size[PILE_TOP + deck] + s.d.size[PILE_BOTTOM + deck]


# -- moves ------------------------------------------------------------------------------------------------------------


cdef inline void touch(CoreState s, int zone) noexcept nogil:
    # A City in which something has changed may be resolved again in this War step (OMENX-LOOP-04).
    if in_city(zone) or relic_in_city(zone):
        s.d.war_blocked &= ~(1 << city_of(zone))


cdef void open_move(CoreState s, int token, int zone) noexcept:
    """Move a card face up to the end of a pile. Outside Cities it is no longer Enraged."""
    cdef Token* one = &s.d.token[token]
    if in_hand(one.zone):
        forget_after_leaving(s, one.zone, token, EVERYONE)
    touch(s, one.zone)
    touch(s, zone)
    take(s, token)
    show(s, token, EVERYONE)
    put_last(s, token, zone)
    if not in_city(zone):
        one.enraged = 0


cdef void hidden_move(CoreState s, int token, int zone, int seen_by, bint last) noexcept:
    """Move a card that only some viewers see to the beginning or the end of a pile."""
    cdef Token* one = &s.d.token[token]
    forget_after_leaving(s, one.zone, token, seen_by)
    take(s, token)
    show(s, token, seen_by)
    if last:
        put_last(s, token, zone)
    else:
        put_first(s, token, zone)


cdef void into_deck(CoreState s, int token, int deck) noexcept:
    """Put a card among the cards of a deck whose order is unknown."""
    s.d.token[token].enraged = 0
    s.d.token[token].fresh = s.d.token[token].trait_used = s.d.token[token].used = 0
    s.d.token[token].turn_uses = 0
    put_last(s, token, PILE_DECK + deck)


cdef void shuffle_in(CoreState s, int deck, int source) noexcept:
    """Shuffle a deck, with another pile (NONE: none) in it (OMENX-CHANCE-04)."""
    cdef TokenSet places, placed
    cdef int token, i
    cdef int[3] zones
    zones[0], zones[1], zones[2] = PILE_TOP + deck, PILE_BOTTOM + deck, source
    clear(&placed)
    for i in range(3):
        if zones[i] == NONE:
            continue
        while s.d.head[zones[i]] != NONE:
            token = s.d.head[zones[i]]
            take(s, token)
            insert(&placed, token)
            into_deck(s, token, deck)
    clear(&places)
    token = s.d.head[PILE_DECK + deck]
    while token != NONE:
        insert(&places, token)
        token = s.d.token[token].next
    mix(s, &places, &placed)


cdef int reshuffle(CoreState s) except -1:
    """Shuffle the discard pile into an empty deck at once (OMEN-DECK-01, OMEN-DECK-02); cards that are set aside count as
    part of the deck (OMENX-FX-20)."""
    cdef int deck, size
    for deck in range(2 if s.d.drafted else 1):
        size = s.d.size[PILE_DISCARD + deck]
        if size and not deck_size(s, deck) and not s.d.size[PILE_ASIDE]:
            shuffle_in(s, deck, PILE_DISCARD + deck)
            emit(s, EVENT_TYPE_RESHUFFLE, NONE, deck if s.d.drafted else NONE, NONE, NONE, NONE, NONE, size, CAUSE_RULE, 0)
    return 0


# -- events -----------------------------------------------------------------------------------------------------------


cdef void emit(
    CoreState s, int type, int by, int who, int token, int city, int source, int to, int n, int cause, int seen
) except *:
    """Record an event: for front ends, for conditions, and for abilities that it triggers.

    ``source`` and ``to`` are zones of selectors (for moves: Cities), ``seen`` is the mask of those who see the face.
    """
    cdef EventRecord record
    if s.trace is not None:
        s.trace.append((
            type, by, who, s.d.token[token].card if token != NONE else NONE, city, source, to, n, cause, seen, (),
        ))
    if not (s.config.auto_events | s.config.react_after | s.config.logged_events) >> type & 1:
        return
    record.type, record.by, record.who, record.token = type, by, who, token
    record.card = s.d.token[token].card if token != NONE else NONE
    record.enraged = s.d.token[token].enraged if token != NONE else 0
    record.city, record.source, record.to, record.cause, record.n = city, source, to, cause, n
    record.seen = seen
    if s.config.logged_events >> type & 1 and s.d.logged < MAX_LOGGED:
        s.d.log[s.d.logged] = record
        s.d.logged += 1
    if (s.config.auto_events | s.config.react_after) >> type & 1 and s.d.open_events < MAX_OPEN_EVENTS:
        s.d.open_event[s.d.open_events] = record
        s.d.open_events += 1


cdef void emit_plain(CoreState s, int type, int by, int who, int n, int cause) except *:
    """Record an event without a card and a City."""
    emit(s, type, by, who, NONE, NONE, NONE, NONE, n, cause, EVERYONE)


# == beliefs ==========================================================================================================


cdef int back_group(CoreState s, int token) noexcept nogil:
    """Group of cards with the same back: Units 0, prizes 1, Whims 2; cards that are always face up 3."""
    cdef int kind = s.config.card[s.d.token[token].card].kind
    if kind == KIND_UNIT:
        return 0
    if kind == KIND_REWARD or kind == KIND_KRATER:
        return 1
    return 2 if kind == KIND_WHIM else 3


cdef inline bint region_allowed(int region, uint32_t history) noexcept nogil:
    return region == 0 or history >> (region - 1) & 1


# -- losing sight -----------------------------------------------------------------------------------------------------


cdef int new_region(CoreState s) noexcept:
    if s.d.regions == MAX_REGIONS:
        forget_regions(s)
    s.d.regions += 1
    return s.d.regions


cdef void forget_regions(CoreState s) noexcept:
    # Renumber the newest regions that a face is still bound to, and drop the others.
    cdef uint8_t[MAX_REGIONS + 1] number
    cdef int i, viewer, region, found = 0
    cdef uint32_t old, new
    cdef Token* token
    for i in range(MAX_REGIONS + 1):
        number[i] = 0
    for i in range(s.d.tokens):
        for viewer in range(VIEWERS):
            number[s.d.token[i].since[viewer]] = 1
    number[0] = 0
    for i in range(MAX_REGIONS, 0, -1):
        if number[i]:
            found += 1
            if found > KEPT_REGIONS:
                number[i] = 0
    found = 0
    for i in range(1, MAX_REGIONS + 1):
        if number[i]:
            found += 1
            number[i] = found
    for i in range(s.d.tokens):
        token = &s.d.token[i]
        for viewer in range(VIEWERS):
            old, new = token.history[viewer], 0
            for region in range(1, MAX_REGIONS + 1):
                if number[region] and old >> (region - 1) & 1:
                    new |= <uint32_t> 1 << (number[region] - 1)
            token.history[viewer] = new
            token.since[viewer] = number[token.since[viewer]]
    s.d.regions = found


cdef void mix_for(CoreState s, const TokenSet* places, int viewer, int region) noexcept:
    # For one viewer these tokens become indistinguishable; with a region, even those whose face it knew.
    cdef int i, known = 1 << viewer
    cdef uint32_t merged = (<uint32_t> 1 << (region - 1)) if region else 0
    cdef Token* token
    for i in range(s.d.tokens):
        if has(places, i) and not s.d.token[i].known & known:
            merged |= s.d.token[i].history[viewer]
    for i in range(s.d.tokens):
        if not has(places, i):
            continue
        token = &s.d.token[i]
        if not token.known & known:
            token.history[viewer] = merged
        elif region:
            token.known &= ~known
            token.since[viewer] = region
            token.history[viewer] = merged


cdef void mix(CoreState s, const TokenSet* places, const TokenSet* placed) noexcept:
    """Update beliefs after a shuffle; ``placed`` are the tokens whose place was known before."""
    cdef int i, viewer, region = 0, known = 0
    for i in range(s.d.tokens):
        if has(placed, i):
            known |= s.d.token[i].known
    if known:
        region = new_region(s)
    for viewer in range(VIEWERS):
        mix_for(s, places, viewer, region if known >> viewer & 1 else 0)


cdef void forget_after_leaving(CoreState s, int zone, int token, int seen_by) noexcept:
    """Update beliefs before a card leaves a hand or another unordered pile: a viewer who does not see its face is no longer
    sure of the cards of its kind that stay."""
    cdef TokenSet places
    cdef int other, viewer, known, count = 0, sure, first, region = 0, kind = back_group(s, token)
    cdef bint anything = s.d.regions != 0, varied
    swap_known_copy(s, zone, token, seen_by)
    clear(&places)
    other = s.d.head[zone]
    while other != NONE:
        if back_group(s, other) == kind:
            insert(&places, other)
            count += 1
            if s.d.token[other].known & ~seen_by & EVERYONE:
                anything = True
        other = s.d.token[other].next
    if count < 2 or not anything:
        return
    for viewer in range(VIEWERS):
        known = 1 << viewer
        if seen_by & known and s.d.token[token].known & known:
            continue
        sure, first, varied = 0, NONE, False
        for other in range(s.d.tokens):
            if has(&places, other) and s.d.token[other].known & known:
                sure += 1
                if first == NONE:
                    first = s.d.token[other].card
                elif s.d.token[other].card != first:
                    varied = True
        # A viewer who does not see the card is no longer sure of any, unless all are known to have one face.
        if seen_by & known or not sure:
            mix_for(s, &places, viewer, 0)
        elif sure < count or varied:
            if not region:
                region = new_region(s)
            mix_for(s, &places, viewer, region)


# -- coming to know ---------------------------------------------------------------------------------------------------


cdef void swap_known_copy(CoreState s, int zone, int token, int seen_by) noexcept:
    # If a viewer knows another copy of the card in that hand, exchange what it knows of the two.
    cdef int other = s.d.head[zone], viewer, known
    while other != NONE:
        if other != token and s.d.token[other].card == s.d.token[token].card:
            known = s.d.token[other].known & seen_by & ~s.d.token[token].known
            for viewer in range(VIEWERS):
                if known >> viewer & 1:
                    swap_beliefs(&s.d.token[token], &s.d.token[other], viewer)
        other = s.d.token[other].next


cdef void swap_beliefs(Token* one, Token* other, int viewer) noexcept nogil:
    cdef int known = 1 << viewer, mine = one.known & known, theirs = other.known & known
    one.known = one.known & ~known | theirs
    other.known = other.known & ~known | mine
    one.since[viewer], other.since[viewer] = other.since[viewer], one.since[viewer]
    one.history[viewer], other.history[viewer] = other.history[viewer], one.history[viewer]


cdef void show(CoreState s, int token, int viewers) noexcept:
    """Show the face of a card to some viewers; each identifies it with the copy of that face that it last saw."""
    cdef int viewer, other, best, new = viewers & ~s.d.token[token].known, kind
    cdef Token* one = &s.d.token[token]
    cdef Token* two
    if not new:
        return
    if s.d.regions:
        kind = back_group(s, token)
        for viewer in range(VIEWERS):
            if not new >> viewer & 1:
                continue
            best = token
            for other in range(s.d.tokens):
                two = &s.d.token[other]
                if (
                    two.card == one.card and other != token and not two.known >> viewer & 1
                    and two.since[viewer] > s.d.token[best].since[viewer]
                    and region_allowed(two.since[viewer], one.history[viewer]) and region_allowed(one.since[viewer], two.history[viewer])
                ):
                    best = other
            if best != token:
                s.d.token[best].since[viewer] = one.since[viewer]
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


cdef int redeal_unknown(CoreState s, int viewer, object rng) except -1:
    """Deal the faces that a viewer does not know again over the tokens that it does not know, in place.

    The faces are taken in an order that does not depend on where they are, so the truth decides nothing: with the same
    generator, tables that the viewer cannot tell apart are dealt the same.
    """
    cdef int[MAX_CARDS] at
    cdef Face[MAX_CARDS] face
    cdef int[MAX_CARDS] regions
    cdef uint64_t[MAX_CARDS] histories
    cdef int[MAX_CARDS] face_at
    cdef int count, i, kind
    for kind in range(3):
        count = unknown_of(s, viewer, kind, at, face)
        for i in range(count):
            regions[i], histories[i] = face[i].since[viewer], s.d.token[at[i]].history[viewer]
        deal_items(regions, histories, count, face_at, rng)
        for i in range(count):
            lay_face(&s.d.token[at[i]], &face[face_at[i]])
    drop_inconsistent_beliefs(s, viewer)
    return 0


cdef void drop_inconsistent_beliefs(CoreState s, int viewer) noexcept nogil:
    """Drop conclusions of other viewers about faces that do not fit the new deal."""
    cdef int i, other
    cdef Token* one
    for i in range(s.d.tokens):
        one = &s.d.token[i]
        if not one.known >> viewer & 1:
            for other in range(VIEWERS):
                if not region_allowed(one.since[other], one.history[other]):
                    one.since[other] = 0


cdef int unknown_of(CoreState s, int viewer, int kind, int* at, Face* face) noexcept nogil:
    """Collect the tokens of a group that a viewer does not know, and their faces in canonical order; returns the count."""
    cdef int count = 0, i, j, other
    cdef Face one
    for i in range(s.d.tokens):
        if s.d.token[i].known >> viewer & 1 or back_group(s, i) != kind:
            continue
        at[count] = i
        one.card, one.turn_uses, one.game_uses = s.d.token[i].card, s.d.token[i].turn_uses, s.d.token[i].game_uses
        for other in range(VIEWERS):
            one.since[other] = s.d.token[i].since[other]
        j = count
        while j and face_before(&one, &face[j - 1], viewer):
            face[j] = face[j - 1]
            j -= 1
        face[j] = one
        count += 1
    return count


cdef bint face_before(const Face* one, const Face* other, int viewer) noexcept nogil:
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


cdef bint exchange(Token* one, Token* other, int viewer) noexcept nogil:
    """Exchange two faces with what is bound to them (used abilities too, which all saw), if both places allow it."""
    cdef int i
    if not region_allowed(one.since[viewer], other.history[viewer]) or not region_allowed(other.since[viewer], one.history[viewer]):
        return False
    one.card, other.card = other.card, one.card
    one.game_uses, other.game_uses = other.game_uses, one.game_uses
    one.turn_uses, other.turn_uses = other.turn_uses, one.turn_uses
    for i in range(VIEWERS):
        one.since[i], other.since[i] = other.since[i], one.since[i]
    return True
