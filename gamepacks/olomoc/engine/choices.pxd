from libc.stdint cimport int32_t

from cext.state cimport Codes
from gamepacks.olomoc.engine.table cimport OlomocTable

cdef int fill_choices(OlomocTable m, int player, Codes out) except -1
cdef int fill_outcomes(OlomocTable m, Codes out) except -1
cdef bint is_choice(OlomocTable m, int player, int32_t code) except -1
