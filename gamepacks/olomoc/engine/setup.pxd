from gamepacks.olomoc.engine.state_base cimport Frame, StateBase

# Stages of the frame GAME: what is done next. CABALES waits for nothing, READY while the cabales are built.
cdef enum:
    NUMBERS = 0
    AGENDA = 1
    LAYOUT = 2
    MARKERS = 3
    SCENERY = 4
    EDGES = 5
    FALLEN = 6
    HANDS = 7
    CABALES = 8
    READY = 9
    PLAYING = 10

cdef int game_step(StateBase m, Frame* frame, int code) except -1
cdef int build_step(StateBase m, Frame* frame, int code) except -1
cdef int push_build(StateBase m, int player, list found) except -1
cdef list scenery_codes(StateBase m)
cdef object scenery_fault(StateBase m, int rotation, int x, int y)
cdef tuple hands(int fallen)
