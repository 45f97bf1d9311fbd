from gamepacks.omen.engine.table cimport Table

cdef int type_of(Table t, int token) noexcept
cdef int weight_of(Table t, int token) noexcept
cdef int stat_of(Table t, int token, int stat) noexcept
cdef int units_on(Table t, int city, int seat) noexcept
cdef int strength_on(Table t, int city, int seat) noexcept
cdef int limit_on(Table t, int city, int seat) noexcept
cdef int changed(Table t, int what, int target, int who, int value) noexcept
cdef bint forbidden(Table t, int what, int seat, int token) noexcept
cdef bint stat_changed(Table t, int what) noexcept
cdef bint to_resolve(Table t, int city) noexcept
cdef bint closed(Table t, int city) noexcept
cdef int cost_in(Table t, int token, int city) noexcept
