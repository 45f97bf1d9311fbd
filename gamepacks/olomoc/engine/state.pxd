from cext.random cimport Rng
from gamepacks.olomoc.engine.state_base cimport StateBase

cdef int draw_hidden(StateBase m, int viewer, Rng rng) except -1
