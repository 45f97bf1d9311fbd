from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState, Frame, TokenSet

cdef int run_turn(CoreState s) except -1
cdef int turn_options(CoreState s, Codes out, uint8_t* tokens) except -1
cdef int apply_turn(CoreState s, int32_t code, int token) except -1
cdef int wealth_left(CoreState s) noexcept
cdef int met_claims(CoreState s, int zone, TokenSet* out) noexcept
cdef int run_triumph(CoreState s, Frame* frame) except -1
cdef int move_triumph(CoreState s, int token) except -1
cdef void triumphs(CoreState s, TokenSet* out) noexcept
cdef int begin_turn(CoreState s, int seat) except -1
