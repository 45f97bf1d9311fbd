from libc.stdint cimport int32_t

from gamepacks.omega.engine.data cimport StateData
from gamepacks.omega.engine.rules cimport OmegaRules

cdef void apply_draw_action(StateData* s, int32_t code) noexcept nogil
cdef void apply_main_action(OmegaRules rules, StateData* s, int32_t code) noexcept nogil
cdef void apply_frame_action(OmegaRules rules, StateData* s, int32_t code) noexcept nogil
cdef void apply_outcome(OmegaRules rules, StateData* s, int32_t code) noexcept nogil

cdef void begin_main(StateData* s) noexcept nogil
cdef void finish_recovery(OmegaRules rules, StateData* s) noexcept nogil
cdef bint run_power(OmegaRules rules, StateData* s) noexcept nogil
cdef bint draw_colour(StateData* s, int type) noexcept nogil
cdef void end_key(OmegaRules rules, StateData* s) noexcept nogil
