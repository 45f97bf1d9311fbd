from gamepacks.omen.engine.table cimport Table

cdef int decline_of(Table t) except -2
