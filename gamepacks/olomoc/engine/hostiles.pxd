from libc.stdint cimport uint64_t

from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

cdef int hostile_step(StateBase m, Frame* frame, int code) except -1
cdef int line_that_applies(StateBase m, const Frame* frame) except -2
cdef uint64_t wanted_by_instinct(StateBase m, int figure, uint64_t among) except? 0xFFFFFFFF
