"""Tournaments at three replicas, of which one is killed: the one that has the matches that no database has."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psycopg

from omnilude.arena.config import Tournament
from omnilude.arena.results import Conduct, MatchResult, Results
from omnilude.arena.runner import Arena, Progress
from tests.support.postgres import database, postgres
from tests.support.replicas import Replicas, running_replicas

__all__ = ["database", "postgres"]

ROUNDS = 4


def tournament(ephemeral: bool) -> Tournament:
    return Tournament.model_validate(
        {
            "game": "ominoes",
            "format": {"kind": "round-robin", "rounds": ROUNDS},
            "bots": [{"name": "first", "python": "tests.arena.bots:First"}, {"name": "random", "service": "random"}],
            "clock": {"per_move": 30},
            "options": {"target": 3},
            "at_once": 3,
            "ephemeral": ephemeral,
        }
    )


def replica_of(match: str, database: str, replicas: Replicas) -> int:
    """Returns the process id of the replica that has an ephemeral match."""
    with psycopg.connect(database) as connection:
        number = int(match.rpartition("-")[2])
        found = connection.execute("SELECT address FROM replicas WHERE number = %s", [number]).fetchone()
    assert found is not None
    return replicas.pid_at(found[0])


async def test_tournaments_are_played_to_their_end_although_a_replica_is_killed(database: str, tmp_path: Path) -> None:
    results: list[MatchResult] = []
    killed: list[int] = []
    flags = ("--set", "packs.only=ominoes")
    with running_replicas(database, 3, tmp_path / "log", *flags) as replicas:

        def kill_one(progress: Progress) -> None:
            results.append(progress.result)
            if len(results) == 2:
                killed.append(replica_of(progress.result.match, database, replicas))
                replicas.kill(killed[0])

        async def play(*, ephemeral: bool) -> Results:
            folder = tmp_path / ("ephemeral" if ephemeral else "stored")
            on_result = kill_one if ephemeral else lambda progress: None
            arena = Arena(tournament(ephemeral), folder, replicas.target, on_result=on_result)
            return await arena.run()

        tables = await asyncio.wait_for(asyncio.gather(play(ephemeral=True), play(ephemeral=False)), 120)
        assert killed and killed[0] not in replicas.pids()
    assert len(results) == 2 * ROUNDS
    for table in tables:
        assert sorted(table.by_match) == [(encounter, rotation) for encounter in range(ROUNDS) for rotation in range(2)]
        for result in table.ordered():
            assert result.seats == (("first", "random") if result.rotation == 0 else ("random", "first"))
            assert result.conduct == (Conduct.PLAYED, Conduct.PLAYED)
            assert sorted(result.places) in ([1, 1], [1, 2]) and result.replay
    # The matches that were lost with their replica were played again at another one.
    assert len({result.match.rpartition("-")[2] for result in results}) > 1
