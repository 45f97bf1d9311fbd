"""Moves of single pieces, and the stack of what is pending: inlined wherever a rule needs them."""

from gamepacks.omega.engine.table cimport BLACK, Egregor, Frame, H_BAG_OUT, MOST_FRAMES, MOST_NOTES, Note, Player, Table

cdef inline Frame* top(Table* t) noexcept nogil:
    return &t.stack[t.depth - 1]


cdef inline void push(Table* t, int kind, int a, int b, int c) noexcept nogil:
    """Something more to resolve, before all else (OMEGA-MAIN-06)."""
    cdef Frame* frame
    if t.depth == MOST_FRAMES:
        t.overflow = 1
        return
    frame = &t.stack[t.depth]
    frame.kind, frame.a, frame.b, frame.c = kind, a, b, c
    t.depth += 1


cdef inline void note(Table* t, int kind, int a, int b, int c) noexcept nogil:
    """Something has happened that events tell."""
    cdef Note* entry
    if t.notes == NULL:
        return
    if t.notes.count == MOST_NOTES:
        t.overflow = 1
    else:
        entry = &t.notes.note[t.notes.count]
        entry.kind, entry.a, entry.b, entry.c = kind, a, b, c
        t.notes.count += 1


cdef inline void into_pyramid(Table* t, int seat, int type) noexcept nogil:
    # In the open: everyone knows now that one of that type is there.
    t.player[seat].pyramid[type] += 1
    t.player[seat].shown[type] += 1


cdef inline void from_pyramid(Table* t, int seat, int type) noexcept nogil:
    cdef Player* player = &t.player[seat]
    player.pyramid[type] -= 1
    if player.shown[type]:
        player.shown[type] -= 1


cdef inline void into_bag(Table* t, int type) noexcept nogil:
    t.bag[type] += 1
    t.bag_size += 1
    t.absent[type] = 0


cdef inline void from_bag(Table* t, int type) noexcept nogil:
    t.bag[type] -= 1
    t.bag_size -= 1
    if not t.bag_size:
        # OMEGA-END-05
        t.latch = 1
        note(t, H_BAG_OUT, t.active, 0, 0)


cdef inline void from_altar(Table* t, int type) noexcept nogil:
    t.altar[type] -= 1
    t.altar_size -= 1


cdef inline void lay(Egregor* egregor, int type) noexcept nogil:
    egregor.load[type] += 1
    egregor.total += 1


cdef inline void lift(Egregor* egregor, int type) noexcept nogil:
    egregor.load[type] -= 1
    egregor.total -= 1
    # Blacks since before the turn are among those that lie there.
    if egregor.old_blacks > egregor.load[BLACK]:
        egregor.old_blacks = egregor.load[BLACK]
