from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Set, Table

cdef int run_turn(Table t) except -1
cdef int turn_options(Table t, Codes out, uint8_t* tokens) except -1
cdef int answer_turn(Table t, int32_t code, int token) except -1
cdef int wealth_left(Table t) noexcept
cdef int met(Table t, int zone, Set* out) noexcept
