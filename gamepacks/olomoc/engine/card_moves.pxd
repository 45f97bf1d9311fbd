from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.table cimport Frame, OlomocTable

cdef int push_effect(OlomocTable m, Frame* frame, object node) except -1
cdef int place_effect(OlomocTable m, Frame* frame, object node) except -1
cdef int move_effect(OlomocTable m, Frame* frame, object node) except -1
cdef int attack_effect(OlomocTable m, Frame* frame, object node, int code) except -1
cdef int spawn_effect(OlomocTable m, int32_t* scope, object node) except -1
cdef int marker_effect(OlomocTable m, int32_t* scope, object node) except -1
cdef int spawn_hostile(OlomocTable m, int profile, int x, int y) except -1
cdef int put_marker(OlomocTable m, int tag, int radius, int zone, bint tainted, int x, int y) except -1
