from cext.state cimport Codes, State
from gamepacks.ominoes.engine.board cimport OminoesRules, StateData

cdef class OminoesState(State):
    cdef readonly OminoesRules rules
    cdef StateData data
    cdef void next_set_up(self) noexcept nogil
    cdef void begin_turn(self) noexcept nogil
    cdef void after_roll(self) noexcept nogil
    cdef void after_move(self) noexcept nogil
    cdef void go_on_to_add(self) noexcept nogil
    cdef void after_add(self) noexcept nogil
    cdef void end_turn(self) noexcept nogil
    cdef void score_group(self, int god, int cell) noexcept nogil
    cdef void finish(self) noexcept nogil
