from gamepacks.omega.engine.table cimport Rules, Table

cdef void settle(Rules rules, Table* t) noexcept nogil
