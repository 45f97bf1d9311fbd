"""Gaining and losing Egregors: summon, capture, recovery, disowning (section 4 of RULES.md)."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from gamepacks.omega.engine.disc cimport advance
from gamepacks.omega.engine.pieces cimport from_pyramid, into_bag, into_pyramid, lift, note, push, top
from gamepacks.omega.engine.table cimport (
    BLUE, CAUSE_BLUE, Egregor, F_BATCH, F_DRAW, F_LIGHTNING, F_RECOVER, F_RED, Frame, GREEN, H_CONFIRMED, H_LOST,
    H_MASK, H_TO_BAG, H_WHITES_BACK, NONE, NO_COLOUR, PER_BATCH, Player, RED, Rules, TYPES, Table, WHITE,
)


cdef void declare(Table* t, int seat, int index) noexcept nogil:
    """A summon (seat NONE, slot of the gallery) or a capture is announced; the batch follows."""
    t.batch_seat, t.batch_index = seat, index
    push(t, F_BATCH, 0, 0, 0)


cdef void confirm(Rules rules, Table* t) noexcept nogil:
    """The batch is complete: everyone sees it, and it is paid (order of resolution: section 4.2)."""
    cdef Player* player = &t.player[t.active]
    cdef int i, card
    t.gain_used = 1
    t.batch_shown = 1
    for i in range(TYPES):
        if player.shown[i] < t.batch[i]:
            player.shown[i] = t.batch[i]
    if t.batch_seat == NONE:
        card = t.gallery[t.batch_index]
        t.gallery[t.batch_index] = NONE
        note(t, H_CONFIRMED, NONE, card, player.prestige)
        gain(rules, t, card)
    else:
        # OMEGA-CAPTURE-10, OMEGA-CAPTURE-11
        player.prestige += 1
        note(t, H_CONFIRMED, t.batch_seat, t.player[t.batch_seat].row[t.batch_index].card, player.prestige)
        lose(rules, t, t.batch_seat, t.batch_index)


cdef void lose(Rules rules, Table* t, int seat, int place) noexcept nogil:
    """The whites come back; then the loser picks (OMEGA-RECOVER-01, OMEGA-RECOVER-02)."""
    cdef Egregor* egregor = &t.player[seat].row[place]
    cdef int snake = rules.card[egregor.card].snake
    if egregor.load[WHITE]:
        note(t, H_WHITES_BACK, seat, egregor.load[WHITE], 0)
    while egregor.load[WHITE]:
        lift(egregor, WHITE)
        into_pyramid(t, seat, WHITE)
    push(t, F_RECOVER, seat, place, snake if snake < egregor.total else egregor.total)


cdef void recover(Table* t, int type) noexcept nogil:
    # OMEGA-RECOVER-03
    cdef Frame* frame = top(t)
    lift(&t.player[frame.a].row[frame.b], type)
    into_pyramid(t, frame.a, type)
    frame.c -= 1


cdef void recovered(Rules rules, Table* t) noexcept nogil:
    """The loser has picked: the rest goes to the bag (OMEGA-RECOVER-05), and the card on."""
    cdef Frame frame = top(t)[0]
    cdef Egregor* egregor = &t.player[frame.a].row[frame.b]
    cdef int type, card = egregor.card
    t.depth -= 1
    note(t, H_LOST, frame.a, card, frame.a == t.active)
    for type in range(TYPES):
        if egregor.load[type]:
            note(t, H_TO_BAG, frame.a, type, egregor.load[type])
        while egregor.load[type]:
            lift(egregor, type)
            into_bag(t, type)
    remove(t, frame.a, frame.b)
    if frame.a == t.active:
        # OMEGA-DISOWN-05
        t.discard |= <uint64_t> 1 << card
    else:
        # OMEGA-CAPTURE-13
        t.player[frame.a].lost = 1
        gain(rules, t, card)


cdef void remove(Table* t, int seat, int place) noexcept nogil:
    cdef Player* player = &t.player[seat]
    cdef int i
    for i in range(place, player.owned - 1):
        player.row[i] = player.row[i + 1]
    player.owned -= 1
    memset(&player.row[player.owned], 0, sizeof(Egregor))
    if player.mask == place:
        # OMEGA-DISOWN-06
        player.mask = -1
        note(t, H_MASK, seat, -1, 0)
    elif player.mask > place:
        player.mask -= 1


cdef void gain(Rules rules, Table* t, int card) noexcept nogil:
    """The card comes in front of the active player with the batch on it, which triggers (OMEGA-SUMMON-05)."""
    cdef Player* player = &t.player[t.active]
    cdef int place = player.owned, type, reds
    cdef Egregor* egregor = &player.row[place]
    cdef unsigned char[TYPES] batch
    memset(egregor, 0, sizeof(Egregor))
    egregor.card = card
    egregor.gained = 1
    for type in range(TYPES):
        batch[type] = t.batch[type]
        egregor.load[type] = t.batch[type]
        egregor.total += t.batch[type]
        while t.batch[type]:
            t.batch[type] -= 1
            from_pyramid(t, t.active, type)
    t.batch_size = t.batch_shown = 0
    t.batch_seat = t.batch_index = NONE
    player.owned += 1
    if place == 0 and not rules.card[card].renegade:
        # OMEGA-MASK-02
        player.mask = 0
        note(t, H_MASK, t.active, 0, 0)
    # OMEGA-ORDER-02: what is pushed last comes first.
    push(t, F_LIGHTNING, place, card, 0)
    t.green_pending = rules.consecutive and batch[GREEN] & 1
    if batch[GREEN] >= 2:
        # OMEGA-GREEN-04
        push(t, F_DRAW, batch[GREEN] // 2, NO_COLOUR, 0)
    reds = batch[RED]
    if reds and rules.red_limit == PER_BATCH:
        reds = 1
    push(t, F_RED, place, reds, 0)
    if batch[BLUE]:
        # OMEGA-BLUE-02
        advance(rules, t, 2 * batch[BLUE], CAUSE_BLUE)
