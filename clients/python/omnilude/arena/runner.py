"""Plays a tournament over the wire: creates matches, invites the bots, watches the matches, stores the results.

:class:`Arena` follows the schedule and stores results; an :class:`Executor` plays the matches. :class:`LocalExecutor`
does so with bots on this machine; :mod:`omnilude.arena.ray_executor` on the nodes of a Ray cluster.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from google.protobuf import json_format
from google.protobuf.message import Message

from omnilude.arena.config import BotEntry, ConfigError, Tournament
from omnilude.arena.processes import BotProcess
from omnilude.arena.results import Conduct, Journal, MatchResult, Results
from omnilude.arena.schedule import Encounter, Plan, Schedule
from omnilude.async_client import AsyncClient, AsyncMatchHandle
from omnilude.errors import OmniludeError, ServerFault, TimedOut, UnknownMatch, Unreachable
from omnilude.models import Invited, SeatSpec, ServiceBot, clocks
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import Match

log = logging.getLogger("omnilude.arena")

ATTEMPTS = 3
"""Number of times that a match is played if server faults end it, or the service loses it."""
CALL_TIMEOUT = 120.0
"""Seconds for one call of the service, which may be busy with the matches."""
RECONNECT_TIMEOUT = 30.0
"""Seconds without a connection after which the service counts as lost."""


class ServiceLost(Exception):
    """The service cannot be reached any more. The results so far are kept."""


class ServiceFaulty(Exception):
    """The service lost a match, or ended it by a server fault, in each attempt."""


@dataclass(frozen=True, slots=True)
class _EndedMatch:
    """A match that ended, with the events that its seats caused."""

    match: Match
    resigned: frozenset[int]
    timed_out: frozenset[int]
    disconnected: frozenset[int]
    """Those that had no connection when their time ran out."""
    think_seconds: tuple[float, ...]
    text: str
    """Text of the last record: the reason of a cancellation, the incident id of a fault."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A result, and how far the tournament is."""

    result: MatchResult
    results: Results
    """All results so far, this one among them."""
    played: int
    """Number of matches with a result."""
    planned: int
    """Number of matches that have a result or are planned so far."""


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match of a tournament that was played: its result and its replay."""

    result: MatchResult
    replay: bytes = b""
    """The replay file; empty if the match could not start."""


class Executor(Protocol):
    """Plays matches of one tournament; an asynchronous context manager that gives itself."""

    async def __aenter__(self) -> Self:
        """Make ready. Raises OSError (a bot's program cannot be run), OmniludeError, ConfigError."""

    async def __aexit__(self, *_: object) -> None:
        """End the bots."""

    async def play(self, encounter: Encounter, rotation: int) -> TournamentMatch:
        """Play one match; several may be under way. Raises ServiceLost, ServiceFaulty."""


class Arena:
    """Plays a tournament. Its folder holds the journal, the replays, and the logs of the bots.

    ``on_result`` is called with each result when it is on disk. Without an ``executor`` the bots run on this machine.
    """

    def __init__(
        self,
        tournament: Tournament,
        folder: Path,
        server: str = "",
        *,
        api_token: str | None = None,
        executor: Executor | None = None,
        on_result: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self._tournament = tournament
        self._folder = folder
        self._executor = executor or LocalExecutor(tournament, folder, server, api_token=api_token)
        self._on_result = on_result

    async def run(self) -> Results:
        """Play the remaining matches of the tournament, and return all results.

        Raises ServiceLost, ServiceFaulty, JournalError (the folder belongs to another tournament, or is in use),
        OSError (a bot's program cannot be run), OmniludeError (the service refuses the game or its options).
        """
        tournament = self._tournament
        schedule = tournament.format.schedule([bot.name for bot in tournament.bots], tournament.seats)
        (self._folder / "replays").mkdir(parents=True, exist_ok=True)
        journal, results = Journal.open(self._folder / "results.jsonl", tournament.model_dump(mode="json"))
        try:
            async with self._executor:
                await self._play_all(schedule, journal, results)
        finally:
            journal.close()
        return results

    async def _play_all(self, schedule: Schedule, journal: Journal, results: Results) -> None:
        """Play the matches of the schedule, ``at_once`` at a time."""
        seats = self._tournament.seats
        playing: dict[asyncio.Task[TournamentMatch], tuple[int, int]] = {}
        plan = schedule.plan(results.encounters(seats))
        due = _due(plan, seats, results, playing.values())
        try:
            while True:
                while due and len(playing) < self._tournament.at_once:
                    encounter, rotation = due.popleft()
                    task = asyncio.create_task(self._executor.play(encounter, rotation))
                    playing[task] = encounter.number, rotation
                if not playing:
                    return
                done, _ = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del playing[task]
                    match = task.result()
                    result = match.result
                    if result.replay:
                        (self._folder / "replays" / result.replay).write_bytes(match.replay)
                    journal.append(result)
                    results.add(result)
                    if results.of(result.encounter, seats) is not None:
                        plan = schedule.plan(results.encounters(seats))
                        due = _due(plan, seats, results, playing.values())
                    played = len(results.by_match)
                    self._on_result(Progress(result, results, played, max(played, len(plan.encounters) * seats)))
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


class LocalExecutor:
    """Plays matches at one service with bots in processes of this machine, whose logs are in ``folder``."""

    def __init__(self, tournament: Tournament, folder: Path, server: str, *, api_token: str | None = None) -> None:
        self._tournament = tournament
        self._folder = folder
        self._server = server
        self._api_token = api_token
        self._entries = {bot.name: bot for bot in tournament.bots}
        self._processes: dict[str, BotProcess] = {}
        self._openings: Sequence[Message] = ()
        self._stack = AsyncExitStack()
        self._client: AsyncClient

    async def __aenter__(self) -> Self:
        """Connect to the service and start the bots."""
        async with AsyncExitStack() as stack:
            client = AsyncClient(self._server, api_token=self._api_token, timeout=CALL_TIMEOUT)
            self._client = await stack.enter_async_context(client)
            self._openings = await self._read_openings(self._client)
            await self._start_bots(stack)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the bots."""
        await self._stack.aclose()

    async def _read_openings(self, client: AsyncClient) -> list[Message]:
        """Read the positions to start from: one position message as JSON in each line of a file.

        Raises ConfigError with each line that is no such message, and OSError.
        """
        path = self._tournament.openings
        if path is None:
            return []
        messages = (await client.game(self._tournament.game)).messages
        positions, faults = [], []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    positions.append(json_format.Parse(line, messages.position()))
                except json_format.ParseError as error:
                    faults.append(f"line {number}: {error}")
        if faults or not positions:
            raise ConfigError(path, faults or ["there is no position"])
        return positions

    async def _start_bots(self, stack: AsyncExitStack) -> None:
        for entry in self._entries.values():
            if entry.has_process:
                process = BotProcess(entry, self._server, self._tournament.game, self._folder, self._api_token)
                await process.start()
                stack.push_async_callback(process.close)
                self._processes[entry.name] = process

    async def play(self, encounter: Encounter, rotation: int) -> TournamentMatch:
        """Play one match; again if a server fault ended it, or if the service lost it."""
        for _ in range(ATTEMPTS):
            try:
                result = await self._attempt(encounter, rotation)
            except (Unreachable, TimedOut) as error:
                raise ServiceLost(str(error)) from error
            except UnknownMatch as error:
                # It was in the memory of a replica that has ended.
                log.error("encounter %d: the service has lost a match: %s", encounter.number, error)
                continue
            except ServerFault as error:
                log.error("encounter %d: a fault of the service: %s", encounter.number, error)
                continue
            if result is not None:
                return result
        raise ServiceFaulty(
            f"encounter {encounter.number} was ended {ATTEMPTS} times by faults of the service, or lost"
        )

    async def _attempt(self, encounter: Encounter, rotation: int) -> TournamentMatch | None:
        """Play one match; returns None if a server fault ended it."""
        bots = encounter.rotations()[rotation]
        processes = {bot: self._processes[bot] for bot in bots if bot in self._processes}
        if dead := _gone(processes):
            return _forfeited(encounter, rotation, bots, dead)
        began = time.monotonic()
        deaths = {bot: process.deaths for bot, process in processes.items()}
        starts = {bot: process.starts for bot, process in processes.items()}
        match = await self._create(encounter, rotation, bots)
        absent = await self._await_start(match, bots, processes)
        if absent:
            for bot in absent:
                processes[bot].restart(starts[bot])
            return _forfeited(encounter, rotation, bots, absent)
        ended = await self._watch(match, len(bots))
        if ended.match.state != match_pb2.MATCH_STATE_FINISHED:
            state = match_pb2.MatchState.Name(ended.match.state).removeprefix("MATCH_STATE_").lower()
            log.error("encounter %d: %s was %s by the service: %s", encounter.number, match.name, state, ended.text)
            return None
        conduct = [await self._conduct(bot, seat, match.name, ended, deaths, starts) for seat, bot in enumerate(bots)]
        replay = f"{encounter.number:06}-{rotation}.omr"
        result = MatchResult(
            encounter=encounter.number,
            rotation=rotation,
            seats=bots,
            places=tuple(ended.match.result.places),
            returns=tuple(ended.match.result.returns),
            conduct=tuple(conduct),
            match=match.name,
            records=ended.match.seq,
            seconds=round(time.monotonic() - began, 3),
            think_seconds=ended.think_seconds,
            replay=replay,
        )
        return TournamentMatch(result, await match.replay())

    async def _create(self, encounter: Encounter, rotation: int, bots: Sequence[str]) -> AsyncMatchHandle:
        tournament = self._tournament
        seats = [self._seat(self._entries[bot]) for bot in bots]
        opening = self._openings[encounter.number % len(self._openings)] if self._openings else None
        return await self._client.create(
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
            ephemeral=tournament.ephemeral,
            labels={"arena": self._folder.name[:48], "encounter": f"{encounter.number}.{rotation}"},
        )

    def _seat(self, entry: BotEntry) -> SeatSpec:
        if entry.service is not None:
            return ServiceBot.parse(entry.service)
        return Invited(self._processes[entry.name].player)

    async def _await_start(
        self, match: AsyncMatchHandle, bots: Sequence[str], processes: Mapping[str, BotProcess]
    ) -> Mapping[str, Conduct]:
        """Wait until all bots have taken their seats; otherwise cancel the match and return those that have not."""
        if match.created.state != match_pb2.MATCH_STATE_WAITING:
            return {}

        async def started() -> None:
            async with aclosing(match.watch(reconnect_timeout=RECONNECT_TIMEOUT)) as updates:
                async for update in updates:
                    if update.match.state != match_pb2.MATCH_STATE_WAITING:
                        return

        starting = asyncio.create_task(started())
        waiting: set[asyncio.Task[Any]] = {starting}
        waiting |= {asyncio.create_task(process.gone.wait()) for process in processes.values()}
        try:
            await asyncio.wait(waiting, timeout=self._tournament.start_timeout, return_when=asyncio.FIRST_COMPLETED)
            if starting.done():
                starting.result()
                return {}
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        if (await match.get()).state != match_pb2.MATCH_STATE_WAITING:
            return {}  # only the update about its start has not arrived yet
        try:
            last = await match.cancel("a bot did not connect")
        except OmniludeError:
            return {}  # it has started at this moment
        absent = {bot: Conduct.ABSENT for bot, seat in zip(bots, last.seats, strict=True) if not seat.taken}
        return _gone(processes) or absent

    async def _watch(self, match: AsyncMatchHandle, seats: int) -> _EndedMatch:
        """Watch a match until it ends."""
        resigned: set[int] = set()
        timed_out: set[int] = set()
        disconnected: set[int] = set()
        think_ms = [0] * seats
        last_ms = 0
        text = ""
        ended = match.created
        async with aclosing(match.watch(reconnect_timeout=RECONNECT_TIMEOUT)) as updates:
            async for update in updates:
                ended = update.match
                for event in update.events:
                    if event.kind == match_pb2.RECORD_KIND_RESIGNED:
                        resigned.add(event.seat)
                    elif event.kind == match_pb2.RECORD_KIND_TIMED_OUT:
                        timed_out.add(event.seat)
                        disconnected.update({event.seat} & set(await match.disconnected_seats()))
                    elif event.kind == match_pb2.RECORD_KIND_ACTION:
                        think_ms[event.seat] += event.time_ms - last_ms
                    last_ms = event.time_ms
                    text = event.text
        return _EndedMatch(
            ended,
            frozenset(resigned),
            frozenset(timed_out),
            frozenset(disconnected),
            tuple(ms / 1000 for ms in think_ms),
            text,
        )

    async def _conduct(
        self,
        bot: str,
        seat: int,
        match: str,
        ended: _EndedMatch,
        deaths: Mapping[str, int],
        starts: Mapping[str, int],
    ) -> Conduct:
        """Returns the verdict on a bot in a match. ``deaths`` and ``starts`` are those of before the match."""
        if seat not in ended.resigned | ended.timed_out:
            return Conduct.PLAYED
        late = seat in ended.timed_out
        process = self._processes.get(bot)
        if process is not None:
            reported = process.report_on(match) if late else await process.await_report_on(match)
            if reported is not None:
                return reported
            if process.deaths > deaths[bot]:
                return Conduct.CRASHED
            if late and process.starts > starts[bot]:
                return Conduct.DISCONNECTED  # it was restarted because it had no connection
        if seat in ended.disconnected:
            return Conduct.DISCONNECTED
        return Conduct.LATE if late else Conduct.RESIGNED


def _gone(processes: Mapping[str, BotProcess]) -> Mapping[str, Conduct]:
    """Returns the bots whose processes have ended and are not restarted any more, with the verdicts on them."""
    return {
        bot: Conduct.CRASHED if process.deaths else Conduct.ABSENT
        for bot, process in processes.items()
        if process.gone.is_set()
    }


def _forfeited(encounter: Encounter, rotation: int, bots: Sequence[str], out: Mapping[str, Conduct]) -> TournamentMatch:
    """Returns the result of a match that could not start: the bots that were present share the first place."""
    present = len(bots) - len(out)
    result = MatchResult(
        encounter=encounter.number,
        rotation=rotation,
        seats=tuple(bots),
        places=tuple(present + 1 if bot in out else 1 for bot in bots),
        returns=tuple(0.0 for _ in bots),
        conduct=tuple(out.get(bot, Conduct.PLAYED) for bot in bots),
        match="",
        records=0,
        seconds=0.0,
    )
    return TournamentMatch(result)


def _due(plan: Plan, seats: int, results: Results, playing: Iterable[tuple[int, int]]) -> deque[tuple[Encounter, int]]:
    """Returns the matches of a plan that have not been played and are not being played, as encounter and rotation."""
    known = {*results.by_match, *playing}
    return deque(
        (encounter, rotation)
        for encounter in plan.encounters
        for rotation in range(seats)
        if (encounter.number, rotation) not in known
    )


def seed_of(seed: int, encounter: int) -> int:
    """Returns the seed of the matches of an encounter: 63 bits derived from the tournament's seed and its number."""
    digest = hashlib.blake2b(f"{seed}/{encounter}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
