from libc.stdint cimport int32_t, uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Frame, Record, Table

cdef int start_later(Table t) except -1
cdef int run_ability(Table t, Frame* frame) except -1
cdef int run_drain(Table t, Frame* frame) except -1
cdef int run_spirit(Table t, Frame* frame) except -1
cdef int run_curse(Table t, Frame* frame) except -1
cdef int curse_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1
cdef int answer_curse(Table t, Frame* frame, int token) except -1
cdef int answer_spirit(Table t, Frame* frame, int which) except -1
cdef int resolve(Table t, int place) except -1
cdef int attend(Table t) except -1
cdef int run_react(Table t, Frame* frame) except -1
cdef int react_options(Table t, Frame* frame, int seat, Codes out, uint8_t* tokens) except -1
