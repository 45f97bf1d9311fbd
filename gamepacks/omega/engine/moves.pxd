from cext.state cimport Codes
from gamepacks.omega.engine.data cimport Egregor, Player, StateData
from gamepacks.omega.engine.rules cimport OmegaRules

cdef int list_main_actions(OmegaRules rules, const StateData* s, Codes out) except -1
cdef int list_draw_actions(const StateData* s, Codes out) except -1
cdef int list_frame_actions(OmegaRules rules, const StateData* s, Codes out) except -1
cdef int list_outcomes(OmegaRules rules, const StateData* s, Codes out) except -1

cdef bint can_carry(OmegaRules rules, const Egregor* egregor, int type) noexcept nogil
cdef int smallest_batch(const StateData* s) noexcept nogil
cdef int batch_colour_limit(OmegaRules rules, const StateData* s) noexcept nogil
cdef bint can_add(
    const Player* player, const unsigned char* batch, int size, int limit, int needed, int type
) noexcept nogil
cdef bint can_place(OmegaRules rules, const Player* player, int type) noexcept nogil
cdef bint can_pair_first(OmegaRules rules, const Player* player, int place) noexcept nogil
cdef bint can_pair(OmegaRules rules, const Player* player) noexcept nogil
cdef bint bag_may_hold(OmegaRules rules, const StateData* s, int type) noexcept nogil
cdef bint can_replace_any_key(OmegaRules rules, const StateData* s, int card) noexcept nogil
cdef bint all_dealt(OmegaRules rules, const StateData* s) noexcept nogil
cdef int dealt_seat(OmegaRules rules, const StateData* s) noexcept nogil
