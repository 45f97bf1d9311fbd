from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.query cimport Elements
from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int capacity_at(OlomocTable m, int figure, int slot) except -2
cdef int cost_of(OlomocTable m, int figure, int slot) except -1
cdef int pay(OlomocTable m, int figure, int slot) except -1
cdef bint usable(OlomocTable m, int figure, int slot) except -1
cdef object why_unusable(OlomocTable m, int figure, int slot)
cdef bint may_use_trigger(OlomocTable m, int figure, int slot, int trigger, int one, int two) except -1
cdef bint affordable(OlomocTable m, int figure, int slot) except -1
cdef Elements capacity_targets(OlomocTable m, int figure, object capacity, int32_t* scope) except *
cdef Elements fair_targets(OlomocTable m, int figure, object capacity, int32_t* scope) except *
cdef bint own_roll(object node) except -1
cdef int use(OlomocTable m, int figure, int slot) except -1
cdef int capacity_step(OlomocTable m, Frame* frame, int code) except -1
cdef int push_rests(OlomocTable m, int figure, list found) except -1
cdef int bind_trigger(OlomocTable m, int32_t* scope, int trigger, int one, int two) except -1
