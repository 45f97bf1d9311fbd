from gamepacks.omega.engine.table cimport Rules, Table

cdef dict dump(Rules rules, const Table* t)
cdef int load(Table* t, values) except -1
