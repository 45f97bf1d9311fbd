from gamepacks.omega.table cimport Rules, Table

cdef void settle(Rules rules, Table* t) noexcept nogil
