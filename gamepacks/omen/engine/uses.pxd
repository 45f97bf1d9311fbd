from gamepacks.omen.engine.table cimport Ability, Record, Table

cdef int cause_of(Table t, int card) noexcept nogil
cdef bint unused(Table t, int token, Ability* ability) noexcept nogil
cdef void mark(Table t, int token, Ability* ability) noexcept nogil
cdef int next_ability(Table t, int hook, int token, int seat, int city, int first) noexcept
cdef int usable(Table t, int seat, int token, int hook, const Record* event, bint before_) noexcept
