"""Real servers for tests: in this process on a free port, or as a separate process.

::

    async with running_server(packs=[sealed.PACK]) as running:
        await running.matches.ListMatches(...)

    with ServiceProcess(tmp_path) as service:  # installed packs only
        grpc.insecure_channel(service.target)
        service.kill()
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc

from engine_service.config import Settings, load_settings
from engine_service.server import Server
from engine_service.store.base import Store
from gamepacks.api.registry import Registry
from omnilude.v1 import catalog_pb2_grpc, match_service_pb2_grpc, play_service_pb2_grpc

ROOT = Path(__file__).parents[2]


def settings_for_tests(overrides: Mapping[str, Any] | None = None) -> Settings:
    """Returns settings for a free port, a store in memory and no metrics, with ``overrides`` by key."""
    quiet: dict[str, Any] = {
        "server.port": 0,
        "http.port": 0,
        "store.in_memory": True,
        "metrics.enabled": False,
    }
    # A slow machine must not count as overload.
    quiet["limits.max_lag_ms"] = 60_000
    return load_settings(overrides={**quiet, **(overrides or {})})


def on_postgres() -> bool:
    """Returns whether servers store their matches in PostgreSQL by default."""
    return os.environ.get("OMNILUDE_TEST_STORE") == "postgres"


@dataclass(frozen=True)
class Running:
    """A server in this process, with stubs to call it."""

    server: Server
    channel: grpc.aio.Channel
    catalog: catalog_pb2_grpc.CatalogServiceStub
    matches: match_service_pb2_grpc.MatchServiceStub
    plays: play_service_pb2_grpc.PlayServiceStub

    @property
    def target(self) -> str:
        """Address for further clients."""
        return self.server.target


@asynccontextmanager
async def running_server(
    *,
    packs: Iterable[object] = (),
    only: Iterable[str] = (),
    store: Store | None = None,
    settings: Mapping[str, Any] | None = None,
    card_sets: Iterable[Path] = (),
) -> AsyncIterator[Running]:
    """Run a server on a free port with the pack objects ``packs`` and the installed packs named in ``only``.

    By default matches are stored in memory, or in a new PostgreSQL database if ``OMNILUDE_TEST_STORE`` is ``postgres``.
    """
    if store is None and not any(key.startswith("store.") for key in settings or {}) and on_postgres():
        from tests.support.postgres import new_database, shared_server

        address = await asyncio.to_thread(lambda: new_database(shared_server()))
        settings = {**(settings or {}), "store.in_memory": False, "store.url": address}
    registry = Registry.load(only=only, extra=packs, strict=True, card_sets=card_sets)
    server = await Server.start(settings_for_tests(settings), registry, store)
    try:
        async with grpc.aio.insecure_channel(server.target) as channel:
            yield Running(
                server,
                channel,
                catalog_pb2_grpc.CatalogServiceStub(channel),
                match_service_pb2_grpc.MatchServiceStub(channel),
                play_service_pb2_grpc.PlayServiceStub(channel),
            )
    finally:
        await server.stop(grace=1.0)


def narrow_channel(target: str) -> grpc.aio.Channel:
    """Returns a channel whose flow-control window does not grow, so that a stalled reader soon blocks the sender."""
    return grpc.aio.insecure_channel(
        target, options=[("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024)]
    )


class ServiceProcess:
    """``python -m engine_service`` in its own folder, with the installed packs; it can be restarted.

    Its log is ``service.log`` there, at level debug.
    """

    def __init__(self, folder: Path, *flags: str, env: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._flags = flags
        self._env = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
        self._process: subprocess.Popen[str] | None = None
        self.target = ""
        self.log = folder / "service.log"

    def start(self) -> Self:
        """Start the process, and return when it accepts calls."""
        command = [sys.executable, "-m", "engine_service", "--server.port", "0", "--metrics.enabled", "false"]
        with self.log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [*command, "--log.level", "debug", "--log.format", "json", *self._flags],
                cwd=self._folder,
                env=self._env,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("listening on "):
            self.wait()
            raise RuntimeError(f"the service did not start:\n{self.log.read_text(encoding='utf-8')}")
        self.target = line.removeprefix("listening on ").strip()
        return self

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Send SIGKILL, and wait until the process has ended."""
        self._end(signal.SIGKILL)

    def terminate(self) -> int:
        """Send SIGTERM, and wait until the process has ended; returns the exit code."""
        return self._end(signal.SIGTERM)

    def send(self, number: signal.Signals) -> None:
        """Send a signal without waiting."""
        assert self._process is not None
        self._process.send_signal(number)

    def wait(self) -> int:
        """Wait until the process has ended; returns the exit code."""
        assert self._process is not None and self._process.stdout is not None
        code = self._process.wait(timeout=60)
        self._process.stdout.close()
        self._process = None
        return code

    def _end(self, number: signal.Signals) -> int:
        self.send(number)
        return self.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.kill()
