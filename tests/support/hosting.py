"""A host of matches for tests: tiny games, a manual time source, a store that can be made to fail.

::

    async with hosting() as h:
        match = await h.new_match("kuhn", 2)
        await match.play(0, kuhn.BET())
"""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from engine_service.errors import StoreUnavailable
from engine_service.hosting.host import MatchHost
from engine_service.limits import Limits
from engine_service.log.records import Record
from engine_service.log.replay import SigningKey
from engine_service.match_enums import SeatKind
from engine_service.matches.events import EventCursor
from engine_service.matches.match import LiveMatch
from engine_service.model import Event, MatchSetup, SeatSetup, Submitted, has_ended
from engine_service.store.base import Store
from engine_service.store.memory import MemoryStore
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code, Seat, Viewer
from tests.support.games import faulty, kuhn, sealed

SECRET = b"a secret of thirty-two bytes ..."
SIGNING_KEY = SigningKey(b"another secret of thirty-two b..")
PACKS = (kuhn.PACK, sealed.PACK, faulty.PACK)


class ManualTime:
    """Time source that a test advances by hand."""

    @dataclass(order=True)
    class _Call:
        at_ms: int
        number: int
        callback: Callable[[], None] = field(compare=False)
        cancelled: bool = field(default=False, compare=False)

        def cancel(self) -> None:
            self.cancelled = True

    def __init__(self) -> None:
        self.now_ms = 5_000_000
        self.wall_offset_ms = 1_700_000_000_000
        self._calls: list[ManualTime._Call] = []
        self._count = 0

    def monotonic_ms(self) -> int:
        return self.now_ms

    def wall_ms(self) -> int:
        return self.now_ms + self.wall_offset_ms

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> ManualTime._Call:
        self._count += 1
        call = ManualTime._Call(monotonic_ms, self._count, callback)
        heapq.heappush(self._calls, call)
        return call

    def skip(self, ms: int) -> None:
        """Advance the time without running timers, as if the event loop were busy or the machine asleep."""
        self.now_ms += ms

    def cancel_all(self) -> None:
        """Drop all timers, as if their process had been killed."""
        self._calls.clear()

    async def advance(self, ms: int) -> None:
        """Advance the time, and run all timers that are due by then."""
        end = self.now_ms + ms
        await idle()
        while self._calls and self._calls[0].at_ms <= end:
            call = heapq.heappop(self._calls)
            self.now_ms = max(self.now_ms, call.at_ms)
            if not call.cancelled:
                call.callback()
                await idle()
        self.now_ms = end
        await idle()


async def idle() -> None:
    """Run the event loop until nothing is ready, without advancing the time or waiting for threads."""
    for _ in range(50):
        await asyncio.sleep(0)


