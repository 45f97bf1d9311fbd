"""Several processes of the service on one machine, behind one port, and the supervisor that keeps them running.

The processes share the port (SO_REUSEPORT): the operating system gives each new connection to one of them. They share
their matches in a PostgreSQL database. The supervisor restarts a process that ends; SIGTERM and SIGINT end all of them
gracefully.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection
from typing import Any

from engine_service.addresses import host_port
from engine_service.config import ConfigError, Settings
from engine_service.listening import CannotListen, reserve_port
from engine_service.observability.logs import configure_logging
from engine_service.server import CannotStart, run, start_lines

log = logging.getLogger(__name__)

RESTART_S = 0.2
"""Delay before a restart; it doubles after each process that ended within LONG_LIFE_S."""
LONGEST_RESTART_S = 5.0
LONG_LIFE_S = 10.0
END_S = 5.0
"""Time after ``server.grace_seconds`` at which a process that has not ended is killed."""

WILDCARDS = ("0.0.0.0", "::")


def run_replicas(settings: Settings, count: int) -> None:
    """Run ``count`` processes of the service until SIGTERM or SIGINT; prints to standard output when all listen.

    Raises CannotStart.
    """
    if settings.store.url is None or settings.store.in_memory:
        raise CannotStart(
            "[store] url: several replicas need a PostgreSQL database that they share; a SQLite database belongs to "
            "one process, and so do matches in memory"
        )
    if settings.server.unix_socket is not None:
        raise CannotStart("[server] unix_socket: replicas share a port, and a Unix socket belongs to one process")
    configure_logging(settings.log)
    with ExitStack() as ports:
        shared = _with_shared_ports(settings, ports)
        asyncio.run(_supervise([_settings_of(shared, number) for number in range(count)]))


def _with_shared_ports(settings: Settings, ports: ExitStack) -> dict[str, Any]:
    """Returns the settings with ports that all replicas can share, reserved until ``ports`` is closed."""
    values = settings.model_dump(mode="json")
    for section, where in (("server", settings.server), ("http", settings.http)):
        if section == "http" and not settings.http.enabled:
            continue
        try:
            reserved = ports.enter_context(reserve_port(where.address, where.port))
        except CannotListen as error:
            raise CannotStart(f"[{section}]: {error}") from error
        values[section]["port"] = reserved.getsockname()[1]
        if values[section]["own_address"] is None and where.address not in WILDCARDS:
            values[section]["own_address"] = host_port(where.address, 0)
    values["server"]["shared_port"] = True
    return values


def _settings_of(shared: dict[str, Any], number: int) -> dict[str, Any]:
    """Returns the settings of one replica, with its own ports for metrics and own addresses."""
    values = {section: dict(keys) for section, keys in shared.items()}
    if values["metrics"]["port"]:
        values["metrics"]["port"] += number
    for section in ("server", "http"):
        host, _, port = (values[section]["own_address"] or "").rpartition(":")
        if int(port or 0):
            values[section]["own_address"] = f"{host}:{int(port) + number}"
    return values


async def _supervise(settings: list[dict[str, Any]]) -> None:
    replicas = [_Replica(values) for values in settings]
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    running = [asyncio.create_task(replica.keep_running()) for replica in replicas]
    waiting = asyncio.create_task(stopped.wait())
    try:
        started = asyncio.gather(*(replica.listening for replica in replicas))
        waited: set[asyncio.Future[Any]] = {started, waiting, *running}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if started.done() and not started.cancelled():
            print(started.result()[0], flush=True)
            await asyncio.wait(waited - {started}, return_when=asyncio.FIRST_COMPLETED)
        for task in running:
            if task.done():
                task.result()
    finally:
        waiting.cancel()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.gather(*(replica.stop() for replica in replicas))


class _Replica:
    """One replica: its process, which is started again whenever it ends."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._grace_s = float(settings["server"]["grace_seconds"])
        self._process: multiprocessing.process.BaseProcess | None = None
        self.listening: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """The start-up lines, once it accepts calls."""

    async def keep_running(self) -> None:
        """Run the process, and restart it whenever it ends. Raises CannotStart if the first start fails."""
        delay = RESTART_S
        while True:
            started = time.monotonic()
            error = await self._run_once()
            if not self.listening.done():
                raise CannotStart(error or "a replica has ended before it accepted calls")
            delay = RESTART_S if time.monotonic() - started > LONG_LIFE_S else min(2 * delay, LONGEST_RESTART_S)
            log.warning("a replica has ended and is started again: %s", error or "no reason given")
            await asyncio.sleep(delay)

    async def _run_once(self) -> str:
        """Start the process and wait for its end; returns why it could not start."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_run_replica, args=(self._settings, theirs), name="replica")
        # Importing the service takes a second of the processor; the loop goes on meanwhile.
        await asyncio.to_thread(self._process.start)
        theirs.close()
        error = ""
        with ours:
            with suppress(EOFError, OSError):
                await _readable(ours.fileno())
                listening, error = ours.recv()
                if listening and not self.listening.done():
                    self.listening.set_result(listening)
            await _readable(self._process.sentinel)
        self._process.join()
        return error or f"exit code {self._process.exitcode}"

    async def stop(self) -> None:
        """End the process gracefully, or kill it after a time limit."""
        process = self._process
        if process is None:
            return
        if process.is_alive():
            process.terminate()
        try:
            await asyncio.wait_for(_readable(process.sentinel), self._grace_s + END_S)
        except TimeoutError:
            process.kill()
        await asyncio.to_thread(process.join)


async def _readable(descriptor: int) -> None:
    """Wait until a file descriptor can be read."""
    loop = asyncio.get_running_loop()
    readable = loop.create_future()
    loop.add_reader(descriptor, lambda: None if readable.done() else readable.set_result(None))
    try:
        await readable
    finally:
        loop.remove_reader(descriptor)


def _run_replica(values: dict[str, Any], supervisor: Connection) -> None:
    """Run one replica in this process; notify the supervisor when it listens, or why it cannot start."""
    threading.Thread(target=_end_with_supervisor, daemon=True).start()

    try:
        run(Settings(**values), lambda server: supervisor.send((start_lines(server), "")))
    except (ConfigError, CannotStart) as error:
        supervisor.send(("", str(error)))
        raise SystemExit(2) from None


def _end_with_supervisor() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
