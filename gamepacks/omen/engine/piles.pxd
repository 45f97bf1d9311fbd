from cext.knowledge cimport Items
from gamepacks.omen.engine.data cimport CoreState

cdef int deck_of(CoreState s, int seat) noexcept nogil
cdef int pile_for(CoreState s, int token) noexcept nogil
cdef void put_last(CoreState s, int token, int zone) noexcept nogil
cdef void put_first(CoreState s, int token, int zone) noexcept nogil
cdef void take(CoreState s, int token) noexcept nogil
cdef void open_move(CoreState s, int token, int zone) noexcept
cdef void hidden_move(CoreState s, int token, int zone, int seen_by, bint last) noexcept
cdef int deck_size(CoreState s, int deck) noexcept nogil
cdef int find_card(CoreState s, int zone, int card) noexcept nogil
cdef int reshuffle(CoreState s) except -1
cdef void shuffle_in(CoreState s, int deck, int source) noexcept
cdef void emit(
    CoreState s, int type, int by, int who, int token, int city, int source, int to, int n, int cause, int seen
) except *
cdef void emit_plain(CoreState s, int type, int by, int who, int n, int cause) except *
cdef void show(CoreState s, int token, int viewers) noexcept nogil
cdef void show_in_place(CoreState s, int token, int viewers) noexcept nogil
cdef int redeal_unknown(CoreState s, int viewer, object rng) except -1
cdef bint exchange(CoreState s, int one, int other, int viewer) noexcept nogil
cdef Items items_of(CoreState s) noexcept nogil
cdef int back_group(CoreState s, int token) noexcept nogil
