from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int activation_step(OlomocTable m, Frame* frame, int code) except -1
cdef int push_acts(OlomocTable m, const Frame* frame, list found) except -1
cdef bint may_coordinate(OlomocTable m, const Frame* frame, int figure) except -1
cdef bint may_act(OlomocTable m, const Frame* frame, int figure) noexcept
