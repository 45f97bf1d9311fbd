from gamepacks.omega.engine.table cimport Rules, Table

cdef void place_rune(Rules rules, Table* t, int place, int type) noexcept nogil
cdef void place_pair(Table* t, int first, int second) noexcept nogil
cdef void swap_black(Table* t, int seat, int place, int type) noexcept nogil
cdef void pull_red(Table* t) noexcept nogil
cdef void draw(Table* t, int type) noexcept nogil
