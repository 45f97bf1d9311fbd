from libc.stdint cimport int32_t

from cext.random cimport Rng
from cext.state cimport Codes, State

cdef class Guide:
    # For compiled packs: the methods of the Python class without Python objects.
    cdef int fill_priors(self, State state, int seat, Codes legal, Rng rng) except -1
    cdef int fill_values(self, State state, double* values, int seats, Rng rng) except -1
    cdef Py_ssize_t pick(self, State state, int seat, Codes legal, Rng rng) except -1
    cpdef list weights(self, list evaluations)
    # For everyone: overridden in Python or compiled.
    cpdef double evaluate(self, State state, int seat, Rng rng) except? -1e300
    cpdef bint continues(self, State state, int seat) except -1
    cpdef double evaluate_action(self, State state, int32_t code, int seat, Rng rng, int depth=*) except? -1e300
    cdef double evaluate_end(self, State state, int seat, Rng rng, int depth, int samples) except? -1e300
    cdef double mean_of_outcomes(self, State state, int seat, Rng rng, int depth, int samples) except? -1e300
