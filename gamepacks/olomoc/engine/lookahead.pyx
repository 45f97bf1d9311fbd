"""Short play-outs: what to do now, by what a position looks like a little later.

The generic Monte Carlo bot plays every action out to the end of the game. Here that takes too long: a game is long, and
a decision about a place has a hundred answers. So places are thinned, to those of a coarser list that look best at once;
both players go on in a plausible way, not at random; and a play-out ends with the phase, where :mod:`outlook` guesses at
the result.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes
from gamepacks.olomoc.engine.outlook cimport outlook
from gamepacks.olomoc.engine.table cimport (
    D_ACT, D_BUILD, D_CHARGE, D_DRAFT, D_EDGE, D_ENTER, D_FATE, D_GEAR, D_GO, D_HOST_GO, D_HOSTILE, D_OPP, D_ORDER, D_PLAN_CARD,
    D_PLAN_MIN, D_PUSH, D_SCENERY, OlomocTable, V_END, V_NO,
)

cdef enum:
    # Candidates for a place; places that are looked at where a play-out comes to one.
    KEPT = 6
    GLANCES = 3
    # Steps of a play-out at most.
    LONGEST = 60


def best_action(OlomocTable state not None, int seat, Rng rng not None, int playouts=0, double seconds=0.0):
    """The action after which the table looks best, in the mean of short play-outs; ``seconds`` bounds the time, 0: not.

    The play-outs are shared by successive halving, as in :func:`cext.search.flat_monte_carlo`, each pass in a world of
    its own, drawn for the seat. Cabales, edges, scenery, plans and the order of effects are chosen at random: a short
    play-out hardly tells them apart, and a plan is best not foreseen.
    """
    cdef OlomocTable root = state.clone()
    cdef OlomocTable world
    cdef Codes buffer = Codes()
    cdef list codes, values
    cdef int player = seat ^ max(root.t.first_seat, 0), what = root.t.ask, number, rounds, share, turn, used = 0
    cdef double deadline = now() + seconds
    root.rules = root.rules.coarse()
    codes = [code for code in root.legal(seat) if state.is_legal(code, seat)] if is_place(what) else []
    if not codes or codes == [V_NO]:
        # There may be places that the coarser list has not.
        codes = state.legal(seat)
    if is_for_long(what):
        return rng.choice(codes)
    rng.shuffle(codes)
    if is_place(what) and len(codes) > KEPT:
        codes = promising(root, codes, seat, player)
    if len(codes) == 1:
        return codes[0]
    # Play-outs pass through many places, so their lists are coarser still.
    root.rules = root.rules.coarse()
    sums = {code: 0.0 for code in codes}
    counts = dict.fromkeys(codes, 0)
    rounds = max(1, (len(codes) - 1).bit_length())
    for number in range(rounds):
        share = max(1, (playouts - used) // (rounds - number) // len(codes)) if playouts > 0 else 1_000_000
        for turn in range(share):
            if seconds > 0 and used and now() > deadline - seconds * (rounds - number - 1) / rounds:
                break
            world = root.resample(seat, rng)
            for code in codes:
                sums[code] += sample(world, code, seat, player, rng, buffer)
                counts[code] += 1
            used += len(codes)
        codes.sort(key=lambda code: -sums[code] / max(1, counts[code]))
        codes = codes[: (len(codes) + 1) // 2]
    return codes[0]


def outlook_of(OlomocTable state not None, int seat):
    """How the table looks for a seat, from -1 to 1."""
    return outlook(state, seat ^ max(state.t.first_seat, 0))


cdef bint is_for_long(int what) noexcept:
    """Whether what is decided shows long after, or hardly at all."""
    return (
        what == D_DRAFT or what == D_GEAR or what == D_BUILD or what == D_EDGE or what == D_SCENERY or what == D_PLAN_MIN
        or what == D_PLAN_CARD or what == D_ORDER or what == D_HOSTILE
    )


cdef bint is_place(int what) noexcept:
    return what == D_GO or what == D_ENTER or what == D_PUSH or what == D_CHARGE or what == D_HOST_GO


cdef list promising(OlomocTable root, list codes, int seat, int player):
    """The places that look best at once; all that is no place stays."""
    cdef list ranked = sorted([(-at_once(root, code, seat, player), i) for i, code in enumerate(codes)])
    cdef list kept = [codes[i] for _, i in ranked[:KEPT]]
    if V_NO in codes and V_NO not in kept:
        kept.append(V_NO)
    return kept


cdef double at_once(OlomocTable before, int32_t code, int seat, int player) except? -2.0:
    """How a place looks when it is reached, if nobody strikes on the way."""
    cdef OlomocTable after = before.clone()
    after.step(code, seat)
    while after.t.ask == D_OPP:
        after.step(V_NO, after.actor())
    return outlook(after, player)


cdef double sample(OlomocTable world, int32_t code, int seat, int player, Rng rng, Codes buffer) except? -2.0:
    """How it looks when the phase is over that the play-out begins in."""
    cdef OlomocTable end = world.clone()
    cdef int cycle = end.t.cycle, phase = end.t.phase, steps = 0
    end.step(code, seat)
    while steps < LONGEST and end.t.cycle == cycle and end.t.phase == phase and go_on(end, rng, buffer):
        steps += 1
    return outlook(end, player)


cdef int go_on(OlomocTable state, Rng rng, Codes buffer) except -1:
    """Take a plausible action, or a random outcome; 0 where it does not go on, else 1."""
    cdef int actor = state.actor(), seat = actor, what = state.t.ask, player
    cdef uint64_t total = 0, pick
    cdef Py_ssize_t i = 0
    if actor == C_TERMINAL:
        return 0
    if actor == C_CHANCE:
        state.fill_chance(buffer)
        for i in range(buffer.size):
            total += buffer.weight[i]
        pick = rng.bounded(<uint32_t> total)
        i = 0
        while pick >= buffer.weight[i]:
            pick -= buffer.weight[i]
            i += 1
        state.step(buffer.code[i], -1)
        return 1
    if actor == C_SIMULTANEOUS:
        seat = 0 if state.seats_to_act() & 1 else 1
    state.fill_legal(seat, buffer)
    if buffer.size == 0:
        # A charge that leads to no place of the coarser list: here the play-out ends.
        return 0
    if buffer.size > 1:
        if what == D_ACT and rng.bounded(8):
            # The end stands last; mostly there is something better to do.
            buffer.size -= buffer.code[buffer.size - 1] == V_END
        elif what == D_FATE and rng.bounded(4):
            buffer.size = 1
    i = rng.bounded(<uint32_t> buffer.size)
    if is_place(what) and buffer.size > 1:
        player = seat ^ state.t.first_seat
        state.step(glance(state, seat, player, rng, buffer), seat)
        return 1
    state.step(buffer.code[i], seat)
    return 1


cdef int32_t glance(OlomocTable state, int seat, int player, Rng rng, Codes buffer) except -1:
    """The best looking of a few places of a list."""
    cdef int32_t code, best_code = 0
    cdef double value, best = -3.0
    cdef int turn
    for turn in range(GLANCES):
        code = buffer.code[rng.bounded(<uint32_t> buffer.size)]
        value = at_once(state, code, seat, player)
        if value > best:
            best, best_code = value, code
    return best_code


cdef double now() noexcept:
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + time.tv_nsec * 1e-9
