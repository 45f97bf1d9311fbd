from libc.stdint cimport int32_t

from cext.random cimport Rng
from cext.state cimport Codes
from gamepacks.omega.engine.data cimport StateData
from gamepacks.omega.engine.rules cimport OmegaRules
from gamepacks.omega.engine.state cimport OmegaState

cdef int32_t evaluate(OmegaRules rules, const StateData* s, int seat) noexcept nogil
cdef int32_t playout_value(OmegaState state, int32_t code, int seat, Rng rng, Codes buffer) except? -0x7FFFFFFF
cdef OmegaState best_end(OmegaState state, int count, Rng rng, Codes buffer)
