from cext.random cimport Rng
from gamepacks.olomoc.engine.table cimport OlomocTable

cdef int draw_hidden(OlomocTable m, int viewer, Rng rng) except -1
