"""Tells packs of match events (the hook ``omnilude_match_event``).

Observers run in threads beside the event loop, so a slow one delays nobody. Each gets its events one at a time and in
order. One that does not return within the time limit is not called again until the service starts anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from functools import partial

from engine_service.aside import Aside
from engine_service.limits import Limits
from engine_service.stats import Stats
from gamepacks.api.raised import error_place
from gamepacks.api.registry import LoadedPack, Registry

log = logging.getLogger(__name__)

BACKLOG = 10_000
"""Events that wait for one observer at most; further ones are dropped."""


class Observers:
    """All packs that observe matches."""

    def __init__(self, registry: Registry, limits: Limits, stats: Stats) -> None:
        self._timeout_s = limits.pack_call_timeout_s
        self._observers = [_Observer(pack, self._timeout_s, stats) for pack in registry.packs if pack.observes]

    def notify(self, match: str, game: str, kind: str) -> None:
        """Pass an event on to every observer, without waiting for any."""
        for observer in self._observers:
            observer.add(match, game, kind)

    async def close(self, timeout_s: float | None) -> None:
        """Wait for the observers to hear the events so far: as long as that, or as long as one event may take."""
        tasks = [observer.task for observer in self._observers if observer.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=self._timeout_s if timeout_s is None else timeout_s)
        for observer in self._observers:
            await observer.close()


class _Observer:
    """One pack, and the events that it has yet to hear."""

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
                "pack %s is behind with %d match events; %s (%s) is dropped", self._pack.name, BACKLOG, match, kind
            )
            return
        self._events.append((match, game, kind))
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        self._stopped = True
        if self._events:
            log.warning("pack %s has not heard %d match events", self._pack.name, len(self._events))
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while self._events and not self._stopped:
                await self._tell(*self._events.popleft())
        finally:
            self.task = None

    async def _tell(self, match: str, game: str, kind: str) -> None:
        name = self._pack.name
        call = Aside(partial(self._pack.notify_match_event, match, game, kind), f"observer {name}")
        try:
            outcome = await asyncio.wait_for(asyncio.shield(call.outcome), self._timeout_s)
        except TimeoutError:
            self._stopped = True
            self._events.clear()
            self._stats.overdue += 1
            log.error(
                "pack %s has not returned from %s (%s) after %s s; it observes no further match",
                name,
                match,
                kind,
                self._timeout_s,
            )
            return
        finally:
            call.give_up()
        if isinstance(outcome, BaseException):
            # The message is left out: a pack might put a secret of the match into it.
            log.error(
                "pack %s failed as observer of %s (%s): %s at %s",
                name,
                match,
                kind,
                type(outcome).__name__,
                error_place(outcome),
            )
