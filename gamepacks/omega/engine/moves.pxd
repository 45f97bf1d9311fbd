from cext.state cimport Codes
from gamepacks.omega.engine.table cimport Egregor, Player, Rules, Table

cdef int colours(const Egregor* egregor) noexcept nogil
cdef bint takes(Rules rules, const Egregor* egregor, int type) noexcept nogil
cdef bint black_fits(Rules rules, const Egregor* egregor) noexcept nogil
cdef int reach(const Player* player, const unsigned char* batch, int limit) noexcept nogil
cdef int need(const Table* table) noexcept nogil
cdef int limit_of(Rules rules, const Table* table) noexcept nogil
cdef bint adds(const Player* player, const unsigned char* batch, int size, int limit, int needed, int type) noexcept nogil
cdef bint can_place(Rules rules, const Player* player, int type) noexcept nogil
cdef bint can_pair_first(Rules rules, const Player* player, int place) noexcept nogil
cdef bint can_pair_second(Rules rules, const Player* player, int first, int place) noexcept nogil
cdef bint can_pair(Rules rules, const Player* player) noexcept nogil
cdef bint can_capture(Rules rules, const Table* table, int seat, int place) noexcept nogil
cdef bint can_disown(Rules rules, const Table* table, int place) noexcept nogil
cdef bint can_mask(Rules rules, const Table* table, int place) noexcept nogil
cdef bint bag_may_hold(Rules rules, const Table* table, int type) noexcept nogil
cdef bint can_use(Rules rules, const Table* table, int place, int power) noexcept nogil
cdef bint key_fits(Rules rules, const Table* table, int card, int place) noexcept nogil
cdef bint key_fits_any(Rules rules, const Table* table, int card) noexcept nogil
cdef int push_main(Rules rules, const Table* table, Codes out) except -1
cdef int push_frame(Rules rules, const Table* table, Codes out) except -1
cdef int push_draw(const Table* table, Codes out) except -1
