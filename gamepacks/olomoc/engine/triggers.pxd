from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int flush_events(OlomocTable m) except -1
cdef int triggers_step(OlomocTable m, Frame* frame, int code) except -1
cdef list waiting_items(OlomocTable m)
cdef int32_t* item_at(OlomocTable m, int height, int item) noexcept
cdef int answered(OlomocTable m, int height) noexcept
cdef int bind_answered(OlomocTable m, int height, int32_t* scope) except -1
