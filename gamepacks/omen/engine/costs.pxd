from gamepacks.omen.engine.table cimport Frame, Table

cdef int start_cost(Table t, int cost) except -1
cdef int run_cost(Table t, Frame* frame) except -1
