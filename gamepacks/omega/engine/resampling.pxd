from gamepacks.omega.codes_enums cimport SEATS, TYPES
from gamepacks.omega.engine.data cimport StateData
from gamepacks.omega.engine.rules cimport OmegaRules

# Runes that a viewer does not see.
cdef struct HiddenRunes:
    # Runes by type that are in the bag or hidden in pyramids.
    int[TYPES] pool
    # Types that the bag is known not to have: all of these runes are in pyramids.
    bint[TYPES] absent
    int absent_total
    int total
    # Hidden runes in each pyramid; 0 for the viewer's own.
    int[SEATS] slots
    int all_slots

cdef int resample(OmegaRules rules, const StateData* truth, StateData* out, int viewer, object rng) except -1
cdef void count_hidden_runes(OmegaRules rules, const StateData* s, int viewer, HiddenRunes* out) noexcept nogil
cdef int min_hidden(const HiddenRunes* hidden, int seat, int type) noexcept nogil
cdef int max_hidden(const HiddenRunes* hidden, int seat, int type) noexcept nogil
