from gamepacks.omega.engine.data cimport StateData
from gamepacks.omega.engine.rules cimport OmegaRules

cdef void run_to_next_node(OmegaRules rules, StateData* s) noexcept nogil
