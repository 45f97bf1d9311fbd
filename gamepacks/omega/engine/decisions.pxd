from libc.stdint cimport int32_t

from gamepacks.omega.engine.table cimport Rules, Table

cdef void draw_step(Table* t, int32_t code) noexcept nogil
cdef void main_step(Rules rules, Table* t, int32_t code) noexcept nogil
cdef void frame_step(Rules rules, Table* t, int32_t code) noexcept nogil
