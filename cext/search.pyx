"""Flat searches over any :class:`cext.state.State`: by an evaluation of each action, and by play-outs of each."""

from libc.stdint cimport int32_t

from cext.clock cimport now
from cext.guide cimport Guide
from cext.playout cimport random_step
from cext.random cimport Rng
from cext.state cimport Codes, State


cdef double sample(State world, int32_t code, int seat, Rng rng, Codes buffer, int max_plies) except? -1e300:
    """The return of ``seat`` in one play-out from a clone of ``world`` in which it takes ``code``."""
    cdef State state = world.clone()
    cdef int plies = 0
    state.step(code, seat)
    while plies < max_plies and random_step(state, rng, buffer):
        plies += 1
    return state.returns()[seat]


def rank_by_evaluation(
    State root not None, int seat, Rng rng not None, Guide guide not None, int worlds=0, int depth=-1,
    double seconds=0.0
):
    """Evaluate the legal actions of ``seat`` by ``guide``; returns ``[(code, evaluation)]``, best first.

    The evaluation is that of :meth:`cext.guide.Guide.evaluate_action`, with its ``depth``, averaged over
    ``worlds`` states that are drawn by ``root.resample(seat, rng)``. With 0 worlds it is that in ``root`` itself, for
    games in which nothing is hidden. After ``seconds`` (0: no limit) no further state is drawn. Equal actions are in
    random order. The only action of a seat is not evaluated: its evaluation is given as 0.

    Raises ValueError if the seat has no legal action.
    """
    cdef list codes = root.legal(seat), sums
    cdef Py_ssize_t i, count = len(codes)
    cdef int done = 0
    cdef State world = root
    cdef double deadline = now() + seconds
    if not codes:
        raise ValueError(f"seat {seat} has no legal action")
    if count == 1:
        return [(codes[0], 0.0)]
    rng.shuffle(codes)
    sums = [0.0] * count
    while done == 0 or done < worlds and (seconds <= 0 or now() < deadline):
        if worlds > 0:
            world = root.resample(seat, rng)
        for i in range(count):
            sums[i] += guide.evaluate_action(world, codes[i], seat, rng, depth)
        done += 1
    return [(codes[i], sums[i] / done) for i in sorted(range(count), key=lambda i: -sums[i])]


def flat_monte_carlo(
    State root, int seat, Rng rng, long playouts=0, double seconds=0.0, bint resample=False, int max_plies=100_000
):
    """Try the legal actions of ``seat`` in random play-outs; returns ``[(code, play-outs, mean return)]``, best first.

    Successive halving (Karnin, Koren and Somekh 2013): the budget is split evenly over ceil(log2(actions)) rounds; a
    round gives each action that is left one play-out in turn, and drops the worse half at its end. The budget is
    ``playouts``, ``seconds``, or whichever ends first (0: no such bound). By ``playouts`` alone the answer depends on
    nothing but the state and the generator.

    With ``resample``, every pass over the actions is played in a state of its own, drawn by ``root.resample(seat, rng)``,
    so that the actions are compared in the same worlds and no true secret is used. A play-out that has not ended after
    ``max_plies`` counts what ``returns()`` says there. Actions never tried come last with 0 play-outs.

    Raises ValueError without a budget, or if the seat has no legal action.
    """
    if playouts <= 0 and seconds <= 0:
        raise ValueError("flat_monte_carlo() needs a budget of play-outs or seconds")
    cdef list codes = root.legal(seat)
    if not codes:
        raise ValueError(f"seat {seat} has no legal action")
    # Shuffled, so that neither ties nor a budget smaller than the list favour what the pack lists first.
    rng.shuffle(codes)
    cdef Py_ssize_t count = len(codes)
    cdef list visits = [0] * count
    cdef list sums = [0.0] * count
    cdef list alive = list(range(count))
    cdef list dropped = []
    cdef int rounds = max(1, (count - 1).bit_length())
    cdef double start = now()
    cdef long used = 0
    cdef int number
    for number in range(rounds):
        used += run_round(
            root,
            seat,
            rng,
            codes,
            alive,
            visits,
            sums,
            # An even share of what is left, yet enough to try each action once before any is dropped.
            min(playouts - used, max(len(alive), (playouts - used) // (rounds - number))),
            playouts > 0,
            start + seconds * (number + 1) / rounds if seconds > 0 else 0.0,
            resample,
            max_plies,
        )
        alive.sort(key=lambda i: (visits[i] == 0, -sums[i] / max(1, visits[i])))
        if number < rounds - 1:
            dropped = alive[(len(alive) + 1) // 2 :] + dropped
            alive = alive[: (len(alive) + 1) // 2]
    return [(codes[i], visits[i], sums[i] / max(1, visits[i])) for i in alive + dropped]


cdef long run_round(
    State root, int seat, Rng rng, list codes, list alive, list visits, list sums, long budget, bint counted,
    double deadline, bint resample, int max_plies
) except -1:
    """Play out the actions in ``alive`` in turn until the budget or the time of this round ends."""
    cdef Codes buffer = Codes()
    cdef State world = root
    cdef long used = 0
    cdef Py_ssize_t turn = 0
    cdef Py_ssize_t action
    # The very first play-out is made whatever the time, so that there is always an answer.
    while (not counted or used < budget) and (deadline == 0.0 or used == 0 or now() < deadline):
        if resample and turn == 0:
            world = root.resample(seat, rng)
        action = alive[turn]
        sums[action] += sample(world, codes[action], seat, rng, buffer, max_plies)
        visits[action] += 1
        used += 1
        turn += 1
        if turn == len(alive):
            turn = 0
    return used
