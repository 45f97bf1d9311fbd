from gamepacks.omen.engine.table cimport Frame, Table

cdef int run_look(Table t, Frame* frame) except -1
cdef int run_reveal(Table t, Frame* frame) except -1
cdef int run_put(Table t, Frame* frame, bint preparing) except -1
cdef int start_relic(Table t, int token, int city, int you, int cause) except -1
cdef int end_looks(Table t) except -1
cdef void story(
    Table t, int type, int by, int who, int token, int city, int source, int to, int n, int cause, int seen, extra
)
