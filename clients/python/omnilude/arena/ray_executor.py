"""Plays the matches of a tournament on the nodes of a Ray cluster (``pip install omnilude[ray]``).

Each worker is an actor with a :class:`~omnilude.arena.runner.LocalExecutor`: its bots run on its node, and it plays at
the service that the tournament names or at one of its own. The schedule and the results stay with the
:class:`~omnilude.arena.runner.Arena`. A match whose worker is lost is played again by another one.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, Self

import ray
from ray.exceptions import RayActorError, RayTaskError

from omnilude.arena.config import Tournament
from omnilude.arena.runner import LocalExecutor, ServiceLost, TournamentMatch
from omnilude.arena.schedule import Encounter

log = logging.getLogger("omnilude.arena")

CLOSE_SECONDS = 20.0
"""Time for the workers to end their bots and services."""
LOST_WORKERS = 20
"""Number of workers that may be lost in one run."""

Service = Callable[[], AbstractContextManager[str]]
"""Starts a service and gives its address; it ends with the context."""


class _Worker:
    """Plays matches on one node: the class of the actors."""

    def __init__(self, tournament: Tournament, service: Service | None, api_token: str | None) -> None:
        self._tournament = tournament
        self._service = service
        self._api_token = api_token
        self._executor: asyncio.Task[LocalExecutor] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="omnilude-arena-")

    async def _start(self) -> LocalExecutor:
        server = self._tournament.server
        if server is None:
            assert self._service is not None
            # It ends when this process ends, which closes its standard input.
            self._running = self._service()
            server = await asyncio.to_thread(self._running.__enter__)
        folder = Path(self._folder.name)
        return await LocalExecutor(self._tournament, folder, server, api_token=self._api_token).__aenter__()

    async def play(self, encounter: Encounter, rotation: int) -> TournamentMatch:
        """Play a match; the first one waits for the bots and the service to start."""
        if self._executor is None:
            self._executor = asyncio.ensure_future(self._start())
        return await (await asyncio.shield(self._executor)).play(encounter, rotation)

    async def close(self) -> None:
        """End the bots and the service."""
        if self._executor is not None:
            with suppress(Exception):
                await (await self._executor).__aexit__(None, None, None)
            if self._tournament.server is None:
                await asyncio.to_thread(self._running.__exit__, None, None, None)
        self._folder.cleanup()


class _Slot:
    """Place of a worker: another one takes it when the worker is lost."""

    def __init__(self, worker: Any) -> None:
        self.worker = worker


class RayExecutor:
    """Plays matches by workers on a Ray cluster.

    ``workers`` is their number (None: one for each match at once, at most one for each processor of the cluster).
    ``service`` starts a worker's own service if the tournament names none. ``address`` is the cluster's (None: the one
    that the environment names, otherwise one is started on this machine).
    """

    def __init__(
        self,
        tournament: Tournament,
        *,
        workers: int | None = None,
        service: Service | None = None,
        api_token: str | None = None,
        address: str | None = None,
    ) -> None:
        if tournament.server is None and service is None:
            raise ValueError("a tournament that names no service needs the parameter service")
        self._tournament = tournament
        self._count = workers
        self._given = (tournament, service, api_token)
        self._address = address
        self._slots: list[_Slot] = []
        self._idle: asyncio.Queue[_Slot] = asyncio.Queue()
        self._lost = 0
        self._started_ray = False

    async def __aenter__(self) -> Self:
        """Connect to the cluster and create the workers."""
        if not ray.is_initialized():
            await asyncio.to_thread(ray.init, self._address, log_to_driver=False, configure_logging=False)
            self._started_ray = True
        at_once = self._tournament.at_once
        count = self._count or max(1, min(at_once, int(ray.cluster_resources().get("CPU", 1))))
        self._slots = [_Slot(self._new_worker()) for _ in range(count)]
        # A worker that plays several matches at once is several times in the queue.
        for number in range(max(count, at_once)):
            self._idle.put_nowait(self._slots[number % count])
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the workers, and the connection to the cluster if it was made here."""
        endings = [slot.worker.close.remote() for slot in self._slots]
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                for ending in endings:
                    with suppress(RayActorError, RayTaskError):
                        await ending
        for slot in self._slots:
            ray.kill(slot.worker)
        if self._started_ray:
            await asyncio.to_thread(ray.shutdown)

    async def play(self, encounter: Encounter, rotation: int) -> TournamentMatch:
        """Play one match by a worker that is free; by another one if it is lost."""
        while True:
            slot = await self._idle.get()
            worker = slot.worker
            try:
                played: TournamentMatch = await worker.play.remote(encounter, rotation)
                return played
            except RayActorError as error:
                self._replace(slot, worker, error)
            except RayTaskError as error:
                if self._tournament.server is not None or not isinstance(error.cause, ServiceLost):
                    raise error.cause from None
                self._replace(slot, worker, error)  # its own service is lost
            finally:
                self._idle.put_nowait(slot)

    def _new_worker(self) -> Any:
        # It takes no processor in Ray's accounts, so that one can be started after a node was lost.
        options: Any = {"num_cpus": 0, "max_concurrency": self._tournament.at_once + 1, "scheduling_strategy": "SPREAD"}
        remote: Any = ray.remote(**options)
        return remote(_Worker).remote(*self._given)

    def _replace(self, slot: _Slot, worker: Any, error: Exception) -> None:
        """Put a new worker in the place of a lost one. Raises ServiceLost if too many were lost."""
        if slot.worker is not worker:
            return  # another match has found it lost
        self._lost += 1
        if self._lost > LOST_WORKERS:
            raise ServiceLost(f"{self._lost} workers were lost") from error
        log.warning("a worker was lost, and its matches are played again: %s", type(error).__name__)
        ray.kill(worker)
        slot.worker = self._new_worker()
