"""Tests of guides: evaluation of whole actions, the ranking and the priors that follow from it."""

from __future__ import annotations

from math import exp

import pytest

from cext.guide import Guide
from cext.random import Rng
from cext.search import rank_by_evaluation
from cext.state import TERMINAL, State
from tests.cext.test_tree_search import Dice, Middle, TicTacToe


class Roll(Guide):
    """The last roll as the expected return of :class:`Dice`."""

    has_values = True
    action_samples = 6

    def values(self, state: State, rng: Rng) -> tuple[float, ...]:
        assert isinstance(state, Dice)
        return (state.last / 6,)


def test_an_action_is_evaluated_by_the_mean_over_the_outcomes_of_chance() -> None:
    mean = (1 + 2 + 3 + 4 + 5 + 3 * 6) / 8 / 6
    assert Roll().evaluate_action(Dice(2, 1), 1, 0, Rng(1)) == pytest.approx(mean)
    for last, best in ((4, 1), (5, 0)):
        ranked = rank_by_evaluation(Dice(last, 1), 0, Rng(1), Roll())
        assert [code for code, _ in ranked] == [best, 1 - best]
        assert dict(ranked) == {0: pytest.approx(last / 6), 1: pytest.approx(mean)}


def test_more_outcomes_than_samples_are_drawn() -> None:
    class Twice(Roll):
        action_samples = 2

    values = {Twice().evaluate_action(Dice(2, 1), 1, 0, Rng(seed)) for seed in range(40)}
    assert len(values) > 4
    assert all(value * 12 == pytest.approx(round(value * 12)) for value in values)


class ThreeSteps(State):
    """A path of three steps, 0 or 1 each; seat 0 takes the first and the last of them, seat 1 the second."""

    def __init__(self, taken: tuple[int, ...] = ()) -> None:
        self.game = None
        self.taken = taken

    def actor(self) -> int:
        return TERMINAL if len(self.taken) == 3 else len(self.taken) % 2

    def legal(self, seat: int = -1) -> list[int]:
        return [0, 1]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.taken += (code,)

    def clone(self) -> ThreeSteps:
        return ThreeSteps(self.taken)

    def returns(self) -> tuple[float, ...]:
        value = {(0, 0): 0.9, (0, 1): -0.9, (1, 0): 0.2, (1, 1): 0.1}[self.taken[:2]] + 0.05 * self.taken[2]
        return (value, -value)


class FirstStep(Guide):
    """Prefers 0 as the first step."""

    def evaluate(self, state: State, seat: int, rng: Rng) -> float:
        assert isinstance(state, ThreeSteps)
        return state.returns()[seat] if state.actor() == TERMINAL else float(state.taken[0] == 0)


class WholeAction(FirstStep):
    def continues(self, state: State, seat: int) -> bool:
        return True


def test_decisions_within_an_action_are_searched_for_the_seat_and_against_it() -> None:
    assert dict(rank_by_evaluation(ThreeSteps(), 0, Rng(1), FirstStep())) == {0: 1.0, 1: 0.0}
    whole = dict(rank_by_evaluation(ThreeSteps(), 0, Rng(1), WholeAction()))
    assert whole == {0: pytest.approx(-0.85), 1: pytest.approx(0.15)}
    # Neither with a depth of 0, nor with one that ends before the last step.
    for depth in (0, 1):
        assert dict(rank_by_evaluation(ThreeSteps(), 0, Rng(1), WholeAction(), depth=depth)) == {0: 1.0, 1: 0.0}


def test_only_action_is_not_evaluated() -> None:
    state = TicTacToe((0, 1, 0, 1, 0, 1, 1, 0, -1))
    assert rank_by_evaluation(state, 0, Rng(1), Guide()) == [(8, 0.0)]
    with pytest.raises(NotImplementedError, match=r"must define values\(\)"):
        rank_by_evaluation(TicTacToe(), 0, Rng(1), Guide())


def test_equal_evaluations_are_ranked_by_chance_and_the_same_for_a_seed() -> None:
    first = [rank_by_evaluation(TicTacToe(), 0, Rng(seed), Middle())[1][0] for seed in range(20)]
    assert len(set(first)) > 3
    assert all(rank_by_evaluation(TicTacToe(), 0, Rng(seed), Middle())[0][0] == 4 for seed in range(20))
    assert rank_by_evaluation(TicTacToe(), 0, Rng(3), Middle()) == rank_by_evaluation(TicTacToe(), 0, Rng(3), Middle())


def test_priors_follow_from_the_evaluations_of_actions() -> None:
    class Weighed(FirstStep):
        has_priors = True
        softness = 0.5

    first, second = Weighed().priors(ThreeSteps(), 0, [0, 1], Rng(1))
    assert first == 10_200
    assert second == pytest.approx(200 + 10_000 * exp(-2), abs=1)
