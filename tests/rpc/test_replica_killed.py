"""Two processes of the service on one database: after one is killed (kill -9), the other takes its work over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from engine_service.store import postgres_replica
from omnilude import AsyncClient, Bot, Invited, Open, ServiceBot, Turn, operations
from omnilude.async_client import AsyncMatchHandle
from omnilude.models import clocks
from omnilude.player import Player
from omnilude.v1 import match_pb2
from tests.support.cutting_proxy import cutting_proxy
from tests.support.postgres import database, postgres
from tests.support.server import ServiceProcess

__all__ = ["database", "postgres"]

GOAL_S = 2.0
"""Time in which the work of a dead replica is to be taken over."""
ALLOWED_S = 20.0
"""The same on a machine that is busy with other tests."""
THINK_S = 0.5
PER_MOVE_S = 1.0
"""Shorter than a lease, so that the clock has run out when the work is taken over."""


def test_expired_lease_is_noticed_in_time() -> None:
    lease_ms, renewal_ms = postgres_replica.LEASE_MS, postgres_replica.RENEWAL_MS
    assert lease_ms + renewal_ms < GOAL_S * 1000
    assert lease_ms >= 2 * renewal_ms, "one late renewal must not end a lease"


@pytest.fixture
def two_services(database: str, tmp_path: Path) -> Iterator[list[ServiceProcess]]:
    flags = ["--store.url", database, "--http.enabled", "false", "--packs.only", "ominoes"]
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with ServiceProcess(folders[0], *flags) as one, ServiceProcess(folders[1], *flags) as two:
        yield [one, two]


async def gap(since: float, ready: Callable[[], Awaitable[bool]]) -> float:
    """Wait for a condition; returns the seconds from a monotonic time to it."""
    async with asyncio.timeout(ALLOWED_S):
        while not await ready():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return time.monotonic() - since


async def match_of(client: AsyncClient, handle: AsyncMatchHandle) -> match_pb2.Match:
    """Returns the match as another service reads it."""
    return (await client.call(operations.get_match(handle.name))).match


async def is_beyond(client: AsyncClient, match: AsyncMatchHandle, seq: int) -> bool:
    """Returns whether a match has records after one."""
    return (await match_of(client, match)).seq > seq


class First(Bot):
    """Takes the first legal action."""

    def choose(self, turn: Turn) -> int:
        """See Bot."""
        return turn.codes[0]


async def test_work_of_a_killed_replica_is_taken_over(two_services: list[ServiceProcess]) -> None:
    one, two = two_services
    bot = ServiceBot.parse(f"mcts:{round(1000 * THINK_S)}ms")
    async with (
        AsyncClient(one.target) as first,
        AsyncClient(two.target) as second,
        cutting_proxy(one.target) as balancer,
        AsyncClient(balancer.target) as balanced,
        Player(First(), balanced, name="ada") as ada,
    ):
        await ada.connected()
        clocked = await first.create("ominoes", [Open(), Open()], time_control=clocks(per_move=PER_MOVE_S))
        for seat, player in enumerate(("ada", "bob")):
            await clocked.join(player, seat)
        thinking = await first.create("ominoes", [bot, bot])
        warm = await second.create("ominoes", [bot, bot])  # the other replica plays bots, too
        await gap(0.0, lambda: is_beyond(second, warm, 5))
        balancer.upstream = two.target
        one.kill()
        killed = time.monotonic()
        newest = (await match_of(second, thinking)).seq
        invited = await second.create("ominoes", [Invited("ada"), ServiceBot("random")])

        async def has_run_out() -> bool:
            return any(seat.out for seat in (await match_of(second, clocked)).seats)

        async def has_started() -> bool:
            return (await match_of(second, invited)).state != match_pb2.MATCH_STATE_WAITING

        gaps = await asyncio.gather(
            gap(killed, has_run_out), gap(killed, lambda: is_beyond(second, thinking, newest)), gap(killed, has_started)
        )
        print(
            f"after the kill: a clock that ran out {gaps[0]:.2f} s, a bot's move {gaps[1]:.2f} s (it thinks "
            f"{THINK_S} s), an invitation {gaps[2]:.2f} s"
        )
