from gamepacks.olomoc.engine.state_base cimport StateBase

cdef double outlook(StateBase m, int player) except? -2.0
