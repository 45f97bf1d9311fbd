from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.table cimport Frame, OlomocTable, STAGE

cdef int run_program(OlomocTable m, int program, int32_t* scope, bint root) except -1
cdef int end_program(OlomocTable m) except -1
cdef Frame* root_of(OlomocTable m) noexcept
cdef int roll_home(OlomocTable m) except -1
cdef int add_lasting(OlomocTable m, object node, int32_t* scope) except -1
cdef int phase_effects_end(OlomocTable m) except -1


cdef inline int next_effect(Frame* frame) noexcept:
    # The effect of the program that comes after the present one, from its beginning.
    frame.pc += 1
    frame.v[STAGE] = 0
    return 0
