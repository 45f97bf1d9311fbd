from gamepacks.omen.engine.table cimport Table

cpdef dict dump(Table t)
cpdef int load(Table t, dict values) except -1
