from libc.stdint cimport int32_t, uint64_t

from gamepacks.olomoc.engine.queries cimport Pool
from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

cdef int change_ap(StateBase m, int figure, int change, int why, int what=*) except -1
cdef int wound(StateBase m, int figure, int count, int author, bint attack, int32_t* suffered=*) except -1
cdef int heal(StateBase m, int figure, int boxes) except -1
cdef int receive_noirceur(StateBase m, int figure, int why, int what=*) except -1
cdef int lose_noirceur(StateBase m, int figure, int count, int why) except -1
cdef int change_fiel(StateBase m, int player, int change, int why) except -1
cdef int change_traque(StateBase m, int change, int why) except -1
cdef int change_vp(StateBase m, int player, int change) except -1
cdef int set_state(StateBase m, int figure, int state, bint there) except -1
cdef int leave_board(StateBase m, int figure) except -1
cdef int hold_endings(StateBase m) except -1
cdef int release_endings(StateBase m) except -1
cdef int check_endings(StateBase m) except -1
cdef int finish(StateBase m, int cause) except -1
cdef int status_of(StateBase m, int figure) noexcept

cdef uint64_t frontal_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t struck(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t aimed_at(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t ranged_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF
cdef bint can_shoot_at(StateBase m, int figure, int target, int bit) except -1
cdef bint has_dice(StateBase m, int figure, int stat, int role, int bit, int target, bint shooting) except -1
cdef int reaction_cost(StateBase m, int figure, int slot) except -1
cdef bint may_react(StateBase m, int figure, int slot) except -1
cdef bint may_dodge(StateBase m, int figure, int attacker) except -1
cdef bint may_riposte(StateBase m, int figure, int attacker, bint shooting) except -1
cdef bint may_seize(StateBase m, int figure, int mover) except -1
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
