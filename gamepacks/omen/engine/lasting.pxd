from gamepacks.omen.engine.table cimport Frame, Table

cdef int run_lasting(Table t, Frame* frame) except -1
cdef void end_mods(Table t, int until, int seat) noexcept
cdef bint may_play_in(Table t, int seat) noexcept
