"""The wire: what a move costs beside a bare echo, what many matches on one stream bring, what a match weighs.

The service runs in a process of its own, ephemeral matches of Ominoes on it; so does the echo, on the same kind of
stream (``grpc.aio``, both ways) with the same messages. Echo and moves take turns in short blocks, so that whatever
else the machine does meets both.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import grpc

from bench import report
from bench.report import Row
from engine_service.hosting.host import MatchHost
from engine_service.limits import Limits
from engine_service.model import MatchSetup, SeatSetup
from engine_service.store.sqlite import SqliteStore
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code
from omnilude.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc
from omnilude.v1 import play_service_pb2 as pb

GAME = "ominoes"
PLAYER = "bench"
BLOCKS = 20
MOVES_PER_BLOCK = 200
MATCHES_AT_ONCE = 1_000
MOVES_AT_ONCE = 60
"""In each of them: before any of them ends."""
LIVE_MATCHES = 5_000
MOVES_BEFORE_WEIGHING = 20
ACTIONS_IN_LOG = 200
LOADS = 40

ECHO = """
import asyncio, grpc
from omnilude.v1 import play_service_pb2 as pb

async def echo(requests, context):
    while (request := await context.read()) is not grpc.aio.EOF:
        await context.write(request)

async def main():
    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(
        echo, pb.PlayRequest.FromString, pb.PlayRequest.SerializeToString
    )
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler})])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()

asyncio.run(main())
"""
SERVICE = (
    *("-m", "engine_service", "--server.port", "0", "--store.in_memory", "true", "--metrics.enabled", "false"),
    *("--packs.only", GAME, "--log.level", "error"),
)


@contextmanager
def process(*arguments: str) -> Iterator[tuple[str, int]]:
    """A Python process that tells where it listens; yields that and its id."""
    with tempfile.TemporaryDirectory() as folder:
        running = subprocess.Popen([sys.executable, *arguments], cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            assert running.stdout is not None
            line = running.stdout.readline()
            if not line.startswith("listening on "):
                raise RuntimeError(f"{arguments[:2]} did not start")
            yield line.removeprefix("listening on ").strip(), running.pid
        finally:
            running.kill()
            running.communicate()


@asynccontextmanager
async def connected(target: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel that takes answers of any size."""
    async with grpc.aio.insecure_channel(target, options=[("grpc.max_receive_message_length", -1)]) as channel:
        yield channel


def open_stream(channel: grpc.aio.Channel) -> Any:
    """A play stream."""
    return channel.stream_stream(
        "/omnilude.v1.PlayService/Play", pb.PlayRequest.SerializeToString, pb.PlayResponse.FromString
    )()


async def hello(channel: grpc.aio.Channel) -> Any:
    """A play stream under the bench's name."""
    stream = open_stream(channel)
    await stream.write(pb.PlayRequest(hello=pb.Hello(player=PLAYER)))
    await stream.read()
    return stream


async def create(channel: grpc.aio.Channel, count: int) -> None:
    """New ephemeral matches, both seats for the stream under the bench's name."""
    matches = match_service_pb2_grpc.MatchServiceStub(channel)
    seat = match_service_pb2.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player=PLAYER)
    request = match_service_pb2.CreateMatchRequest(game=f"games/{GAME}", seats=[seat, seat], ephemeral=True)
    for _ in range(count):
        await matches.CreateMatch(request)


def answer(turn: pb.Turn) -> pb.Move:
    """A move that depends on the turn alone, and not always the first."""
    codes = turn.codes
    return pb.Move(channel=turn.channel, seq=turn.seq, code=codes[turn.seq % len(codes)])


async def one_at_a_time(service: grpc.aio.Channel, echo: grpc.aio.Channel) -> tuple[float, float]:
    """Median seconds of a move, client to answer, and of a round trip of the echo."""
    echoing = echo.stream_stream("/bench.Echo/Echo", pb.PlayRequest.SerializeToString, pb.PlayRequest.FromString)()
    playing = await hello(service)
    moves: list[float] = []
    echoes: list[float] = []
    turn = None
    clock = time.perf_counter
    for block in range(BLOCKS + 1):
        for _ in range(MOVES_PER_BLOCK):
            if turn is None:
                await create(service, 1)
                while turn is None:
                    turn = next(iter((await playing.read()).turns), None)
            request = pb.PlayRequest(moves=[answer(turn)])
            start = clock()
            await playing.write(request)
            response = await playing.read()
            while not response.results:
                response = await playing.read()
            moves.append(clock() - start)
            turn = next(iter(response.turns), None)
            if turn is None and not response.ended:
                raise RuntimeError("a move was answered without what follows from it")
        for _ in range(MOVES_PER_BLOCK):
            request = pb.PlayRequest(moves=[pb.Move(channel=1 << 31, seq=100, code=1 << 24)])
            start = clock()
            await echoing.write(request)
            await echoing.read()
            echoes.append(clock() - start)
        if block == 0:  # everything warm
            moves.clear()
            echoes.clear()
    playing.cancel()
    echoing.cancel()
    return statistics.median(moves), statistics.median(echoes)


