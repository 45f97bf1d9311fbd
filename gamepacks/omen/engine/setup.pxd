from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Table

cdef int lay_out(Table t) except -1
cdef int run_setup(Table t) except -1
cdef int setup_options(Table t, int seat, Codes out, uint8_t* tokens) except -1
cdef int answer_setup(Table t, int32_t code, int token, int seat) except -1
cdef int dealt(Table t, int card) except -1
