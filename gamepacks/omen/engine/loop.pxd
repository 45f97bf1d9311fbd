from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState

cdef int fill_options(CoreState s, int seat, Codes out, uint8_t* tokens) except -1
cdef int fill_outcomes(CoreState s, Codes out) except -1
cdef int apply_option(CoreState s, int32_t code, int token, int seat) except -1
cdef int apply_outcome(CoreState s, int32_t code) except -1
cdef int advance(CoreState s) except -1
cdef int seen_by(CoreState s, int32_t code, int token, int seat) except -1
