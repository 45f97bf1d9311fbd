"""Tree search in several processes: root parallelism."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from concurrent.futures import Executor

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import tree_search

Ranking = list[tuple[int, int, float]]
"""Root actions as ``(code, visits, mean return)``, most visited first."""


def parallel_ranking(
    executor: Executor, state: State, seat: int, rng: Rng, *, trees: int, iterations: int = 0, seconds: float = 0.0
) -> Ranking:
    """Search a state with a tree in each of several tasks of an executor; returns the merged ranking of ``seat``.

    The executor is one of processes. Every tree has a generator of its own, drawn from ``rng``, an even share of
    ``iterations``, and all of ``seconds``. By iterations alone the result depends on the state and ``rng`` only.

    Raises ValueError without a tree or a budget.
    """
    if trees < 1:
        raise ValueError("a search needs at least one tree")
    root = pickle.dumps(state)
    shares = [iterations // trees + (number < iterations % trees) for number in range(trees)]
    tasks = [
        executor.submit(_search, root, seat, rng.bits64(), share, seconds)
        for share in shares
        if share or not iterations
    ]
    return merge_rankings(task.result() for task in tasks)


def merge_rankings(rankings: Iterable[Ranking]) -> Ranking:
    """Add the visits of root actions and weigh their mean returns by them."""
    visits: dict[int, int] = {}
    sums: dict[int, float] = {}
    for ranking in rankings:
        for code, count, mean in ranking:
            visits[code] = visits.get(code, 0) + count
            sums[code] = sums.get(code, 0.0) + count * mean
    merged = [(code, count, sums[code] / count) for code, count in visits.items()]
    return sorted(merged, key=lambda entry: (-entry[1], -entry[2]))


def _search(root: bytes, seat: int, seed: int, iterations: int, seconds: float) -> Ranking:
    """Search one tree, in a process of the executor."""
    state: State = pickle.loads(root)
    search = tree_search(state.game)
    search.run(state, seat, Rng(seed), iterations=iterations, seconds=seconds)
    return search.ranking(seat)
