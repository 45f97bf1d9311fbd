from gamepacks.omega.engine.table cimport Rules, SEATS, TYPES, Table

cdef struct Unseen:
    # Runes by type that lie in the bag or, unknown to the viewer, in pyramids.
    int[TYPES] pool
    # Of them, those of a type that the bag is known not to have: all lie in pyramids.
    bint[TYPES] absent
    int absent_total
    int total
    # How many unknown runes each pyramid holds; 0 for the viewer's own.
    int[SEATS] slots
    int all_slots

cdef void look(Rules rules, const Table* t, int viewer, Unseen* out) noexcept nogil
cdef int least(const Unseen* unseen, int seat, int type) noexcept nogil
cdef int most(const Unseen* unseen, int seat, int type) noexcept nogil
