"""Plans for a turn: many random ways to play it to its end, and the first step of what leaves the seat best."""

from libc.stdint cimport int32_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from cext.playout cimport random_step
from cext.random cimport Rng
from cext.state cimport Codes
from gamepacks.omega.engine.outlook cimport outlook
from gamepacks.omega.engine.state cimport OmegaState
from gamepacks.omega.engine.table cimport P_OVER

cdef enum:
    # A turn is over long before (OMEGA-INV-12).
    LONGEST = 2000


def outlook_of(OmegaState state not None, int seat):
    """How good the table looks for a seat, in hundredths of a point."""
    return outlook(state.rules, &state.table, seat)


def best_action(OmegaState state not None, int seat, Rng rng not None, int plans=0, double seconds=0.0):
    """The first step of the best of so many plans; ``seconds`` bounds the time, 0: not.

    Half of the plans are spread evenly over the legal actions, the rest over the more promising half of them, and so
    on. An action is as good as the best plan that begins with it.
    """
    cdef Codes legal = Codes(), buffer = Codes()
    cdef int32_t[256] best
    cdef int[256] order
    cdef int alive, i, j, number, each, k
    cdef int32_t found
    cdef double deadline = now() + seconds
    state.fill_legal(seat, legal)
    alive = <int> legal.size
    if alive == 1:
        return legal.code[0]
    for i in range(alive):
        order[i] = i
        best[i] = -0x7FFFFFFF
    # Shuffled, so that ties do not favour what is listed first.
    for i in range(alive - 1, 0, -1):
        j = rng.bounded(i + 1)
        order[i], order[j] = order[j], order[i]
    if plans <= 0:
        plans = 0x7FFFFFFF
    while alive > 1:
        each = plans // 2 // alive if alive > 2 else plans // alive
        each = each if each > 1 else 1
        for number in range(each):
            for k in range(alive):
                i = order[k]
                found = follow(state, legal.code[i], seat, rng, buffer)
                if found > best[i]:
                    best[i] = found
            if seconds > 0 and now() > deadline:
                break
        plans -= each * alive
        # Best first; stable.
        for i in range(1, alive):
            j = i
            while j > 0 and best[order[j]] > best[order[j - 1]]:
                order[j], order[j - 1] = order[j - 1], order[j]
                j -= 1
        alive = (alive + 1) // 2
        if plans < alive or seconds > 0 and now() > deadline:
            break
    return legal.code[order[0]]


cdef int32_t follow(OmegaState state, int32_t code, int seat, Rng rng, Codes buffer) except? -0x7FFFFFFF:
    """Play on at random to the end of the seat's part, and look."""
    cdef OmegaState end = state.clone()
    cdef int turn = state.table.turn, steps = 0
    cdef bint own = state.table.active == seat
    end.step(code, seat)
    while steps < LONGEST and end.table.phase != P_OVER and end.table.turn == turn and (own or end.actor() == seat):
        random_step(end, rng, buffer)
        steps += 1
    return outlook(end.rules, &end.table, seat)


cdef double now() noexcept:
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + time.tv_nsec * 1e-9
