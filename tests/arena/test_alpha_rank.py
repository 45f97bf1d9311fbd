"""alpha-rank against published values and properties."""

from __future__ import annotations

import pytest

from omnilude.arena.alpha_rank import alpha_rank, rank_bots


def test_shares_equal_published_values() -> None:
    """The game of Han et al., "Good agreements make good friends" (2013), as in OpenSpiel's test of alpha-rank."""
    r, t, p, s, delta, cost = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    payoffs = [
        [r - cost / 2, r - cost, 0.0, s + delta - cost, r - cost],
        [r, r, s, s, s],
        [0.0, t, p, p, p],
        [t - delta, t, p, p, p],
        [r, t, p, p, p],
    ]
    shares = alpha_rank(payoffs, population=20, selection=0.1)
    assert shares == pytest.approx([0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039], abs=1e-7)


def test_bots_that_beat_each_other_in_a_circle_have_equal_shares() -> None:
    assert alpha_rank([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]) == pytest.approx([1 / 3] * 3)


def test_bot_that_beats_all_others_has_the_whole_share() -> None:
    cross = {"a": {"b": 0.8, "c": 0.9}, "b": {"a": 0.2, "c": 0.5}, "c": {"a": 0.1, "b": 0.5}}
    shares = rank_bots(["c", "a", "b"], cross)
    assert shares is not None and list(shares) == ["c", "a", "b"]
    assert shares["a"] == pytest.approx(1.0, abs=1e-3) and sum(shares.values()) == pytest.approx(1.0)


def test_bots_that_have_not_met_are_not_ranked() -> None:
    assert rank_bots(["a", "b", "c"], {"a": {"b": 1.0}, "b": {"a": 0.0}, "c": {}}) is None


def test_strong_selection_does_not_overflow() -> None:
    assert alpha_rank([[0.0, 1e6], [-1e6, 0.0]], selection=100.0) == pytest.approx([1.0, 0.0])
