from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Frame, Record, Table

cdef int modes_of(Table t, int seat, int token) noexcept
cdef bint playable(Table t, int seat, int token) noexcept
cdef int surge_options(Table t, Codes out, uint8_t* tokens) except -1
cdef int use_card(Table t, int seat, int token, int mode) except -1
cdef int react_with(Table t, int seat, int token, const Record* event, bint before) except -1
cdef int run_card(Table t, Frame* frame) except -1
cdef int run_play(Table t, Frame* frame) except -1
cdef int run_free(Table t, Frame* frame) except -1
cdef int free_options(Table t, Frame* frame, Codes out, uint8_t* tokens) except -1
cdef int answer_free(Table t, Frame* frame, int code, int token) except -1
cdef int run_offer(Table t, Frame* frame) except -1
cdef int split_options(Table t, int seat, int verb, Codes out, uint8_t* tokens) except -1
cdef void make_known(Table t, int token, int viewers) noexcept
