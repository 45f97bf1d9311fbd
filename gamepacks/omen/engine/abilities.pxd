from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.data cimport Ability, Context, CoreState, Env, EventRecord, Frame, TokenSet

cdef Frame* push(CoreState s, int kind) except NULL
cdef Frame* top(CoreState s) noexcept nogil
cdef void pop(CoreState s) noexcept nogil
cdef Context* context(CoreState s) noexcept nogil
cdef void bind_cards(CoreState s, int slot, const TokenSet* cards) noexcept nogil
cdef void ability_env(CoreState s, Env* env) noexcept nogil
cdef void set_reader(Env* env, int seat) noexcept nogil
cdef void card_env(CoreState s, Env* env, int you, int token, int city) noexcept nogil
cdef int begin_ability(
    CoreState s, int ability, int token, int card, int controller, int city, int cause, const EventRecord* event
) except -1
cdef int enqueue(
    CoreState s, int trigger, int ability, int token, int card, int controller, int city, const EventRecord* event
) except -1
cdef int simultaneous_count(CoreState s) noexcept nogil
cdef bint in_steps(CoreState s, int steps) noexcept nogil
cdef bint right_turn(CoreState s, int turn, int seat) noexcept nogil
cdef int ability_of(CoreState s, int card, int hook, int first) noexcept nogil
cdef int count_action(CoreState s) except -1
cdef int cap_triggers(CoreState s) except -1
cdef int cause_of(CoreState s, int card) noexcept nogil
cdef bint not_used_up(CoreState s, int token, Ability* ability) noexcept nogil
cdef void mark_used(CoreState s, int token, Ability* ability) noexcept nogil
cdef int next_ability(CoreState s, int hook, int token, int seat, int city, int first) noexcept
cdef int usable(CoreState s, int seat, int token, int hook, const EventRecord* event, bint before_) noexcept
cdef int start_deferred(CoreState s) except -1
cdef int run_ability(CoreState s, Frame* frame) except -1
cdef int run_drain(CoreState s, Frame* frame) except -1
cdef int run_spirit(CoreState s, Frame* frame) except -1
cdef int run_curse(CoreState s, Frame* frame) except -1
cdef int curse_options(CoreState s, Frame* frame, Codes out, uint8_t* tokens) except -1
cdef int apply_curse(CoreState s, Frame* frame, int token) except -1
cdef int apply_spirit(CoreState s, Frame* frame, int which) except -1
cdef int resolve(CoreState s, int place) except -1
cdef int queue_auto_abilities(CoreState s) except -1
cdef int run_react(CoreState s, Frame* frame) except -1
cdef int react_options(CoreState s, Frame* frame, int seat, Codes out, uint8_t* tokens) except -1
