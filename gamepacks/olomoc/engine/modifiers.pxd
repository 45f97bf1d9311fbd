from libc.stdint cimport int32_t, uint64_t

from gamepacks.olomoc.engine.table cimport OlomocTable

cdef struct Pool:
    int dice
    int difficulty
    # Successes that are added.
    int added

cdef list running(OlomocTable m, int op)
cdef int sight_rule(OlomocTable m, int figure, int which) except -2
cdef int stat_of(OlomocTable m, int figure, int stat) except -1
cdef int protection(OlomocTable m, int figure) except -1
cdef bint forbidden(OlomocTable m, int figure, int bit) except -1
cdef bint costs_nothing(OlomocTable m, int figure, int bit) except -1
cdef int more_uses(OlomocTable m, int figure, int bit) except -1
cdef bint lifted(OlomocTable m, int figure, int bit, int condition) except -1
cdef Pool pool_of(
    OlomocTable m, int figure, int stat, int role, int bit, int target, bint charging, bint shooting, list counted=*
) except *
cdef Pool fixed_pool(OlomocTable m, int figure, int stat, int role, int bit, int target, bint charging, bint shooting) except *
cdef bint is_meant(OlomocTable m, object on, int32_t* scope, int role, int bit, int stat, int target) except -1
cdef int subject_of(object node, int32_t* scope) except -2
cdef tuple values_of(OlomocTable m, object node, int32_t* scope)
