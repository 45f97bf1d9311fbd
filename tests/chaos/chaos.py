"""Matches at replicas that are killed again and again, and a check of what the clients were told.

Each seat is a client with a connection of its own, so the seats of one match are mostly served by different replicas. A
client sends an action again, with the same ``request_id``, until it is answered. One watcher follows each match and
resumes at the record after the newest that it was sent. When the time is up, seat 0 of each match resigns.

In some matches seat 1 is a bot of the service, and in some it stops to act, so that its clock has to run out: there the
replicas have to act by themselves, whichever of them is killed.

At the end: :mod:`tests.chaos.history` compares the log of each match with what its clients were told; each match has
ended, and its replay verifies.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import grpc

from engine_service.log.replay import records_of
from engine_service.match_enums import RecordKind
from engine_service.matches.verify import verify
from engine_service.model import has_ended
from gamepacks.api.registry import Registry
from omnilude.connection import OPTIONS
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1.match_service_pb2_grpc import MatchServiceStub
from omnilude.v1.replay_pb2 import Replay
from tests.chaos.history import ClientHistory
from tests.support.postgres import PostgresServer, kill_postgres, restart_postgres
from tests.support.replicas import Replicas
from tests.support.rpc_errors import refusal_of

T = TypeVar("T")

GAMES = ("ominoes", "omega", "omen", "omen-traits", "olomoc")
TRANSIENT = {"STORE_UNAVAILABLE", "SHUTTING_DOWN", "LIMIT_REACHED", ""}
"""Reasons after which a call is repeated; "" where the connection was lost."""
RETRY_S = 0.05
MOVE_S = 5
"""Time for each decision in matches with clocks."""
LATE_MOVES = 5
"""Decisions after which a seat that is to lose by its clock stops."""
END_S = 45.0
"""Time limit for the end of a match after its clients have finished."""
CALL_S = 10.0
"""Timeout of a call, after which it is repeated."""


@dataclass
class Report:
    """Figures and faults of a run."""

    matches: int = 0
    acknowledged: int = 0
    events: int = 0
    repeated: int = 0
    """Number of repetitions of calls, after a transient refusal or no answer."""
    replicas_killed: int = 0
    databases_killed: int = 0
    gaps_s: list[float] = field(default_factory=list)
    """Time that a client waited for the answer to a call, through all its repetitions, for each that was repeated."""
    database_gaps_s: list[float] = field(default_factory=list)
    """The same for those during which the database was down."""
    database_down_s: tuple[float, float] = (math.inf, math.inf)
    """Monotonic times between which the database was down the last time."""
    faults: list[str] = field(default_factory=list)
    """Descriptions of the faults."""

    def summary(self) -> str:
        """Returns the figures in one line."""
        gaps, database = sorted(self.gaps_s) or [0.0], max(self.database_gaps_s, default=0.0)
        return (
            f"{self.matches} matches, {self.acknowledged} acknowledged actions, {self.events} events watched; "
            f"{self.replicas_killed} replicas and {self.databases_killed} databases killed; {self.repeated} calls "
            f"repeated, wait for their answers: median {gaps[len(gaps) // 2]:.2f} s, longest {gaps[-1]:.2f} s where a "
            f"replica was killed and {database:.2f} s where the database was"
        )

    def add_gap(self, start: float, end: float) -> None:
        """Count the wait of a client from one monotonic time to another."""
        down, up = self.database_down_s
        (self.database_gaps_s if start < up and end > down else self.gaps_s).append(end - start)


class Client:
    """A connection to the replicas that repeats its calls until they are answered."""

    def __init__(self, target: str, report: Report) -> None:
        self._report = report
        self.channel = grpc.aio.insecure_channel(target, options=OPTIONS)
        self.stub: Any = MatchServiceStub(self.channel)

    async def call(self, method: Callable[..., Awaitable[T]], request: object) -> T:
        """Make a call, and repeat it until it is answered. Raises AioRpcError if it is refused permanently."""
        start, tries = time.monotonic(), 0
        while True:
            try:
                answer = await method(request, timeout=CALL_S)
                break
            except grpc.aio.AioRpcError as error:
                if refusal_of(error).reason not in TRANSIENT:
                    raise
            tries += 1
            await asyncio.sleep(RETRY_S)
        if tries:
            self._report.repeated += tries
            self._report.add_gap(start, time.monotonic())
        return answer


class ChaosMatch:
    """A match with a client at each seat and one watcher."""

    def __init__(self, game: str, number: int, target: str, report: Report) -> None:
        self._game, self._number, self._target, self._report = game, number, target, report
        self.seats = [ClientHistory("seat 0"), ClientHistory("seat 1")]
        self.watcher = ClientHistory("the watcher")
        self.name = self.host = ""
        self._ended = False
        self._bot = number % 4 == 1
        """Whether a bot of the service plays seat 1."""
        self._late = number % 4 == 3
        """Whether seat 1 stops to act after some moves, and loses by its clock."""

    async def play(self, until: float) -> None:
        """Play until the match has ended, which it does soon after the monotonic time ``until``."""
        clients = [Client(self._target, self._report) for _ in range(3)]
        try:
            tokens = await self._create(clients[0])
            watching = asyncio.create_task(self._watch(clients[2]))
            await asyncio.gather(*(self._seat(clients[seat], seat, tokens[seat], until) for seat in range(len(tokens))))
            await asyncio.wait({watching}, timeout=END_S)
            if not watching.done():
                found = await clients[0].call(clients[0].stub.GetMatch, pb.GetMatchRequest(name=self.name))
                state = match_pb2.MatchState.Name(found.match.state)
                kind = "bot" if self._bot else "clock" if self._late else "two clients"
                self._report.faults.append(
                    f"{self.name} ({kind}): the watcher has seen {self._newest_watched()} of {found.match.seq}, {state}"
                )
                watching.cancel()
        finally:
            for client in clients:
                await client.channel.close()

    async def _create(self, client: Client) -> list[str]:
        key = f"chaos {self._number}"
        create = pb.CreateMatchRequest(game=f"games/{self._game}", seats=[pb.SeatSetup()] * 2)
        create.request_id, create.client_key = "create", key
        if self._bot:
            create.seats[1].kind, create.seats[1].player = match_pb2.SEAT_KIND_BOT, "random"
        if self._late:
            create.time_control.per_move.FromSeconds(MOVE_S)
        created = await client.call(client.stub.CreateMatch, create)
        self.name, self.host = created.match.name, created.host_token
        tokens = []
        for seat in range(1 if self._bot else 2):
            join = pb.JoinMatchRequest(name=self.name, player=f"p{seat}", seat=seat)
            join.request_id, join.client_key = f"join {seat}", key
            tokens.append((await client.call(client.stub.JoinMatch, join)).token)
        return tokens

    async def _seat(self, client: Client, seat: int, token: str, until: float) -> None:
        choose = random.Random(self._number * 2 + seat)
        moves = 0
        while not self._ended:
            if self._late and seat == 1 and moves == LATE_MOVES:
                return
            if time.monotonic() > until:
                if seat == 0 and not self._late:
                    await self._resign(client, token)
                return
            legal = await client.call(
                client.stub.ListLegalActions, pb.ListLegalActionsRequest(name=self.name, token=token, page_size=50)
            )
            self.seats[seat].reads.append(legal.seq)
            if not legal.codes:
                await asyncio.sleep(RETRY_S)
                continue
            code = choose.choice(legal.codes)
            moves += 1
            submit = pb.SubmitActionRequest(name=self.name, token=token, code=code, request_id=f"move {moves}")
            submit.expected_seq = legal.seq
            try:
                await client.call(client.stub.SubmitAction, submit)
            except grpc.aio.AioRpcError as error:
                if refusal_of(error).reason != "MATCH_ENDED":
                    self._report.faults.append(f"{self.name} seat {seat} seq {legal.seq}: {refusal_of(error)}")
                return
            self.seats[seat].acknowledged.append(code)

    async def _resign(self, client: Client, token: str) -> None:
        try:
            await client.call(
                client.stub.ResignMatch, pb.ResignMatchRequest(name=self.name, token=token, request_id="resign")
            )
        except grpc.aio.AioRpcError as error:
            if refusal_of(error).reason != "MATCH_ENDED":
                self._report.faults.append(f"{self.name} cannot be resigned: {refusal_of(error)}")

    def _newest_watched(self) -> int:
        return max((seq for stream in self.watcher.streams for seq in stream), default=0)

    async def _watch(self, client: Client) -> None:
        """Follow the match, on one stream after the other."""
        while True:
            request = pb.WatchMatchRequest(name=self.name, after_seq=self._newest_watched())
            stream: list[int] = []
            self.watcher.streams.append(stream)
            try:
                async for message in client.stub.WatchMatch(request):
                    stream += [event.seq for event in message.events]
                self._ended = True
                return
            except grpc.aio.AioRpcError as error:
                if refusal_of(error).reason not in {*TRANSIENT, "SLOW_CONSUMER"}:
                    self._report.faults.append(f"{self.name} cannot be watched: {refusal_of(error)}")
                    self._ended = True
                    return
            await asyncio.sleep(RETRY_S)

    async def check(self, client: Client, registry: Registry) -> None:
        """Compare the log with what the clients were told."""
        report = self._report
        replay = Replay()

        async def read(request: pb.GetReplayRequest, **limits: Any) -> None:
            replay.Clear()
            async for response in client.stub.GetReplay(request, **limits):
                replay.MergeFrom(response.part)

        await client.call(read, pb.GetReplayRequest(name=self.name, token=self.host))
        if not has_ended(verify(replay, registry).state):
            report.faults.append(f"{self.name} has not ended")
        faults = self.watcher.faults([])
        for seat, history in enumerate(self.seats[: 1 if self._bot else 2]):
            stored = [r.code for r in records_of(replay) if r.kind is RecordKind.ACTION and r.seat == seat]
            faults += history.faults(stored)
        report.faults += [f"{self.name}: {fault}" for fault in faults]
        report.matches += 1
        report.acknowledged += sum(len(history.acknowledged) for history in self.seats)
        report.events += sum(map(len, self.watcher.streams))


async def kill_replicas(replicas: Replicas, every_s: float, report: Report) -> None:
    """kill -9 a replica again and again, never the last one."""
    choose = random.Random(7)
    while True:
        await asyncio.sleep(every_s)
        running = replicas.pids()
        if len(running) > 1:
            replicas.kill(choose.choice(running))
            report.replicas_killed += 1


async def chaos(
    replicas: Replicas,
    postgres: PostgresServer,
    *,
    matches: int,
    at_once: int,
    seconds: float,
    kill_every_s: float,
) -> Report:
    """Play ``matches``, ``at_once`` at a time, in rounds that together take ``seconds``.

    Meanwhile replicas are killed and, half-way through each round, the database.
    """
    report = Report()
    played = [ChaosMatch(GAMES[number % len(GAMES)], number, replicas.target, report) for number in range(matches)]
    rounds = [played[start : start + at_once] for start in range(0, matches, at_once)]
    killing = asyncio.create_task(kill_replicas(replicas, kill_every_s, report))
    try:
        for number, together in enumerate(rounds):
            round_s = seconds / len(rounds)
            playing = asyncio.gather(*(match.play(time.monotonic() + round_s) for match in together))
            await asyncio.wait({playing}, timeout=round_s / 2)
            await kill_database(postgres, report)
            await asyncio.wait({playing}, timeout=round_s / 2)
            if number == len(rounds) - 1:
                killing.cancel()
            await playing
    finally:
        killing.cancel()
    client = Client(replicas.target, report)
    registry = Registry.load()
    for match in played:
        await match.check(client, registry)
    await client.channel.close()
    return report


async def kill_database(postgres: PostgresServer, report: Report) -> None:
    """kill -9 the database server, and start it again."""
    report.database_down_s = time.monotonic(), math.inf
    await asyncio.to_thread(kill_postgres, postgres)
    report.databases_killed += 1
    await asyncio.to_thread(restart_postgres, postgres)
    report.database_down_s = report.database_down_s[0], time.monotonic()
