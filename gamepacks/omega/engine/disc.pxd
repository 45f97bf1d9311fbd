from gamepacks.omega.engine.table cimport Rules, Table

cdef void advance(Rules rules, Table* t, int squares, int cause) noexcept nogil
cdef void take_token(Table* t, int stack) noexcept nogil
