from libc.stdint cimport uint64_t

from gamepacks.olomoc.engine.queries cimport Pool
from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

cdef uint64_t frontal_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t engaged_foes_in_sight(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t nearest_shooting_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t ranged_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef bint can_shoot_at(StateBase m, int figure, int target, int bit) except -1
cdef bint has_dice(StateBase m, int figure, int stat, int role, int bit, int target, bint shooting) except -1
cdef int reaction_cost(StateBase m, int figure, int slot) except -1
cdef bint may_react(StateBase m, int figure, int slot) except -1
cdef bint may_dodge(StateBase m, int figure, int attacker) except -1
cdef bint may_riposte(StateBase m, int figure, int attacker, bint shooting) except -1
cdef bint may_attack_mover(StateBase m, int figure, int mover) except -1
cdef int pay_reaction(StateBase m, int figure, int slot) except -1

cdef int start_attack(StateBase m, int attacker, int target, int kind, int slot, bint charging, int program) except -1
cdef int attack_step(StateBase m, Frame* frame, int code) except -1
cdef bint is_reaction(StateBase m, const Frame* frame, int code) except -1
cdef Pool reaction_pool(StateBase m, const Frame* frame, int kind) except *
cdef int attack_bit(StateBase m, const Frame* frame) except -2
cdef int dodged(const Frame* frame) noexcept
cdef bint rolled_dodge(const Frame* frame) noexcept
cdef int roll_reactions(StateBase m, Frame* frame) except -1
cdef int push_reactions(StateBase m, const Frame* frame, list found) except -1

cdef bint attack_under_way(const Frame* frame) noexcept
cdef int window_step(StateBase m, Frame* frame, int code) except -1
cdef uint64_t window_class(StateBase m, const Frame* frame) except? 0xFFFFFFFF
