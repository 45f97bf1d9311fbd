"""The worker processes in which slow bots think: a few, started when first needed, ended with all that they are at."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from engine_service.hosting import botworker
from engine_service.limits import Limits
from gamepacks.api.cards import CardLibrary


class Workers:
    """A few worker processes, started when first needed. ``async with`` waits for a free one."""

    def __init__(self, limits: Limits, libraries: Mapping[str, CardLibrary[Any]]) -> None:
        self._libraries = libraries
        self._count = limits.bot_workers
        self._timeout_s = limits.bot_timeout_s
        self._free = asyncio.Semaphore(self._count)
        self._pool: _Pool | None = None

    async def __aenter__(self) -> None:
        await self._free.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._free.release()

    async def run(self, thought: botworker.Thought) -> int:
        """Let a bot think. A process that dies is replaced, and the bot may try once more.

        Raises TimeoutError, BrokenProcessPool, and whatever the bot raises.
        """
        pool = self._ready()
        try:
            return await self._once(pool, thought)
        except RuntimeError:
            if self._pool is pool:
                raise  # the bot's own
        return await self._once(self._ready(), thought)

    def _ready(self) -> _Pool:
        if self._pool is None:
            self._pool = _Pool(self._count, self._libraries)
        return self._pool

    async def _once(self, pool: _Pool, thought: botworker.Thought) -> int:
        try:
            # Starting a process takes milliseconds, so it is left to a thread.
            future = await asyncio.to_thread(pool.submit, thought)
            return await asyncio.wait_for(asyncio.wrap_future(future), self._timeout_s)
        except (BrokenProcessPool, TimeoutError):
            await self._abandon(pool)
            raise

    async def _abandon(self, pool: _Pool) -> None:
        """End the processes of a pool, one of which hangs or is dead; whoever waits for another tries again."""
        if self._pool is pool:
            self._pool = None
        await asyncio.to_thread(pool.end)

    async def close(self) -> None:
        """End all processes, whatever they are at."""
        if self._pool is not None:
            await self._abandon(self._pool)


class _Pool:
    """Processes that end together. Its calls wait for processes to start and to end: they are for threads."""

    def __init__(self, count: int, libraries: Mapping[str, CardLibrary[Any]]) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(count, context, botworker.start, (libraries,))
        # One that is being started is in no list yet: whoever ends them all waits until it is.
        self._starting = threading.Lock()
        self._ended = False

    def submit(self, thought: botworker.Thought) -> Future[int]:
        """Let the bot think. Raises BrokenProcessPool where a process has died, or all have been ended."""
        with self._starting:
            if self._ended:
                raise BrokenProcessPool("the processes have been ended")
            return self._executor.submit(botworker.think, thought)

    def end(self) -> None:
        """End all processes, whatever they are at."""
        with self._starting:
            self._ended = True
            for process in list((getattr(self._executor, "_processes", None) or {}).values()):
                process.kill()
        self._executor.shutdown()
