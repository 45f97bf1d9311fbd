"""Pool of worker processes for the decisions of slow bots, started on first use.

The pool is pebble's. A decision that exceeds its time or ends its process costs that one process, which is replaced;
decisions in other processes go on.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pebble

from engine_service.hosting import bot_worker, workers
from engine_service.hosting.bot_worker import BotTask, Failure
from engine_service.limits import Limits
from gamepacks.api.registry import Registry

log = logging.getLogger(__name__)

POOL_ATTEMPTS = 2
"""Number of pools that may break during one decision before the decision counts as failed."""

pebble.CONSTS.term_timeout = 0.5
"""Seconds after SIGTERM until a process is killed; no process has anything to clean up."""


class BotPool:
    """Pool of worker processes. ``async with`` waits for a free process, first come, first served."""

    def __init__(self, limits: Limits, registry: Registry) -> None:
        self._registry = registry
        self._count = limits.bot_workers
        self._timeout_s = limits.bot_timeout_s
        self._free = asyncio.Semaphore(self._count)
        self._pool: asyncio.Future[pebble.ProcessPool] | None = None
        self._running: dict[Future[int | Failure], pebble.ProcessPool] = {}

    async def __aenter__(self) -> None:
        await self._free.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._free.release()

    async def run(self, task: BotTask) -> int | Failure:
        """Run a bot's decision; returns the code that the bot chooses, or the failure."""
        for _ in range(POOL_ATTEMPTS):
            if self._pool is None:
                # Starting processes takes milliseconds, so a thread does it.
                self._pool = asyncio.ensure_future(asyncio.to_thread(self._start))
            pool = self._pool
            try:
                return await self._once(await asyncio.shield(pool), task)
            except pebble.ProcessExpired as ended:
                return Failure("ProcessExpired", f"exit code {ended.exitcode}", ended_process=True)
            except TimeoutError:
                return Failure("TimeoutError", f"after {self._timeout_s} s", timed_out=True)
            except (BrokenProcessPool, OSError) as broken:
                log.warning("the pool of bot processes failed and is replaced: %s", broken)
                await self._end(pool)
        return Failure("BrokenProcessPool", f"{POOL_ATTEMPTS} times")

    async def _once(self, pool: pebble.ProcessPool, task: BotTask) -> int | Failure:
        try:
            future = pool.schedule(bot_worker.choose_action, args=[task], timeout=self._timeout_s)
        except RuntimeError as error:
            raise BrokenProcessPool(str(error)) from None
        self._running[future] = pool
        waiting = asyncio.wrap_future(future)
        try:
            done, _ = await asyncio.wait({waiting}, timeout=workers.PROCESS_START_S + self._timeout_s)
            if not done:
                raise BrokenProcessPool("no worker process has started the decision in time")
            return await waiting
        finally:
            waiting.cancel()
            del self._running[future]

    def _start(self) -> pebble.ProcessPool:
        libraries = workers.pickled_libraries(self._registry)
        context = multiprocessing.get_context("spawn")
        pool = pebble.ProcessPool(self._count, initializer=workers.initialise, initargs=[libraries], context=context)
        assert pool.active, "this starts its processes"
        return pool

    async def _end(self, pool: asyncio.Future[pebble.ProcessPool]) -> None:
        """End a pool and its processes; the decisions that they are making fail."""
        if self._pool is pool:
            self._pool = None
        try:
            started = await asyncio.shield(pool)
        except (BrokenProcessPool, OSError):
            return  # it could not even start
        await asyncio.to_thread(_stop, started)
        for future, its_pool in self._running.items():
            if its_pool is started and not future.done():
                future.set_exception(BrokenProcessPool("the pool was ended"))

    async def close(self) -> None:
        """End all processes."""
        if self._pool is not None:
            await self._end(self._pool)


def _stop(pool: pebble.ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()
