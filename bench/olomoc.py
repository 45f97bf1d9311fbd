"""Random play-outs of whole games of Olomòc in one process, and the cost of legal lists and of a clone.

Targets: 30 whole games per second, the draft included, and 0.5 ms for a legal list in the mean of all decisions, with
moves listed at 1/2 inch. The games are played with the house set and default options.
"""

from __future__ import annotations

import time
import timeit

from bench import report
from bench.report import Row
from cext.playout import playouts
from cext.random import Rng
from cext.state import SIMULTANEOUS, TERMINAL, State
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.codes import PLACE_DECISIONS
from gamepacks.olomoc.engine.rules import OlomocState

SECONDS = 4.0
"""Seconds for which play-outs are measured."""
GAMES = 30
"""Games whose lists are measured."""


def play_speed() -> tuple[float, float]:
    """Returns the whole games per second, and the mean number of steps in a game."""
    root = Olomoc.configure(2).initial_state()
    games, steps, seconds, seed = 0, 0, 0.0, 0
    while seconds < SECONDS:
        started = time.perf_counter()
        _, more = playouts(root, Rng(seed), 10)
        seconds += time.perf_counter() - started
        games, steps, seed = games + 10, steps + more, seed + 1
    return games / seconds, steps / games


def seat_of(state: State) -> int:
    """Returns the first seat to act; -1 if there is none."""
    if state.actor() != SIMULTANEOUS:
        return state.actor()
    return 0 if state.seats_to_act() & 1 else 1


def list_milliseconds() -> tuple[float, float, float]:
    """Returns the milliseconds of a legal list, called from Python.

    They are the mean of all decisions, the mean of decisions about places, and the maximum.
    """
    rng = Rng(1)
    everywhere: list[float] = []
    places: list[float] = []
    for _ in range(GAMES):
        state = Olomoc.configure(2).initial_state()
        assert isinstance(state, OlomocState)
        while state.actor() != TERMINAL:
            outcomes = state.chance()
            if outcomes:
                state.apply_unchecked(rng.weighted(outcomes))
                continue
            seat = seat_of(state)
            started = time.perf_counter()
            codes = state.legal(seat)
            took = 1000 * (time.perf_counter() - started)
            everywhere.append(took)
            if state.decision in PLACE_DECISIONS:
                places.append(took)
            state.apply_unchecked(rng.choice(codes), seat)
    return sum(everywhere) / len(everywhere), sum(places) / len(places), max(everywhere)


def clone_microseconds() -> float:
    """Returns the microseconds of one clone, called from Python, of a state in the first activations."""
    state = Olomoc.configure(2).initial_state()
    rng = Rng(1)
    for _ in range(80):
        outcomes = state.chance()
        seat = seat_of(state)
        state.apply_unchecked(rng.weighted(outcomes) if outcomes else rng.choice(state.legal(seat)), seat)
    number = 20_000
    return min(timeit.repeat(state.clone, number=number, repeat=5)) / number * 1e6


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    games, steps = play_speed()
    mean, places, slowest = list_milliseconds()
    return [
        Row("Olomòc play-outs, whole games", games, "games/s", "30", games >= 30),
        Row("the same in steps", games * steps, "steps/s"),
        Row("Olomòc legal list, mean of all decisions", mean, "ms", "at most 0.5", mean <= 0.5),
        Row("Olomòc legal list, mean of decisions about places", places, "ms", "at most 0.5", places <= 0.5),
        Row("Olomòc legal list, slowest of 30 games", slowest, "ms"),
        Row("Olomòc clone, from Python", clone_microseconds(), "µs"),
    ]


if __name__ == "__main__":
    report.main(rows)
