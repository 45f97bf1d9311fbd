from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.state_base cimport StateBase

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
