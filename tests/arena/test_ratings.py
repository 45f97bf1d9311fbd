"""Ratings against known values, an independent fit, and their promises."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from cext.random import Rng
from omnilude.arena.ratings import PRIOR, rate
from omnilude.arena.statistics import ELO_SCALE, elo_of_score


def won(winner: str, loser: str) -> dict[str, int]:
    return {winner: 1, loser: 2}


def drawn(first: str, second: str) -> dict[str, int]:
    return {first: 1, second: 1}


def elos(bots: Sequence[str], encounters: Sequence[Sequence[dict[str, int]]]) -> dict[str, float]:
    return {rating.bot: rating.elo for rating in rate(bots, encounters, samples=0)}


def test_two_bots_differ_by_the_elo_of_their_score() -> None:
    encounters = [[won("a", "b")]] * 300 + [[won("b", "a")]] * 80 + [[drawn("a", "b")]] * 20
    found = elos("ab", encounters)
    assert found["a"] == pytest.approx(-found["b"])
    assert found["a"] - found["b"] == pytest.approx(elo_of_score(310 / 400), abs=0.5)


def test_bradley_terry_equals_an_independent_fit() -> None:
    """Hunter's minorisation (2004), written from its formula, on three bots."""
    results = {("a", "b"): 12, ("b", "a"): 8, ("b", "c"): 15, ("c", "b"): 5, ("a", "c"): 9, ("c", "a"): 6}
    encounters = [[won(*pair)] for pair, count in results.items() for _ in range(count)]
    wins = {pair: count + PRIOR / 3 for pair, count in results.items()}
    strength = dict.fromkeys("abc", 1.0)
    for _ in range(5000):
        strength = {
            one: sum(wins[one, other] for other in "abc" if other != one)
            / sum(
                (wins[one, other] + wins[other, one]) / (strength[one] + strength[other])
                for other in "abc"
                if other != one
            )
            for one in "abc"
        }
    expected = {bot: ELO_SCALE * math.log(value) for bot, value in strength.items()}
    mean = sum(expected.values()) / 3
    assert elos("abc", encounters) == {bot: pytest.approx(elo - mean, abs=0.01) for bot, elo in expected.items()}


def test_plackett_luce_recovers_the_strengths_that_made_the_places() -> None:
    strength = {"a": 4.0, "b": 2.0, "c": 1.0, "d": 0.5}
    rng = Rng(3)
    encounters = []
    for _ in range(1500):
        left, places = dict(strength), {}
        while left:
            bot = rng.weighted([(index, int(1000 * value)) for index, value in enumerate(left.values())])
            name = list(left)[bot]
            places[name] = len(places) + 1
            del left[name]
        encounters.append([places])
    found = elos("abcd", encounters)
    expected = {bot: ELO_SCALE * math.log(value) for bot, value in strength.items()}
    mean = sum(expected.values()) / 4
    for bot, elo in expected.items():
        assert found[bot] == pytest.approx(elo - mean, abs=25)


def test_shared_places_count_for_neither() -> None:
    encounters = [[{"a": 1, "b": 1, "c": 3}], [{"a": 1, "b": 1, "c": 1}]]
    found = elos("abc", encounters)
    assert found["a"] == pytest.approx(found["b"], abs=0.01) and found["c"] < found["a"]


def test_order_of_the_matches_does_not_matter() -> None:
    encounters = [[won("a", "b"), won("b", "a")], [won("a", "c")], [drawn("b", "c"), won("c", "b")], [won("a", "b")]]
    assert rate("abc", encounters, samples=20) == rate("abc", encounters[::-1], samples=20)


def test_intervals_hold_the_rating_and_shrink_with_more_matches() -> None:
    few = [[won("a", "b")], [won("b", "a")], [won("a", "b")]] * 4
    many = few * 16
    widths = []
    for encounters in (few, many):
        best, worst = rate("ab", encounters, samples=100)
        assert best.bot == "a" and worst.bot == "b"
        assert best.low <= best.elo <= best.high
        widths.append(best.high - best.low)
    assert widths[1] < widths[0] / 2


def test_bots_that_won_everything_or_never_played_have_finite_ratings() -> None:
    ratings = {rating.bot: rating for rating in rate("abc", [[won("a", "b")]] * 10, samples=20)}
    assert ratings["a"].elo > ratings["c"].elo > ratings["b"].elo
    assert all(math.isfinite(rating.elo) for rating in ratings.values())


def test_ratings_without_matches_have_infinite_intervals() -> None:
    assert [(rating.elo, rating.low) for rating in rate("ab", [])] == [(0.0, -math.inf)] * 2


def test_invalid_input_is_refused() -> None:
    with pytest.raises(ValueError, match="two bots"):
        rate("a", [])
    with pytest.raises(ValueError, match="'z' is not among"):
        rate("ab", [[won("a", "z")]])
