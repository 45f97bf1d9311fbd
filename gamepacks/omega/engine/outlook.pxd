from libc.stdint cimport int32_t

from gamepacks.omega.engine.table cimport Rules, Table

cdef int32_t outlook(Rules rules, const Table* t, int seat) noexcept nogil
