"""Simulations over the wire: steps by codes, play-outs, and the latency of matches beside them.

The service runs in a process of its own. Whatever is compared is measured in short alternating blocks, so that other
load of the machine affects all of it equally.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

import grpc

from bench import report
from bench.report import Row
from bench.wire import SERVICE, answer, connected, create, hello, process
from cext.playout import playouts
from cext.random import Rng
from engine_service.rpc.simulation import MINUTE_S
from engine_service.simulation.pool import default_workers
from engine_service.simulation.worker import NICENESS
from gamepacks.ominoes import Ominoes
from omnilude.v1 import play_service_pb2 as play_pb
from omnilude.v1 import simulation_service_pb2 as pb

ROUNDS = 5
STATES = 2_000
"""Games that are played at once."""
BLOCK_S = 1.0
PLAY_OUTS = 200
"""Play-outs of a request."""
REQUESTS = 20
"""Requests of a block of play-outs."""
IN_FLIGHT = 2
"""Requests on the stream at once: one that is worked on and the next one."""
MOVES = 1_000
"""Number of moves whose latency is measured in a block."""
WORKERS = default_workers()
"""Number of worker processes that are kept busy beside the matches."""
UNLIMITED = (
    *("--limits.simulation_streams_per_client", str(2 * WORKERS)),
    *("--limits.simulation_cpu_s", str(WORKERS * MINUTE_S)),
)
"""Limits that let one client keep all worker processes busy."""
COMPUTE = f"import os; os.nice({NICENESS})\nwhile True: pass"
"""A program that only computes, at the priority of simulations."""

Operation = pb.SimulationOperation
Block = tuple[float, float]
"""Median and 99th percentile of the seconds of a block of moves."""


def choose(codes: list[int], offsets: list[int], number: int) -> list[int]:
    """Returns a legal action of each state that has some; which one depends on ``number``."""
    return [codes[start + number % (end - start)] for start, end in pairwise(offsets) if end > start]


class Stream:
    """A stream on which games of Ominoes are played by codes only, two requests in flight."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._call: Any = channel.stream_stream(
            "/omnilude.v1.SimulationService/Simulate",
            pb.SimulateRequest.SerializeToString,
            pb.SimulateResponse.FromString,
        )()
        self._number = 0

    async def ask(self, *operations: Operation, opens: tuple[pb.OpenState, ...] = ()) -> pb.SimulateResponse:
        """Send one request and return its response."""
        await self._call.write(pb.SimulateRequest(opens=opens, operations=operations))
        response: pb.SimulateResponse = await self._call.read()
        if response.HasField("error"):
            raise RuntimeError(response.error.message)
        return response

    async def open(self) -> None:
        """Open the state from which all games begin, state 0."""
        await self.ask(opens=(pb.OpenState(handle=0, game=pb.GameSource(game="games/ominoes", players=2)),))

    async def steps_per_second(self) -> float:
        """Returns the steps per second of games in two halves.

        The client chooses actions of one half while the service takes those of the other.
        """
        halves = [list(range(1, STATES // 2 + 1)), list(range(STATES // 2 + 1, STATES + 1))]
        for half in halves:
            await self._call.write(self._begin(half))
        steps, started = 0, time.perf_counter()
        while True:
            for half in halves:
                response: pb.SimulateResponse = await self._call.read()
                drawn, legal = response.results[-2].drawn, response.results[-1].legal
                if time.perf_counter() - started > BLOCK_S:
                    await self._call.read()  # of the other half
                    return steps / (time.perf_counter() - started)
                self._number += 1
                codes = choose(list(legal.codes), list(legal.offsets), self._number)
                if len(codes) < len(half):
                    await self._call.write(self._begin(half))
                else:
                    await self._call.write(self._step(half, codes))
                steps += len(codes) + len(drawn.codes)

    def _begin(self, half: list[int]) -> pb.SimulateRequest:
        clone = Operation(clone=pb.CloneStates(sources=[0] * len(half), targets=half))
        return pb.SimulateRequest(operations=[clone, *self._look(half)])

    def _step(self, half: list[int], codes: list[int]) -> pb.SimulateRequest:
        apply = Operation(apply=pb.ApplySteps(handles=half, codes=codes))
        return pb.SimulateRequest(operations=[apply, *self._look(half)])

    def _look(self, half: list[int]) -> list[Operation]:
        draw = pb.DrawOutcomes(handles=half, seed=self._number)
        return [Operation(draw=draw), Operation(legal=pb.ListLegal(handles=half))]

    async def play_outs_per_second(self, seeds: range) -> float:
        """Returns the steps per second of play-outs on the service, with a request for each seed."""
        started = time.perf_counter()
        steps = 0
        for number, seed in enumerate(seeds):
            play_out = pb.PlayOut(handles=[0], count=PLAY_OUTS, seed=seed)
            await self._call.write(pb.SimulateRequest(operations=[Operation(play_out=play_out)]))
            if number >= IN_FLIGHT - 1:
                steps += await self._plies()
        for _ in range(IN_FLIGHT - 1):
            steps += await self._plies()
        return steps / (time.perf_counter() - started)

    async def _plies(self) -> int:
        response: pb.SimulateResponse = await self._call.read()
        return sum(response.results[0].play_outs.plies)

    def close(self) -> None:
        """End the stream."""
        self._call.cancel()


def local_steps_per_second() -> float:
    """Returns the steps per second of the same games in this process, each step called from Python."""
    root = Ominoes.configure(2, {}).initial_state()
    states = [root.clone() for _ in range(STATES // 4)]
    steps, number, rng, started = 0, 0, Rng(1), time.perf_counter()
    while time.perf_counter() - started < BLOCK_S:
        number += 1
        for index, state in enumerate(states):
            while outcomes := state.chance():
                state.apply_unchecked(rng.weighted(outcomes))
                steps += 1
            legal = state.legal()
            if legal:
                state.apply(legal[number % len(legal)])
                steps += 1
            else:
                states[index] = root.clone()
    return steps / (time.perf_counter() - started)


def local_play_outs_per_second(seeds: range) -> float:
    """Returns the steps per second of the same play-outs in this process."""
    root = Ominoes.configure(2, {}).initial_state()
    started = time.perf_counter()
    steps = sum(playouts(root, Rng(seed).fork(), PLAY_OUTS)[1] for seed in seeds)
    return steps / (time.perf_counter() - started)


class Latency:
    """Measures the latency of moves, one after the other."""

    def __init__(self, service: grpc.aio.Channel) -> None:
        self._service = service
        self._playing: Any = None
        self._turn: play_pb.Turn | None = None

    async def block(self) -> Block:
        """Returns the median and the 99th percentile of the seconds from a move to its answer."""
        if self._playing is None:
            self._playing = await hello(self._service, "latency")
        seconds = sorted([await self._move() for _ in range(MOVES)])
        return statistics.median(seconds), seconds[len(seconds) * 99 // 100]

    async def _move(self) -> float:
        while self._turn is None:
            await create(self._service, 1, "latency")
            self._turn = next(iter((await self._playing.read()).turns), None)
        request = play_pb.PlayRequest(moves=[answer(self._turn)])
        start = time.perf_counter()
        await self._playing.write(request)
        response = await self._playing.read()
        while not response.results:
            response = await self._playing.read()
        seconds = time.perf_counter() - start
        self._turn = next(iter(response.turns), None)
        return seconds


async def search_all_the_time(channel: grpc.aio.Channel, stop: asyncio.Event) -> None:
    """Keep the process of one stream busy."""
    stream = Stream(channel)
    await stream.open()
    await stream.ask(Operation(draw=pb.DrawOutcomes(handles=[0])))
    while not stop.is_set():
        await stream.ask(Operation(search=pb.SearchStates(handles=[0], milliseconds=100)))
    stream.close()


@asynccontextmanager
async def simulations(channel: grpc.aio.Channel) -> AsyncIterator[None]:
    """Keep each worker process busy with searches on two streams, so that a next request is always waiting."""
    stop = asyncio.Event()
    busy = [asyncio.ensure_future(search_all_the_time(channel, stop)) for _ in range(2 * WORKERS)]
    await asyncio.sleep(1.0)
    yield
    stop.set()
    await asyncio.gather(*busy)


@contextmanager
def computing() -> Iterator[None]:
    """Keep as many processes, which are not connected to the service, busy with computation."""
    running = [subprocess.Popen([sys.executable, "-c", COMPUTE]) for _ in range(WORKERS)]
    time.sleep(1.0)
    yield
    for each in running:
        each.kill()
        each.wait()


async def latencies(channel: grpc.aio.Channel) -> list[tuple[Block, Block, Block]]:
    """Returns for each round a block of moves alone, one beside other busy processes, and one beside simulations."""
    matches = Latency(channel)
    await matches.block()  # warms everything up
    found = []
    for _ in range(ROUNDS):
        without = await matches.block()
        with computing():
            beside_others = await matches.block()
        async with simulations(channel):
            beside = await matches.block()
        found.append((without, beside_others, beside))
    return found


async def measure() -> list[Row]:
    """Measure, and return the rows."""
    streamed, local, remote_plies, local_plies = [], [], [], []
    # The play-outs beside those of the service run at the same priority, in a process of their own.
    alone_in = ProcessPoolExecutor(1, get_context("spawn"), os.nice, (NICENESS,))
    with process(*SERVICE) as (service_at, _), alone_in:
        async with connected(service_at) as channel:
            stream = Stream(channel)
            await stream.open()
            for number in range(ROUNDS):
                streamed.append(await stream.steps_per_second())
                local.append(local_steps_per_second())
                for block in range(4):
                    seeds = range((4 * number + block) * REQUESTS, (4 * number + block + 1) * REQUESTS)
                    remote_plies.append(await stream.play_outs_per_second(seeds))
                    local_plies.append(alone_in.submit(local_play_outs_per_second, seeds).result())
            stream.close()
    with process(*SERVICE, *UNLIMITED) as (service_at, _):
        async with connected(service_at) as channel:
            waits = await latencies(channel)
    rate, alone = statistics.median(streamed), statistics.median(local)
    plies, plies_alone = statistics.median(remote_plies), statistics.median(local_plies)
    share = statistics.median(remote / own for remote, own in zip(remote_plies, local_plies, strict=True))
    median, median_others, median_beside = (
        statistics.median(half for half, _ in each) for each in zip(*waits, strict=True)
    )
    late, late_others, late_beside = (statistics.median(last for _, last in each) for each in zip(*waits, strict=True))
    longer_others = statistics.median(others[1] / without[1] for without, others, _ in waits)
    longer = statistics.median(beside[1] / without[1] for without, _, beside in waits)
    return [
        Row("Ominoes by codes in this process, from Python", alone, "steps/s"),
        Row(f"the same on a simulation stream, {STATES:,} states", rate, "steps/s", ">= 100,000", rate >= 100_000),
        Row("Ominoes play-outs in process", plies_alone, "steps/s"),
        Row("play-outs by the service", plies, "steps/s"),
        Row("  as a share of those in process", share, "x", ">= 0.9", share >= 0.9),
        Row("a move on a play stream, median", median * 1e6, "us"),
        Row(f"  beside {WORKERS} that only compute", median_others * 1e6, "us"),
        Row(f"  beside {WORKERS} busy simulations", median_beside * 1e6, "us"),
        Row("a move on a play stream, 99th percentile", late * 1e6, "us"),
        Row(f"  beside {WORKERS} that only compute", late_others * 1e6, "us"),
        Row(f"  beside {WORKERS} busy simulations", late_beside * 1e6, "us"),
        Row("  processes that only compute, as a multiple", longer_others, "x"),
        Row("  simulations, as a multiple", longer, "x", "<= 1.5", longer <= 1.5),
    ]


def rows() -> list[Row]:
    """Returns the rows of this benchmark."""
    return asyncio.run(measure())


if __name__ == "__main__":
    report.main(rows)
