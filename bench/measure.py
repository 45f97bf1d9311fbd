"""Measurements for benchmarks of packs: the rate of random play-outs, and the cost of one call from Python."""

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
    """Returns the steps per second of compiled play-outs from a state, which are timed in groups of ``games``."""
    steps, seconds, seed = 0, 0.0, 0
    while seconds < SECONDS:
        started = time.perf_counter()
        _, more = playouts(root, Rng(seed), games)
        seconds += time.perf_counter() - started
        steps, seed = steps + more, seed + 1
    return steps / seconds


def call_microseconds(calls: Sequence[Callable[[], object]], number: int) -> float:
    """Returns the mean microseconds of these calls from Python, in the fastest of five rounds of ``number`` each."""

    def every() -> None:
        for call in calls:
            call()

    # The time of the loop over the calls is not a part of the cost of a call.
    timed = calls[0] if len(calls) == 1 else every
    return min(timeit.repeat(timed, number=number, repeat=5)) / number / len(calls) * 1e6
