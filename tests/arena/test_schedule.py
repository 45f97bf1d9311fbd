"""Formats of tournaments: who meets whom, and that a schedule depends on nothing but results."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from cext.random import Rng
from omnilude.arena.schedule import (
    Encounter,
    Gauntlet,
    Knockout,
    Ladder,
    Plan,
    RoundRobin,
    Schedule,
    Scores,
    SequentialTest,
    Swiss,
)
from omnilude.arena.statistics import Sprt, Verdict

BOTS = ["ann", "ben", "cat", "dan", "eve", "fay", "gus"]
STRENGTH = {bot: len(BOTS) - place for place, bot in enumerate(BOTS)}


def by_strength(encounter: Encounter) -> Scores:
    """Returns scores in which the stronger bot wins."""
    order = sorted(encounter.bots, key=lambda bot: STRENGTH[bot])
    return {bot: place / (len(order) - 1) for place, bot in enumerate(order)}


def play(schedule: Schedule, score: Callable[[Encounter], Scores] = by_strength, seed: int = 1) -> Plan:
    """Play all encounters, those that are known in random order."""
    rng = Rng(seed)
    results: dict[int, Scores] = {}
    plan = schedule.plan(results)
    for _ in range(10_000):
        due = [encounter for encounter in plan.encounters if encounter.number not in results]
        if not due:
            assert plan.finished
            return plan
        encounter = rng.choice(due)
        results[encounter.number] = score(encounter)
        before, plan = plan, schedule.plan(results)
        known = min(len(before.encounters), len(plan.encounters))
        assert list(plan.encounters[:known]) == list(before.encounters[:known]), "what is planned stays planned"
        assert [encounter.number for encounter in plan.encounters] == list(range(len(plan.encounters)))
    raise AssertionError("the schedule does not end")


def test_rotations_put_each_bot_into_each_seat() -> None:
    assert Encounter(0, ("a", "b", "c")).rotations() == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_round_robin_each_group_meets_once_a_round(seats: int) -> None:
    plan = play(RoundRobin(BOTS, seats, rounds=2))
    met = Counter(frozenset(encounter.bots) for encounter in plan.encounters)
    assert met == dict.fromkeys(map(frozenset, itertools.combinations(BOTS, seats)), 2)


def test_in_a_gauntlet_the_first_meets_all_others_and_they_not_each_other() -> None:
    plan = play(Gauntlet(BOTS, 2, rounds=3))
    assert Counter(encounter.bots for encounter in plan.encounters) == {("ann", other): 3 for other in BOTS[1:]}
    assert all(encounter.bots[0] == "ann" for encounter in play(Gauntlet(BOTS, 3)).encounters)


def test_swiss_tournament_pairs_equals_without_repeats_and_rests_each_at_most_once() -> None:
    plan = play(Swiss(BOTS, 2, rounds=5))
    assert len(plan.encounters) == 15
    met = Counter(frozenset(encounter.bots) for encounter in plan.encounters)
    assert max(met.values()) == 1
    played = Counter(bot for encounter in plan.encounters for bot in encounter.bots)
    assert set(played.values()) <= {4, 5}
    second = [encounter.bots for encounter in plan.encounters if encounter.round == 1]
    winners = {max(e.bots, key=lambda bot: STRENGTH[bot]) for e in plan.encounters if e.round == 0}
    assert set(second[0]) <= winners | {"gus"}, "winners meet winners, or who rested"


def test_swiss_round_waits_for_the_one_before() -> None:
    schedule = Swiss(BOTS[:4], 2, rounds=2)
    assert len(schedule.plan({}).encounters) == 2 and not schedule.plan({}).finished
    one = {0: {"ann": 1.0, "ben": 0.0}}
    assert len(schedule.plan(one).encounters) == 2


def test_swiss_tournament_of_larger_tables_is_played() -> None:
    plan = play(Swiss(BOTS, 3, rounds=4))
    assert Counter(len(encounter.bots) for encounter in plan.encounters) == {3: 8}


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7])
def test_strongest_wins_a_knockout_and_the_second_reaches_the_final(count: int) -> None:
    plan = play(Knockout(BOTS[:count], 2))
    assert list(plan.standings[:2]) == BOTS[:2]
    assert sorted(plan.standings) == BOTS[:count]
    assert len(plan.encounters) == count - 1
    assert set(plan.encounters[-1].bots) == set(BOTS[:2])


def test_level_tie_continues_and_finally_goes_to_the_better_seed() -> None:
    def level(encounter: Encounter) -> Scores:
        return dict.fromkeys(encounter.bots, 0.5)

    plan = play(Knockout(BOTS[:2], 2, rounds=2, extra=3), level)
    assert len(plan.encounters) == 5 and list(plan.standings) == BOTS[:2]

    def late(encounter: Encounter) -> Scores:
        return {"ann": 0.25, "ben": 0.75} if encounter.number == 3 else level(encounter)

    plan = play(Knockout(BOTS[:2], 2, rounds=2, extra=3), late)
    assert len(plan.encounters) == 4 and list(plan.standings) == ["ben", "ann"]


def test_stronger_bot_climbs_the_ladder() -> None:
    plan = play(Ladder(["cat", "ben", "ann"], 2, rounds=2))
    assert list(plan.standings) == ["ann", "ben", "cat"]
    assert [encounter.bots for encounter in plan.encounters[:2]] == [("ann", "ben"), ("ann", "cat")]


def test_sequential_test_ends_when_it_is_decided() -> None:
    schedule = SequentialTest(["ann", "ben"], 2, Sprt(0, 100), ahead=5)
    assert len(schedule.plan({}).encounters) == 5
    plan = play(schedule)
    results = {encounter.number: by_strength(encounter) for encounter in plan.encounters}
    assert schedule.decided(results) == (len(plan.encounters), Verdict.BETTER)
    assert 2 <= len(plan.encounters) < 40


def test_sequential_test_does_not_depend_on_the_order_of_results() -> None:
    scores: list[Mapping[str, float]] = [{"ann": s, "ben": 1 - s} for s in (1.0, 0.75, 1.0, 0.5) * 20]

    def given(encounter: Encounter) -> Scores:
        return scores[encounter.number]

    plans = [play(SequentialTest(["ann", "ben"], 2, Sprt(0, 100), ahead=7), given, seed) for seed in range(5)]
    assert len({len(plan.encounters) for plan in plans}) == 1


def test_sequential_test_ends_undecided_at_its_limit() -> None:
    def level(encounter: Encounter) -> Scores:
        return dict.fromkeys(encounter.bots, 0.5)

    schedule = SequentialTest(["ann", "ben"], 2, Sprt(-1, 1), max_pairs=20)
    plan = play(schedule, level)
    assert len(plan.encounters) == 20
    assert schedule.decided({key: {"ann": 0.5, "ben": 0.5} for key in range(20)}) == (20, Verdict.UNDECIDED)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RoundRobin(["a", "a"], 2), "twice"),
        (lambda: RoundRobin(["a", "b"], 3), "too few"),
        (lambda: RoundRobin(["a", "b"], 1), "two seats"),
        (lambda: Knockout(BOTS, 3), "matches of two seats"),
        (lambda: Ladder(BOTS, 3), "matches of two seats"),
        (lambda: SequentialTest(BOTS, 2, Sprt()), "two bots"),
    ],
)
def test_formats_that_cannot_be_played_are_refused(make: Callable[[], Schedule], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
