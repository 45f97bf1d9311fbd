from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState, Env, Frame, TokenSet

# Stages of a frame that picks cards.
cdef enum:
    BEGIN = 0
    PICKING = 1
    DOING = 2

cdef int push_option(Codes out, uint8_t* tokens, int code, int token) except -1
cdef int push_places(CoreState s, int verb, const TokenSet* cards, Codes out, uint8_t* tokens) except -1
cdef int push_cards(CoreState s, int verb, const TokenSet* cards, Codes out, uint8_t* tokens) except -1
cdef int sort_options(Codes out, uint8_t* tokens) except -1
cdef int selector_of(CoreState s, Frame* frame) noexcept nogil
cdef int begin_pick(CoreState s, Frame* frame, int sel) noexcept
cdef int continue_pick(CoreState s, Frame* frame, int sel) except -1
cdef void pick_options(CoreState s, Frame* frame, int sel, TokenSet* out) noexcept
cdef bint picks_unit(CoreState s, int sel) noexcept nogil
cdef int deploy_cost(CoreState s, const Env* env, int effect, int token, int city) noexcept
cdef bint city_fits(CoreState s, const Env* env, int ref, int city, int from_) noexcept
cdef bint payable(CoreState s, const Env* env, int cost) noexcept
cdef int first_in_order(CoreState s, const TokenSet* cards) noexcept
cdef bint same_copies(CoreState s, int one, int other) noexcept
cdef int start_cost(CoreState s, int cost) except -1
cdef int run_cost(CoreState s, Frame* frame) except -1
