from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int roll_effect(OlomocTable m, Frame* frame, object node, int code) except -1
cdef bint rerolls_nothing(OlomocTable m, int program, int32_t* scope) except -1
cdef int reroll_effect(OlomocTable m, Frame* frame, object node) except -1
