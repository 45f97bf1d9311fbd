from libc.stdint cimport int32_t, uint32_t, uint64_t

# Values of State.actor() when no single seat is to act.
cdef enum:
    C_CHANCE = -1
    C_SIMULTANEOUS = -2
    C_TERMINAL = -3

cdef inline int lowest_seat(uint32_t seats) noexcept nogil:
    """The first seat of a mask that is not empty."""
    cdef int seat = 0
    while not seats >> seat & 1:
        seat += 1
    return seat

cdef class Codes:
    """A growable list of codes in C, with weights at chance nodes; made once and filled again and again."""
    cdef int32_t* code
    cdef uint32_t* weight
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef int grow(self) except -1
    cdef inline int push(self, int32_t code) except -1:
        if self.size == self.capacity:
            self.grow()
        self.code[self.size] = code
        self.size += 1
        return 0
    cdef inline int push_weighted(self, int32_t code, uint32_t weight) except -1:
        if self.size == self.capacity:
            self.grow()
        self.code[self.size] = code
        self.weight[self.size] = weight
        self.size += 1
        return 0
    cdef inline int32_t* room(self, Py_ssize_t count) except NULL:
        """Make room for ``count`` more codes and return the address of the first; the caller writes them and then sets ``size``."""
        while self.size + count > self.capacity:
            self.grow()
        return self.code + self.size
    cpdef list to_list(self)

cdef class State:
    cdef public object game
    # For everyone: overridden in Python or compiled.
    cpdef int actor(self) except? -100
    cpdef uint32_t seats_to_act(self) except? 0xFFFFFFFF
    cpdef list legal(self, int seat=*)
    cpdef list chance(self)
    cpdef int32_t decline_code(self) except? -100
    cpdef bint is_legal(self, int32_t code, int seat=*) except -1
    cpdef object apply(self, int32_t code, int seat=*)
    cpdef object apply_unchecked(self, int32_t code, int seat=*)
    cpdef State clone(self)
    cpdef tuple returns(self)
    cpdef State resample(self, int viewer, object rng)
    cpdef bytes to_bytes(self)
    # For compiled packs: the same three without Python objects.
    cdef int fill_legal(self, int seat, Codes out) except -1
    cdef int fill_chance(self, Codes out) except -1
    cdef int step(self, int32_t code, int seat) except -1
    cdef int must_override(self, str name, str compiled) except -1
