from libc.stdint cimport int32_t

from cext.state cimport Codes
from gamepacks.omega.engine.table cimport Rules, Table

cdef bint all_dealt(Rules rules, const Table* t) noexcept nogil
cdef int receiver(Rules rules, const Table* t) noexcept nogil
cdef int push_outcomes(Rules rules, const Table* t, Codes out) except -1
cdef void happen(Rules rules, Table* t, int32_t code) noexcept nogil
cdef void begin_main(Table* t) noexcept nogil
