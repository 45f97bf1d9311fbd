from gamepacks.omen.engine.data cimport CoreState

cdef int end_conditions(CoreState s) noexcept
cdef int score_of(CoreState s, int seat) noexcept
cdef int winners_of(CoreState s) noexcept
