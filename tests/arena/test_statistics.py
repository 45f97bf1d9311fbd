"""Statistics of the arena, against published values and an independent calculation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from cext.random import Rng
from omnilude.arena.statistics import (
    Sprt,
    Verdict,
    elo_of_score,
    estimate_elo,
    score_of_elo,
    wilson_interval,
)


def pairs(counts: Sequence[int]) -> dict[float, int]:
    """Counts of the pair scores 0, 1/4, 1/2, 3/4, 1."""
    return dict(zip((0.0, 0.25, 0.5, 0.75, 1.0), counts, strict=True))


# Values from the tests of fastchess, a tournament manager for chess engines.
@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_of_pairs_equals_published_values(counts: Sequence[int], elo: float, error: float) -> None:
    found = estimate_elo(pairs(counts))
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert found.error == pytest.approx(error, abs=0.02)
    assert found.pairs == sum(counts)


def test_likelihood_of_superiority_equals_a_published_value() -> None:
    assert estimate_elo(pairs((332, 433, 457 + 41, 333, 334))).superiority == pytest.approx(0.0505, abs=0.0001)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
    ],
)
def test_likelihood_ratio_equals_published_values(
    counts: Sequence[int], elo0: float, elo1: float, ratio: float
) -> None:
    assert Sprt(elo0, elo1).ratio(pairs(counts)) == pytest.approx(ratio, abs=0.01)


def test_likelihood_ratio_of_single_matches_equals_a_published_value() -> None:
    """Wins, losses and draws as three scores: the trinomial model."""
    counts = {1.0: 21404, 0.0: 21184, 0.5: 40708}
    assert Sprt(0.5, 2.5).ratio(counts) == pytest.approx(-1.57, abs=0.01)


@pytest.mark.parametrize("counts", [(12, 40, 61, 55, 30), (1, 0, 9, 0, 14), (5, 5, 5, 5, 5)])
def test_likelihood_ratio_equals_a_numeric_maximum(counts: Sequence[int]) -> None:
    """The distribution with a given mean is found by Lagrange's equations here, and by hill climbing there."""
    regular = [count or 1e-3 for count in counts]
    by_climbing = climb(regular, score_of_elo(30.0)) - climb(regular, score_of_elo(-5.0))
    assert Sprt(-5.0, 30.0).ratio(pairs(counts)) == pytest.approx(by_climbing, abs=2e-3)


def climb(counts: Sequence[float], mean: float) -> float:
    """Returns the greatest log-likelihood of a distribution over five scores with this mean, by random steps."""
    rng = Rng(1)
    scores = [0, 0.25, 0.5, 0.75, 1]

    def fitted(free: Sequence[float]) -> list[float] | None:
        # The first and last probability follow from the sum and the mean.
        last = mean - sum(p * score for p, score in zip(free, scores[1:4], strict=True))
        first = 1 - last - sum(free)
        whole = [first, *free, last]
        return whole if min(whole) > 0 else None

    def likelihood(whole: Sequence[float]) -> float:
        return sum(count * math.log(p) for count, p in zip(counts, whole, strict=True))

    best = fitted([0.2, 0.2, 0.2])
    assert best is not None
    step = 0.1
    while step > 1e-7:
        improved = False
        for _ in range(200):
            moved = fitted([p + step * (rng.below(2001) / 1000 - 1) for p in best[1:4]])
            if moved is not None and likelihood(moved) > likelihood(best):
                best, improved = moved, True
        if not improved:
            step /= 2
    return likelihood(best)


def test_sequential_test_ends_at_its_bounds() -> None:
    test = Sprt(0.0, 50.0)
    low, high = test.bounds
    assert (low, high) == (pytest.approx(-2.944, abs=0.001), pytest.approx(2.944, abs=0.001))
    assert test.verdict({}) is Verdict.UNDECIDED
    assert test.verdict(pairs((10, 10, 20, 12, 11))) is Verdict.UNDECIDED
    assert test.verdict(pairs((5, 10, 40, 60, 60))) is Verdict.BETTER
    assert test.verdict(pairs((40, 40, 40, 30, 25))) is Verdict.NOT_BETTER
    assert test.verdict({1.0: 40}) is Verdict.BETTER, "a score that never varies"


def test_error_rates_of_the_sequential_test_keep_within_its_settings() -> None:
    """1,000 tests of bots that are equal: at most the 5 % allowed, and a margin of chance, find one better."""
    rng = Rng(4)
    wrong = 0
    test = Sprt(0.0, 100.0)
    for _ in range(1000):
        counts = dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), 0)
        verdict = Verdict.UNDECIDED
        while verdict is Verdict.UNDECIDED:
            for _ in range(8):
                counts[(rng.below(3) + rng.below(3)) / 4] += 1
            verdict = test.verdict(counts)
        wrong += verdict is Verdict.BETTER
    assert 10 <= wrong <= 75


@pytest.mark.parametrize(
    ("wins", "count", "low", "high"),
    # Values of Wilson's interval at 95 % from Newcombe (1998), table I: 81/263, 15/148, 0/20, 1/29.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_win_rate_interval_equals_published_values(wins: int, count: int, low: float, high: float) -> None:
    assert wilson_interval(wins, count) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_edge_cases_have_defined_values() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert (elo_of_score(0.0), elo_of_score(0.5), elo_of_score(1.0)) == (-math.inf, 0.0, math.inf)
    assert elo_of_score(score_of_elo(123.0)) == pytest.approx(123.0)
    assert estimate_elo([0.5, 0.5]).superiority == 0.5
    assert estimate_elo([1.0]).superiority == 1.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sprt(5.0, 5.0), "not below"),
        (lambda: Sprt(alpha=0.5), "alpha"),
        (lambda: Sprt(beta=0.0), "beta"),
        (lambda: estimate_elo([]), "at least one pair"),
        (lambda: estimate_elo([1.5]), r"from 0 to 1"),
        (lambda: estimate_elo({0.5: -1}), "counts from 0"),
    ],
)
def test_input_out_of_range_is_refused(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=message):
        make()
