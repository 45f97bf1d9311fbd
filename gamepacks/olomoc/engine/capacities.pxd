from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.queries cimport Elements
from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

cdef int capacity_at(StateBase m, int figure, int slot) except -2
cdef int cost_of(StateBase m, int figure, int slot) except -1
cdef int pay(StateBase m, int figure, int slot) except -1
cdef bint usable(StateBase m, int figure, int slot) except -1
cdef object why_unusable(StateBase m, int figure, int slot)
cdef bint may_use_trigger(StateBase m, int figure, int slot, int trigger, int one, int two) except -1
cdef bint affordable(StateBase m, int figure, int slot) except -1
cdef Elements capacity_targets(StateBase m, int figure, object capacity, int32_t* scope) except *
cdef Elements fair_targets(StateBase m, int figure, object capacity, int32_t* scope) except *
cdef bint own_roll(object node) except -1
cdef int use(StateBase m, int figure, int slot) except -1
cdef int capacity_step(StateBase m, Frame* frame, int code) except -1
cdef int push_rests(StateBase m, int figure, list found) except -1
cdef int bind_trigger(StateBase m, int32_t* scope, int trigger, int one, int two) except -1

cdef int flush_events(StateBase m) except -1
cdef int triggers_step(StateBase m, Frame* frame, int code) except -1
cdef list waiting_items(StateBase m)
cdef int32_t* item_at(StateBase m, int height, int item) noexcept
cdef int answered(StateBase m, int height) noexcept
cdef int bind_answered(StateBase m, int height, int32_t* scope) except -1
