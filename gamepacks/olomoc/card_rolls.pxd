from gamepacks.olomoc.table cimport Frame, OlomocTable

cdef int roll_effect(OlomocTable m, Frame* frame, object node, int code) except -1
cdef int reroll_effect(OlomocTable m, Frame* frame, object node) except -1
