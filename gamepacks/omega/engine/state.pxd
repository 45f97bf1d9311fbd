from cext.state cimport State
from gamepacks.omega.engine.table cimport Rules, Table

cdef class OmegaState(State):
    cdef readonly Rules rules
    cdef Table table
