from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.table cimport OlomocTable

cdef int change_ap(OlomocTable m, int figure, int change, int why, int what=*) except -1
cdef int wound(OlomocTable m, int figure, int count, int author, bint attack, int32_t* suffered=*) except -1
cdef int heal(OlomocTable m, int figure, int boxes) except -1
cdef int receive_noirceur(OlomocTable m, int figure, int why, int what=*) except -1
cdef int lose_noirceur(OlomocTable m, int figure, int count, int why) except -1
cdef int change_fiel(OlomocTable m, int player, int change, int why) except -1
cdef int change_traque(OlomocTable m, int change, int why) except -1
cdef int change_vp(OlomocTable m, int player, int change) except -1
cdef int set_state(OlomocTable m, int figure, int state, bint there) except -1
cdef int leave_board(OlomocTable m, int figure) except -1
cdef int hold_endings(OlomocTable m) except -1
cdef int release_endings(OlomocTable m) except -1
cdef int check_endings(OlomocTable m) except -1
cdef int finish(OlomocTable m, int cause) except -1
cdef int status_of(OlomocTable m, int figure) noexcept
