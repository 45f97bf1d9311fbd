from gamepacks.omen.engine.table cimport Table

cdef int redeal(Table truth, Table out, int viewer, object rng) except -1
