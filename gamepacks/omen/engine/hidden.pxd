from gamepacks.omen.engine.data cimport CoreState

cdef bint depends_on_hidden(CoreState s, int node) noexcept nogil
cdef bint options_depend_on_hidden(CoreState s) noexcept
cdef int decline_code_of(CoreState s) except -2
cdef int resample(CoreState truth, CoreState out, int viewer, object rng) except -1
