from cext.state cimport Codes
from gamepacks.omen.engine.data cimport CoreState, Frame

cdef int run_war(CoreState s, Frame* frame) except -1
cdef int keep_options(CoreState s, Frame* frame, Codes out) except -1
cdef int apply_keep(CoreState s, Frame* frame, int mask) except -1
