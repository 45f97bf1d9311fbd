from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.table cimport Env, Frame, Set, Table

cdef int push_option(Codes out, uint8_t* tokens, int code, int token) except -1
cdef int push_places(Table t, int verb, const Set* cards, Codes out, uint8_t* tokens) except -1
cdef int push_cards(Table t, int verb, const Set* cards, Codes out, uint8_t* tokens) except -1
cdef int sort_options(Codes out, uint8_t* tokens) except -1
cdef int selector_of(Table t, Frame* frame) noexcept nogil
cdef int begin_pick(Table t, Frame* frame, int sel) noexcept
cdef int go_on_picking(Table t, Frame* frame, int sel) except -1
cdef void pick_options(Table t, Frame* frame, int sel, Set* out) noexcept
cdef bint picks_unit(Table t, int sel) noexcept nogil
cdef int deploy_cost(Table t, const Env* env, int effect, int token, int city) noexcept
cdef bint city_fits(Table t, const Env* env, int ref, int city, int from_) noexcept
cdef bint payable(Table t, const Env* env, int cost) noexcept
cdef bint put_fits(Table t, int token, int to) noexcept
cdef int lowest(Table t, const Set* cards) noexcept
cdef bint same_copies(Table t, int one, int other) noexcept
