from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState

cdef int place_cards(CoreState s) except -1
cdef int run_setup(CoreState s) except -1
cdef int setup_options(CoreState s, int seat, Codes out, uint8_t* tokens) except -1
cdef int apply_setup(CoreState s, int32_t code, int token, int seat) except -1
cdef int dealt(CoreState s, int card) except -1
