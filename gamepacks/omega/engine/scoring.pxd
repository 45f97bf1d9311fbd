from libc.stdint cimport int64_t

from gamepacks.omega.engine.data cimport StateData
from gamepacks.omega.engine.resampling cimport HiddenRunes
from gamepacks.omega.engine.rules cimport OmegaRules

cdef struct SeatScore:
    int64_t runes
    int64_t gold
    int64_t arcana
    int64_t bonus
    int64_t total

# Bounds of a number of which only a part is known; equal if all is.
cdef struct Bounds:
    int64_t least
    int64_t most

cdef Bounds token_points(
    OmegaRules rules, const StateData* s, int token, int seat, const HiddenRunes* hidden
) noexcept nogil
cdef Bounds held_token_points(OmegaRules rules, const StateData* s, int seat) noexcept nogil
cdef void score_seats(OmegaRules rules, const StateData* s, SeatScore* out) noexcept nogil
