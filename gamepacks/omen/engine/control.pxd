from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState, Frame

cdef int run_control(CoreState s, Frame* frame) except -1
cdef int apply_control(CoreState s, Frame* frame, int32_t code, int token) except -1
cdef int control_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1
cdef int apply_roll(CoreState s, int n) except -1
