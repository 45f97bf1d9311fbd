from libc.stdint cimport int32_t, uint64_t

from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int ask_pick(OlomocTable m, int what, int player, uint64_t discs, uint64_t pieces, bint declinable) except -1
cdef int ask_roll(OlomocTable m, int figure, int stat, int dice, int difficulty) except -1
cdef int ask_die(OlomocTable m, int sides) except -1
cdef int pick_step(OlomocTable m, Frame* frame, int code) except -1
cdef int roll_step(OlomocTable m, Frame* frame, int code) except -1
cdef int die_step(OlomocTable m, Frame* frame, int code) except -1
cdef uint64_t picked_discs(const Frame* frame) noexcept
cdef uint64_t picked_pieces(const Frame* frame) noexcept

cdef inline int first_argument(int code) noexcept:
    """a of a code without a place."""
    return code >> 18 & 255

cdef inline int second_argument(int code) noexcept:
    """b of a code without a place."""
    return code >> 10 & 255
