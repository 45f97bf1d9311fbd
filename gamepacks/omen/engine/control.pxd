from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Frame, Table

cdef int run_control(Table t, Frame* frame) except -1
cdef int answer_control(Table t, Frame* frame, int32_t code, int token) except -1
cdef int control_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1
cdef int rolled(Table t, int n) except -1
