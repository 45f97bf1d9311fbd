"""One object represents a match, however many callers load it concurrently."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from engine_service.errors import LimitReached
from engine_service.matches import tokens
from engine_service.model import MatchSetup, SeatSetup
from engine_service.store.base import MatchFilter
from engine_service.store.memory import MemoryStore
from gamepacks.api.registry import Registry
from tests.support.games import kuhn
from tests.support.hosting import PACKS, FragileStore, hosting, invited


@pytest.fixture(scope="module")
def registry() -> Registry:
    """The packs of all these tests."""
    return Registry.load(only=[], extra=PACKS, strict=True)


class UnevenStore(FragileStore):
    """A store whose calls take a random number of turns of the event loop."""

    def __init__(self, seed: int) -> None:
        super().__init__(MemoryStore())
        self.random = random.Random(seed)

    async def _turns(self) -> None:
        for _ in range(self.random.randrange(6)):
            await asyncio.sleep(0)

    async def create(self, *given: Any) -> Any:
        created = await super().create(*given)
        await self._turns()
        return created

    async def append(self, *given: Any) -> None:
        await self._turns()
        await super().append(*given)
        await self._turns()

    async def row(self, name: str) -> Any:
        await self._turns()
        return await self.inner.row(name)

    async def load(self, name: str) -> Any:
        await self._turns()
        return await self.inner.load(name)


class Listener:
    viewer = -1

    def __init__(self) -> None:
        self.seq = 0

    def on_change(self, live: Any) -> None:
        self.seq = live.seq


@pytest.mark.parametrize("seed", range(20))
async def test_concurrent_loads_give_the_same_object(seed: int, registry: Registry) -> None:
    async with hosting(UnevenStore(seed), registry=registry) as h:
        t = await h.new_match("kuhn")
        h.host = h.new_host()
        listeners = [Listener() for _ in range(8)]

        async def follow(number: int) -> object:
            for _ in range(h.store.random.randrange(10)):
                await asyncio.sleep(0)
            if number % 2:
                live = await h.host.live_match(t.name, t.tokens[number % 4 // 2], tokens.seat_of)
            else:
                live = await h.host.live_match(t.name)
            live.subscribe(listeners[number])  # type: ignore[arg-type]
            return live

        found = await asyncio.gather(*(follow(number) for number in range(8)))
        assert {id(live) for live in found} == {id(t.live)}
        await t.play(0, kuhn.CHECK())
        assert {listener.seq for listener in listeners} == {t.live.seq}


@pytest.mark.parametrize("seed", range(20))
async def test_new_match_that_is_found_in_the_store_is_the_created_object(seed: int, registry: Registry) -> None:
    async with hosting(UnevenStore(seed), registry=registry) as h:
        creating = asyncio.ensure_future(h.host.create(MatchSetup("kuhn", [SeatSetup(), invited("nobody")])))
        while not (rows := await h.store.find(MatchFilter(), None, 1)):  # noqa: ASYNC110
            await asyncio.sleep(0)
        live = await h.host.live_match(rows[0].name)
        listener = Listener()
        live.subscribe(listener)  # type: ignore[arg-type]
        await creating
        await h.host.join(live.name, "player")
        assert h.host._cache.get_cached(live.name) is live and listener.seq == live.seq > 0


@pytest.mark.parametrize("seed", range(20))
async def test_writes_and_loads_during_evictions(seed: int, registry: Registry) -> None:
    """With room for two matches, four are played in turn by callers who look them up each time."""
    async with hosting(UnevenStore(seed), registry=registry, live_matches=2) as h:
        tables = [await h.new_match("kuhn", join=False) for _ in range(4)]
        joins: dict[str, list[str]] = {t.name: [] for t in tables}

        async def sit(name: str, seat: int) -> None:
            while True:
                try:
                    joined = await h.host.join(name, f"player {seat}")
                    break
                except LimitReached:
                    await asyncio.sleep(0)
            joins[name].append(joined.token)

        await asyncio.gather(*(sit(t.name, seat) for t in tables for seat in range(2)))
        for t in tables:
            live = await h.host.live_match(t.name)
            assert [record.kind.name for record in live.log.after(0)][:2] == ["JOINED", "JOINED"]
            assert len(set(joins[t.name])) == 2
