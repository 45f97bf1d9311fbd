from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

cdef int cycle_step(StateBase m, Frame* frame, int code) except -1
cdef int phase_step(StateBase m, Frame* frame, int code) except -1
cdef int card_step(StateBase m, Frame* frame, int code) except -1
cdef int mechanism_step(StateBase m, Frame* frame, int code) except -1
cdef int hostiles_step(StateBase m, Frame* frame, int code) except -1
cdef int end_step(StateBase m, Frame* frame, int code) except -1
cdef int push_propaganda(StateBase m, int player, list found) except -1

cdef int activation_step(StateBase m, Frame* frame, int code) except -1
cdef int push_acts(StateBase m, const Frame* frame, list found) except -1
cdef bint may_coordinate(StateBase m, const Frame* frame, int figure) except -1
cdef bint may_act(StateBase m, const Frame* frame, int figure) noexcept

cdef int planning_step(StateBase m, Frame* frame, int code) except -1
cdef int push_plan(StateBase m, int player, bint ministry, list found) except -1
cdef int change_plan(StateBase m, int player, int viewer, int what, int slots) except -1
cdef int lay(StateBase m, int player, int code) except -1
cdef int ministry_slots(StateBase m, int ministry) except -1

cdef int start_game(StateBase m) except -1
cdef int run(StateBase m) except -1
cdef int answer(StateBase m, int32_t code) except -1
