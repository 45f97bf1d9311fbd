from gamepacks.omen.table cimport Table

cdef class OmenState(Table):
    pass
