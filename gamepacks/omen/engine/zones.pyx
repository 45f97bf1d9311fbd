"""Moving cards between piles, drawing and shuffling, and telling what happened."""

from gamepacks.omen.engine.beliefs cimport leave, mix, show
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.table cimport (
    city_of, clear, EVERYONE, in_city, in_hand, insert, MOST_AFTER, MOST_LOGGED, Record, relic_in_city, remove, Set,
    Table, TG_CARD, Token,
)
from gamepacks.omen.engine.vocabulary cimport *


cdef int deck_of(Table t, int seat) noexcept nogil:
    """The deck that a seat draws from: 0, or its own in a draft (OMEN-DRAFT-02). Piles of decks are counted from it."""
    return seat if t.d.drafted else 0


cdef int pile_for(Table t, int token) noexcept nogil:
    """The deck to which a card belongs: that of its owner in a draft (OMEN-DRAFT-03)."""
    return t.d.token[token].owner if t.d.drafted and t.d.token[token].owner < 2 else 0


# -- lists ------------------------------------------------------------------------------------------------------------


cdef int place_of(int zone) noexcept nogil:
    # Where a card is as long as stored sets keep it: its pile; all Cities together are one place.
    if in_city(zone):
        return PILE_SIDE
    return PILE_RELIC if relic_in_city(zone) else zone


cdef void forget(Table t, int token, int old, int new) noexcept nogil:
    # A card that leaves its place leaves every stored set: what effects have picked or still go through, and what an
    # ability has looked at, revealed or bound. What lasted for it ends with its place in a hand or City.
    cdef int i, kept = 0
    if place_of(old) == place_of(new):
        return
    for i in range(t.d.depth):
        remove(&t.d.frame[i].set, token)
    for i in range(t.d.contexts):
        remove(&t.d.context[i].revealed, token)
        remove(&t.d.context[i].looked, token)
        remove(&t.d.context[i].present, token)
    if not (in_city(old) or relic_in_city(old)) and (in_hand(new) or new == PILE_RESOLVING or in_city(new)):
        return
    for i in range(t.d.mods):
        if t.d.mod[i].target != TG_CARD or t.d.mod[i].who != token:
            t.d.mod[kept] = t.d.mod[i]
            kept += 1
    t.d.mods = kept


cdef void put_last(Table t, int token, int zone) noexcept nogil:
    cdef Token* one = &t.d.token[token]
    forget(t, token, one.zone, zone)
    one.zone, one.prev, one.next = zone, t.d.tail[zone], NONE
    if one.prev == NONE:
        t.d.head[zone] = token
    else:
        t.d.token[one.prev].next = token
    t.d.tail[zone] = token
    t.d.size[zone] += 1


cdef void put_first(Table t, int token, int zone) noexcept nogil:
    cdef Token* one = &t.d.token[token]
    forget(t, token, one.zone, zone)
    one.zone, one.prev, one.next = zone, NONE, t.d.head[zone]
    if one.next == NONE:
        t.d.tail[zone] = token
    else:
        t.d.token[one.next].prev = token
    t.d.head[zone] = token
    t.d.size[zone] += 1


cdef void take(Table t, int token) noexcept nogil:
    """Take a card out of its pile; it lies nowhere until it is put."""
    cdef Token* one = &t.d.token[token]
    if one.prev == NONE:
        t.d.head[one.zone] = one.next
    else:
        t.d.token[one.prev].next = one.next
    if one.next == NONE:
        t.d.tail[one.zone] = one.prev
    else:
        t.d.token[one.next].prev = one.prev
    t.d.size[one.zone] -= 1


cdef int find_card(Table t, int zone, int card) noexcept nogil:
    """The token of a pile with that face, the one of which least is known where there are several; NONE for none."""
    cdef int token = t.d.head[zone], best = NONE
    while token != NONE:
        if t.d.token[token].card == card and (best == NONE or knows_less(&t.d.token[token], &t.d.token[best])):
            best = token
        token = t.d.token[token].next
    return best


cdef bint knows_less(const Token* one, const Token* other) noexcept nogil:
    # An order that depends on nothing but what is known of two cards of a face.
    cdef int i
    if one.known != other.known:
        return one.known < other.known
    for i in range(3):
        if one.since[i] != other.since[i]:
            return one.since[i] < other.since[i]
        if one.history[i] != other.history[i]:
            return one.history[i] < other.history[i]
    return one.owner < other.owner


cdef int deck_size(Table t, int deck) noexcept nogil:
    return t.d.size[PILE_DECK + deck] + t.d.size[PILE_TOP + deck] + t.d.size[PILE_BOTTOM + deck]


