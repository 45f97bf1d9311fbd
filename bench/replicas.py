"""Rate and latency of moves in stored matches, on SQLite and on replicas that share a PostgreSQL database.

Many matches of Ominoes are played at once, on play streams with connections of their own; both seats of a match are on
one stream, which answers a turn as soon as it comes. A replica beside many matches, stored and in memory, is measured
in turns with a replica without them. For comparison, the rate at which one connection inserts rows of the length of a
record is measured on the same PostgreSQL server. All writes that are counted have reached the disk.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import psycopg

from bench import report
from bench.report import Row
from bench.wire import GAME, answer, connected, hello, process
from engine_service.store import schema
from omnilude.v1 import match_pb2, match_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as match_service
from omnilude.v1 import play_service_pb2 as pb
from tests.support.postgres import PostgresServer, new_database, postgres_server

STREAMS = 8
MATCHES = 32
"""Matches at once on each stream."""
WARM_S = 3.0
SECONDS = 8.0
REPLICAS = (1, 2, 4)
ROUNDS = 3
"""Number of rounds, each of a replica without many matches and of one beside many."""
GROUP = 64
"""Number of rows in one transaction, if many are inserted at once."""
STORED = 100_000
"""Ended matches that are stored beside those that are played, copies of one of them."""
LIVE = 20_000
"""Matches that wait for players, in the memory of the replica."""
CREATED_AT_ONCE = 64
_numbers = itertools.count()
QUIET = ("--metrics.enabled", "false", "--http.enabled", "false", "--packs.only", GAME, "--log.level", "error")


class StreamPlayer:
    """A play stream that plays both seats of its matches."""

    def __init__(self, channel: grpc.aio.Channel, name: str) -> None:
        self._channel, self._name = channel, name
        self._matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self._sent: dict[int, float] = {}
        self.seconds: list[float] = []
        """Seconds from sending a move to its answer, of each move since :attr:`measuring` was set."""
        self.measuring = False

    async def play(self) -> None:
        """Play until it is cancelled."""
        stream = await hello(self._channel, self._name)
        for _ in range(MATCHES):
            await self._create()
        while True:
            response = await stream.read()
            now = time.perf_counter()
            for result in response.results:
                if result.error:
                    raise RuntimeError(result.message)
                started = self._sent.pop(result.channel)
                if self.measuring:
                    self.seconds.append(now - started)
            for _ in response.ended[::2]:  # each match is on two channels
                await self._create()
            if response.turns:
                await stream.write(pb.PlayRequest(moves=[self._answer(turn) for turn in response.turns]))

    def _answer(self, turn: pb.Turn) -> pb.Move:
        self._sent[turn.channel] = time.perf_counter()
        return answer(turn)

    async def _create(self) -> None:
        seat = match_service.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player=self._name)
        await self._matches.CreateMatch(match_service.CreateMatchRequest(game=f"games/{GAME}", seats=[seat, seat]))


async def play(target: str) -> list[float]:
    """Play for SECONDS on all streams; returns the seconds of each move."""
    channels = [connected(target) for _ in range(STREAMS)]
    # Players of another run still have their matches, which are ignored here.
    players = [StreamPlayer(await channel.__aenter__(), f"bench {next(_numbers)}") for channel in channels]
    playing = [asyncio.create_task(player.play()) for player in players]
    try:
        for measuring, seconds in ((False, WARM_S), (True, SECONDS)):
            for player in players:
                player.measuring = measuring
            await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
            for task in playing:
                if task.done():
                    task.result()
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for channel in channels:
            await channel.__aexit__(None, None, None)
    return [seconds for player in players for seconds in player.seconds]


def rows_per_second(address: str, group: int) -> float:
    """Returns the rows per second that one connection inserts, with ``group`` rows in each transaction."""
    with psycopg.connect(address) as connection:
        connection.execute(f"CREATE TABLE bare_{group} (match_key bigint, seq bigint, code integer, time_ms bigint)")
        connection.commit()
        insert = f"INSERT INTO bare_{group} SELECT 1, n, 2, 3 FROM generate_series(1, {group}) AS n"
        count, end = 0, time.perf_counter() + SECONDS
        while time.perf_counter() < end:
            connection.execute(insert)
            connection.commit()
            count += group
    return count / SECONDS


def store_copies(address: str) -> bool:
    """Store STORED copies of an ended match, with all its rows, under names of their own.

    Returns False if no match has ended.
    """
    named = {"name": "'matches/copy' || n", "uid": "decode(md5('copy' || n), 'hex')"}
    columns = [column.name for column in schema.matches.columns if column.name != "key"]
    with psycopg.connect(address) as connection:
        execute = connection.execute
        (source,) = execute("SELECT min(key) FROM matches WHERE ended_ms <> 0").fetchone() or (None,)
        if source is None:
            return False
        values = ", ".join(named.get(name, f'"{name}"') for name in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        numbers = f"generate_series(1, {STORED}) AS n"
        execute(f"INSERT INTO matches ({names}) SELECT {values} FROM matches, {numbers} WHERE key = {source}")
        for table in (schema.seats, schema.records):
            rest = ", ".join(f'source."{column.name}"' for column in table.columns if column.name != "match_key")
            execute(
                f"INSERT INTO {table.name} SELECT copy.key, {rest} FROM {table.name} AS source, matches AS copy "
                f"WHERE source.match_key = {source} AND copy.name LIKE 'matches/copy%'"
            )
        connection.commit()
        connection.autocommit = True
        # Finish the work that the load has left before measuring.
        execute("VACUUM ANALYZE")
        execute("CHECKPOINT")
    return True


async def create_waiting(target: str) -> None:
    """Create LIVE matches that wait for players."""
    async with connected(target) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        request = match_service.CreateMatchRequest(game=f"games/{GAME}", seats=[match_service.SeatSetup()] * 2)
        numbers = iter(range(LIVE))

        async def create() -> None:
            for _ in numbers:
                await stub.CreateMatch(request)

        await asyncio.gather(*(create() for _ in range(CREATED_AT_ONCE)))


def move_rows(what: str, seconds: Sequence[float], runs: int = 1) -> list[Row]:
    """Returns the rows of one kind of storage, from several runs together."""
    cuts = statistics.quantiles(seconds, n=100)
    return [
        Row(f"moves of stored matches, {what}", len(seconds) / SECONDS / runs, "/s"),
        Row("  median, sent to answered", cuts[49] * 1e3, "ms"),
        Row("  99th percentile", cuts[98] * 1e3, "ms"),
    ]


def serve(*store: Any, replicas: int = 1) -> Any:
    """Run a service, or several replicas of it."""
    settings = ("--server.port", "0", *QUIET, *map(str, store))
    if replicas == 1:
        return process("-m", "engine_service", *settings)
    flags = [f"{name.removeprefix('--')}={value}" for name, value in zip(settings[::2], settings[1::2], strict=True)]
    assigned = [part for flag in flags for part in ("--set", flag)]
    return process("-m", "omnilude_cli", "serve", "--replicas", str(replicas), *assigned)


def processor_seconds(pid: int) -> float:
    """Returns the processor time of a process and its children so far, in seconds."""
    seconds = 0.0
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each in (pid, *map(int, children)):
        with suppress(FileNotFoundError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            seconds += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds


def measured(target: str, pids: Sequence[int]) -> tuple[list[float], float]:
    """Returns the seconds of each move, and the processor seconds of these processes for one move."""
    before = sum(map(processor_seconds, pids))
    seconds = asyncio.run(play(target))
    moves = len(seconds) * (WARM_S + SECONDS) / SECONDS
    return seconds, (sum(map(processor_seconds, pids)) - before) / moves


def beside_many(postgres: PostgresServer) -> list[Row]:
    """Returns the rows of a replica beside many matches, compared with a replica without them."""
    address, address_of_many, database = new_database(postgres), new_database(postgres), postgres.get_pid()
    assert database is not None
    limit = ("--limits.live_matches", 2 * LIVE)
    with (
        serve("--store.url", address, *limit) as (alone, pid_alone),
        serve("--store.url", address_of_many, *limit) as (beside, pid_beside),
    ):
        while not store_copies(address_of_many):
            asyncio.run(play(beside))
        asyncio.run(create_waiting(beside))
        rounds = [
            (measured(alone, (pid_alone, database)), measured(beside, (pid_beside, database))) for _ in range(ROUNDS)
        ]
    of_rounds = {
        "without others": [few for few, _ in rounds],
        f"beside {STORED:,} stored and {LIVE:,} in memory": [many for _, many in rounds],
    }
    found: list[Row] = []
    for what, runs in of_rounds.items():
        found += move_rows(f"PostgreSQL, 1 replica, {what}", [each for seconds, _ in runs for each in seconds], ROUNDS)
        cost = statistics.median(cost for _, cost in runs)
        found.append(Row("  processor time of replica and database for a move", cost * 1e6, "us"))
    rates = statistics.median(len(many[0]) / len(few[0]) for few, many in rounds)
    costs = statistics.median(many[1] / few[1] for few, many in rounds)
    return [
        *found,
        Row("  moves as a multiple of those without others", rates, "x"),
        Row("  processor time as a multiple of that without others", costs, "x"),
    ]


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    with tempfile.TemporaryDirectory() as folder, serve("--store.path", Path(folder) / "m.sqlite3") as (target, _):
        found = move_rows("SQLite", asyncio.run(play(target)))
    rates: dict[int, float] = {}
    with postgres_server() as postgres:
        beside = beside_many(postgres)
        single, many = (rows_per_second(new_database(postgres), group) for group in (1, GROUP))
        for count in REPLICAS:
            address = new_database(postgres)
            with serve("--store.url", address, replicas=count) as (target, _):
                seconds = asyncio.run(play(target))
            rates[count] = len(seconds) / SECONDS
            found += move_rows(f"PostgreSQL, {count} replica{'s' * (count > 1)}", seconds)
    return [
        *found,
        *beside,
        Row("  two replicas as a multiple of one", rates[2] / rates[1], "x"),
        Row("rows of the same server, one in a transaction", single, "/s"),
        Row(f"rows of the same server, {GROUP} in a transaction", many, "/s"),
        Row("  moves of one replica as a multiple of rows one by one", rates[1] / single, "x"),
        Row(f"  moves of one replica as a multiple of rows in groups of {GROUP}", rates[1] / many, "x"),
    ]


if __name__ == "__main__":
    report.main(rows)
