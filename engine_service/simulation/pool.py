"""Pool of worker processes for simulations, started on first use, and the streams that each process serves."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import pickle
import socket
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from multiprocessing.process import BaseProcess

from engine_service.errors import LimitReached, PackFault, ShuttingDown, SimulationLost
from engine_service.hosting.workers import LENGTH, PROCESS_START_S, pickled_libraries
from engine_service.limits import Limits
from engine_service.observability.logs import new_incident_id
from engine_service.observability.stats import Stats
from engine_service.simulation.states import Quota, RefusedRequest, StateSource
from engine_service.simulation.worker import CloseTask, Reply, Task, WorkerSettings, serve
from gamepacks.api.registry import Registry

log = logging.getLogger(__name__)

HARD_FACTOR = 2
"""A process is killed when a request exceeds its time limit by this factor."""
TASKS_SENT = 2
"""Maximum number of tasks sent to a process without a reply: the one that it runs, and the next one."""
READ_AHEAD = 1 << 20


def default_workers() -> int:
    """Returns the default number of worker processes, which leaves one processor to the service."""
    return max(1, len(os.sched_getaffinity(0)) - 1)


class SimulationStream:
    """A simulation stream, served by one worker process."""

    def __init__(self, worker: _Worker, number: int) -> None:
        self._worker = worker
        self._number = number
        self.states = 0
        """Number of open states."""

    async def run(self, sources: Sequence[StateSource], request: bytes, response_bytes: int) -> Reply:
        """Run a request in the worker process; requests of the streams in one process take turns.

        ``response_bytes`` is the maximum size of its results. Raises RefusedRequest if the request is refused and has
        changed nothing; SimulationLost, or LimitReached if it had to be stopped, after which the stream has no states.
        """
        # A caller that is cancelled must not leave a reply behind for the next one.
        reply = await asyncio.shield(self._worker.call(Task(self._number, sources, request, response_bytes)))
        self.states = reply.states
        return reply

    def close(self) -> None:
        """Drop all states."""
        self.states = 0
        self._worker.close_stream(self._number)


class SimulationPool:
    """The worker processes of one service."""

    def __init__(self, registry: Registry, limits: Limits, stats: Stats) -> None:
        self._registry = registry
        self._limits = limits
        quota = Quota(
            states=limits.simulation_states,
            bytes=limits.simulation_bytes,
            request_s=limits.simulation_request_s,
        )
        self._settings = WorkerSettings(quota, limits.simulation_lease_s, limits.simulation_memory_mib)
        self._stats = stats
        self._workers: list[_Worker] = []
        self._next_number = 0
        self._closed = False

    def open_stream(self) -> SimulationStream:
        """Open a stream in the process with the fewest streams. Raises LimitReached, ShuttingDown."""
        if self._closed:
            raise ShuttingDown()
        count = self._limits.simulation_workers
        if count < 0:
            count = default_workers()
        if not count:
            raise LimitReached("simulation_workers", 0, "this service does not simulate")
        self._workers = [worker for worker in self._workers if not worker.lost]
        if len(self._workers) < count and all(worker.streams for worker in self._workers):
            self._workers.append(_Worker(self._registry, self._settings, self._stats))
        worker = min(self._workers, key=lambda worker: len(worker.streams))
        self._next_number += 1
        worker.streams.add(self._next_number)
        return SimulationStream(worker, self._next_number)

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        await asyncio.gather(*(worker.end() for worker in self._workers))


class _Worker:
    """A worker process, which starts at once."""

    def __init__(self, registry: Registry, settings: WorkerSettings, stats: Stats) -> None:
        self._settings = settings
        self._stats = stats
        self._turns = asyncio.Semaphore(TASKS_SENT)
        self._receiving = asyncio.Lock()
        self._process: BaseProcess | None = None
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter | None = None
        self._tasks: set[asyncio.Task[Reply]] = set()
        self._started = asyncio.ensure_future(self._start(registry))
        self.streams: set[int] = set()
        """Numbers of the streams in it."""
        self.lost = False
        """Whether the process has ended, or is about to."""

    async def _start(self, registry: Registry) -> None:
        ours, theirs = socket.socketpair()
        try:
            libraries = await asyncio.to_thread(pickled_libraries, registry)
            context = multiprocessing.get_context("spawn")
            process = context.Process(
                target=serve, args=(theirs, libraries, self._settings), name="simulation", daemon=True
            )
            # Starting a process takes milliseconds, so a thread does it.
            await asyncio.to_thread(process.start)
            self._process = process
            if self.lost:
                process.kill()
        finally:
            theirs.close()
        self._reader, self._writer = await asyncio.open_connection(sock=ours, limit=READ_AHEAD)
        async with asyncio.timeout(PROCESS_START_S):
            await self._receive()

    def call(self, task: Task) -> asyncio.Task[Reply]:
        """Start running a task."""
        return self._keep(self._call(task))

    def _keep(self, work: Coroutine[None, None, Reply]) -> asyncio.Task[Reply]:
        """Start work as a task that is kept until it is done, even if nobody waits for it any more."""

        def done(task: asyncio.Task[Reply]) -> None:
            self._tasks.discard(task)
            if not task.cancelled():
                task.exception()

        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(done)
        return task

    async def _call(self, task: Task) -> Reply:
        async with self._turns:
            try:
                await asyncio.shield(self._started)
                if self.lost or task.stream not in self.streams:
                    raise SimulationLost()
                self._send(task)
                async with self._receiving:
                    # The process starts a task when it has replied to the previous one.
                    async with asyncio.timeout(HARD_FACTOR * self._settings.quota.request_s):
                        reply = await self._receive()
            except TimeoutError:
                await self._lose("a request did not end")
                limit = self._settings.quota.request_s
                raise LimitReached("simulation_request_s", limit, f"the request did not end in {limit} s") from None
            except (OSError, EOFError) as error:
                await self._lose(str(error) or type(error).__name__)
                raise SimulationLost() from None
        if reply.pack_error:
            incident = new_incident_id()
            log.error("a pack failed in a simulation: %s (incident %s)", reply.pack_error, incident)
            raise RefusedRequest(PackFault(incident, "the request has changed nothing"), "")
        return reply

    def close_stream(self, number: int) -> None:
        """Drop the states of a stream after its current request."""
        self.streams.discard(number)

        async def close() -> Reply:
            async with self._turns:
                await asyncio.wait([self._started])
                if self._writer is not None and not self.lost:
                    self._send(CloseTask(number))
            return Reply()

        self._keep(close())

    def _send(self, task: Task | CloseTask) -> None:
        assert self._writer is not None
        data = pickle.dumps(task)
        self._writer.write(LENGTH.pack(len(data)))
        self._writer.write(data)

    async def _receive(self) -> Reply:
        (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
        reply: Reply = pickle.loads(await self._reader.readexactly(length))
        return reply

    async def _lose(self, why: str) -> None:
        """End a process that does not answer."""
        if not self.lost:
            self._stats.simulation_workers_lost += 1
            log.warning("a simulation process is replaced: %s", why)
        await self.end()

    async def end(self) -> None:
        """End the process; tasks under way fail with SimulationLost."""
        self.lost = True
        if self._process is not None:
            self._process.kill()
        with suppress(Exception):
            await asyncio.shield(self._started)
        if self._writer is not None:
            self._writer.close()
        if self._process is not None:
            await asyncio.to_thread(self._process.join)
