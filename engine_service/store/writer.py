"""Group commit: one thread that writes all that is queued in one transaction.

While the disk confirms one transaction, the next writes gather in the queue; so the more there are, the less each
costs, and a single one waits for nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Generic, TypeVar

WriteT = TypeVar("WriteT")
OutcomeT = TypeVar("OutcomeT")

MAX_GROUP = 256
"""Writes in one transaction at most."""


class GroupWriter(Generic[WriteT, OutcomeT]):
    """Hands groups of writes to ``commit``, in the order of their coming, on a thread of its own.

    ``commit`` answers with one outcome for each write: an exception is raised at its caller, anything else returned.
    ``on_group`` is told on the event loop of each group: its outcomes and how many seconds it took.
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
        """Queue a write; the future is done when it is on disk or refused."""
        future: asyncio.Future[OutcomeT] = self._loop.create_future()
        self._queue.put((write, future))
        return future

    async def close(self) -> None:
        """Write what is queued and end the thread. Nothing may be queued any more."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while group := self._next_group():
            start = perf_counter()
            outcomes = self._commit([write for write, _ in group])
            seconds = perf_counter() - start
            # A loop that is closed has nobody left to tell.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._deliver, [future for _, future in group], outcomes, seconds)

    def _next_group(self) -> list[tuple[WriteT, asyncio.Future[OutcomeT]]]:
        """What is queued, once something is; empty at the end, which stays in the queue until all before it is done."""
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
