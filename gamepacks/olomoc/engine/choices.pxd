from libc.stdint cimport int32_t

from cext.state cimport Codes
from gamepacks.olomoc.engine.state_base cimport StateBase

cdef int fill_choices(StateBase m, int player, Codes out) except -1
cdef int fill_outcomes(StateBase m, Codes out) except -1
cdef bint is_choice(StateBase m, int player, int32_t code) except -1
