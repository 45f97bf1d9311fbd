"""The plan of a round robin and its table."""

from __future__ import annotations

from collections import Counter

from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import Match, MatchResult
from omnilude_cli.round_robin import Encounter, PlayedEncounter, cross_table, schedule


def encounter(
    number: int, first: str, second: str, *returns: float, state: int = match_pb2.MATCH_STATE_FINISHED
) -> PlayedEncounter:
    match = Match(state=state, result=MatchResult(returns=returns))  # type: ignore[arg-type]
    return PlayedEncounter(Encounter(number, (first, second)), match, b"")


def test_everyone_meets_everyone_from_both_seats() -> None:
    planned = schedule(["a", "b", "c"], rounds=2)
    assert [encounter.number for encounter in planned] == list(range(1, 13))
    ways = Counter(encounter.seats for encounter in planned)
    assert ways == {(x, y): 2 for x in "abc" for y in "abc" if x != y}


def test_points_of_a_match() -> None:
    assert encounter(1, "a", "b", 1.0, -1.0).points == (1.0, 0.0)
    assert encounter(1, "a", "b", -0.5, 0.5).points == (0.0, 1.0)
    assert encounter(1, "a", "b", 0.0, 0.0).points == (0.5, 0.5)
    assert encounter(1, "a", "b", state=match_pb2.MATCH_STATE_CANCELLED).points == (0.0, 0.0)


def test_the_cross_table_is_sorted_by_points() -> None:
    encounters = [
        encounter(1, "a", "b", -1.0, 1.0),
        encounter(2, "b", "a", 1.0, -1.0),
        encounter(3, "a", "c", 0.0, 0.0),
        encounter(4, "c", "b", 1.0, -1.0),
    ]
    rows = cross_table(["a", "b", "c"], encounters)
    assert [(row.player, row.points, row.matches) for row in rows] == [("b", 2.0, 3), ("c", 1.5, 2), ("a", 0.5, 3)]
    assert rows[0].against == (None, 0.0, 2.0)
    assert rows[1].against == (1.0, None, 0.5)
    assert rows[2].against == (0.0, 0.5, None)


def test_equals_keep_their_order() -> None:
    rows = cross_table(["x", "y"], [encounter(1, "x", "y", 0.0, 0.0)])
    assert [row.player for row in rows] == ["x", "y"]
