from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Frame, Table

cdef int run_block(Table t, Frame* frame) except -1
cdef int run_effect(Table t, Frame* frame) except -1
cdef int answer_effect(Table t, Frame* frame, int32_t code, int token) except -1
cdef int effect_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1
