from gamepacks.omen.engine.table cimport Context, Env, Frame, Record, Set, Table

cdef Frame* push(Table t, int kind) except NULL
cdef Frame* top(Table t) noexcept nogil
cdef void pop(Table t) noexcept nogil
cdef Context* context(Table t) noexcept nogil
cdef void bind_cards(Table t, int slot, const Set* cards) noexcept nogil
cdef void here(Table t, Env* env) noexcept nogil
cdef void read_as(Env* env, int seat) noexcept nogil
cdef void env_of(Table t, Env* env, int you, int token, int city) noexcept nogil
cdef bint can_begin(Table t) noexcept nogil
cdef int begin(
    Table t, int ability, int token, int card, int controller, int city, int cause, const Record* event
) except -1
cdef int enqueue(
    Table t, int trigger, int ability, int token, int card, int controller, int city, const Record* event
) except -1
cdef int front(Table t) noexcept nogil
cdef void dequeue(Table t, int place) noexcept nogil
cdef bint in_steps(Table t, int steps) noexcept nogil
cdef bint right_turn(Table t, int turn, int seat) noexcept nogil
cdef int ability_of(Table t, int card, int hook, int first) noexcept nogil
cdef void no_record(Record* record) noexcept nogil
cdef int act(Table t) except -1
cdef int cap_triggers(Table t) except -1
