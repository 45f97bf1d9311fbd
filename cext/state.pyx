"""The state of a game, as the engine sees it.

A :class:`State` is a plain, explicit value: all that is pending is data in it, so that a clone, its bytes and its
hash are structural and cheap. A pack subclasses it, in Python or compiled:

===================  =================================  ==========================================
what                 a pack in Python overrides         a compiled pack overrides
===================  =================================  ==========================================
legal actions        ``legal(seat)``                    ``fill_legal(seat, out)`` (cdef)
chance outcomes      ``chance()``                       ``fill_chance(out)`` (cdef)
taking one           ``apply_unchecked(code, seat)``    ``step(code, seat)`` (cdef)
===================  =================================  ==========================================

The default of each method of a pair calls the other one, so callers can use either; the generic play-out uses those in
the right-hand column. All other methods are the same for both kinds.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

# Values of State.actor() when no single seat is to act.
CHANCE = C_CHANCE
SIMULTANEOUS = C_SIMULTANEOUS
TERMINAL = C_TERMINAL


cdef class Codes:
    def __dealloc__(self):
        free(self.code)
        free(self.weight)

    cdef int grow(self) except -1:
        cdef Py_ssize_t capacity = 64 if self.capacity == 0 else 2 * self.capacity
        cdef void* codes = realloc(self.code, capacity * sizeof(int32_t))
        if codes == NULL:
            raise MemoryError()
        self.code = <int32_t*> codes
        cdef void* weights = realloc(self.weight, capacity * sizeof(uint32_t))
        if weights == NULL:
            raise MemoryError()
        self.weight = <uint32_t*> weights
        self.capacity = capacity
        return 0

    cpdef list to_list(self):
        """The codes as a Python list."""
        cdef Py_ssize_t i
        return [self.code[i] for i in range(self.size)]


def _restored(game, bytes data):
    """Restore a state from the bytes of :meth:`State.to_bytes`."""
    return game.restore(game.messages.position.FromString(data))


cdef class State:
    """Base class of all states.

    ``game`` is the configured :class:`gamepacks.api.Game` that made the state. The rules in a state take no more from
    it than players and options; what explains a state (position, view, labels, refusals) is a method of the game.

    States are values: equal if their games and their :meth:`to_bytes` are, pickled with their game by these bytes, and
    copied by :meth:`clone`. They are mutable, so they have no hash: use ``to_bytes()`` as a key.
    """

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, State):
            return NotImplemented
        return type(self) is type(other) and self.game == other.game and self.to_bytes() == other.to_bytes()

    def __hash__(self):
        raise TypeError(f"unhashable type: {type(self).__name__!r}: states change; take to_bytes() for a key")

    def __reduce__(self):
        return _restored, (self.game, self.to_bytes())

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    cpdef int actor(self) except? -100:
        """The seat to act (from 0), or CHANCE, SIMULTANEOUS or TERMINAL."""
        raise NotImplementedError(f"{type(self).__name__} must define actor()")

    cpdef uint32_t seats_to_act(self) except? 0xFFFFFFFF:
        """The seats that must decide now, as a bit mask (seat 0 is bit 0); 0 at chance nodes and the end.

        A game with simultaneous decisions overrides it.
        """
        cdef int actor = self.actor()
        return 0 if actor < 0 else (<uint32_t> 1) << actor

    cpdef list legal(self, int seat=-1):
        """The legal action codes of a seat, without repeats, in an order that depends on the state alone.

        ``seat`` -1 means the actor. Empty for a seat that has no decision to make. In a continuous game it is a sample.
        """
        cdef Codes out = Codes.__new__(Codes)
        self.fill_legal(seat, out)
        return out.to_list()

    cpdef list chance(self):
        """At a chance node, the outcomes as ``(code, weight)`` with integer weights of at least 1; else empty."""
        cdef Codes out = Codes.__new__(Codes)
        cdef Py_ssize_t i
        if self.actor() != C_CHANCE:
            return []
        self.fill_chance(out)
        return [(out.code[i], out.weight[i]) for i in range(out.size)]

    cpdef int32_t decline_code(self) except? -100:
        """At a private decision, the code by which its seat declines it; -1 at every other node.

        A decision is private if others could conclude from its existence what they may not know, for example a reaction
        that is offered only to a seat that holds the card for it. It belongs to a single seat. Others may not notice that it
        is declined: they see the game as if the decision had not existed. Every other legal code is an ordinary step.
        """
        return -1

    cpdef bint is_legal(self, int32_t code, int seat=-1) except -1:
        """Whether the seat (-1: the actor, chance included) may take this code now."""
        if self.actor() == C_CHANCE:
            return seat == -1 and code in [outcome for outcome, _ in self.chance()]
        return code in self.legal(seat)

    cpdef object apply(self, int32_t code, int seat=-1):
        """Take an action or, at a chance node, an outcome.

        Raises the IllegalAction of ``game.why_illegal()``, and changes nothing, if it is illegal.
        """
        if not self.is_legal(code, seat):
            raise self.game.why_illegal(self, code, seat)
        self.step(code, seat)

    cpdef object apply_unchecked(self, int32_t code, int seat=-1):
        """As :meth:`apply`, without the check: the code must come from legal() or chance() of this very state."""
        self.step(code, seat)

    cpdef State clone(self):
        """An equal state that shares nothing that can change."""
        raise NotImplementedError(f"{type(self).__name__} must define clone()")

    cpdef tuple returns(self):
        """The returns of the seats at the end; before it, the returns if the game ended now (0.0 if that has no meaning)."""
        raise NotImplementedError(f"{type(self).__name__} must define returns()")

    cpdef State resample(self, int viewer, object rng):
        """Another state that the viewer cannot tell from this one, drawn with ``rng`` (:class:`cext.random.Rng`).

        The default is a clone, which is right for a game that hides nothing.
        """
        return self.clone()

    cpdef bytes to_bytes(self):
        """The bytes of ``game.position(state)``: equal states have equal bytes, on every machine."""
        return self.game.position(self).SerializeToString(deterministic=True)

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int32_t code
        self.must_override("legal", "fill_legal")
        out.size = 0
        for code in self.legal(seat):
            out.push(code)
        return 0

    cdef int fill_chance(self, Codes out) except -1:
        cdef int32_t code
        cdef uint32_t weight
        self.must_override("chance", "fill_chance")
        out.size = 0
        for code, weight in self.chance():
            out.push_weighted(code, weight)
        return 0

    cdef int step(self, int32_t code, int seat) except -1:
        self.must_override("apply_unchecked", "step")
        self.apply_unchecked(code, seat)
        return 0

    cdef int must_override(self, str name, str compiled) except -1:
        # A class that overrides neither of a pair would recurse in C until the stack ends.
        if getattr(type(self), name) is getattr(State, name):
            raise NotImplementedError(f"{type(self).__name__} must define {name}() or, compiled, {compiled}()")
        return 0
