"""The fair queue in front of the handlers, on a loop with a simulated time and in a real server."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable

import grpc
import pytest

from engine_service.errors import LimitReached
from engine_service.rpc import fair_queue
from engine_service.rpc.fair_queue import (
    GATHER_SECONDS,
    HELD_BYTES,
    QUIET_TICKS,
    RUN_SECONDS,
    TICK_SECONDS,
    WITH_TOKEN_IN_A_ROW,
    FairQueue,
)
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn
from tests.support.rpc_errors import refusal_of
from tests.support.server import running_server
from tests.support.waiting import until
from tests.support.wire import new_match

MAX_LAG_MS = 1_000
ADA, BOB, EVE = "ipv4:10.0.0.1:1", "ipv4:10.0.0.2:1", "ipv4:10.0.0.3:1"


class ManualLoop:
    """A loop that runs one callback at a time, on request."""

    def __init__(self) -> None:
        self.now = 100.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0

    def time(self) -> float:
        return self.now

    def call_soon(self, callback: Callable[[], None]) -> None:
        self.call_later(0.0, callback)

    def call_later(self, delay: float, callback: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._due, (self.now + delay, self._number, callback))

    def create_future(self) -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    def run_one(self) -> None:
        at, _, callback = heapq.heappop(self._due)
        self.now = max(self.now, at)
        callback()

    @property
    def idle(self) -> bool:
        return not self._due


class Callers:
    """Calls of a queue, and the order in which they were started or refused."""

    def __init__(self, queue: FairQueue, loop: ManualLoop) -> None:
        self.queue = queue
        self.loop = loop
        self.started: list[str] = []
        self.refused: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def call(self, name: str, connection: str, *, has_token: bool = False, size: int = 0) -> None:
        async def call() -> None:
            try:
                await self.queue.wait_for_turn(connection, has_token=has_token, size=size)
            except LimitReached as error:
                assert error.retry_ms and error.metadata["limit"] == "max_lag_ms"
                self.refused.append(name)
            else:
                self.started.append(name)

        self._tasks.append(asyncio.create_task(call()))
        await asyncio.sleep(0)

    async def busy(self) -> None:
        """Make calls until the queue gathers the next ones."""
        while not self.queue.waiting:
            await self.call("before", ADA)
            self.loop.now += TICK_SECONDS / 2
        assert self.started and not self.refused
        self.started.clear()

    async def finish(self) -> None:
        """Run the loop until nothing waits."""
        while not self.loop.idle:
            self.loop.run_one()
            await asyncio.sleep(0)
        await asyncio.gather(*self._tasks)
        assert not self.queue.waiting


@pytest.fixture
async def callers() -> Callers:
    loop = ManualLoop()
    return Callers(FairQueue(MAX_LAG_MS, loop), loop)


async def test_sparse_calls_start_at_once(callers: Callers) -> None:
    for number in range(100):
        callers.loop.now += RUN_SECONDS
        await callers.call(str(number), ADA)
    assert len(callers.started) == 100 and callers.loop.idle


async def test_handlers_are_delayed_for_a_bounded_time(callers: Callers) -> None:
    await callers.busy()
    begun = callers.loop.now
    while not callers.started:
        await callers.call("next", BOB)
        callers.loop.run_one()
        await asyncio.sleep(0)
    assert abs(callers.loop.now - begun - GATHER_SECONDS) <= 2 * TICK_SECONDS
    assert callers.queue.waiting > 5
    await callers.finish()
    assert not callers.refused


async def test_pause_ends_the_gathering(callers: Callers) -> None:
    await callers.busy()
    begun = callers.loop.now
    await callers.finish()
    assert callers.loop.now - begun <= (QUIET_TICKS + 1) * TICK_SECONDS and callers.started == ["before"]


async def test_connections_take_turns(callers: Callers) -> None:
    await callers.busy()
    for number in range(4):
        await callers.call(f"eve {number}", EVE)
    await callers.call("bob 0", BOB)
    await callers.call("bob 1", BOB)
    await callers.finish()
    assert callers.started == ["before", "eve 0", "bob 0", "eve 1", "bob 1", "eve 2", "eve 3"]


async def test_token_holders_come_first_and_anonymous_are_served(callers: Callers) -> None:
    await callers.busy()
    for number in range(2):
        await callers.call(f"stranger {number}", EVE)
    with_token = [f"with token {number}" for number in range(3 * WITH_TOKEN_IN_A_ROW)]
    for name in with_token:
        await callers.call(name, BOB, has_token=True)
    at_once, first, second = (
        with_token[start : start + WITH_TOKEN_IN_A_ROW] for start in range(0, 12, WITH_TOKEN_IN_A_ROW)
    )
    assert callers.started == at_once, "the first ones are not held back"
    await callers.finish()
    assert callers.started == [*at_once, *first, "before", *second, "stranger 0", "stranger 1"]


async def test_late_call_is_refused_and_newer_ones_are_served(callers: Callers) -> None:
    await callers.busy()
    for number in range(3):
        await callers.call(f"old {number}", EVE)
    for _ in range(WITH_TOKEN_IN_A_ROW + 1):
        await callers.call("with token", BOB, has_token=True)
    callers.loop.now += MAX_LAG_MS / 1000 + 0.1
    await callers.call("new", EVE)
    await callers.finish()
    assert callers.started == ["with token"] * WITH_TOKEN_IN_A_ROW + ["new"]
    assert sorted(callers.refused) == ["before", "old 0", "old 1", "old 2", "with token"]


async def test_requests_that_wait_are_bounded_in_bytes(callers: Callers) -> None:
    await callers.busy()
    await callers.call("long", EVE, size=HELD_BYTES)
    await callers.call("one more", BOB, size=1)
    assert callers.refused == ["one more"]
    await callers.finish()
    assert callers.started == ["before", "long"]
    await callers.call("later", BOB, size=HELD_BYTES)
    assert callers.started[-1] == "later"


async def test_cancelled_call_leaves_the_queue(callers: Callers) -> None:
    await callers.busy()
    await callers.call("gone", EVE)
    callers._tasks.pop().cancel()
    await callers.call("bob", BOB)
    await callers.finish()
    assert callers.started == ["before", "bob"] and not callers.queue._held_bytes


async def test_overloaded_server_refuses_anonymous_and_serves_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """All calls are held back until the anonymous ones have waited too long; that counts against no connection."""
    async with running_server(packs=[kuhn.PACK]) as running:
        table = await new_match(running, "kuhn")
        queue = running.server._interceptor._queue
        monkeypatch.setattr(fair_queue, "QUIET_TICKS", 1 << 60)
        monkeypatch.setattr(fair_queue, "GATHER_SECONDS", float("inf"))
        queue._gather(0.0)
        queue._probing = False
        get = pb.GetMatchRequest(name=table.name)
        anonymous = [asyncio.ensure_future(running.matches.GetMatch(get)) for _ in range(150)]
        players = [asyncio.ensure_future(table.observe(table.seats[0])) for _ in range(10)]
        await until(lambda: queue.waiting == 150 + 10 - WITH_TOKEN_IN_A_ROW)
        for calls in queue._anonymous._by_connection.values():
            for call in calls:
                call.since -= 3_600
        queue._gather_until = 0.0
        for answer in await asyncio.gather(*anonymous, return_exceptions=True):
            assert isinstance(answer, grpc.aio.AioRpcError)
            refusal = refusal_of(answer)
            assert (refusal.reason, refusal.metadata["limit"]) == ("LIMIT_REACHED", "max_lag_ms")
            assert "google.rpc.RetryInfo" in refusal.details
        await asyncio.gather(*players)
        assert not any(known.is_throttled for known in running.server._connections._known.values())
        assert (await table.match()).name == table.name
