from gamepacks.omen.engine.table cimport Table

cdef bint depends(Table t, int node) noexcept nogil
cdef bint guarded(Table t, int node) noexcept nogil
cdef bint use_depends(Table t, int card) noexcept nogil
cdef bint options_depend(Table t) noexcept
