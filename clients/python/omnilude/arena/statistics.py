"""Statistics of matches between two bots: Elo difference, sequential test, win-rate intervals.

The unit of evidence is a *pair*: the matches that share a seed, one for each rotation of the seats. Its score is the
mean score of a bot over them, from 0 to 1. Matches of a pair are correlated (the same deal favours a seat), pairs are
independent; with two players and draws the five scores 0, 1/4, 1/2, 3/4, 1 are the pentanomial model.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

ELO_SCALE = 400 / math.log(10)
"""Elo points for a factor of e in the odds of winning."""
SMALLEST_FREQUENCY = 1e-3
"""Replaces a count of 0, so that the likelihood ratio is defined; the value of fishtest."""

_NORMAL = NormalDist()


def score_of_elo(elo: float) -> float:
    """Returns the expected score against an opponent that is weaker by ``elo`` points (logistic model)."""
    return 1 / (1 + math.exp(-elo / ELO_SCALE))


def elo_of_score(score: float) -> float:
    """Returns the Elo difference at which ``score`` is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_SCALE * math.log(score / (1 - score))


def wilson_interval(wins: float, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """Returns the Wilson score interval of a rate; draws count as half a win. (0, 1) without matches."""
    if count == 0:
        return 0.0, 1.0
    z = _NORMAL.inv_cdf((1 + confidence) / 2)
    rate = wins / count
    centre = rate + z * z / (2 * count)
    margin = z * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (centre - margin) / scale), min(1.0, (centre + margin) / scale)


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """Elo difference with its confidence interval, from the scores of pairs."""

    pairs: int
    score: float
    elo: float
    low: float
    high: float
    superiority: float
    """Likelihood of superiority: probability that the true difference is positive."""

    @property
    def error(self) -> float:
        """Half the width of the interval, the ``+/-`` of reports; infinite if a bound is."""
        width = self.high - self.low
        return width / 2 if math.isfinite(width) else math.inf


def estimate_elo(pairs: Mapping[float, int] | Iterable[float], confidence: float = 0.95) -> EloEstimate:
    """Estimate the Elo difference from pair scores, or from counts by score.

    Raises ValueError without a pair.
    """
    counts = _counts(pairs)
    number = sum(counts.values())
    if number == 0:
        raise ValueError("an Elo estimate needs at least one pair")
    mean, variance = _moments({score: count / number for score, count in counts.items()})
    error = math.sqrt(variance / number)
    z = _NORMAL.inv_cdf((1 + confidence) / 2)
    certain = 0.5 if mean == 0.5 else float(mean > 0.5)
    superiority = _NORMAL.cdf((mean - 0.5) / error) if error > 0 else certain
    low, high = elo_of_score(mean - z * error), elo_of_score(mean + z * error)
    return EloEstimate(number, mean, elo_of_score(mean), low, high, superiority)


class Verdict(StrEnum):
    """Outcome of a sequential test so far."""

    UNDECIDED = "undecided"
    BETTER = "better"
    """The difference of at least ``elo1`` is accepted."""
    NOT_BETTER = "not better"
    """The difference of at most ``elo0`` is accepted."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Generalised sequential probability ratio test between ``elo0`` and ``elo1`` (logistic Elo).

    ``alpha`` is the probability to accept ``elo1`` although ``elo0`` is true, ``beta`` the reverse. Raises ValueError
    for settings out of range.
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 is {self.elo0}, which is not below elo1, {self.elo1}")
        if not 0 < self.alpha < 0.5 or not 0 < self.beta < 0.5:
            raise ValueError("alpha and beta are above 0 and below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the test ends."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Mapping[float, int] | Iterable[float]) -> float:
        """Log-likelihood ratio of ``elo1`` against ``elo0``; 0 without a pair.

        Each hypothesis is represented by the distribution of pair scores that is most likely among those with its
        expected score (Michel Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
        distribution").
        """
        counts = _counts(pairs)
        if not counts:
            return 0.0
        regular = {score: count or SMALLEST_FREQUENCY for score, count in _on_grid(counts).items()}
        number = sum(regular.values())
        density = {score: count / number for score, count in regular.items()}
        worse, better = (_likeliest(density, score_of_elo(elo)) for elo in (self.elo0, self.elo1))
        return number * sum(p * math.log(better[score] / worse[score]) for score, p in density.items())

    def verdict(self, pairs: Mapping[float, int] | Iterable[float]) -> Verdict:
        """Returns the state of the test after these pairs."""
        ratio = self.ratio(pairs)
        low, high = self.bounds
        return Verdict.BETTER if ratio >= high else Verdict.NOT_BETTER if ratio <= low else Verdict.UNDECIDED


def _counts(pairs: Mapping[float, int] | Iterable[float]) -> dict[float, int]:
    counts = dict(pairs) if isinstance(pairs, Mapping) else dict(Counter(pairs))
    for score, count in counts.items():
        if not 0 <= score <= 1 or count < 0:
            raise ValueError(f"pair score {score} counted {count} times: scores are from 0 to 1, counts from 0")
    return {score: count for score, count in counts.items() if count}


def _on_grid(counts: Mapping[float, int]) -> dict[float, int]:
    """Returns the counts with zeros for the scores of the pentanomial model that did not occur."""
    return dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), 0) | dict(counts)


def _moments(density: Mapping[float, float]) -> tuple[float, float]:
    mean = sum(score * p for score, p in density.items())
    return mean, sum((score - mean) ** 2 * p for score, p in density.items())


def _likeliest(density: Mapping[float, float], mean: float) -> dict[float, float]:
    """Returns the distribution with this mean under which a sample with ``density`` is most likely.

    It is ``p / (1 + t (score - mean))``, with ``t`` such that its mean is ``mean``; the sum below decreases with ``t``.
    """
    low = -1 / (max(density) - mean)
    high = 1 / (mean - min(density))
    for _ in range(200):
        t = (low + high) / 2
        if sum(p * (score - mean) / (1 + t * (score - mean)) for score, p in density.items()) > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return {score: p / (1 + t * (score - mean)) for score, p in density.items()}
