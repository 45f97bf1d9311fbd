from libc.stdint cimport uint64_t

from gamepacks.olomoc.engine.table cimport OlomocTable

cdef uint64_t frontal_targets(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t struck(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t aimed_at(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF
cdef uint64_t ranged_targets(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF
cdef bint can_shoot_at(OlomocTable m, int figure, int target, int bit) except -1
cdef bint has_dice(OlomocTable m, int figure, int stat, int role, int bit, int target, bint shooting) except -1
cdef int reaction_cost(OlomocTable m, int figure, int slot) except -1
cdef bint may_react(OlomocTable m, int figure, int slot) except -1
cdef bint may_dodge(OlomocTable m, int figure, int attacker) except -1
cdef bint may_riposte(OlomocTable m, int figure, int attacker, bint shooting) except -1
cdef bint may_seize(OlomocTable m, int figure, int mover) except -1
cdef int pay_reaction(OlomocTable m, int figure, int slot) except -1
