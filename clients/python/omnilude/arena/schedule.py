"""Formats of a tournament: round robin, gauntlet, Swiss, knockout, ladder, and a sequential test of two bots.

A schedule is a pure function of the results so far: :meth:`Schedule.plan` returns the encounters that are determined,
and whether more will follow. So a tournament that was stopped resumes with the same encounters, and results may arrive
in any order.

An *encounter* is a set of matches with the same seed, one for each rotation of its bots over the seats.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from omnilude.arena.statistics import Sprt, Verdict

Scores = Mapping[str, float]
"""Mean score of each bot over the matches of an encounter: from 0 for all lost to 1 for all won."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """Matches of a group of bots with the same seed, one for each rotation of the seats."""

    number: int
    """Index in the schedule, from 0."""
    bots: tuple[str, ...]
    round: int = 0

    def rotations(self) -> list[tuple[str, ...]]:
        """Returns the bots by seat, for each match."""
        return [self.bots[shift:] + self.bots[:shift] for shift in range(len(self.bots))]


@dataclass(frozen=True, slots=True)
class Plan:
    """The part of a schedule that the results determine."""

    encounters: Sequence[Encounter]
    """All encounters that are determined, including those with results; ``encounters[i].number == i``."""
    finished: bool
    """Whether no more encounters will follow."""
    standings: Sequence[str] = field(default=())
    """Order of the bots, if the format itself decides it (knockout, ladder); otherwise empty."""


class Schedule(ABC):
    """Base class of the formats of a tournament. Bots are given strongest first."""

    def __init__(self, bots: Sequence[str], seats: int) -> None:
        """Raises ValueError if the format cannot be played with these bots and seats."""
        if len(set(bots)) < len(bots):
            raise ValueError("a bot is listed twice")
        if len(bots) < seats:
            raise ValueError(f"{len(bots)} bots are too few for matches of {seats}")
        if seats < 2:
            raise ValueError("a tournament needs matches of at least two seats")
        self.bots = tuple(bots)
        self.seats = seats

    @abstractmethod
    def plan(self, results: Mapping[int, Scores]) -> Plan:
        """Returns the plan after these results, which are by number of the encounter."""


class RoundRobin(Schedule):
    """Each group of bots that fills the seats of a match meets ``rounds`` times."""

    def __init__(self, bots: Sequence[str], seats: int, rounds: int = 1) -> None:
        super().__init__(bots, seats)
        groups = list(itertools.combinations(self.bots, seats))
        self._encounters = _numbered([(group, number) for number in range(rounds) for group in groups])

    def plan(self, results: Mapping[int, Scores]) -> Plan:
        return Plan(self._encounters, True)


class Gauntlet(Schedule):
    """The first bot meets each group of the others ``rounds`` times; the others do not meet without it."""

    def __init__(self, bots: Sequence[str], seats: int, rounds: int = 1) -> None:
        super().__init__(bots, seats)
        champion, *others = self.bots
        groups = [(champion, *group) for group in itertools.combinations(others, seats - 1)]
        self._encounters = _numbered([(group, number) for number in range(rounds) for group in groups])

    def plan(self, results: Mapping[int, Scores]) -> Plan:
        return Plan(self._encounters, True)


class Swiss(Schedule):
    """In each round, bots with equal points meet if they have not met yet; a bot without opponent gets a full score.

    A round starts when the previous one has ended. No bot rests twice before every bot has rested once.
    """

    def __init__(self, bots: Sequence[str], seats: int, rounds: int) -> None:
        super().__init__(bots, seats)
        self._rounds = rounds

    def plan(self, results: Mapping[int, Scores]) -> Plan:
        encounters: list[Encounter] = []
        points = dict.fromkeys(self.bots, 0.0)
        rests = dict.fromkeys(self.bots, 0)
        met: dict[frozenset[str], int] = {}
        for number in range(self._rounds):
            groups, resting = self._pair(points, rests, met)
            added = [Encounter(len(encounters) + place, group, number) for place, group in enumerate(groups)]
            encounters += added
            if any(encounter.number not in results for encounter in added):
                return Plan(encounters, number == self._rounds - 1)
            for encounter in added:
                for bot, score in results[encounter.number].items():
                    points[bot] += score
                for pair in itertools.combinations(encounter.bots, 2):
                    met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
            for bot in resting:
                points[bot] += 1.0
                rests[bot] += 1
        return Plan(encounters, True)

    def _pair(
        self, points: Mapping[str, float], rests: Mapping[str, int], met: Mapping[frozenset[str], int]
    ) -> tuple[list[tuple[str, ...]], list[str]]:
        order = sorted(self.bots, key=lambda bot: (-points[bot], self.bots.index(bot)))
        spare = len(order) % self.seats
        # The lowest among those that have rested least often.
        resting = sorted(order, key=lambda bot: (rests[bot], -order.index(bot)))[:spare]
        left = [bot for bot in order if bot not in resting]
        groups = []
        while left:
            group = [left.pop(0)]
            while len(group) < self.seats:
                # The highest of those that have met this group least often.
                best = min(left, key=lambda bot: sum(met.get(frozenset((bot, one)), 0) for one in group))
                group.append(best)
                left.remove(best)
            groups.append(tuple(group))
        return groups, resting


class Knockout(Schedule):
    """The loser of each pairing is eliminated. For two seats; the first two seeds can only meet in the final.

    A pairing consists of ``rounds`` encounters, and of up to ``extra`` more while it is level; then the better seed
    wins.
    """

    def __init__(self, bots: Sequence[str], seats: int, rounds: int = 1, extra: int = 4) -> None:
        super().__init__(bots, seats)
        if seats != 2:
            raise ValueError(f"a knockout needs matches of two seats, not of {seats}")
        self._rounds = rounds
        self._extra = extra

    def plan(self, results: Mapping[int, Scores]) -> Plan:
        size = 1 << (len(self.bots) - 1).bit_length()
        field: list[str | None] = [self.bots[seed] if seed < len(self.bots) else None for seed in _bracket(size)]
        out: list[list[str]] = []
        encounters: list[Encounter] = []
        number = 0
        while len(field) > 1:
            ties = list(zip(field[::2], field[1::2], strict=True))
            winners, complete = self._play(ties, results, encounters, number)
            if not complete:
                return Plan(encounters, False)
            out.append([bot for pair in ties for bot in pair if bot is not None and bot not in winners])
            field = list(winners)
            number += 1
        champion = field[0]
        assert champion is not None
        standings = [champion, *(bot for lost in out[::-1] for bot in sorted(lost, key=self.bots.index))]
        return Plan(encounters, True, standings)

    def _play(
        self,
        ties: Sequence[tuple[str | None, str | None]],
        results: Mapping[int, Scores],
        encounters: list[Encounter],
        number: int,
    ) -> tuple[list[str | None], bool]:
        """Add the encounters of a round; returns the winners, and whether the round is complete."""
        winners: list[str | None] = []
        states: dict[tuple[str, str], list[Scores]] = {}
        # All pairings of a round are played at once, encounter by encounter, so that numbers depend on results only.
        for leg in range(self._rounds + self._extra):
            due = []
            for first, second in ties:
                if first is None or second is None:
                    continue
                scores = states.setdefault((first, second), [])
                if len(scores) == leg and (leg < self._rounds or _lead(scores, first, second) == 0):
                    due.append((first, second))
            added = [Encounter(len(encounters) + place, pair, number) for place, pair in enumerate(due)]
            encounters += added
            if any(encounter.number not in results for encounter in added):
                return [], False
            for encounter in added:
                states[encounter.bots[0], encounter.bots[1]].append(results[encounter.number])
        for first, second in ties:
            if first is None or second is None:
                winners.append(first or second)
                continue
            lead = _lead(states[first, second], first, second)
            better = min(first, second, key=self.bots.index)
            winners.append(better if lead == 0 else first if lead > 0 else second)
        return winners, True


class Ladder(Schedule):
    """From the bottom up, each bot challenges the one above it and takes its place if it wins; ``rounds`` times.

    For two seats.
    """

    def __init__(self, bots: Sequence[str], seats: int, rounds: int = 1) -> None:
        super().__init__(bots, seats)
        if seats != 2:
            raise ValueError(f"a ladder needs matches of two seats, not of {seats}")
        self._rounds = rounds

    def plan(self, results: Mapping[int, Scores]) -> Plan:
        order = list(self.bots)
        encounters: list[Encounter] = []
        for number in range(self._rounds):
            for place in range(len(order) - 1, 0, -1):
                above, below = order[place - 1], order[place]
                encounter = Encounter(len(encounters), (below, above), number)
                encounters.append(encounter)
                if encounter.number not in results:
                    return Plan(encounters, False)
                scores = results[encounter.number]
                if scores[below] > scores[above]:
                    order[place - 1], order[place] = below, above
        return Plan(encounters, True, order)


class SequentialTest(Schedule):
    """Two bots meet until a sequential test of the first one's Elo difference ends, up to ``max_pairs`` times.

    The test uses the results in the order of their numbers, whatever the order in which they arrive.
    """

    def __init__(self, bots: Sequence[str], seats: int, test: Sprt, max_pairs: int = 10_000, ahead: int = 64) -> None:
        """``ahead`` is the number of encounters that are planned beyond the complete ones."""
        super().__init__(bots, seats)
        if seats != 2 or len(self.bots) != 2:
            raise ValueError("a sequential test compares two bots in matches of two")
        self._test = test
        self._max_pairs = max_pairs
        self._ahead = ahead

    def plan(self, results: Mapping[int, Scores]) -> Plan:
        complete, _ = self.decided(results)
        if complete is not None:
            return Plan(self._encounters(complete), True)
        known = 0
        while known in results:
            known += 1
        count = min(self._max_pairs, known + self._ahead)
        return Plan(self._encounters(count), count == self._max_pairs)

    def decided(self, results: Mapping[int, Scores]) -> tuple[int | None, Verdict]:
        """Returns the number of encounters that decided the test (None if it is not decided), and the verdict."""
        counts: dict[float, int] = {}
        verdict = Verdict.UNDECIDED
        number = 0
        while number in results:
            score = round(results[number][self.bots[0]] * 4) / 4
            counts[score] = counts.get(score, 0) + 1
            number += 1
            verdict = _verdict(self._test, tuple(sorted(counts.items())))
            if verdict is not Verdict.UNDECIDED:
                return number, verdict
        return (number if number >= self._max_pairs else None), verdict

    def _encounters(self, count: int) -> list[Encounter]:
        first, second = self.bots
        return [Encounter(number, (first, second), number) for number in range(count)]


@lru_cache(maxsize=1 << 16)
def _verdict(test: Sprt, counts: tuple[tuple[float, int], ...]) -> Verdict:
    """Returns the verdict on these counts; cached, because each plan repeats the test for all shorter prefixes."""
    return test.verdict(dict(counts))


def _numbered(groups: Sequence[tuple[tuple[str, ...], int]]) -> list[Encounter]:
    return [Encounter(number, group, round_) for number, (group, round_) in enumerate(groups)]


def _bracket(size: int) -> list[int]:
    """Returns the seeds (from 0) in the order of a bracket in which the first two can meet in the final only."""
    order = [0]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


def _lead(scores: Sequence[Scores], first: str, second: str) -> float:
    return sum(score[first] - score[second] for score in scores)
