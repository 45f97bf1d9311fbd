from libc.stdint cimport int32_t, uint64_t

from cext.geometry.plan cimport Plan
from cext.state cimport Codes
from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

cdef int make_plan(StateBase m, const Frame* frame, Plan* plan) except -1
cdef bint any_end(StateBase m, const Frame* frame) except -1
cdef int push_ends(StateBase m, const Frame* frame, int verb, Codes out) except -1
cdef bint can_charge(StateBase m, int figure, int foe, int bit) except -1
cdef bint any_charge(StateBase m, int figure, int bit) except -1
cdef uint64_t charge_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef int push_charges(StateBase m, int figure, uint64_t targets, Codes out) except -1
cdef bint may_charge(StateBase m, int figure, int target, int x, int y) except -1
cdef int ask_go(StateBase m, int kind, int element, int what, int chooser) except -1
cdef bint could_move(StateBase m, int figure) except -1
cdef bint could_enter(StateBase m, int figure) except -1
cdef int simple_frame(Frame* frame, int kind, int element) noexcept
cdef int go_step(StateBase m, Frame* frame, int code) except -1
cdef int move_step(StateBase m, Frame* frame, int code) except -1
cdef int start_move(StateBase m, int figure, int place) except -1
cdef int relocate(StateBase m, int element, int place, int how) except -1
cdef uint64_t zones_left(StateBase m, int figure, int place) except? 0xFFFFFFFF
cdef int set_down(StateBase m, int element, int place, int radius) except -1
cdef int touch_tainted(StateBase m, int figure, uint64_t discs, uint64_t pieces) except -1
