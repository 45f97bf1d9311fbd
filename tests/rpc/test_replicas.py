"""Services that share one PostgreSQL database: each serves every match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn
from tests.support.postgres import database, postgres
from tests.support.server import Running, running_server
from tests.support.wire import Table, new_table

__all__ = ["database", "postgres"]


@pytest.fixture
async def services(database: str, tmp_path: Path) -> AsyncIterator[list[Running]]:
    """Three services on one database, in this process."""
    settings: dict[str, Any] = {"store.in_memory": False, "store.url": database, "http.enabled": False}
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(running_server(packs=[kuhn.PACK], settings=settings)) for _ in range(3)]


def at(table: Table, service: Running) -> Table:
    """The same match at another service."""
    return replace(table, running=service)


async def test_each_service_plays_on_where_another_one_stopped(services: list[Running]) -> None:
    table = await new_table(services[0], "kuhn")
    tables = [at(table, service) for service in services]
    await tables[1].submit(0, kuhn.CHECK())
    await tables[2].submit(1, kuhn.BET())
    await tables[0].submit(0, kuhn.FOLD())
    for each in tables:
        match = await each.match()
        assert match.result.places == [2, 1] and match == await tables[0].match()


async def test_of_two_that_act_at_once_at_two_services_one_is_refused(services: list[Running]) -> None:
    table = await new_table(services[0], "kuhn")
    await at(table, services[1]).match()
    answers = await asyncio.gather(
        table.submit(0, kuhn.CHECK()), at(table, services[1]).submit(0, kuhn.BET()), return_exceptions=True
    )
    refused = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
    assert len(refused) == 1
    log = [(await at(table, service).match()).seq for service in services]
    assert len(set(log)) == 1


async def test_a_watcher_at_one_service_sees_what_another_one_writes(services: list[Running]) -> None:
    table = await new_table(services[0], "kuhn")
    stream = services[1].matches.WatchMatch(pb.WatchMatchRequest(name=table.name))
    seqs: list[int] = []

    async def watch() -> None:
        async for message in stream:
            seqs.extend(event.seq for event in message.events)

    watching = asyncio.create_task(watch())
    await table.submit(0, kuhn.CHECK())
    await at(table, services[2]).submit(1, kuhn.CHECK())
    await asyncio.wait_for(watching, 10)
    assert seqs == list(range(1, (await table.match()).seq + 1))
