
from gamepacks.omen.engine.data cimport CoreState, Env, EventRecord, TokenSet

cdef int seat_of(CoreState s, const Env* env, int ref) noexcept
cdef int city_ref(CoreState s, const Env* env, int ref) noexcept
cdef bint matches(CoreState s, const Env* env, int sel, int token) noexcept
cdef bint filters_by_face(CoreState s, int sel) noexcept nogil
cdef void candidates(CoreState s, const Env* env, int sel, bint reads_face, TokenSet* out) noexcept
cdef int amount(CoreState s, const Env* env, int node) noexcept
cdef bint holds(CoreState s, const Env* env, int node) noexcept
cdef bint fits_event(CoreState s, const Env* env, int evf, const EventRecord* record) noexcept
cdef int type_of(CoreState s, int token) noexcept
cdef int weight_of(CoreState s, int token) noexcept
cdef int stat_of(CoreState s, int token, int stat) noexcept
cdef int units_on(CoreState s, int city, int seat) noexcept
cdef int strength_on(CoreState s, int city, int seat) noexcept
cdef int limit_on(CoreState s, int city, int seat) noexcept
cdef int modified(CoreState s, int what, int target, int who, int value) noexcept
cdef bint forbidden(CoreState s, int what, int seat, int token) noexcept
cdef bint is_war_torn(CoreState s, int city) noexcept
cdef bint entry_forbidden(CoreState s, int city, int seat) noexcept
cdef int cost_in(CoreState s, int token, int city, int seat) noexcept
cdef int achieved(CoreState s, int seat) noexcept
