from gamepacks.olomoc.engine.modifiers cimport Pool
from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int start_attack(OlomocTable m, int attacker, int target, int kind, int slot, bint charging, int program) except -1
cdef int attack_step(OlomocTable m, Frame* frame, int code) except -1
cdef bint is_reaction(OlomocTable m, const Frame* frame, int code) except -1
cdef Pool reaction_pool(OlomocTable m, const Frame* frame, int kind) except *
cdef int attack_bit(OlomocTable m, const Frame* frame) except -2
cdef int dodged(const Frame* frame) noexcept
cdef bint rolled_dodge(const Frame* frame) noexcept
cdef int roll_reactions(OlomocTable m, Frame* frame) except -1
cdef int push_reactions(OlomocTable m, const Frame* frame, list found) except -1
