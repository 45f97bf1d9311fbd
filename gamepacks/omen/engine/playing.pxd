from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState, EventRecord, Frame

cdef int modes_of(CoreState s, int seat, int token) noexcept
cdef bint playable(CoreState s, int seat, int token) noexcept
cdef int surge_options(CoreState s, Codes out, uint8_t* tokens) except -1
cdef int use_card(CoreState s, int seat, int token, int mode) except -1
cdef int react_with(CoreState s, int seat, int token, const EventRecord* event, bint before) except -1
cdef int run_card(CoreState s, Frame* frame) except -1
cdef int run_play(CoreState s, Frame* frame) except -1
cdef int run_free(CoreState s, Frame* frame) except -1
cdef int free_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1
cdef int apply_free(CoreState s, Frame* frame, int code, int token) except -1
cdef int run_offer(CoreState s, Frame* frame) except -1
cdef int split_options(CoreState s, int seat, int verb, Codes out, uint8_t* tokens) except -1
