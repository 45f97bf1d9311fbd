from cext.geometry.board cimport Board, Discs
from cext.geometry.plan cimport Plan
from cext.geometry.ruler cimport Ruler

cdef class Table:
    cdef readonly Board board
    cdef readonly Ruler move_ruler
    cdef readonly Ruler push_ruler
    cdef Discs discs
    cdef int check_disc(self, int element) except -1
    cdef int check_element(self, int element) except -1

cdef class Displacement:
    cdef Table table
    cdef Discs discs
    cdef Plan plan
