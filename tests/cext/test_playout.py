"""The generic play-out."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cext.playout import PlayoutTooLong, playout, playouts, yield_processor_every
from cext.random import Rng
from cext.state import CHANCE, TERMINAL, State
from gamepacks.ominoes import Ominoes


class Wheel(State):
    """A wheel is spun once: outcome 0 with weight 1, 1 with 2, 2 with 5."""

    outcome: int

    def __init__(self, outcomes: list[tuple[int, int]] | None = None) -> None:
        self.outcome = -1
        self.outcomes = [(0, 1), (1, 2), (2, 5)] if outcomes is None else outcomes

    def actor(self) -> int:
        return CHANCE if self.outcome < 0 else TERMINAL

    def chance(self) -> list[tuple[int, int]]:
        return self.outcomes

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.outcome = code

    def clone(self) -> Wheel:
        return Wheel(self.outcomes)

    def returns(self) -> tuple[float, ...]:
        return tuple(float(self.outcome == outcome) for outcome in range(3))


class Stuck(State):
    """A seat is to act and can do nothing."""

    def actor(self) -> int:
        return 3

    def legal(self, seat: int = -1) -> list[int]:
        return []


class Endless(State):
    """One action, for ever."""

    def actor(self) -> int:
        return 0

    def legal(self, seat: int = -1) -> list[int]:
        return [1]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        pass

    def clone(self) -> Endless:
        return Endless()


def test_outcomes_are_drawn_in_proportion_to_their_weights() -> None:
    sums, plies = playouts(Wheel(), Rng(1), 8000)
    assert plies == 8000
    assert sum(sums) == 8000
    for total, expected in zip(sums, (1000, 2000, 5000), strict=True):
        assert abs(total - expected) < 250


def test_the_same_seed_gives_the_same_play() -> None:
    root = Ominoes.configure(3).initial_state()
    first, second = root.clone(), root.clone()
    assert playout(first, Rng(5)) == playout(second, Rng(5))
    assert first.to_bytes() == second.to_bytes()
    assert playouts(root, Rng(5), 20) == playouts(root, Rng(5), 20) != playouts(root, Rng(6), 20)


def test_playouts_add_up_single_playouts_and_do_not_change_the_root() -> None:
    root = Ominoes.configure(2).initial_state()
    before = root.to_bytes()
    rng = Rng(8)
    singles = [playout(root.clone(), rng) for _ in range(30)]
    sums, plies = playouts(root, Rng(8), 30)
    assert sums == [sum(returns[seat] for returns, _ in singles) for seat in range(2)]
    assert plies == sum(length for _, length in singles)
    assert root.to_bytes() == before


def test_playout_beyond_its_bound_raises() -> None:
    with pytest.raises(PlayoutTooLong, match="no end after 50 plies"):
        playout(Endless(), Rng(1), 50)
    with pytest.raises(PlayoutTooLong):
        playouts(Endless(), Rng(1), 3, max_plies=50)
    state = Ominoes.configure(2, {"start_player": 0}).initial_state()
    _, plies = playout(state.clone(), Rng(2))
    assert playout(state.clone(), Rng(2), plies)[1] == plies
    with pytest.raises(PlayoutTooLong):
        playout(state.clone(), Rng(2), plies - 1)


def test_state_without_legal_actions_or_outcomes_raises() -> None:
    with pytest.raises(ValueError, match="seat 3 is to act and has no legal action"):
        playout(Stuck(), Rng(1))
    with pytest.raises(ValueError, match="a chance node without outcomes"):
        playout(Wheel([]), Rng(1))


def test_playout_of_an_ended_game_has_no_plies() -> None:
    wheel = Wheel()
    wheel.apply_unchecked(2)
    assert playout(wheel, Rng(1)) == ((0.0, 0.0, 1.0), 0)


def test_yielding_the_processor_does_not_change_playouts() -> None:
    root = Ominoes.configure(2, {}).initial_state()
    expected = playouts(root, Rng(7), 200)
    yield_processor_every(1e-5)
    try:
        assert playouts(root, Rng(7), 200) == expected
    finally:
        yield_processor_every(0)


BESIDE_ANOTHER = r"""
import os, resource, subprocess, sys
from cext.playout import playouts, yield_processor_every
from cext.random import Rng
from gamepacks.ominoes import Ominoes

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
root = Ominoes.configure(2, {}).initial_state()
with subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE) as other:
    other.stdout.readline()
    for seconds in (0, 1e-4):
        yield_processor_every(seconds)
        before = resource.getrusage(resource.RUSAGE_SELF)
        playouts(root, Rng(1), 2000)
        after = resource.getrusage(resource.RUSAGE_SELF)
        print(after.ru_nivcsw + after.ru_nvcsw - before.ru_nivcsw - before.ru_nvcsw)
    other.kill()
"""


def test_playouts_let_another_process_on_their_processor_run() -> None:
    """Context switches beside a process that only computes, on one processor: many more where play-outs yield."""
    ran = subprocess.run([sys.executable, "-c", BESIDE_ANOTHER], capture_output=True, text=True, timeout=60, check=True)
    without, yielding = map(int, ran.stdout.split())
    assert yielding > 2 * without + 20
