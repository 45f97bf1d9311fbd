from gamepacks.omen.engine.table cimport Table

cdef int score_of(Table t, int seat) noexcept
cdef int winners_of(Table t) noexcept
cdef int endings(Table t) noexcept
