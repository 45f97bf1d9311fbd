from gamepacks.omega.engine.table cimport Rules, Table

cdef void declare(Table* t, int seat, int index) noexcept nogil
cdef void confirm(Rules rules, Table* t) noexcept nogil
cdef void lose(Rules rules, Table* t, int seat, int place) noexcept nogil
cdef void recover(Table* t, int type) noexcept nogil
cdef void recovered(Rules rules, Table* t) noexcept nogil
