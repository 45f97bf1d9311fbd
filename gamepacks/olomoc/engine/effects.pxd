from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.state_base cimport Frame, STAGE, StateBase

cdef int run_program(StateBase m, int program, int32_t* scope, bint root) except -1
cdef int end_program(StateBase m) except -1
cdef Frame* root_of(StateBase m) noexcept
cdef int roll_frame(StateBase m) except -1
cdef int add_lasting(StateBase m, object node, int32_t* scope) except -1
cdef int phase_effects_end(StateBase m) except -1

cdef inline int next_effect(Frame* frame) noexcept:
    # The effect of the program that comes after the present one, from its beginning.
    frame.pc += 1
    frame.v[STAGE] = 0
    return 0

cdef int effects_step(StateBase m, Frame* frame, int code) except -1
cdef int effects_left(const Frame* frame) noexcept
cdef list elements_left(const Frame* frame)

cdef int push_effect(StateBase m, Frame* frame, object node) except -1
cdef int place_effect(StateBase m, Frame* frame, object node) except -1
cdef int move_effect(StateBase m, Frame* frame, object node) except -1
cdef int attack_effect(StateBase m, Frame* frame, object node, int code) except -1
cdef int spawn_effect(StateBase m, int32_t* scope, object node) except -1
cdef int marker_effect(StateBase m, int32_t* scope, object node) except -1
cdef int spawn_hostile(StateBase m, int profile, int x, int y) except -1
cdef int put_marker(StateBase m, int tag, int radius, int zone, bint tainted, int x, int y) except -1

cdef int roll_effect(StateBase m, Frame* frame, object node, int code) except -1
cdef bint rerolls_nothing(StateBase m, int program, int32_t* scope) except -1
cdef int reroll_effect(StateBase m, Frame* frame, object node) except -1
