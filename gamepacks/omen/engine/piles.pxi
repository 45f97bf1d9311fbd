# Piles of cards: moving and shuffling them, recording events, and the knowledge of viewers about hidden cards.
#
# A token is a physical card; :mod:`cext.knowledge` keeps what viewers know of its face. Seats are viewers 0 and 1, the
# spectator is viewer 2.

cdef int deck_of(CoreState s, int seat) noexcept nogil:
    """The deck that a seat draws from: 0, or its own after a draft (OMEN-DRAFT-02)."""
    return seat if s.d.drafted else 0


cdef int pile_for(CoreState s, int token) noexcept nogil:
    """The deck to which a card belongs: that of its owner in a draft (OMEN-DRAFT-03)."""
    return s.d.token[token].owner if s.d.drafted and s.d.token[token].owner < 2 else 0


# -- lists ------------------------------------------------------------------------------------------------------------


cdef int place_of(int zone) noexcept nogil:
    # The place of a card, as stored sets distinguish places: its pile, where all Cities together are one place.
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
    # Whether fewer viewers know the first of two equal cards.
    cdef int i
    if one.known != other.known:
        return one.known < other.known
    for i in range(VIEWERS):
        if one.belief[i].since != other.belief[i].since:
            return one.belief[i].since < other.belief[i].since
        if one.belief[i].history != other.belief[i].history:
            return one.belief[i].history < other.belief[i].history
    return one.owner < other.owner


cdef int deck_size(CoreState s, int deck) noexcept nogil:
    return s.d.size[PILE_DECK + deck] + s.d.size[PILE_TOP + deck] + s.d.size[PILE_BOTTOM + deck]


# -- moves ------------------------------------------------------------------------------------------------------------


cdef inline void unblock_city(CoreState s, int zone) noexcept nogil:
    # A City in which something has changed may be resolved again in this War step (OMENX-LOOP-04).
    if in_city(zone) or relic_in_city(zone):
        s.d.war_blocked &= ~(1 << city_of(zone))


cdef void open_move(CoreState s, int token, int zone) noexcept:
    """Move a card face up to the end of a pile. Outside Cities it is no longer Enraged."""
    cdef Token* one = &s.d.token[token]
    if in_hand(one.zone):
        forget_after_leaving(s, one.zone, token, EVERYONE)
    unblock_city(s, one.zone)
    unblock_city(s, zone)
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


cdef void put_into_deck(CoreState s, int token, int deck) noexcept:
    """Put a card among the cards of a deck whose order is unknown."""
    s.d.token[token].enraged = 0
    s.d.token[token].fresh = s.d.token[token].trait_used = s.d.token[token].used = 0
    s.d.token[token].turn_uses = 0
    put_last(s, token, PILE_DECK + deck)


cdef void shuffle_in(CoreState s, int deck, int source) noexcept:
    """Shuffle a deck, with another pile (NONE: none) in it (OMENX-CHANCE-04)."""
    cdef int[MAX_CARDS] group
    cdef int[3] zones
    cdef Items items = items_of(s)
    cdef int token, i, known = 0, count = 0
    zones[0], zones[1], zones[2] = PILE_TOP + deck, PILE_BOTTOM + deck, source
    for i in range(3):
        if zones[i] == NONE:
            continue
        while s.d.head[zones[i]] != NONE:
            token = s.d.head[zones[i]]
            take(s, token)
            known |= s.d.token[token].known
            put_into_deck(s, token, deck)
    token = s.d.head[PILE_DECK + deck]
    while token != NONE:
        group[count] = token
        count += 1
        token = s.d.token[token].next
    mix_items(&items, group, count, known)


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
    """Record an event for clients, for conditions, and for abilities that it triggers.

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


# -- knowledge of hidden cards ----------------------------------------------------------------------------------------


cdef int back_group(CoreState s, int token) noexcept nogil:
    """Group of cards with the same back: Units 0, prizes 1, Whims 2; cards that are always face up 3."""
    cdef int kind = s.config.card[s.d.token[token].card].kind
    if kind == KIND_UNIT:
        return 0
    if kind == KIND_REWARD or kind == KIND_KRATER:
        return 1
    return 2 if kind == KIND_WHIM else 3


cdef Items items_of(CoreState s) noexcept nogil:
    """The cards of a state for :mod:`cext.knowledge`."""
    cdef Items items
    cdef Token* first = &s.d.token[0]
    items.count, items.viewers, items.stride = s.d.tokens, VIEWERS, sizeof(Token)
    items.faces, items.known, items.beliefs = <char*> &first.card, <char*> &first.known, <char*> &first.belief
    items.regions = &s.d.regions
    return items


cdef int same_backs(CoreState s, int zone, int token, int* group) noexcept nogil:
    # List the cards of a pile with the back of a token; returns their number.
    cdef int other = s.d.head[zone], count = 0, back = back_group(s, token)
    while other != NONE:
        if back_group(s, other) == back:
            group[count] = other
            count += 1
        other = s.d.token[other].next
    return count


cdef void forget_after_leaving(CoreState s, int zone, int token, int seen_by) noexcept nogil:
    # Update what viewers know before a card leaves a hand or another unordered pile.
    cdef int[MAX_CARDS] group
    cdef Items items = items_of(s)
    leave_group(&items, group, same_backs(s, zone, token, group), token, seen_by)


cdef void show(CoreState s, int token, int viewers) noexcept nogil:
    """Show the face of a card to some viewers."""
    cdef Items items
    if viewers & ~s.d.token[token].known:
        items = items_of(s)
        show_item(&items, token, viewers)


cdef void show_in_place(CoreState s, int token, int viewers) noexcept nogil:
    """Show a card to some viewers; it stays where it is."""
    cdef int[MAX_CARDS] group
    cdef Items items = items_of(s)
    if in_hand(s.d.token[token].zone):
        take_known_copy(&items, group, same_backs(s, s.d.token[token].zone, token, group), token, viewers)
    show_item(&items, token, viewers)


cdef int redeal_unknown(CoreState s, int viewer, object rng) except -1:
    """Deal the faces that a viewer does not know again over the cards that it does not know, in place. The abilities of a
    card that were used are bound to its face."""
    cdef int[MAX_CARDS] group
    cdef int[MAX_CARDS] data
    cdef Items items = items_of(s)
    cdef Token* one
    cdef int count, i, back
    for back in range(3):
        count = 0
        for i in range(s.d.tokens):
            one = &s.d.token[i]
            if not one.known >> viewer & 1 and back_group(s, i) == back:
                group[count], data[count] = i, one.card << 16 | one.turn_uses << 8 | one.game_uses
                count += 1
        redeal_items(&items, viewer, group, count, data, rng)
        for i in range(count):
            one = &s.d.token[group[i]]
            one.card, one.turn_uses, one.game_uses = data[i] >> 16, data[i] >> 8 & 0xFF, data[i] & 0xFF
    drop_inconsistent(&items, viewer)
    return 0


cdef bint exchange(CoreState s, int one, int other, int viewer) noexcept nogil:
    """Exchange the faces of two cards, with the used abilities, if for the viewer both can be on the other card."""
    cdef Items items = items_of(s)
    cdef Token* mine = &s.d.token[one]
    cdef Token* theirs = &s.d.token[other]
    if not exchange_faces(&items, one, other, viewer):
        return False
    mine.game_uses, theirs.game_uses = theirs.game_uses, mine.game_uses
    mine.turn_uses, theirs.turn_uses = theirs.turn_uses, mine.turn_uses
    return True
