"""Random play-outs of Ominoes in one process, compared with the same rules in plain Python; and the cost of a clone.

Targets: 20 times the steps per second of the plain rules (tests/ominoes/reference.py) in the same run, 300,000 steps
per second, and 1 microsecond for a clone called from Python. A step is an action or an outcome of chance.
"""

from __future__ import annotations

import random
import time
from typing import Any

from bench import report
from bench.measure import SECONDS, call_microseconds, steps_per_second
from bench.report import Row
from cext.playout import playouts
from cext.random import Rng
from cext.state import State
from gamepacks.ominoes import Ominoes
from tests.ominoes.reference import Options, Reference, play_at_random


def start(players: int, **options: Any) -> State:
    """Returns the first state of a game of Ominoes."""
    return Ominoes.configure(players, options).initial_state()


def compiled_round(games: int, seed: int) -> tuple[int, float]:
    """Play games of two players on the default board; returns their steps and seconds."""
    root = start(2)
    started = time.perf_counter()
    _, steps = playouts(root, Rng(seed), games)
    return steps, time.perf_counter() - started


def plain_round(games: int, seed: int) -> tuple[int, float]:
    """Do the same as :func:`compiled_round` with the rules in plain Python."""
    rng = random.Random(seed)
    started = time.perf_counter()
    steps = sum(play_at_random(Reference(Options()), rng) for _ in range(games))
    return steps, time.perf_counter() - started


def compiled_and_plain() -> tuple[float, float]:
    """Returns the steps per second of compiled and of plain play-outs.

    The rounds of both alternate, so that other load of the machine affects both.
    """
    totals = [[0.0, 0.0], [0.0, 0.0]]
    seed = 0
    while min(seconds for _, seconds in totals) < SECONDS:
        for total, (steps, seconds) in zip(totals, (compiled_round(1000, seed), plain_round(5, seed)), strict=True):
            total[0] += steps
            total[1] += seconds
        seed += 1
    compiled, plain = (steps / seconds for steps, seconds in totals)
    return compiled, plain


def clone_microseconds() -> float:
    """Returns the microseconds of one clone of a state in mid-game, called from Python."""
    state = Ominoes.configure(2, {"start_player": 0}).initial_state()
    rng = Rng(1)
    for _ in range(60):
        outcomes = state.chance()
        state.apply(rng.weighted(outcomes) if outcomes else rng.choice(state.legal()))
    return call_microseconds([state.clone], 100_000)


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    compiled, plain = compiled_and_plain()
    clone = clone_microseconds()
    small = steps_per_second(start(2))
    wide = steps_per_second(start(2, board_size=12), games=10)
    return [
        Row("Ominoes play-outs, 2 players, 8 x 8", compiled, "steps/s", "300,000", compiled >= 300_000),
        Row("the same rules in plain Python", plain, "steps/s"),
        Row("ratio of the two", compiled / plain, "times", "20", compiled >= 20 * plain),
        Row("Ominoes play-outs, 4 players, 8 x 8", steps_per_second(start(4)), "steps/s"),
        Row("Ominoes play-outs, 2 players, 12 x 12", wide, "steps/s"),
        Row("  8 x 8 beside it", small / wide, "times", "at most 3", small <= 3 * wide),
        Row("Ominoes clone, from Python", clone, "µs", "at most 1", clone <= 1.0),
    ]


if __name__ == "__main__":
    report.main(rows)
