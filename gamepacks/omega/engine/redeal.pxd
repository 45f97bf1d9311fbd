from gamepacks.omega.engine.table cimport Rules, Table

cdef int redeal(Rules rules, const Table* truth, Table* out, int viewer, object rng) except -1
