"""Plays a tournament over the wire: creates the matches, invites the bots, follows each match, keeps the results."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path

from google.protobuf import json_format
from google.protobuf.message import Message

from omnilude.arena.config import BotEntry, Tournament
from omnilude.arena.processes import BotProcess
from omnilude.arena.results import Conduct, Journal, MatchResult, Results
from omnilude.arena.schedule import Encounter, Schedule
from omnilude.async_client import AsyncClient, AsyncMatchHandle
from omnilude.errors import OmniludeError, ServerFault, UnknownMatch, Unreachable
from omnilude.models import Invited, SeatSpec, ServiceBot, clocks
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import Match

log = logging.getLogger("omnilude.arena")

ATTEMPTS = 3
"""How often a match is played anew that a fault of the service ended."""
SECONDS_FOR_REPORT = 0.5
"""For which a bot that has resigned may say that it failed."""
PATIENCE = 30.0
"""Seconds for which a service may be out of reach."""


class ServiceLost(Exception):
    """The service cannot be reached any more, or has lost its matches. What was played is kept."""


class ServiceFaulty(Exception):
    """The service ended a match by its own fault again and again."""


@dataclass(frozen=True, slots=True)
class _Followed:
    """A match at its end, with what its events said of the seats."""

    match: Match
    resigned: frozenset[int]
    timed_out: frozenset[int]
    think_seconds: tuple[float, ...]


class Arena:
    """A tournament under way. Its folder holds the journal, the replays, and the logs of the bots.

    ``on_result`` is called with each result once it is on disk.
    """

    def __init__(
        self,
        tournament: Tournament,
        folder: Path,
        server: str,
        *,
        api_token: str | None = None,
        on_result: Callable[[MatchResult, Results], None] = lambda result, results: None,
    ) -> None:
        self._tournament = tournament
        self._folder = folder
        self._server = server
        self._api_token = api_token
        self._on_result = on_result
        self._entries = {bot.name: bot for bot in tournament.bots}
        self._processes: dict[str, BotProcess] = {}
        self._openings: Sequence[Message] = ()

    async def run(self) -> Results:
        """Play what is left of the tournament, and return all results.

        Raises ServiceLost, ServiceFaulty, JournalError (the folder is of another tournament, or in use), OSError (a
        bot's program cannot be run), OmniludeError (the service does not take the game or its options).
        """
        tournament = self._tournament
        schedule = tournament.format.schedule(list(self._entries), tournament.seats)
        (self._folder / "replays").mkdir(parents=True, exist_ok=True)
        journal, results = Journal.open(self._folder / "results.jsonl", tournament.model_dump(mode="json"))
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(AsyncClient(self._server, api_token=self._api_token))
                self._openings = await self._read_openings(client)
                await self._start_bots(stack)
                await self._play_all(client, schedule, journal, results)
        finally:
            journal.close()
        return results

    async def _read_openings(self, client: AsyncClient) -> list[Message]:
        """Positions to begin from, from a file with one position message a line, as JSON."""
        path = self._tournament.openings
        if path is None:
            return []
        messages = (await client.game(self._tournament.game)).messages
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [json_format.ParseDict(json.loads(line), messages.position()) for line in lines]

    async def _start_bots(self, stack: AsyncExitStack) -> None:
        for entry in self._entries.values():
            if entry.dials_in:
                process = BotProcess(entry, self._server, self._tournament.game, self._folder, self._api_token)
                await process.start()
                stack.push_async_callback(process.close)
                self._processes[entry.name] = process

    async def _play_all(self, client: AsyncClient, schedule: Schedule, journal: Journal, results: Results) -> None:
        """Play the matches as the schedule gives them, as many at a time as the tournament says."""
        seats = self._tournament.seats
        playing: dict[asyncio.Task[MatchResult], tuple[int, int]] = {}
        try:
            while True:
                plan = schedule.plan(results.encounters(seats))
                under_way = set(playing.values())
                due = [
                    (encounter, rotation)
                    for encounter in plan.encounters
                    for rotation in range(seats)
                    if (encounter.number, rotation) not in results.by_match
                    and (encounter.number, rotation) not in under_way
                ]
                for encounter, rotation in due[: self._tournament.at_once - len(playing)]:
                    task = asyncio.create_task(self._play(client, encounter, rotation))
                    playing[task] = encounter.number, rotation
                if not playing:
                    return
                done, _ = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del playing[task]
                    result = task.result()
                    journal.append(result)
                    results.add(result)
                    self._on_result(result, results)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def _play(self, client: AsyncClient, encounter: Encounter, rotation: int) -> MatchResult:
        """Play one match, anew where the service's own fault ended it."""
        for attempt in range(ATTEMPTS):
            try:
                result = await self._attempt(client, encounter, rotation)
            except (Unreachable, UnknownMatch) as error:
                raise ServiceLost(str(error)) from error
            except ServerFault as error:
                log.error("encounter %d: a fault of the service: %s", encounter.number, error)
                continue
            if result is not None:
                return result
            log.error("encounter %d, attempt %d: the service ended the match by a fault", encounter.number, attempt)
        raise ServiceFaulty(f"encounter {encounter.number} was ended {ATTEMPTS} times by faults of the service")

    async def _attempt(self, client: AsyncClient, encounter: Encounter, rotation: int) -> MatchResult | None:
        """Play one match; None where a fault of the service ended it."""
        bots = encounter.rotations()[rotation]
        dead = [bot for bot in bots if bot in self._processes and self._processes[bot].gone]
        if dead:
            return self._forfeited(encounter, rotation, bots, dead, Conduct.CRASHED)
        began = time.monotonic()
        deaths = {bot: self._processes[bot].deaths for bot in bots if bot in self._processes}
        match = await self._create(client, encounter, rotation, bots)
        for bot in deaths:
            self._processes[bot].playing[match.name] = None
        try:
            absent = await self._await_start(match, bots)
            if absent:
                return self._forfeited(encounter, rotation, bots, absent, Conduct.ABSENT)
            followed = await self._follow(match, len(bots))
            if followed.match.state != match_pb2.MATCH_STATE_FINISHED:
                return None
            conduct = [await self._conduct(bot, seat, match.name, followed, deaths) for seat, bot in enumerate(bots)]
            replay = f"{encounter.number:06}-{rotation}.omr"
            (self._folder / "replays" / replay).write_bytes(await match.replay())
            return MatchResult(
                encounter=encounter.number,
                rotation=rotation,
                seats=bots,
                places=tuple(followed.match.result.places),
                returns=tuple(followed.match.result.returns),
                conduct=tuple(conduct),
                match=match.name,
                records=followed.match.seq,
                seconds=round(time.monotonic() - began, 3),
                think_seconds=followed.think_seconds,
                replay=replay,
            )
        finally:
            for bot in deaths:
                self._processes[bot].playing.pop(match.name, None)

    async def _create(
        self, client: AsyncClient, encounter: Encounter, rotation: int, bots: Sequence[str]
    ) -> AsyncMatchHandle:
        tournament = self._tournament
        seats = [self._seat(self._entries[bot]) for bot in bots]
        opening = self._openings[encounter.number % len(self._openings)] if self._openings else None
        return await client.create(
            tournament.game,
            seats,
            options=tournament.options,
            time_control=clocks(
                per_move=tournament.clock.per_move,
                per_match=tournament.clock.per_match,
                increment=tournament.clock.increment,
            ),
            policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_NEVER),
            position=opening,
            seed=seed_of(tournament.seed, encounter.number),
            ephemeral=True,
            labels={"arena": self._folder.name[:48], "encounter": f"{encounter.number}.{rotation}"},
        )

    def _seat(self, entry: BotEntry) -> SeatSpec:
        if entry.service is not None:
            return ServiceBot(entry.service)
        return Invited(self._processes[entry.name].player)

    async def _await_start(self, match: AsyncMatchHandle, bots: Sequence[str]) -> list[str]:
        """Wait until all bots have taken their seats; returns those that did not, with the match cancelled."""
        if match.created.state != match_pb2.MATCH_STATE_WAITING:
            return []

        async def started() -> None:
            async with aclosing(match.watch(patience=PATIENCE)) as updates:
                async for update in updates:
                    if update.match.state != match_pb2.MATCH_STATE_WAITING:
                        return

        try:
            await asyncio.wait_for(started(), self._tournament.start_timeout)
        except TimeoutError:
            try:
                last = await match.cancel("a bot has not come")
            except OmniludeError:
                return []  # it has begun in this very moment
            return [bot for bot, seat in zip(bots, last.seats, strict=True) if not seat.taken]
        return []

    async def _follow(self, match: AsyncMatchHandle, seats: int) -> _Followed:
        """Follow a match to its end."""
        resigned: set[int] = set()
        timed_out: set[int] = set()
        think_ms = [0] * seats
        last_ms = 0
        ended = match.created
        async with aclosing(match.watch(patience=PATIENCE)) as updates:
            async for update in updates:
                ended = update.match
                for event in update.events:
                    if event.kind == match_pb2.RECORD_KIND_RESIGNED:
                        resigned.add(event.seat)
                    elif event.kind == match_pb2.RECORD_KIND_TIMED_OUT:
                        timed_out.add(event.seat)
                    elif event.kind == match_pb2.RECORD_KIND_ACTION:
                        think_ms[event.seat] += event.time_ms - last_ms
                    last_ms = event.time_ms
        return _Followed(ended, frozenset(resigned), frozenset(timed_out), tuple(ms / 1000 for ms in think_ms))

    async def _conduct(
        self, bot: str, seat: int, match: str, followed: _Followed, deaths: Mapping[str, int]
    ) -> Conduct:
        """How a seat came to its result."""
        if seat not in followed.resigned | followed.timed_out:
            return Conduct.PLAYED
        late = seat in followed.timed_out
        process = self._processes.get(bot)
        if process is not None:
            # Its report may be on its way, and so may the news of its death.
            said = await process.failure_in(match, 0.0 if late else SECONDS_FOR_REPORT)
            if said is not None:
                return said
            if process.deaths > deaths[bot]:
                return Conduct.CRASHED
        return Conduct.LATE if late else Conduct.RESIGNED

    def _forfeited(
        self, encounter: Encounter, rotation: int, bots: Sequence[str], out: Sequence[str], conduct: Conduct
    ) -> MatchResult:
        """The result of a match that could not begin: those that were there share the first place."""
        here = len(bots) - len(out)
        return MatchResult(
            encounter=encounter.number,
            rotation=rotation,
            seats=tuple(bots),
            places=tuple(here + 1 if bot in out else 1 for bot in bots),
            returns=tuple(0.0 for _ in bots),
            conduct=tuple(conduct if bot in out else Conduct.PLAYED for bot in bots),
            match="",
            records=0,
            seconds=0.0,
        )


def seed_of(seed: int, encounter: int) -> int:
    """The seed of an encounter's matches: 63 bits that depend on the tournament's seed and the number."""
    digest = hashlib.blake2b(f"{seed}/{encounter}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
