from gamepacks.omen.engine.table cimport Env, Frame, Table

cdef bint city_open(Table t, Frame* frame, const Env* env, int token, int city) noexcept
cdef int place_next(Table t, Frame* frame) except -1
cdef int place(Table t, Frame* frame, int city) except -1
cdef int swap(Table t, Frame* frame) except -1
