"""Measurements for benches of packs: steps of random play-outs a second, and the cost of one call from Python."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable, Sequence

from cext.playout import playouts
from cext.random import Rng
from cext.state import State

SECONDS = 2.0
"""Seconds for which a rate is measured."""


def steps_per_second(root: State, games: int = 100) -> float:
    """Steps/s of compiled play-outs from a state, ``games`` of them between two looks at the clock."""
    steps, seconds, seed = 0, 0.0, 0
    while seconds < SECONDS:
        started = time.perf_counter()
        _, more = playouts(root, Rng(seed), games)
        seconds += time.perf_counter() - started
        steps, seed = steps + more, seed + 1
    return steps / seconds


def call_microseconds(calls: Sequence[Callable[[], object]], number: int) -> float:
    """One call from Python, the mean over all of them: the best of five rounds of ``number`` calls each."""

    def every() -> None:
        for call in calls:
            call()

    # The time of the loop over the calls is not a part of the cost of a call.
    timed = calls[0] if len(calls) == 1 else every
    return min(timeit.repeat(timed, number=number, repeat=5)) / number / len(calls) * 1e6
