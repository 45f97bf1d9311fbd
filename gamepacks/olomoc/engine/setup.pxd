from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

cdef int game_step(StateBase m, Frame* frame, int code) except -1
cdef int build_step(StateBase m, Frame* frame, int code) except -1
cdef int push_build(StateBase m, int player, list found) except -1
cdef list scenery_codes(StateBase m)
cdef object scenery_fault(StateBase m, int rotation, int x, int y)
cdef tuple hands(int fallen)
