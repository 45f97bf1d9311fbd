"""The powers of Egregors (section 8 of RULES.md): triggers, effects, the Summoning Key."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from gamepacks.omega.engine.disc cimport advance
from gamepacks.omega.engine.pieces cimport from_altar, from_bag, into_pyramid, lift, note, push, top
from gamepacks.omega.engine.table cimport (
    CARDS, CAUSE_POWER, Effect, F_BOOK, F_CYCLE, F_DRAW, F_KEY_PLACE, F_LIGHTNING, F_LOOK, Frame, H_DREW,
    H_LIGHTNING, H_MASK, H_REPLACED, LIGHTNING, OP_ADVANCE, OP_CYCLE, OP_DRAW, OP_KEY, Player, Rules, Table,
)

# -- triggers ---------------------------------------


cdef void use_book(Rules rules, Table* t, int place, int power) noexcept nogil:
    # OMEGA-POWER-02, OMEGA-POWER-03
    cdef int card = t.player[t.active].row[place].card
    push(t, F_BOOK, place, card, power << 4)
    # A Key looks at the marks as they were, and sets them (OMEGA-KEY-12).
    if rules.card[card].power[power].effect[0].op != OP_KEY:
        t.player[t.active].row[place].used |= 1 << power


cdef bint fire(Rules rules, Table* t) noexcept nogil:
    """Go on with the power of the topmost frame, in printed order (OMEGA-POWER-06). False: it is done."""
    cdef Frame* frame = top(t)
    cdef int card = frame.b, power = frame.c >> 4, number = frame.c & 15
    if frame.kind == F_LIGHTNING:
        # OMEGA-POWER-01: all lightning powers of the card, one after the other.
        while power < rules.card[card].powers and (
            rules.card[card].power[power].trigger != LIGHTNING or number >= rules.card[card].power[power].effects
        ):
            power += 1
            number = 0
    if power >= rules.card[card].powers or number >= rules.card[card].power[power].effects:
        return False
    if frame.kind == F_LIGHTNING and number == 0:
        note(t, H_LIGHTNING, frame.a, card, power)
    frame.c = power << 4 | number + 1
    effect(rules, t, frame.a, &rules.card[card].power[power].effect[number])
    return True


cdef void effect(Rules rules, Table* t, int place, const Effect* what) noexcept nogil:
    if what.op == OP_ADVANCE:
        # OMEGA-THRUST-01
        advance(rules, t, what.n, CAUSE_POWER)
    elif what.op == OP_DRAW:
        # OMEGA-HAND-01
        push(t, F_DRAW, what.n, what.colour, 1)
    elif what.op == OP_CYCLE:
        # OMEGA-CYCLE-01
        push(t, F_CYCLE, what.n, what.colour, 0)
    else:
        begin_key(rules, t, place)


# -- Hand of Fate with a colour, Runic Cycling ---------------------------------------


cdef bint draw_colour(Table* t, int type) noexcept nogil:
    """A rune of a colour, of the altar or looked up in the bag (OMEGA-HAND-02). False: there is none."""
    if t.altar[type]:
        from_altar(t, type)
        note(t, H_DREW, type, False, 0)
    elif t.bag[type]:
        note(t, H_DREW, type, True, 0)
        from_bag(t, type)
    else:
        if t.bag_size:
            # Everyone knows now that the bag has none.
            t.absent[type] = 1
        return False
    into_pyramid(t, t.active, type)
    return True


cdef void cycle(Table* t, int place, int type) noexcept nogil:
    # OMEGA-CYCLE-01, OMEGA-CYCLE-05
    lift(&t.player[t.active].row[place], type)
    into_pyramid(t, t.active, type)
    top(t).a -= 1


# -- Summoning Key ---------------------------------------


cdef void begin_key(Rules rules, Table* t, int place) noexcept nogil:
    """Add up the Keys that take part (OMEGA-KEY-02, OMEGA-KEY-12) and look at so many cards (OMEGA-KEY-01)."""
    cdef Player* player = &t.player[t.active]
    cdef int i, power = 0, card, total = 0
    t.keys = t.keys_done = 0
    for i in range(player.owned):
        card = player.row[i].card
        if not rules.card[card].key:
            continue
        for power in range(rules.card[card].powers):
            if rules.card[card].power[power].effect[0].op == OP_KEY:
                break
        if rules.card[card].key_book and player.row[i].used >> power & 1 and i != place:
            continue
        if rules.card[card].key_book:
            player.row[i].used |= 1 << power
        total += rules.card[card].key
        t.keys |= 1 << i
    push(t, F_LOOK, CARDS if total > CARDS else total, 0, 0)


cdef void take_key(Rules rules, Table* t, int card) noexcept nogil:
    """A card is chosen: with several Keys left the player says which it replaces."""
    cdef int place = 0
    if t.keys & (t.keys - 1):
        push(t, F_KEY_PLACE, card, 0, 0)
        return
    while not t.keys >> place & 1:
        place += 1
    replace(rules, t, place, card)


cdef void replace(Rules rules, Table* t, int place, int card) noexcept nogil:
    """A card takes the place of a Key in every respect (OMEGA-KEY-05 to OMEGA-KEY-09)."""
    cdef Player* player = &t.player[t.active]
    t.looked &= ~(<uint64_t> 1 << card)
    t.certain &= t.looked
    t.discard |= <uint64_t> 1 << player.row[place].card
    note(t, H_REPLACED, place, player.row[place].card, card)
    player.row[place].card = card
    player.row[place].used = 0
    if player.mask == place and rules.card[card].renegade:
        # OMEGA-MASK-05
        player.mask = -1
        note(t, H_MASK, t.active, -1, 0)
    t.keys &= ~(1 << place)
    t.done[t.keys_done] = place
    t.keys_done += 1


cdef void end_key(Rules rules, Table* t) noexcept nogil:
    """No further Key is replaced: the cards that were not chosen go back (OMEGA-KEY-10)."""
    cdef int i
    t.depth -= 1
    if rules.key_discard:
        t.discard |= t.looked
    else:
        t.deck |= t.looked
    t.looked = t.certain = 0
    if rules.key_fires:
        # In the order of replacement: what is pushed last comes first.
        for i in range(t.keys_done - 1, -1, -1):
            push(t, F_LIGHTNING, t.done[i], t.player[t.active].row[t.done[i]].card, 0)
    t.keys_done = 0
    memset(t.done, 0, sizeof(t.done))
