from gamepacks.omen.engine.data cimport CoreState

cdef class OmenState(CoreState):
    pass
