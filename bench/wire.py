"""Cost of a move over the wire compared with a plain echo, rate of many matches on one stream, and memory of a match.

The service and the echo run in processes of their own. The matches are ephemeral ones of Ominoes; the echo has the same
kind of stream (``grpc.aio``, bidirectional) and the same messages. What is compared is measured in short alternating
blocks, so that other load of the machine affects all of it equally.
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
from engine_service.log.replay import SigningKey
from engine_service.model import MatchSetup, SeatSetup
from engine_service.store.sqlite import SqliteStore
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code
from omnilude.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc
from omnilude.v1 import play_service_pb2 as pb

GAME = "ominoes"
ONE, MANY = "one at a time", "many at once"
PAIRS = 5
"""Number of pairs of a service and an echo: their speed depends on where the machine has placed the processes."""
ROUNDS = 4
BLOCKS = 4
"""Number of blocks of one match at a time in each round."""
MOVES_PER_BLOCK = 200
MATCHES_AT_ONCE = 1_000
MOVES_AT_ONCE = 6
"""Number of moves in each match and round: all rounds are over before any match ends."""
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
    *("--http.enabled", "false"),
    *("--packs.only", GAME, "--log.level", "error"),
)


@contextmanager
def process(*arguments: str) -> Iterator[tuple[str, int]]:
    """Start a Python process that prints its address; yields the address and the process id."""
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
    """Returns a channel that accepts responses of any size."""
    async with grpc.aio.insecure_channel(target, options=[("grpc.max_receive_message_length", -1)]) as channel:
        yield channel


def open_stream(channel: grpc.aio.Channel) -> Any:
    """Open a play stream."""
    return channel.stream_stream(
        "/omnilude.v1.PlayService/Play", pb.PlayRequest.SerializeToString, pb.PlayResponse.FromString
    )()


async def hello(channel: grpc.aio.Channel, player: str) -> Any:
    """Open a play stream under a player's name."""
    stream = open_stream(channel)
    await stream.write(pb.PlayRequest(hello=pb.Hello(player=player, player_key=player)))
    await stream.read()
    return stream


async def create(channel: grpc.aio.Channel, count: int, player: str) -> None:
    """Create ephemeral matches, both seats of which are reserved for the player of that name."""
    matches = match_service_pb2_grpc.MatchServiceStub(channel)
    seat = match_service_pb2.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player=player)
    request = match_service_pb2.CreateMatchRequest(game=f"games/{GAME}", seats=[seat, seat], ephemeral=True)
    for _ in range(count):
        await matches.CreateMatch(request)


def answer(turn: pb.Turn) -> pb.Move:
    """Returns a move that depends only on the turn and is not always the first action."""
    codes = turn.codes
    return pb.Move(channel=turn.channel, seq=turn.seq, code=codes[turn.seq % len(codes)])


class OneAtATime:
    """Plays one match at a time, one move at a time, and measures the echo in between."""

    def __init__(self, service: grpc.aio.Channel, echo: grpc.aio.Channel) -> None:
        self._service = service
        self._echoing = echo.stream_stream(
            "/bench.Echo/Echo", pb.PlayRequest.SerializeToString, pb.PlayRequest.FromString
        )()
        self._playing: Any = None
        self._turn: pb.Turn | None = None

    async def block(self) -> tuple[float, float]:
        """Returns the median seconds from a move to its answer, and those of a round trip of the echo."""
        if self._playing is None:
            self._playing = await hello(self._service, ONE)
        moves = [await self._move() for _ in range(MOVES_PER_BLOCK)]
        echoes = [await self._echo() for _ in range(MOVES_PER_BLOCK)]
        return statistics.median(moves), statistics.median(echoes)

    async def _move(self) -> float:
        playing = self._playing
        if self._turn is None:
            await create(self._service, 1, ONE)
            while self._turn is None:
                self._turn = next(iter((await playing.read()).turns), None)
        request = pb.PlayRequest(moves=[answer(self._turn)])
        start = time.perf_counter()
        await playing.write(request)
        response = await playing.read()
        while not response.results:
            response = await playing.read()
        seconds = time.perf_counter() - start
        self._turn = next(iter(response.turns), None)
        if self._turn is None and not response.ended:
            raise RuntimeError("a move was answered without what follows from it")
        return seconds

    async def _echo(self) -> float:
        request = pb.PlayRequest(moves=[pb.Move(channel=1 << 31, seq=100, code=1 << 24)])
        start = time.perf_counter()
        await self._echoing.write(request)
        await self._echoing.read()
        return time.perf_counter() - start

    def close(self) -> None:
        """End both streams."""
        self._playing.cancel()
        self._echoing.cancel()