# -- moves ------------------------------------------------------------------------------------------------------------


cdef inline void touch(Table t, int zone) noexcept nogil:
    # A City in which something has changed may be resolved again in this War step (OMENX-LOOP-04).
    if in_city(zone) or relic_in_city(zone):
        t.d.stuck &= ~(1 << city_of(zone))


cdef void open_move(Table t, int token, int zone) noexcept:
    """Everyone sees a card go to the end of a pile. What lies in a City only is taken off it elsewhere."""
    cdef Token* one = &t.d.token[token]
    if in_hand(one.zone):
        leave(t, one.zone, token, EVERYONE)
    touch(t, one.zone)
    touch(t, zone)
    take(t, token)
    show(t, token, EVERYONE)
    put_last(t, token, zone)
    if not in_city(zone):
        one.enraged = 0


cdef void hidden_move(Table t, int token, int zone, int seen_by, bint last) noexcept:
    """Only some see which card goes to a pile, first or last in it; the others forget what they can."""
    cdef Token* one = &t.d.token[token]
    leave(t, one.zone, token, seen_by)
    take(t, token)
    show(t, token, seen_by)
    if last:
        put_last(t, token, zone)
    else:
        put_first(t, token, zone)


cdef void into_deck(Table t, int token, int deck) noexcept:
    """A card out of all piles joins those of a deck that have no place in it."""
    t.d.token[token].enraged = 0
    t.d.token[token].fresh = t.d.token[token].traited = t.d.token[token].used = 0
    t.d.token[token].turn_uses = 0
    put_last(t, token, PILE_DECK + deck)


cdef void shuffle_in(Table t, int deck, int source) noexcept:
    """Shuffle a deck, with another pile (NONE: none) in it (OMENX-CHANCE-04)."""
    cdef Set places, placed
    cdef int token, i
    cdef int[3] zones
    zones[0], zones[1], zones[2] = PILE_TOP + deck, PILE_BOTTOM + deck, source
    clear(&placed)
    for i in range(3):
        if zones[i] == NONE:
            continue
        while t.d.head[zones[i]] != NONE:
            token = t.d.head[zones[i]]
            take(t, token)
            insert(&placed, token)
            into_deck(t, token, deck)
    clear(&places)
    token = t.d.head[PILE_DECK + deck]
    while token != NONE:
        insert(&places, token)
        token = t.d.token[token].next
    mix(t, &places, &placed)


cdef int reshuffle(Table t) except -1:
    """An empty deck is made of the discard pile at once (OMEN-DECK-01, OMEN-DECK-02); looking never empties it
    (OMENX-FX-20)."""
    cdef int deck, size
    for deck in range(2 if t.d.drafted else 1):
        size = t.d.size[PILE_DISCARD + deck]
        if size and not deck_size(t, deck) and not t.d.size[PILE_ASIDE]:
            shuffle_in(t, deck, PILE_DISCARD + deck)
            emit(t, EV_RESHUFFLE, NONE, deck if t.d.drafted else NONE, NONE, NONE, NONE, NONE, size, BY_RULE, 0)
    return 0


# -- telling ----------------------------------------------------------------------------------------------------------


cdef void emit(
    Table t, int type, int by, int who, int token, int city, int source, int to, int n, int cause, int seen
) except *:
    """Something has happened: for front ends, for conditions, and for cards that wait for it.

    ``source`` and ``to`` are zones of selectors (for moves: Cities), ``seen`` is the mask of those who see the face.
    """
    cdef Record record
    if t.story is not None:
        t.story.append((
            type, by, who, t.d.token[token].card if token != NONE else NONE, city, source, to, n, cause, seen, (),
        ))
    if not (t.rules.auto | t.rules.after | t.rules.logs) >> type & 1:
        return
    record.type, record.by, record.who, record.token = type, by, who, token
    record.card = t.d.token[token].card if token != NONE else NONE
    record.enraged = t.d.token[token].enraged if token != NONE else 0
    record.city, record.source, record.to, record.cause, record.n = city, source, to, cause, n
    record.seen = seen
    if t.rules.logs >> type & 1 and t.d.logged < MOST_LOGGED:
        t.d.log[t.d.logged] = record
        t.d.logged += 1
    if (t.rules.auto | t.rules.after) >> type & 1 and t.d.afters < MOST_AFTER:
        t.d.after[t.d.afters] = record
        t.d.afters += 1


cdef void tell(Table t, int type, int by, int who, int n, int cause) except *:
    """The same for what concerns no card and no City."""
    emit(t, type, by, who, NONE, NONE, NONE, NONE, n, cause, EVERYONE)
