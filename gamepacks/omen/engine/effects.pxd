from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState, Frame

cdef int run_block(CoreState s, Frame* frame) except -1
cdef int run_effect(CoreState s, Frame* frame) except -1
cdef int apply_effect(CoreState s, Frame* frame, int32_t code, int token) except -1
cdef int effect_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1
