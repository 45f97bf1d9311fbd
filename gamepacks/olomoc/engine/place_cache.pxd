from libc.stdint cimport int32_t

from cext.geometry.board cimport Board, Discs
from cext.geometry.plan cimport Plan

cdef class PlaceCache:
    cdef Board board
    cdef Discs discs
    cdef dict found
    cdef dict best
    cdef bint fits(self, Board board, const Discs* discs) noexcept
    cdef int32_t find(self, Plan* plan) except -2
    cdef int bind_best(self, Plan* plan) except -1
