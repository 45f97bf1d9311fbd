from libc.stdint cimport uint64_t

from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int hostile_step(OlomocTable m, Frame* frame, int code) except -1
cdef int line_that_applies(OlomocTable m, const Frame* frame) except -2
cdef uint64_t wanted_by_instinct(OlomocTable m, int figure, uint64_t among) except? 0xFFFFFFFF
