from cext.random cimport Rng
from cext.state cimport Codes, State

cdef Py_ssize_t pick_outcome(Codes outcomes, Rng rng) except -1
cdef int random_step(State state, Rng rng, Codes buffer) except -1
cpdef void yield_if_due() noexcept
