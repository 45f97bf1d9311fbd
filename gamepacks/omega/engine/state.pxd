from cext.state cimport State
from gamepacks.omega.engine.data cimport StateData
from gamepacks.omega.engine.rules cimport OmegaRules

cdef class OmegaState(State):
    cdef readonly OmegaRules rules
    cdef StateData data
