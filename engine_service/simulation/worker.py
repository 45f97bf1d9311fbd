"""Main loop of a worker process, which holds the states of several streams and runs their requests in order."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from engine_service.errors import EngineError
from engine_service.hosting import workers
from engine_service.simulation.states import Quota, RefusedRequest, Simulation, StateSource
from gamepacks.api.errors import error_location

NICENESS = 10
"""Niceness of the process: if processors are short, matches come first, but simulations still make progress."""
SWEEPS_PER_LEASE = 4


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Settings of a worker process."""

    quota: Quota
    lease_s: int
    memory_mib: int


@dataclass(frozen=True, slots=True)
class Task:
    """A request of a stream for its worker."""

    stream: int
    sources: Sequence[StateSource]
    """The states that the request opens."""
    request: bytes
    """The serialised SimulateRequest."""
    response_bytes: int
    """Maximum size of its results."""


@dataclass(frozen=True, slots=True)
class CloseTask:
    """The end of a stream: its states are dropped, and no reply is sent."""

    stream: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a task."""

    results: bytes = b""
    """The serialised results of a SimulateResponse."""
    error: EngineError | None = None
    """The refusal; then nothing has changed."""
    field: str = ""
    """Path of the part of the request that was refused."""
    pack_error: str = ""
    """Type and location of an error that a pack has raised, without its text: ``KeyError at acme.rules:31``."""
    steps: int = 0
    states: int = 0
    """Open states of the stream now."""
    cpu_s: float = 0.0
    """Processor time that the task has used."""


READY = Reply()
"""Sent once, when the process has started."""


def serve(pipe: socket.socket, libraries: Mapping[str, bytes], settings: WorkerSettings) -> None:
    """Serve tasks until the service closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    workers.initialise(libraries)
    os.nice(NICENESS)
    workers.limit_memory(settings.memory_mib)
    connection = Connection(pipe.detach())
    connection.send_bytes(pickle.dumps(READY))
    simulations: dict[int, Simulation] = {}
    sweep_s = settings.lease_s / SWEEPS_PER_LEASE
    sweep_at = time.monotonic() + sweep_s
    while True:
        if time.monotonic() >= sweep_at:
            for simulation in simulations.values():
                simulation.expire(settings.lease_s)
            sweep_at = time.monotonic() + sweep_s
        if not connection.poll(max(0.0, sweep_at - time.monotonic())):
            continue
        try:
            task: Task | CloseTask = pickle.loads(connection.recv_bytes())
        except EOFError:
            return
        if isinstance(task, CloseTask):
            simulations.pop(task.stream, None)
            continue
        if task.stream not in simulations:
            simulations[task.stream] = Simulation(settings.quota)
        connection.send_bytes(pickle.dumps(run(simulations[task.stream], task)))


def run(simulation: Simulation, task: Task) -> Reply:
    """Run a task. Raises nothing."""
    started = time.process_time()
    results, steps, error, field, pack_error = b"", 0, None, "", ""
    try:
        results, steps = simulation.run(task.sources, task.request, task.response_bytes)
    except RefusedRequest as refused:
        error, field = refused.error, refused.field
    except BaseException as raised:  # the pack's: this process runs nothing else
        pack_error = f"{type(raised).__name__} at {error_location(raised)}"
    return Reply(
        results=results,
        error=error,
        field=field,
        pack_error=pack_error,
        steps=steps,
        states=len(simulation.states),
        cpu_s=time.process_time() - started,
    )