class FragileStore:
    """Store in memory whose writes can be made to fail."""

    def __init__(self, inner: Store | None = None) -> None:
        self.inner = inner or MemoryStore()
        self.failing = False
        self.writes = 0
        self.gate: asyncio.Event | None = None
        """Event that writes wait for; None if they do not wait."""

    async def _check(self) -> None:
        if self.gate is not None:
            await self.gate.wait()
        if self.failing:
            raise StoreUnavailable()
        self.writes += 1

    async def create(self, *given: Any) -> Any:
        await self._check()
        return await self.inner.create(*given)

    async def append(self, *given: Any) -> None:
        await self._check()
        await self.inner.append(*given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass
class HostedMatch:
    """A match with the tokens of its host and seats."""

    hosted: Hosted
    name: str
    host_token: str
    tokens: list[str]

    @property
    def host(self) -> MatchHost:
        return self.hosted.host

    @property
    def live(self) -> LiveMatch:
        live = self.host._cache.get_cached(self.name)
        assert live is not None
        return live

    async def play(self, seat: int, code: int, **options: Any) -> Submitted:
        """Submit a code with the seat's token."""
        return await self.host.submit_action(self.name, self.tokens[seat], Code(code), **options)

    async def play_at_random(self, rnd: random.Random, moves: int, undo: float = 0.0) -> None:
        """Play random moves, some of which are undone."""
        for _ in range(moves):
            live = self.live
            seat = next((seat for seat in range(len(self.tokens)) if live.must_act(seat)), None)
            if seat is None:
                return
            code = Code(rnd.choice(live.legal(seat)))
            done = self.host.submit_for_seat(live, Seat(seat), code, live.decision_seq)
            if not isinstance(done, Submitted):
                await done
            if not has_ended(live.state) and rnd.random() < undo:
                await self.host.request_undo(
                    self.name, self.tokens[seat], rnd.choice([None, None, live.decision_points[0]])
                )

    def events(self, viewer: int, after_seq: int = 0, labels: bool = False, sentences: bool = False) -> list[Event]:
        """Returns the events that a viewer may see."""
        return EventCursor(self.live, Viewer(viewer), after_seq).next(labels=labels, sentences=sentences)

    async def stored(self) -> list[Record]:
        """Returns the stored records of the match."""
        found = await self.hosted.store.load(self.name)
        assert found is not None
        return found[1]

    def log(self) -> list[str]:
        """Returns a summary of each record in memory: ``ACTION 0 16777216``."""
        return [short(record) for record in self.live.log.after(0)]


def short(record: Record) -> str:
    """Returns a summary of a record without its time: kind, and the fields that are set."""
    parts = [record.kind.name]
    if record.seat >= 0:
        parts.append(str(record.seat))
    if record.code:
        parts.append(str(record.code))
    if record.to_seq:
        parts.append(f"->{record.to_seq}")
    if record.text:
        parts.append(repr(record.text))
    return " ".join(parts)


class Hosted:
    """A host with its store, time source, limits and registry."""

    def __init__(
        self, store: Any, time: ManualTime, limits: Limits, registry: Registry, keep_ended_days: int = 0
    ) -> None:
        self.keep_ended_days = keep_ended_days
        self.store = store
        self.time = time
        self.limits = limits
        self.registry = registry
        self.host = self.new_host()

    def new_host(self, limits: Limits | None = None, secret: bytes = SECRET) -> MatchHost:
        """Returns a new host on the same store, as after a restart."""
        return MatchHost(
            self.registry,
            self.store,
            secret=secret,
            limits=limits or self.limits,
            signing_key=SIGNING_KEY,
            engine_version="1.2.3",
            keep_ended_days=self.keep_ended_days,
            time=self.time,
        )

    async def restart(self, down_ms: int = 0) -> None:
        """Stop the host gracefully, and start another one on its store after ``down_ms``."""
        await self.host.drain(None)
        self.time.skip(down_ms)
        self.host = self.new_host()
        await self.host.start()

    async def crash(self, down_ms: int = 0) -> None:
        """Start another host on the store after ``down_ms``, as if the first had been killed."""
        self.time.cancel_all()
        self.time.skip(down_ms)
        self.host = self.new_host()
        await self.host.start()

    async def state_of(self, match: HostedMatch) -> bytes:
        """Returns the state of the game, loaded from the store by another host."""
        return (await self.new_host().live_match(match.name)).snapshot.game_state.to_bytes()

    async def new_match(
        self, game: str, players: int = 2, *, join: bool = True, seats: Sequence[SeatSetup] = (), **setup: Any
    ) -> HostedMatch:
        """Create a match and seat a player on each open seat."""
        seats = seats or [SeatSetup()] * players
        created = await self.host.create(MatchSetup(game, seats, **setup))
        tokens = [""] * len(seats)
        if join:
            for number, seat in enumerate(seats):
                if seat.kind is SeatKind.OPEN:
                    joined = await self.host.join(created.match.name, f"player {number}", Seat(number))
                    tokens[number] = joined.token
        return HostedMatch(self, created.match.name, created.host_token, tokens)


@asynccontextmanager
async def hosting(
    store: Any = None,
    packs: Iterable[object] = PACKS,
    installed: Iterable[str] = (),
    keep_ended_days: int = 0,
    registry: Registry | None = None,
    **limits: Any,
) -> AsyncIterator[Hosted]:
    """Run a host, by default on a store in memory. ``registry`` replaces ``packs`` and ``installed``."""
    registry = registry or Registry.load(only=installed, extra=packs, strict=True)
    hosted = Hosted(store or FragileStore(), ManualTime(), Limits(**limits), registry, keep_ended_days)
    await hosted.host.start()
    try:
        yield hosted
    finally:
        await hosted.host.drain(None)


BOT = SeatSetup(SeatKind.BOT, "random")


def invited(player: str) -> SeatSetup:
    """Returns the setup of a seat that is reserved for a player."""
    return SeatSetup(SeatKind.INVITED, player)
