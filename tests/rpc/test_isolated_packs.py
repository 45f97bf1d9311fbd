"""Streams of matches of isolated packs: a pack that hangs delays no other match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from engine_service.isolation.games import IsolatedGame
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import play_service_pb2 as play
from tests.support.games import hostile, kuhn, sealed
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import expect_refusal
from tests.support.server import Running, running_server
from tests.support.waiting import until
from tests.support.wire import RemoteMatch, new_match

CALL_MS = 3_000
BUSY_S = 2.0
"""Most that a move may take beside a call that hangs, on a machine that is busy with other tests."""


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    settings = {"packs.isolated": ["HostilePack"], "limits.isolated_call_ms": CALL_MS}
    async with running_server(packs=[hostile.PACK, kuhn.PACK], settings=settings) as server:
        yield server


def process_of(table: RemoteMatch) -> IsolatedGame:
    live = table.running.server.host._runtime.cache.get_cached(table.name)
    assert live is not None and isinstance(live.game, IsolatedGame)
    return live.game


async def test_streams_show_a_match_of_an_isolated_pack(running: Running) -> None:
    table = await new_match(running, "hostile")
    request = pb.WatchMatchRequest(name=table.name, views=True, labels=True, sentences=True)
    watching = running.matches.WatchMatch(request)
    seqs: list[int] = []
    async with play_stream(running, views=True, typed_actions=True, events=True) as stream:
        await stream.send(attach=[play.Attach(channel=1, match=table.name, token=table.seats[0])])
        first = await stream.turn(1)
        assert len(first.actions) == 11 and first.HasField("view")
        for seat in (0, 1):
            await table.submit(seat, sealed.BID(5))  # a tie costs nothing
        second = await stream.turn(1, first.seq)
        assert len(second.actions) == 11 and [event.seq for event in stream.events[1]] == list(range(1, second.seq + 1))
        assert any(update.HasField("view") for response in stream.responses for update in response.updates)
    seen = await table.match()
    views = 0
    while len(seqs) < seen.seq:
        message = await watching.read()
        seqs += [event.seq for event in message.events]
        views += message.HasField("observation")
    assert seqs == list(range(1, seen.seq + 1)) and views
    watching.cancel()


async def test_view_that_hangs_on_streams_delays_no_other_match(running: Running) -> None:
    table, other = await new_match(running, "hostile"), await new_match(running, "kuhn")
    game = process_of(table)

    async def watch() -> None:
        async for _ in running.matches.WatchMatch(pb.WatchMatchRequest(name=table.name, views=True)):
            pass

    async with play_stream(running, views=True, events=True) as stream:
        await stream.send(attach=[play.Attach(channel=1, match=table.name, token=table.seats[1])])
        await stream.until(lambda s: s.turns)
        async with expect_refusal() as refusal:
            watching = asyncio.create_task(watch())
            await table.submit(0, sealed.BID(hostile.LOOP_VIEW))
            await until(game.process._lock.locked)
            began = time.monotonic()
            await other.submit(0, kuhn.CHECK())
            took = time.monotonic() - began
            print(f"a move beside a view that hangs: {1000 * took:.0f} ms")
            assert took < BUSY_S < CALL_MS / 1000
            await watching
        assert refusal.reason == "PACK_FAULT"
