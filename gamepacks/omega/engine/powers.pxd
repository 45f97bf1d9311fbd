from gamepacks.omega.engine.table cimport Rules, Table

cdef bint fire(Rules rules, Table* t) noexcept nogil
cdef void use_book(Rules rules, Table* t, int place, int power) noexcept nogil
cdef bint draw_colour(Table* t, int type) noexcept nogil
cdef void cycle(Table* t, int place, int type) noexcept nogil
cdef void take_key(Rules rules, Table* t, int card) noexcept nogil
cdef void replace(Rules rules, Table* t, int place, int card) noexcept nogil
cdef void end_key(Rules rules, Table* t) noexcept nogil
