"""Returns by convention."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamepacks.api import share_win, win_shares


@given(st.integers(2, 8).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_returns_are_zero_sum_and_within_one(case: tuple[int, set[int]]) -> None:
    players, winners = case
    returns = share_win(players, winners)
    assert len(returns) == players
    assert sum(returns) == pytest.approx(0)
    assert all(-1 <= value <= 1 for value in returns)
    # Each winner has the same, and more than each loser.
    assert len({returns[seat] for seat in winners}) <= 1
    assert all(returns[w] > returns[o] for w in winners for o in range(players) if o not in winners)


def test_a_lone_winner_has_one() -> None:
    assert share_win(2, [1]) == (-1, 1)
    assert share_win(4, [0]) == (1, -1 / 3, -1 / 3, -1 / 3)


@pytest.mark.parametrize(("players", "winners"), [(1, [0]), (3, []), (3, [0, 1, 2])])
def test_returns_are_zero_when_all_or_none_win(players: int, winners: list[int]) -> None:
    assert share_win(players, winners) == (0.0,) * players


@given(st.integers(2, 8).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_shares_of_the_win_are_one_in_all(case: tuple[int, set[int]]) -> None:
    players, winners = case
    takers = winners or set(range(players))
    expected = [1 / len(takers) if seat in takers else 0 for seat in range(players)]
    assert win_shares(share_win(players, winners)) == pytest.approx(expected)
