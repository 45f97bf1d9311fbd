from libc.stdint cimport int32_t

from gamepacks.omen.engine.table cimport Env, Record, Set, Table

cdef int seat_of(Table t, const Env* env, int ref) noexcept
cdef int city_ref(Table t, const Env* env, int ref) noexcept
cdef bint matches(Table t, const Env* env, int sel, int token) noexcept
cdef bint by_face(Table t, int sel) noexcept nogil
cdef void candidates(Table t, const Env* env, int sel, bint reads_face, Set* out) noexcept
cdef int amount(Table t, const Env* env, int node) noexcept
cdef bint holds(Table t, const Env* env, int node) noexcept
cdef bint fits_event(Table t, const Env* env, int evf, const Record* record) noexcept
cdef bint compare(int left, int op, int right) noexcept nogil
cdef bint matches_place(Table t, const Env* env, int sel, int token) noexcept
