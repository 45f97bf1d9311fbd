"""Elo ratings of the bots of a tournament, independent of the order of the matches.

Matches of two use the Bradley-Terry model, with a draw as half a win. Larger matches use the Plackett-Luce model over
the places, with all orders of bots that share a place weighted equally. `choix` fits both. The confidence intervals
come from a bootstrap over encounters, because the matches of an encounter are correlated.

Needs the extra ``arena`` of the distribution.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omnilude.arena.statistics import ELO_SCALE

if TYPE_CHECKING:
    from numpy import ndarray

PRIOR = 0.1
"""Weight of virtual comparisons, which keep the rating of a bot finite that won or lost every match."""

Places = Mapping[str, int]
"""Places of the bots in a match, from 1; equal places are shared."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo rating of a bot with its confidence interval; the mean of all bots is 0."""

    bot: str
    elo: float
    low: float
    high: float


def rate(
    bots: Sequence[str], encounters: Sequence[Sequence[Places]], *, samples: int = 200, confidence: float = 0.95
) -> list[Rating]:
    """Returns the ratings of the bots, best first, from the places in each match of each encounter.

    ``samples`` is the number of bootstrap samples; without any the intervals are infinite. The order of the encounters
    does not matter. Raises ValueError for fewer than two bots, or for places of an unknown bot.
    """
    if len(bots) < 2:
        raise ValueError("ratings need at least two bots")
    number = {bot: index for index, bot in enumerate(bots)}
    ordered = sorted(
        (sorted(_ranking(places, number) for places in encounter) for encounter in encounters if encounter),
        key=repr,
    )
    if not ordered:
        return [Rating(bot, 0.0, -math.inf, math.inf) for bot in bots]
    fitted = _fit(len(bots), ordered)
    rng = random.Random(1)
    sampled = [_fit(len(bots), rng.choices(ordered, k=len(ordered))) for _ in range(samples)]
    cut = (1 - confidence) / 2
    ratings = []
    for bot, index in number.items():
        values = sorted(sample[index] for sample in sampled)
        low, high = (_quantile(values, cut), _quantile(values, 1 - cut)) if values else (-math.inf, math.inf)
        ratings.append(Rating(bot, fitted[index], min(low, fitted[index]), max(high, fitted[index])))
    return sorted(ratings, key=lambda rating: (-rating.elo, rating.bot))


Ranking = list[list[int]]
"""Groups of bots that share a place, first place first."""


def _ranking(places: Places, number: Mapping[str, int]) -> Ranking:
    unknown = [bot for bot in places if bot not in number]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not among the bots")
    groups: dict[int, list[int]] = {}
    for bot, place in places.items():
        groups.setdefault(place, []).append(number[bot])
    return [sorted(groups[place]) for place in sorted(groups)]


def _fit(bots: int, encounters: Sequence[Sequence[Ranking]]) -> list[float]:
    """Returns the Elo of each bot under the model for the size of the matches."""
    rankings = [ranking for encounter in encounters for ranking in encounter]
    if all(sum(map(len, ranking)) <= 2 for ranking in rankings):
        parameters = _bradley_terry(bots, rankings)
    else:
        parameters = _plackett_luce(bots, rankings)
    mean = sum(parameters) / bots
    return [float((parameter - mean) * ELO_SCALE) for parameter in parameters]


def _bradley_terry(bots: int, rankings: Sequence[Ranking]) -> ndarray:
    import choix
    import numpy

    wins = numpy.full((bots, bots), PRIOR / bots)
    numpy.fill_diagonal(wins, 0.0)
    for ranking in rankings:
        if len(ranking) == 2:
            wins[ranking[0][0], ranking[1][0]] += 1
        elif len(ranking[0]) == 2:
            first, second = ranking[0]
            wins[first, second] += 0.5
            wins[second, first] += 0.5
    fitted: ndarray = choix.ilsr_pairwise_dense(wins, max_iter=10_000)
    return fitted


def _plackett_luce(bots: int, rankings: Sequence[Ranking]) -> ndarray:
    import choix

    orders = [[tuple(itertools.chain(*order)) for order in _orders(ranking)] for ranking in rankings]
    # Orders are repeated so that each match has the same weight.
    common = math.lcm(*map(len, orders))
    data = [order for ways in orders for order in ways for _ in range(common // len(ways))]
    fitted: ndarray = choix.ilsr_rankings(bots, data, alpha=PRIOR * common / bots, max_iter=10_000)
    return fitted


def _orders(ranking: Ranking) -> list[tuple[tuple[int, ...], ...]]:
    return list(itertools.product(*(itertools.permutations(group) for group in ranking)))


def _quantile(values: Sequence[float], part: float) -> float:
    at = part * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)
