from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int planning_step(OlomocTable m, Frame* frame, int code) except -1
cdef int push_plan(OlomocTable m, int player, bint ministry, list found) except -1
cdef int change_plan(OlomocTable m, int player, int viewer, int what, int slots) except -1
cdef int lay(OlomocTable m, int player, int code) except -1
cdef int ministry_slots(OlomocTable m, int ministry) except -1
