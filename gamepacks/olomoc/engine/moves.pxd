from libc.stdint cimport int32_t, uint64_t

from cext.geometry.plan cimport Plan
from cext.state cimport Codes
from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int make_plan(OlomocTable m, const Frame* frame, Plan* plan) except -1
cdef bint any_end(OlomocTable m, const Frame* frame) except -1
cdef int push_ends(OlomocTable m, const Frame* frame, int verb, Codes out) except -1
cdef bint can_charge(OlomocTable m, int figure, int foe, int bit) except -1
cdef bint any_charge(OlomocTable m, int figure, int bit) except -1
cdef uint64_t charge_targets(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF
cdef int push_charges(OlomocTable m, int figure, uint64_t targets, Codes out) except -1
cdef bint may_charge(OlomocTable m, int figure, int target, int x, int y) except -1
cdef int ask_go(OlomocTable m, int kind, int element, int what, int chooser) except -1
cdef bint could_move(OlomocTable m, int figure) except -1
cdef bint could_enter(OlomocTable m, int figure) except -1
cdef int simple_frame(Frame* frame, int kind, int element) noexcept
cdef int go_step(OlomocTable m, Frame* frame, int code) except -1
cdef int move_step(OlomocTable m, Frame* frame, int code) except -1
cdef int start_move(OlomocTable m, int figure, int place) except -1
cdef int relocate(OlomocTable m, int element, int place, int how) except -1
cdef uint64_t zones_left(OlomocTable m, int figure, int place) except? 0xFFFFFFFF
cdef int set_down(OlomocTable m, int element, int place, int radius) except -1
cdef int touch_tainted(OlomocTable m, int figure, uint64_t discs, uint64_t pieces) except -1
