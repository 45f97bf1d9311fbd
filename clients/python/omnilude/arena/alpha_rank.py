"""alpha-rank of a field of bots: how much of the time evolution with mutation spends at each of them.

For bots that beat each other in a circle, no rating tells who is best; alpha-rank gives each bot a share. It is the
stationary distribution of a Markov chain over populations that consist of one bot each: a mutant of another bot takes
the population over with the fixation probability of the Moran process with Fermi selection (Omidshafiei et al.,
"alpha-Rank: Multi-Agent Evaluation by Evolution", 2019, single-population model).

Needs the extra ``arena`` of the distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

POPULATION = 50
SELECTION = 10.0
"""Selection intensity (alpha): high enough that a bot that scores 60 % nearly always replaces the other."""


def alpha_rank(
    payoffs: Sequence[Sequence[float]], *, population: int = POPULATION, selection: float = SELECTION
) -> list[float]:
    """Returns the share of each strategy, from the payoff of each against each (a row meets the columns)."""
    import numpy

    count = len(payoffs)
    chain = numpy.zeros((count, count))
    for resident in range(count):
        for mutant in range(count):
            if mutant != resident:
                fixation = _fixation(payoffs, mutant, resident, population, selection)
                chain[resident, mutant] = fixation / (count - 1)
        chain[resident, resident] = 1.0 - chain[resident].sum()
    # The stationary distribution solves pi (chain - 1) = 0 and sum(pi) = 1.
    system = numpy.vstack([chain.T - numpy.eye(count), numpy.ones(count)])
    target = numpy.zeros(count + 1)
    target[-1] = 1.0
    shares, *_ = numpy.linalg.lstsq(system, target, rcond=None)
    return [float(share) for share in numpy.clip(shares, 0.0, 1.0)]


def rank_bots(bots: Sequence[str], cross: Mapping[str, Mapping[str, float]]) -> dict[str, float] | None:
    """Returns the share of each bot, from the mean score of each against each; None if two bots have not met."""
    if any(other not in cross[bot] for bot in bots for other in bots if other != bot):
        return None
    shares = alpha_rank([[0.5 if bot == other else cross[bot][other] for other in bots] for bot in bots])
    return dict(zip(bots, shares, strict=True))


def _fixation(
    payoffs: Sequence[Sequence[float]], mutant: int, resident: int, population: int, selection: float
) -> float:
    """Returns the probability that a single mutant takes over a population of residents."""
    import numpy

    mutants = numpy.arange(1, population)
    residents = population - mutants
    fitness = (mutants - 1) * payoffs[mutant][mutant] + residents * payoffs[mutant][resident]
    other = (residents - 1) * payoffs[resident][resident] + mutants * payoffs[resident][mutant]
    losses = numpy.cumsum(-selection * (fitness - other) / (population - 1))
    # Above exp(700) the probability is 0 in double precision anyway.
    return float(1.0 / (1.0 + numpy.exp(numpy.minimum(losses, 700.0)).sum()))
