"""Cost of a move in an isolated pack and within the service, with one match and with many.

The moves are made through the host. Both are measured in short alternating blocks, so that other load of the machine
affects them equally.
"""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import AsyncExitStack

from bench import report
from bench.report import Row
from engine_service.hosting.host import MatchHost
from engine_service.isolation.games import isolate
from engine_service.limits import Limits
from engine_service.log.replay import SigningKey
from engine_service.matches.match import LiveMatch
from engine_service.model import MatchSetup, SeatSetup, Submitted
from engine_service.store.memory import MemoryStore
from gamepacks.api.registry import Registry
from gamepacks.api.types import SPECTATOR, Seat

GAMES = ("ominoes", "omega", "olomoc")
BLOCKS = 6
MOVES = 40
"""Number of moves of one match in each block."""
MATCHES = 32
"""Number of matches that are played at once, with a few moves each."""


class Players:
    """Random players of ephemeral matches at one host."""

    def __init__(self, host: MatchHost, game: str) -> None:
        self._host = host
        self._game = game
        self._rnd = random.Random(1)
        self._live: list[LiveMatch] = []

    async def _match(self) -> LiveMatch:
        created = await self._host.create(MatchSetup(self._game, [SeatSetup()] * 2, ephemeral=True))
        for seat in range(2):
            await self._host.join(created.match.name, f"player {seat}", Seat(seat))
        return await self._host.live_match(created.match.name)

    async def play(self, matches: int, moves: int) -> float:
        """Play ``moves`` moves in each of ``matches`` matches, and make a spectator's view after each move.

        Returns the seconds per move.
        """
        while len(self._live) < matches:
            self._live.append(await self._match())
        seconds, played = 0.0, 0
        for _ in range(moves):
            for index in range(matches):
                live = self._live[index]
                seat = next((seat for seat in range(2) if live.must_act(seat)), None)
                if seat is None:
                    self._live[index] = await self._match()
                    continue
                started = time.perf_counter()
                code = self._rnd.choice(live.legal(seat))
                done = self._host.submit_for_seat(live, Seat(seat), code, live.decision_seq)  # type: ignore[arg-type]
                if not isinstance(done, Submitted):
                    await done
                live.observation(SPECTATOR)
                seconds += time.perf_counter() - started
                played += 1
        return seconds / played


async def measured() -> list[Row]:
    """Returns the rows of all games."""
    registry, limits = Registry.load(only=GAMES), Limits(isolated_call_ms=60_000)
    isolated, isolation = await asyncio.to_thread(isolate, registry, ["all"], limits)
    rows = []
    async with AsyncExitStack() as stack:
        stack.callback(isolation.close)
        hosts = []
        for packs in (registry, isolated):
            key = SigningKey(bytes(32))
            host = MatchHost(packs, MemoryStore(), secret=bytes(32), signing_key=key, limits=limits, engine_version="1")
            await host.start()
            stack.push_async_callback(host.drain, 0)
            hosts.append(host)
        for game in GAMES:
            players = [Players(host, game) for host in hosts]
            for name, matches, moves in (("one match", 1, MOVES), (f"{MATCHES} matches", MATCHES, 3)):
                best = [min([await one.play(matches, moves) for _ in range(BLOCKS)]) * 1e6 for one in players]
                rows.append(Row(f"{game}: a move, {name}, within the service", best[0], "µs"))
                rows.append(Row(f"{game}: a move, {name}, isolated", best[1], "µs"))
                rows.append(Row(f"{game}: {name}, isolated beside within", best[1] / best[0], "times"))
    return rows


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    return asyncio.run(measured())


if __name__ == "__main__":
    report.main(rows)
