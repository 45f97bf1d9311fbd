"""What a viewer can say about the runes that it does not see (section 15.6 of RULES.md).

It knows the number of runes in each pyramid, what of it entered in the open and has not left since (``shown``), and all
runes but those of the bag and the opposing pyramids. After a search in vain it knows that the bag has none of that
colour (``absent``). Nothing else goes into these numbers: for tables that the viewer cannot tell apart they are equal.
"""

from libc.string cimport memset

from gamepacks.omega.engine.table cimport Rules, TYPES, Table


cdef void look(Rules rules, const Table* t, int viewer, Unseen* out) noexcept nogil:
    """What ``viewer``, a seat or -1 for the spectator, does not see."""
    cdef int seat, type, unknown
    memset(out, 0, sizeof(Unseen))
    for type in range(TYPES):
        out.pool[type] = t.bag[type]
        out.absent[type] = t.absent[type]
    for seat in range(rules.players):
        if seat == viewer:
            continue
        for type in range(TYPES):
            unknown = t.player[seat].pyramid[type] - t.player[seat].shown[type]
            out.slots[seat] += unknown
            out.pool[type] += unknown
        out.all_slots += out.slots[seat]
    for type in range(TYPES):
        out.total += out.pool[type]
        if out.absent[type]:
            out.absent_total += out.pool[type]


cdef int least(const Unseen* unseen, int seat, int type) noexcept nogil:
    """The fewest unknown runes of a type that a pyramid can hold."""
    cdef int slots = unseen.slots[seat]
    # What other types cannot fill, and what other pyramids have no room for where the bag has none.
    cdef int found = slots - (unseen.total - unseen.pool[type])
    cdef int forced = unseen.pool[type] - (unseen.all_slots - slots) if unseen.absent[type] else 0
    if forced > found:
        found = forced
    return found if found > 0 else 0


cdef int most(const Unseen* unseen, int seat, int type) noexcept nogil:
    """The most unknown runes of a type that a pyramid can hold."""
    cdef int found = unseen.slots[seat]
    # Room must be left, in all pyramids together, for what the bag has none of.
    cdef int room = unseen.all_slots - unseen.absent_total
    if unseen.pool[type] < found:
        found = unseen.pool[type]
    return room if not unseen.absent[type] and room < found else found
