from gamepacks.olomoc.engine.table cimport OlomocTable

cdef double outlook(OlomocTable m, int player) except? -2.0