async def at_once(service: grpc.aio.Channel) -> float:
    """Moves a second with many matches on one stream."""
    stream = await hello(service)
    await create(service, MATCHES_AT_ONCE)
    made, start = 0, time.perf_counter()
    while made < MATCHES_AT_ONCE * MOVES_AT_ONCE:
        response = await stream.read()
        made += len(response.results)
        if response.turns:
            await stream.write(pb.PlayRequest(moves=[answer(turn) for turn in response.turns]))
    seconds = time.perf_counter() - start
    stream.cancel()
    return made / seconds


def resident_bytes(pid: int) -> int:
    """What a process holds in memory."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmRSS")


async def weigh(service: grpc.aio.Channel, pid: int) -> float:
    """Bytes of memory for each of many live matches that are being played on one stream, some moves old."""
    stream = await hello(service)
    await create(service, 50)
    before = 0
    waiting: list[pb.Turn] = []
    counts: dict[int, int] = {}
    for total in (50, LIVE_MATCHES + 50):
        await create(service, total - 50)
        while len(waiting) < total:
            response = await stream.read()
            moves = []
            for turn in response.turns:
                pair = turn.channel >> 1
                counts[pair] = counts.get(pair, 0) + 1
                if counts[pair] > MOVES_BEFORE_WEIGHING:
                    waiting.append(turn)
                else:
                    moves.append(answer(turn))
            if moves:
                await stream.write(pb.PlayRequest(moves=moves))
        if not before:
            before = resident_bytes(pid)
    weight = (resident_bytes(pid) - before) / LIVE_MATCHES
    stream.cancel()
    return weight


async def load() -> float:
    """Median seconds to load a match of 200 actions from its log in SQLite."""
    registry = Registry.load(only=[GAME])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.sqlite3"
        names = []
        host = await _host(registry, path, durability="normal")
        for _ in range(LOADS):
            name, tokens = await _table(host)
            live = await host.find(name)
            for number in range(ACTIONS_IN_LOG):
                seat = 0 if live.owes(0) else 1
                codes = live.legal(seat)
                await host.submit(name, tokens[seat], Code(codes[number % len(codes)]))
            names.append(name)
        await host.close()
        host = await _host(registry, path)
        seconds = []
        for name in names:
            start = time.perf_counter()
            await host.find(name)
            seconds.append(time.perf_counter() - start)
        await host.close()
    return statistics.median(seconds)


async def _table(host: MatchHost) -> tuple[str, list[str]]:
    """A match on the largest board, whose play is long enough, and the tokens of its seats."""
    created = await host.create(MatchSetup(game=GAME, seats=[SeatSetup(), SeatSetup()], option_texts={"target": "100"}))
    name = created.match.name
    return name, [(await host.join(name, f"p{seat}")).token for seat in range(2)]


async def _host(registry: Registry, path: Path, durability: Any = "full") -> MatchHost:
    store = await SqliteStore.open(path, durability)
    return MatchHost(registry, store, secret=bytes(32), limits=Limits(), engine_version="bench")


async def measure() -> list[Row]:
    """All figures."""
    with process(*SERVICE) as (service_at, pid), process("-c", ECHO) as (echo_at, _):
        async with connected(service_at) as service, connected(echo_at) as echo:
            move, bare = await one_at_a_time(service, echo)
            many = await at_once(service)
    with process(*SERVICE) as (service_at, pid):
        async with connected(service_at) as service:
            weight = await weigh(service, pid)
    loading = await load()
    single = 1 / move
    return [
        Row("a bare echo on a stream, round trip", bare * 1e6, "us"),
        Row("a move on a play stream, client to answer", move * 1e6, "us"),
        Row("  as a multiple of the echo", move / bare, "x", "<= 1.5", move / bare <= 1.5),
        Row("moves, one match at a time", single, "/s"),
        Row(f"moves, {MATCHES_AT_ONCE:,} matches on one stream", many, "/s"),
        Row("  as a multiple of one at a time", many / single, "x", ">= 10", many / single >= 10),
        Row(f"load a match of {ACTIONS_IN_LOG} actions from its log", loading * 1e3, "ms", "<= 5", loading <= 0.005),
        Row(f"memory of a live match, {LIVE_MATCHES:,} of them", weight / 1e3, "KB", "<= 20", weight <= 20e3),
    ]


def rows() -> list[Row]:
    """The rows of this bench."""
    return asyncio.run(measure())


if __name__ == "__main__":
    report.main(rows)
