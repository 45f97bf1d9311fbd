from cext.random cimport Rng
from cext.state cimport Codes, State

cdef int random_step(State state, Rng rng, Codes buffer) except -1
