from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int effects_step(OlomocTable m, Frame* frame, int code) except -1
cdef int effects_left(const Frame* frame) noexcept
cdef list elements_left(const Frame* frame)
