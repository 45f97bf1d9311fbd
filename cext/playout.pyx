"""The generic random play-out, and the intervals at which play-outs and searches yield the processor."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from cext.clock cimport now
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes, State, lowest_seat


cdef extern from "<sched.h>" nogil:
    int sched_yield()

cdef enum:
    STEPS_PER_CHECK = 16  # reading the clock costs a hundredth of these

cdef double _interval = 0.0  # in seconds; 0: never
cdef double _last_yield = 0.0
cdef uint32_t _steps = 0


def yield_processor_every(double seconds):
    """Yield the processor at intervals in play-outs and searches of this process; 0 seconds: never, as at the start.

    A kernel may let a process run to the end of its time slice, some milliseconds, although one of higher priority has
    become ready. It takes the processor from one that yields at once.
    """
    global _interval
    _interval = seconds


cpdef void yield_if_due() noexcept:
    """Yield the processor if this process does so at intervals and the last time was at least an interval ago."""
    global _last_yield
    cdef double time
    if _interval == 0.0:
        return
    time = now()
    if time - _last_yield >= _interval:
        sched_yield()
        _last_yield = time


class PlayoutTooLong(RuntimeError):
    """A play-out reached its maximum of plies before the end of the game."""


cdef Py_ssize_t pick_outcome(Codes outcomes, Rng rng) except -1:
    """Index of an outcome of chance, drawn by the weights. Raises ValueError where there is none."""
    cdef uint64_t total = 0
    cdef uint64_t pick
    cdef Py_ssize_t i
    for i in range(outcomes.size):
        total += outcomes.weight[i]
    if total == 0:
        raise ValueError("a chance node without outcomes")
    pick = rng.bounded(<uint32_t> total)
    i = 0
    while pick >= outcomes.weight[i]:
        pick -= outcomes.weight[i]
        i += 1
    return i


cdef int random_step(State state, Rng rng, Codes buffer) except -1:
    """Take one random action or outcome; 0 at the end of the game, else 1."""
    global _steps
    cdef int actor = state.actor()
    cdef int seat = actor
    _steps += 1
    if _steps % STEPS_PER_CHECK == 0:
        yield_if_due()
    if actor == C_TERMINAL:
        return 0
    if actor == C_CHANCE:
        state.fill_chance(buffer)
        state.step(buffer.code[pick_outcome(buffer, rng)], -1)
        return 1
    if actor == C_SIMULTANEOUS:
        # Decisions of one node are independent, so any order gives the same distribution.
        seat = lowest_seat(state.seats_to_act())
    state.fill_legal(seat, buffer)
    if buffer.size == 0:
        raise ValueError(f"seat {seat} is to act and has no legal action")
    state.step(buffer.code[rng.bounded(<uint32_t> buffer.size)], seat)
    return 1


cdef int play_to_end(State state, Rng rng, Codes buffer, int max_plies) except -1:
    """Play on at random to the end of the game; returns the number of plies. Raises PlayoutTooLong after ``max_plies``."""
    cdef int plies = 0
    while random_step(state, rng, buffer):
        plies += 1
        if plies > max_plies:
            raise PlayoutTooLong(f"no end after {max_plies} plies")
    return plies


def playout(State state, Rng rng, int max_plies=100_000):
    """Play on at random from ``state``, which is changed, to the end; returns ``(returns, plies)``.

    Raises PlayoutTooLong after ``max_plies`` actions and outcomes.
    """
    cdef int plies = play_to_end(state, rng, Codes(), max_plies)
    return state.returns(), plies


def playouts(State root, Rng rng, int count, int max_plies=100_000):
    """Play out ``count`` clones of ``root`` at random; returns the sums of the returns by seat, and all plies.

    Raises PlayoutTooLong where one has no end after ``max_plies`` actions and outcomes.
    """
    cdef Codes buffer = Codes()
    cdef State state
    cdef long plies = 0
    cdef int i, seat
    sums = None
    for i in range(count):
        state = root.clone()
        plies += play_to_end(state, rng, buffer, max_plies)
        returns = state.returns()
        if sums is None:
            sums = [0.0] * len(returns)
        for seat in range(len(returns)):
            sums[seat] += returns[seat]
    return sums, plies
