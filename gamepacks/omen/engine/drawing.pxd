from gamepacks.omen.engine.table cimport Frame, Table

cdef int start_draws(Table t, int seat, int n, bint optional, int cause) except -1
cdef int run_draws(Table t, Frame* frame) except -1
cdef int drawn(Table t, int card) except -1
cdef int start_prize(Table t, int city, int seat, int cause) except -1
cdef int run_prize(Table t, Frame* frame) except -1
cdef int prize_shown(Table t, int card) except -1
cdef int start_peek(Table t, int deck, int n, int seen_by) except -1
cdef int run_peek(Table t, Frame* frame) except -1
cdef int peeked(Table t, int card) except -1
