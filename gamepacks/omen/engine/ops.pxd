from gamepacks.omen.engine.table cimport Frame, Record, Set, Table

# From where a Unit enters a side: Frame.m of an EV_ENTER operation.
cdef enum:
    FROM_PLAY = 0
    FROM_DEPLOY = 1
    FROM_PLAYED_DEPLOY = 2
    FROM_MOVE = 3
    FROM_SIDE = 4

cdef int request(Table t, int type, int by, int who, int token, int city, int n, int cause, int extra) except -1
cdef int run_op(Table t, Frame* frame) except -1
cdef int before(Table t, int type, int by, int who, int token, int city, int n, int cause) except -1
cdef bint can_enter(Table t, int token, int seat, int city, int leaving) noexcept
cdef bint can_enrage(Table t, int token) noexcept
cdef bint can_destroy(Table t, int token) noexcept
cdef int gain(Table t, int by, int who, int n, int cause) except -1
cdef int pay_coins(Table t, int who, int n, int cause) except -1
cdef int run_raze(Table t, Frame* frame) except -1
cdef int leave_city(Table t, const Set* cards, int by, int cause) except -1
cdef int entered(Table t, int token, int seat, int city, bint played) except -1
cdef int hooked(Table t, int hook, int token, int card, int controller, int city, const Record* event) except -1
