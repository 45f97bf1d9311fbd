from gamepacks.omen.engine.table cimport Table

cdef class OmenState(Table):
    pass
