from libc.stdint cimport int32_t

from gamepacks.omen.table cimport Env, Record, Set, Table

cdef int type_of(Table t, int token) noexcept
cdef int weight_of(Table t, int token) noexcept
cdef int stat_of(Table t, int token, int stat) noexcept
cdef int units_on(Table t, int city, int seat) noexcept
cdef int strength_on(Table t, int city, int seat) noexcept
cdef int limit_on(Table t, int city, int seat) noexcept
cdef int changed(Table t, int what, int target, int who, int value) noexcept
cdef bint forbidden(Table t, int what, int seat, int token) noexcept
cdef bint stat_changed(Table t, int what) noexcept
cdef bint to_resolve(Table t, int city) noexcept
cdef int seat_of(Table t, const Env* env, int ref) noexcept
cdef int city_ref(Table t, const Env* env, int ref) noexcept
cdef bint matches(Table t, const Env* env, int sel, int token) noexcept
cdef void candidates(Table t, const Env* env, int sel, Set* out) noexcept
cdef int amount(Table t, const Env* env, int node) noexcept
cdef bint holds(Table t, const Env* env, int node) noexcept
cdef bint fits_event(Table t, const Env* env, int evf, const Record* record) noexcept
cdef bint compare(int left, int op, int right) noexcept nogil
