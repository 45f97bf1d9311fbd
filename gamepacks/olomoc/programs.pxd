from libc.stdint cimport int32_t

from gamepacks.olomoc.table cimport Frame, OlomocTable

cdef int run_program(OlomocTable m, int program, int32_t* scope, bint root) except -1
cdef int add_lasting(OlomocTable m, object node, int32_t* scope) except -1
cdef int phase_effects_end(OlomocTable m) except -1
