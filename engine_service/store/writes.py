"""Writes to a database, and the thread that commits them in groups.

While one transaction is being committed, the next writes are queued and form the next group. So the cost of each write
decreases with their number, and a single write does not wait for others.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, Generic, TypeVar

from engine_service.log.records import Record
from engine_service.store.base import Append, MatchRow, StoredRequest


@dataclass(frozen=True, slots=True)
class Create:
    """Store a new match."""

    row: MatchRow
    records: Sequence[Record]
    request: StoredRequest | None


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete a match."""

    key: int
    request: StoredRequest | None


@dataclass(frozen=True, slots=True)
class DeleteRequests:
    """Delete the oldest answers to requests that were given before that uptime, at most ``limit``."""

    before_uptime_ms: int
    limit: int


@dataclass(frozen=True, slots=True)
class SaveUptime:
    """Save the uptime of the service."""

    uptime_ms: int


@dataclass(frozen=True, slots=True)
class Execute:
    """Execute a statement that is specific to the kind of database."""

    sql: str
    values: dict[str, Any]


Write = Create | Append | Delete | DeleteRequests | SaveUptime | Execute
Outcome = MatchRow | int | list[Any] | None | Exception
"""The stored row for Create, the number of deleted answers for DeleteRequests, the rows for Execute, None for the
others; or the error."""

WriteT = TypeVar("WriteT")
OutcomeT = TypeVar("OutcomeT")

MAX_GROUP = 256
"""Maximum number of writes in one transaction."""


class GroupWriter(Generic[WriteT, OutcomeT]):
    """Passes groups of writes to ``commit``, in the order of their arrival, on its own thread.

    ``commit`` returns one outcome for each write: an exception is raised in the caller, anything else is returned to
    it. ``on_group`` is called on the event loop after each group, with the outcomes and the duration in seconds.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[WriteT]], Sequence[OutcomeT | Exception]],
        on_group: Callable[[Sequence[OutcomeT | Exception], float], None],
    ) -> None:
        self._commit = commit
        self._on_group = on_group
        self._queue: SimpleQueue[tuple[WriteT, asyncio.Future[OutcomeT]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, write: WriteT) -> asyncio.Future[OutcomeT]:
        """Queue a write; the future is done when the write is committed or refused."""
        future: asyncio.Future[OutcomeT] = self._loop.create_future()
        self._queue.put((write, future))
        return future

    async def close(self) -> None:
        """Finish the queued writes and end the thread. Nothing may be queued after this call."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while group := self._next_group():
            start = perf_counter()
            outcomes = self._commit([write for write, _ in group])
            seconds = perf_counter() - start
            # The event loop is closed, so nobody waits for the outcome.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._deliver, [future for _, future in group], outcomes, seconds)

    def _next_group(self) -> list[tuple[WriteT, asyncio.Future[OutcomeT]]]:
        """Wait for queued writes and return them as the next group; an empty group means that the writer is closed."""
        first = self._queue.get()
        if first is None:
            return []
        group = [first]
        with contextlib.suppress(Empty):
            while len(group) < MAX_GROUP:
                item = self._queue.get_nowait()
                if item is None:
                    self._queue.put(None)
                    break
                group.append(item)
        return group

    def _deliver(
        self,
        futures: Sequence[asyncio.Future[OutcomeT]],
        outcomes: Sequence[OutcomeT | Exception],
        seconds: float,
    ) -> None:
        self._on_group(outcomes, seconds)
        for future, outcome in zip(futures, outcomes, strict=True):
            if future.done():
                continue  # its caller was cancelled
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
