from gamepacks.omen.engine.data cimport CoreState, Frame

cdef int run_modifier(CoreState s, Frame* frame) except -1
cdef void end_modifiers(CoreState s, int until, int seat) noexcept
cdef bint may_play_in(CoreState s, int seat) noexcept
