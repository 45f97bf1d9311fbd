"""Observers of matches in packs (the hook ``omnilude_match_event``).

Observers run in threads beside the event loop, so a slow one delays nobody. Each is called for one event at a time, in
order. An observer that exceeds the time limit is not called again until the service is restarted.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from functools import partial

from engine_service.limits import Limits
from engine_service.observability.stats import Stats
from engine_service.pack_guard import KillableThread
from gamepacks.api.errors import error_location
from gamepacks.api.registry import LoadedPack, Registry

log = logging.getLogger(__name__)

BACKLOG = 10_000
"""Maximum number of events queued for one observer; further ones are dropped."""


class Observers:
    """The observers of all packs."""

    def __init__(self, registry: Registry, limits: Limits, stats: Stats) -> None:
        self._timeout_s = limits.pack_call_timeout_s
        self._observers = [_Observer(pack, self._timeout_s, stats) for pack in registry.packs if pack.observes]

    def notify(self, match: str, game: str, kind: str) -> None:
        """Queue an event for every observer."""
        for observer in self._observers:
            observer.add(match, game, kind)

    async def close(self, timeout_s: float | None) -> None:
        """Wait until the observers have handled the events so far, at most ``timeout_s``, or as long as one event may
        take."""
        tasks = [observer.task for observer in self._observers if observer.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=self._timeout_s if timeout_s is None else timeout_s)
        for observer in self._observers:
            await observer.close()


class _Observer:
    """One pack's observer and its queue."""

    def __init__(self, pack: LoadedPack, timeout_s: float, stats: Stats) -> None:
        self._pack = pack
        self._timeout_s = timeout_s
        self._stats = stats
        self._events: deque[tuple[str, str, str]] = deque()
        self._stopped = False
        self.task: asyncio.Task[None] | None = None

    def add(self, match: str, game: str, kind: str) -> None:
        if self._stopped:
            return
        if len(self._events) >= BACKLOG:
            log.error(
                "the observer of pack %s has %d events queued; the event of %s (%s) is dropped",
                self._pack.name,
                BACKLOG,
                match,
                kind,
            )
            return
        self._events.append((match, game, kind))
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        self._stopped = True
        if self._events:
            log.warning("the observer of pack %s was not called for %d events", self._pack.name, len(self._events))
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while self._events and not self._stopped:
                await self._call(*self._events.popleft())
        finally:
            self.task = None

    async def _call(self, match: str, game: str, kind: str) -> None:
        name = self._pack.name
        call = KillableThread(partial(self._pack.notify_match_event, match, game, kind), f"observer {name}")
        try:
            outcome = await asyncio.wait_for(asyncio.shield(call.outcome), self._timeout_s)
        except TimeoutError:
            self._stopped = True
            self._events.clear()
            self._stats.pack_timeouts += 1
            log.error(
                "the observer of pack %s has not returned from %s (%s) after %s s; it is not called again",
                name,
                match,
                kind,
                self._timeout_s,
            )
            return
        finally:
            call.kill()
        if isinstance(outcome, BaseException):
            # The message is left out, because a pack might put a secret of the match into it.
            log.error(
                "the observer of pack %s failed at %s (%s): %s at %s",
                name,
                match,
                kind,
                type(outcome).__name__,
                error_location(outcome),
            )
