from gamepacks.omen.engine.data cimport CoreState, Env, Frame

cdef int run_look(CoreState s, Frame* frame) except -1
cdef int run_reveal(CoreState s, Frame* frame) except -1
cdef int run_put(CoreState s, Frame* frame, bint preparing) except -1
cdef int return_looked_at(CoreState s) except -1
cdef int start_relic(CoreState s, int token, int city, int you, int cause) except -1
cdef bint city_open(CoreState s, Frame* frame, const Env* env, int token, int city) noexcept
cdef int place_next(CoreState s, Frame* frame) except -1
cdef int place_in_city(CoreState s, Frame* frame, int city) except -1
cdef int swap_units(CoreState s, Frame* frame) except -1
