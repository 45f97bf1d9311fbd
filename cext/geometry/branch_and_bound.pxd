from libc.stdint cimport int32_t

from cext.geometry.plan cimport Plan

cdef int32_t find_place(Plan* plan) except -2 nogil
cdef int find_best(Plan* plan) except -1 nogil
