from gamepacks.omen.engine.table cimport Record, Set, Table

cdef int deck_of(Table t, int seat) noexcept nogil
cdef int pile_for(Table t, int token) noexcept nogil
cdef void put_last(Table t, int token, int zone) noexcept nogil
cdef void put_first(Table t, int token, int zone) noexcept nogil
cdef void take(Table t, int token) noexcept nogil
cdef void into_deck(Table t, int token, int deck) noexcept
cdef void open_move(Table t, int token, int zone) noexcept
cdef void hidden_move(Table t, int token, int zone, int seen_by, bint last) noexcept
cdef int deck_size(Table t, int deck) noexcept nogil
cdef int find_card(Table t, int zone, int card) noexcept nogil
cdef int reshuffle(Table t) except -1
cdef void shuffle_in(Table t, int deck, int source) noexcept
cdef void emit(
    Table t, int type, int by, int who, int token, int city, int source, int to, int n, int cause, int seen
) except *
cdef void tell(Table t, int type, int by, int who, int n, int cause) except *
