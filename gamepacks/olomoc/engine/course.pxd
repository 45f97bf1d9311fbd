from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.table cimport OlomocTable

cdef int start_game(OlomocTable m) except -1
cdef int run(OlomocTable m) except -1
cdef int answer(OlomocTable m, int32_t code) except -1
