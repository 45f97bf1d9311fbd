from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Table

cdef int options(Table t, int seat, Codes out, uint8_t* tokens) except -1
cdef int outcomes(Table t, Codes out) except -1
cdef int answer(Table t, int32_t code, int token, int seat) except -1
cdef int chance_answer(Table t, int32_t code) except -1
cdef int settle(Table t) except -1
cdef int seen_by(Table t, int32_t code, int token, int seat) except -1
