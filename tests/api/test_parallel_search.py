"""Tree search in several processes."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from cext.random import Rng
from cext.state import State
from gamepacks.api.parallel_search import merge_rankings, parallel_ranking
from gamepacks.ominoes import Ominoes


def set_up() -> State:
    return Ominoes.configure(2, {"start_player": 0, "board_size": 6}).initial_state()


def test_processes_share_the_iterations_and_repeat_their_result() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        found = [parallel_ranking(processes, set_up(), 0, Rng(1), trees=3, iterations=100) for _ in range(2)]
    assert found[0] == found[1]
    assert sum(visits for _, visits, _ in found[0]) == 100
    with ThreadPoolExecutor(1) as thread:
        assert parallel_ranking(thread, set_up(), 0, Rng(1), trees=3, iterations=100) == found[0]
        assert parallel_ranking(thread, set_up(), 0, Rng(2), trees=3, iterations=100) != found[0]
        assert parallel_ranking(thread, set_up(), 0, Rng(1), trees=2, seconds=0.001)


def test_merged_rankings_add_visits_and_weigh_means() -> None:
    merged = merge_rankings([[(7, 3, 1.0), (8, 1, 0.0)], [(8, 4, 0.5), (7, 1, 0.0)]])
    assert merged == [(8, 5, pytest.approx(0.4)), (7, 4, pytest.approx(0.75))]


def test_a_search_needs_a_tree_and_a_budget() -> None:
    with ThreadPoolExecutor(1) as thread:
        with pytest.raises(ValueError, match="at least one tree"):
            parallel_ranking(thread, set_up(), 0, Rng(1), trees=0, iterations=1)
        with pytest.raises(ValueError, match="budget"):
            parallel_ranking(thread, set_up(), 0, Rng(1), trees=1)
