from gamepacks.omen.engine.data cimport CoreState

cpdef dict dump_state(CoreState s)
cpdef int load_state(CoreState s, dict values) except -1
