from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int game_step(OlomocTable m, Frame* frame, int code) except -1
cdef int build_step(OlomocTable m, Frame* frame, int code) except -1
cdef int push_build(OlomocTable m, int player, list found) except -1
cdef list scenery_codes(OlomocTable m)
cdef object scenery_fault(OlomocTable m, int rotation, int x, int y)
cdef tuple hands(int fallen)
