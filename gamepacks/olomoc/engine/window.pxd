from libc.stdint cimport uint64_t

from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef bint attack_under_way(const Frame* frame) noexcept
cdef int window_step(OlomocTable m, Frame* frame, int code) except -1
cdef uint64_t window_class(OlomocTable m, const Frame* frame) except? 0xFFFFFFFF
