from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Frame, Set, Table

cdef int run_war(Table t, Frame* frame) except -1
cdef int keep_options(Table t, Frame* frame, Codes out) except -1
cdef int answer_keep(Table t, Frame* frame, int mask) except -1
cdef int run_triumph(Table t, Frame* frame) except -1
cdef int move_triumph(Table t, int token) except -1
cdef void triumphs(Table t, Set* out) noexcept
