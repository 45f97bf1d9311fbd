from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int cycle_step(OlomocTable m, Frame* frame, int code) except -1
cdef int phase_step(OlomocTable m, Frame* frame, int code) except -1
cdef int card_step(OlomocTable m, Frame* frame, int code) except -1
cdef int mechanism_step(OlomocTable m, Frame* frame, int code) except -1
cdef int hostiles_step(OlomocTable m, Frame* frame, int code) except -1
cdef int end_step(OlomocTable m, Frame* frame, int code) except -1
cdef int push_propaganda(OlomocTable m, int player, list found) except -1
