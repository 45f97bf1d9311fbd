from libc.stdint cimport int32_t, uint8_t, uint64_t

from cext.state cimport Codes, State
from gamepacks.omega.table cimport Frame, Player, Rules, Table

cdef class OmegaState(State):
    cdef readonly Rules rules
    cdef Table table
    cdef Frame* top(self) noexcept nogil
    cdef void push(self, int kind, int a, int b, int c) noexcept nogil
    cdef void into_pyramid(self, int seat, int type) noexcept nogil
    cdef void from_pyramid(self, int seat, int type) noexcept nogil
    cdef void into_bag(self, int type) noexcept nogil
    cdef void from_bag(self, int type) noexcept nogil
    cdef void from_altar(self, int type) noexcept nogil
    cdef void advance(self, int squares) noexcept nogil
    cdef int chance_step(self, int32_t code) except -1
    cdef void main_step(self, int32_t code) noexcept nogil
    cdef void frame_step(self, int32_t code) noexcept nogil
    cdef void placed(self, int place, int type) noexcept nogil
    cdef void confirm(self) noexcept nogil
    cdef void gain(self, int card) noexcept nogil
    cdef void lose(self, int seat, int place) noexcept nogil
    cdef void recovered(self) noexcept nogil
    cdef void remove(self, int seat, int place) noexcept nogil
    cdef void effect(self, int place, int card, int power, int number) noexcept nogil
    cdef void begin_key(self, int place) noexcept nogil
    cdef void replace(self, int place, int card) noexcept nogil
    cdef void end_key(self) noexcept nogil
    cdef bint draw_colour(self, int type) noexcept nogil
    cdef int receiver(self) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef bint settle_frame(self) noexcept nogil
    cdef bint settle_phase(self) noexcept nogil
    cdef void begin_turn(self) noexcept nogil
    cdef void end_turn(self) noexcept nogil
