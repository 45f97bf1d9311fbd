"""A service whose matches are in a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine_service.server import CannotStart, Server
from gamepacks.api.registry import Registry
from omnilude import Client, Open
from omnilude.v1 import catalog_pb2
from tests.support.games import kuhn
from tests.support.postgres import database, postgres
from tests.support.server import ServiceProcess, running_server, settings_for_tests
from tests.support.wire import new_match

__all__ = ["database", "postgres"]


async def test_matches_tokens_and_keys_survive_a_restart(database: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "store.in_memory": False,
        "store.url": database,
        "store.path": tmp_path / "matches.sqlite3",
    }
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        table = await new_match(running, "kuhn")
        await table.submit(0, kuhn.BET())
        before = await table.match()
        signing_key = (await running.catalog.ListGames(catalog_pb2.ListGamesRequest())).signing_key
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        table.running = running
        assert (await running.catalog.ListGames(catalog_pb2.ListGamesRequest())).signing_key == signing_key
        assert await table.match() == before
        await table.submit(1, kuhn.FOLD())
        assert (await table.match()).result.places == [1, 2]
    assert not list(tmp_path.iterdir())


async def test_database_that_cannot_be_reached_stops_the_start() -> None:
    settings = {"store.in_memory": False, "store.url": "postgresql://me:hunter2@/nowhere?host=/nonexistent"}
    with pytest.raises(CannotStart, match=r"\[store\] url: database nowhere at /nonexistent cannot be") as refused:
        await Server.start(settings_for_tests(settings), Registry.load(only=(), extra=[kuhn.PACK]))
    assert "hunter2" not in str(refused.value)


def test_killed_service_has_stored_every_acknowledged_action(database: str, tmp_path: Path) -> None:
    with ServiceProcess(tmp_path, "--store.url", database, "--packs.only", "ominoes") as service:
        with Client(service.target) as client:
            match = client.create("ominoes", [Open(), Open()], seed=7)
            seats = [match.join("alice"), match.join("bob")]
            acknowledged = 0
            for _ in range(12):
                for seat in seats:
                    if legal := seat.legal_actions().codes:
                        acknowledged = seat.submit_action(legal[0]).seq
                        break
        service.kill()
        service.start()
        with Client(service.target) as client:
            assert client.match(match.name).get().seq == acknowledged > 10
