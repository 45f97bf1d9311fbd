from gamepacks.omen.engine.table cimport Set, Table

cdef int begin_turn(Table t, int seat) except -1
cdef int finish(Table t) except -1
cdef int over_limit(Table t, Set* out) noexcept
cdef int close(Table t) except -1
cdef void units_in_hand(Table t, bint sheddable, Set* out) noexcept
