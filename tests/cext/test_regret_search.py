"""Tests of the search for mixed strategies: the value of Kuhn's poker, a matrix game, secrets, settings."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from cext.random import Rng
from cext.regret_search import RegretSearch
from cext.state import State
from gamepacks.api import Seat
from tests.support.games.kuhn import BET, CALL, CHECK, DEAL, FOLD, KuhnGame
from tests.support.games.sealed import BID, SealedGame

Steps = tuple[tuple[int, int], ...]


def kuhn() -> State:
    return KuhnGame.configure(2, {"ranks": 3}).initial_state()


class KuhnValue:
    """Exact values of Kuhn's poker under the strategies that a search found, in chips."""

    def __init__(self, search: RegretSearch) -> None:
        self.root = kuhn()
        self.search = search

    def expected(self) -> float:
        """Value for the first seat where both play the strategies."""
        return sum(self._value(deal, (), None) for deal in permutations(range(3), 2)) / 6

    def best_response(self, seat: int) -> float:
        """The most that a seat can win against the strategy of the other."""
        # Each of its plans: an action for each of its information states.
        total = 0.0
        for card in range(3):
            others = [other for other in range(3) if other != card]
            deals = [(card, other) if seat == 0 else (other, card) for other in others]
            total += max(sum(self._plan(deal, seat, plan) for deal in deals) for plan in self._plans(seat))
        return total / 6

    @staticmethod
    def _plans(seat: int) -> list[dict[tuple[int, ...], int]]:
        first, second = ((), (CHECK(), BET())) if seat == 0 else ((CHECK(),), (BET(),))
        return [{first: a, second: b} for a in (CHECK(), BET()) for b in (CALL(), FOLD())]

    def _plan(self, deal: tuple[int, int], seat: int, plan: dict[tuple[int, ...], int]) -> float:
        value = self._value(deal, (), (seat, plan))
        return value if seat == 0 else -value

    def _value(
        self, deal: tuple[int, int], moves: tuple[int, ...], plan: tuple[int, dict[tuple[int, ...], int]] | None
    ) -> float:
        steps: Steps = ((-1, DEAL(deal[0])), (-1, DEAL(deal[1])))
        state = self.root.clone()
        for _, code in steps:
            state.apply(code)
        for code in moves:
            steps += ((state.actor(), code),)
            state.apply(code)
        seat = state.actor()
        if seat < 0:
            return 2 * state.returns()[0]
        if plan is not None and seat == plan[0]:
            return self._value(deal, (*moves, plan[1][moves]), plan)
        strategy = self.search.strategy(self.root, seat, steps)
        return sum(chance * self._value(deal, (*moves, code), plan) for code, chance in strategy)


def test_strategies_of_kuhn_poker_reach_its_known_value() -> None:
    search = RegretSearch(2)
    search.run(kuhn(), 0, Rng(1), iterations=5_000)
    values = KuhnValue(search)
    assert values.expected() == pytest.approx(-1 / 18, abs=0.02)
    # Neither seat can gain much by leaving its strategy, so they are near an equilibrium.
    assert values.best_response(0) == pytest.approx(-1 / 18, abs=0.03)
    assert values.best_response(1) == pytest.approx(1 / 18, abs=0.03)


def test_search_from_a_decision_knows_only_what_its_seat_knows() -> None:
    found = []
    for theirs in (0, 2):
        state = kuhn()
        for code in (DEAL(1), DEAL(theirs), CHECK(), BET()):
            state.apply(code)
        search = RegretSearch(2)
        search.run(state, 0, Rng(3), iterations=300)
        found.append(search.strategy(state, 0))
    assert found[0] == found[1] and len(found[0]) == 2


def test_dominated_actions_are_given_up() -> None:
    for mine, wrong in ((0, CALL()), (2, FOLD())):
        state = kuhn()
        for code in (DEAL(mine), DEAL(1), CHECK(), BET()):
            state.apply(code)
        search = RegretSearch(2)
        search.run(state, 0, Rng(4), iterations=500)
        assert dict(search.strategy(state, 0))[wrong] < 0.05


def test_bids_in_secret_are_searched_without_seeing_those_of_others() -> None:
    state = SealedGame.configure(2, {"rounds": 1, "coins": 3}).initial_state()
    search = RegretSearch(2)
    search.run(state, 0, Rng(5), iterations=400)
    # A single round: the highest bid can only win or tie.
    for seat in (0, 1):
        strategy = dict(search.strategy(state, Seat(seat), ((0, BID(0)),) if seat else ()))
        assert max(strategy, key=lambda code: strategy[code]) == BID(3)


def test_later_decisions_are_tried_while_the_lines_of_play_are_few() -> None:
    state = kuhn()
    asked = (((-1, DEAL(2)), (-1, DEAL(0)), (0, CHECK()), (1, BET())), {CALL(): 1.0, FOLD(): 0.0})
    for leaves, expected in ((4, asked[1]), (3, {CALL(): 0.5, FOLD(): 0.5})):
        search = RegretSearch(2, max_leaves=leaves)
        assert search.run(state, 0, Rng(6), iterations=2_000) == search.iterations == 2_000
        assert dict(search.strategy(state, 0, asked[0])) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("settings", [{"players": 0}, {"players": 2, "max_leaves": 0}, {"players": 2, "max_plies": 0}])
def test_settings_out_of_range_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="from 1"):
        RegretSearch(**settings)


def test_a_search_needs_a_budget_and_keeps_one_of_time() -> None:
    with pytest.raises(ValueError, match="budget"):
        RegretSearch(2).run(kuhn(), 0, Rng(1))
    assert RegretSearch(2).run(kuhn(), 0, Rng(1), seconds=0.001) >= 1
