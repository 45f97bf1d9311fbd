from gamepacks.omen.engine.data cimport CoreState, Frame, TokenSet

# From where a Unit enters a side: Frame.m of an EVENT_TYPE_ENTER operation.
cdef enum:
    FROM_PLAY = 0
    FROM_DEPLOY = 1
    FROM_PLAYED_DEPLOY = 2
    FROM_MOVE = 3
    FROM_SIDE = 4

cdef int request(CoreState s, int type, int by, int who, int token, int city, int n, int cause, int extra) except -1
cdef int run_op(CoreState s, Frame* frame) except -1
cdef int before(CoreState s, int type, int by, int who, int token, int city, int n, int cause) except -1
cdef bint can_enter(CoreState s, int token, int seat, int city, int leaving) noexcept
cdef bint can_enrage(CoreState s, int token) noexcept
cdef bint can_destroy(CoreState s, int token) noexcept
cdef int gain(CoreState s, int by, int who, int n, int cause) except -1
cdef int pay_coins(CoreState s, int who, int n, int cause) except -1
cdef int run_raze(CoreState s, Frame* frame) except -1
cdef int leave_city(CoreState s, const TokenSet* cards, int by, int cause) except -1
cdef int entered(CoreState s, int token, int seat, int city, bint played) except -1
cdef int start_draws(CoreState s, int seat, int n, bint optional, int cause) except -1
cdef int run_draws(CoreState s, Frame* frame) except -1
cdef int apply_draw(CoreState s, int card) except -1
cdef int start_prize(CoreState s, int city, int seat, int cause) except -1
cdef int run_prize(CoreState s, Frame* frame) except -1
cdef int apply_prize(CoreState s, int card) except -1
cdef int start_peek(CoreState s, int deck, int n, int seen_by) except -1
cdef int run_peek(CoreState s, Frame* frame) except -1
cdef int apply_peek(CoreState s, int card) except -1