class ManyMatches:
    """Plays many matches at once on one stream."""

    def __init__(self, service: grpc.aio.Channel) -> None:
        self._service = service
        self._stream: Any = None
        self._turns: list[pb.Turn] = []

    async def block(self) -> float:
        """Returns the moves per second. Between blocks all matches wait for their moves."""
        if self._stream is None:
            self._stream = await hello(self._service, MANY)
            await create(self._service, MATCHES_AT_ONCE, MANY)
            while len(self._turns) < MATCHES_AT_ONCE:
                self._turns += (await self._stream.read()).turns
        stream = self._stream
        start = time.perf_counter()
        await stream.write(pb.PlayRequest(moves=[answer(turn) for turn in self._turns]))
        self._turns = []
        sent = MATCHES_AT_ONCE
        made = 0
        while made < sent:
            response = await stream.read()
            made += len(response.results)
            turns = list(response.turns)
            room = max(0, MATCHES_AT_ONCE * MOVES_AT_ONCE - sent)
            if room and turns:
                await stream.write(pb.PlayRequest(moves=[answer(turn) for turn in turns[:room]]))
            sent += min(room, len(turns))
            self._turns += turns[room:]
        seconds = time.perf_counter() - start
        while len(self._turns) < MATCHES_AT_ONCE:
            self._turns += (await stream.read()).turns
        return made / seconds

    def close(self) -> None:
        """End the stream."""
        self._stream.cancel()


async def play(service: grpc.aio.Channel, echo: grpc.aio.Channel) -> list[tuple[float, float, float]]:
    """Returns for each round the seconds of a move, those of a round trip of the echo, and the moves per second of many
    matches."""
    one, many = OneAtATime(service, echo), ManyMatches(service)
    rounds: list[tuple[float, float, float]] = []
    for number in range(ROUNDS + 1):
        blocks = [await one.block() for _ in range(BLOCKS)]
        rate = await many.block()
        if number:  # The first round only warms up.
            move, round_trip = (statistics.median(each) for each in zip(*blocks, strict=True))
            rounds.append((move, round_trip, rate))
    one.close()
    many.close()
    return rounds


def wire_rows(rounds: list[tuple[float, float, float]]) -> list[Row]:
    """Returns the rows of the cost of a move. Ratios are medians of the ratios of each round."""
    move, echo, rate = (statistics.median(each) for each in zip(*rounds, strict=True))
    beside_echo = statistics.median(move / echo for move, echo, _ in rounds)
    beside_one = statistics.median(rate * move for move, _, rate in rounds)
    return [
        Row("a plain echo on a stream, round trip", echo * 1e6, "us"),
        Row("a move on a play stream, client to answer", move * 1e6, "us"),
        Row("  as a multiple of the echo", beside_echo, "x", "<= 1.5", beside_echo <= 1.5),
        Row("moves, one match at a time", 1 / move, "/s"),
        Row(f"moves, {MATCHES_AT_ONCE:,} matches on one stream", rate, "/s"),
        Row("  as a multiple of one at a time", beside_one, "x", ">= 10", beside_one >= 10),
    ]


def resident_bytes(pid: int) -> int:
    """Returns the resident size of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmRSS")


async def weigh(service: grpc.aio.Channel, pid: int) -> float:
    """Returns the bytes of memory for each of many live matches on one stream, after a few moves."""
    stream = await hello(service, MANY)
    await create(service, 50, MANY)
    before = 0
    waiting: list[pb.Turn] = []
    counts: dict[int, int] = {}
    for total in (50, LIVE_MATCHES + 50):
        await create(service, total - 50, MANY)
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
    """Returns the median seconds to load a match of 200 actions from its log in SQLite."""
    registry = Registry.load(only=[GAME])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.sqlite3"
        names = []
        host = await _host(registry, path, durability="normal")
        for _ in range(LOADS):
            name, tokens = await _table(host)
            live = await host.live_match(name)
            for number in range(ACTIONS_IN_LOG):
                seat = 0 if live.must_act(0) else 1
                codes = live.legal(seat)
                await host.submit_action(name, tokens[seat], Code(codes[number % len(codes)]))
            names.append(name)
        await host.close()
        host = await _host(registry, path)
        seconds = []
        for name in names:
            start = time.perf_counter()
            await host.live_match(name)
            seconds.append(time.perf_counter() - start)
        await host.close()
    return statistics.median(seconds)


async def _table(host: MatchHost) -> tuple[str, list[str]]:
    """Create a match on the largest board, whose games are long enough; returns its name and its seats' tokens."""
    created = await host.create(MatchSetup(game=GAME, seats=[SeatSetup(), SeatSetup()], option_texts={"target": "100"}))
    name = created.match.name
    return name, [(await host.join(name, f"p{seat}")).token for seat in range(2)]


async def _host(registry: Registry, path: Path, durability: Any = "full") -> MatchHost:
    store = await SqliteStore.open(path, durability)
    return MatchHost(
        registry, store, secret=bytes(32), signing_key=SigningKey(bytes(32)), limits=Limits(), engine_version="bench"
    )


async def measure() -> list[Row]:
    """Measure, and return the rows."""
    rounds: list[tuple[float, float, float]] = []
    for _ in range(PAIRS):
        with process(*SERVICE) as (service_at, pid), process("-c", ECHO) as (echo_at, _):
            async with connected(service_at) as service, connected(echo_at) as echo:
                rounds += await play(service, echo)
    with process(*SERVICE) as (service_at, pid):
        async with connected(service_at) as service:
            weight = await weigh(service, pid)
    loading = await load()
    return [
        *wire_rows(rounds),
        Row(f"load a match of {ACTIONS_IN_LOG} actions from its log", loading * 1e3, "ms", "<= 5", loading <= 0.005),
        Row(f"memory of a live match, {LIVE_MATCHES:,} of them", weight / 1e3, "KB", "<= 20", weight <= 20e3),
    ]


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    return asyncio.run(measure())


if __name__ == "__main__":
    report.main(rows)
