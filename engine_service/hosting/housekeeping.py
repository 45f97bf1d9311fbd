"""Housekeeping: saves the uptime, drops old requests, and deletes old ended matches if configured.

Clocks run only while the service is up. A log has only the times of actions, so each match's row has the service's
uptime at its newest record, and the uptime itself is saved at intervals: after a kill, about :data:`UPTIME_SAVE_MS` of
thinking time are lost. The uptime grows only while a service runs, with the monotonic time, so setting the machine's
clock has no effect. The age of requests and ended matches is measured by the uptime, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from engine_service.errors import StoreUnavailable
from engine_service.limits import Limits
from engine_service.store.base import Store
from engine_service.timing import Cancellable, TimeSource

UPTIME_SAVE_MS = 1_000
"""Interval at which the uptime is saved while clocks run."""
FIRST_CLEANUP_MS = 60_000
CLEANUP_MS = 3_600_000
"""Interval at which old requests are dropped, from FIRST_CLEANUP_MS after the start on."""
REQUESTS_PER_WRITE = 500
"""Requests dropped in one write, few so that others do not wait long."""

DELETED_PER_LOOKUP = 20
"""Number of old matches looked up at once; each is deleted by its own write."""
DAY_MS = 86_400_000

DeleteOld = Callable[[int, int], Awaitable[int]]
"""Deletes at most so many matches that had ended before an uptime; returns their number."""
ScheduleWrite = Callable[[Callable[[], Awaitable[object]]], None]


class Housekeeping:
    """Housekeeping of one service."""

    def __init__(
        self,
        store: Store,
        time: TimeSource,
        limits: Limits,
        schedule: ScheduleWrite,
        clocks_run: Callable[[], object],
        keep_ended_days: int,
        delete_old: DeleteOld,
    ) -> None:
        """``schedule`` runs a write in the background; ``clocks_run`` returns whether any clock runs; with
        ``keep_ended_days`` 0 no match is deleted. Of services that share the store one cleans up for all, and their
        leases save the uptime."""
        self._store = store
        self._time = time
        self._limits = limits
        self._schedule = schedule
        self._clocks_run = clocks_run
        self._keep_ended_ms = keep_ended_days * DAY_MS
        self._delete_old = delete_old
        self._started_at_ms = 0
        self._uptime_before_ms = 0
        self._uptime_timer: Cancellable | None = None
        self._cleanup_timer: Cancellable | None = None
        self._stopped = False

    async def start(self) -> None:
        """Start counting. Raises StoreUnavailable."""
        self._uptime_before_ms = await self._store.uptime()
        self._started_at_ms = self._time.monotonic_ms()
        self._cleanup_timer = self._time.call_at(self._started_at_ms + FIRST_CLEANUP_MS, self._clean_up)

    def stop(self) -> None:
        """Stop all timers."""
        self._stopped = True
        for timer in (self._uptime_timer, self._cleanup_timer):
            if timer is not None:
                timer.cancel()

    # -- uptime --------------------------------------------------------------------------------------------------------

    def uptime_at(self, monotonic_ms: int) -> int:
        """Returns the total uptime of services on this store at a time of the monotonic clock."""
        return self._uptime_before_ms + max(0, monotonic_ms - self._started_at_ms)

    def set_uptime(self, uptime_ms: int) -> None:
        """Raise the uptime to this value if it is larger, because another service has counted further."""
        now = self._time.monotonic_ms()
        self._uptime_before_ms = max(self._uptime_before_ms, uptime_ms - (now - self._started_at_ms))

    def clock_running(self) -> None:
        """Note that a clock runs: the uptime is then saved at intervals until no clock runs."""
        if self._uptime_timer is None and not self._stopped and self._store.replica is None:
            self._uptime_timer = self._time.call_at(self._time.monotonic_ms() + UPTIME_SAVE_MS, self._schedule_save)

    async def save_uptime(self) -> None:
        """Save the present uptime; if the store is unavailable, do nothing until the next time."""
        with suppress(StoreUnavailable):
            await self._store.save_uptime(self.uptime_at(self._time.monotonic_ms()))

    def _schedule_save(self) -> None:
        self._schedule(self._save_and_repeat)

    async def _save_and_repeat(self) -> None:
        await self.save_uptime()
        self._uptime_timer = None
        if self._clocks_run():
            self.clock_running()

    # -- requests ------------------------------------------------------------------------------------------------------

    def _clean_up(self) -> None:
        self._schedule(self.save_uptime)  # ages are counted by it
        self._schedule(self._clean_up_for_all)
        self._cleanup_timer = self._time.call_at(self._time.monotonic_ms() + CLEANUP_MS, self._clean_up)

    async def _clean_up_for_all(self) -> None:
        replica = self._store.replica
        if replica is not None:
            if not await replica.take_job("clean up", CLEANUP_MS // 1000):
                return
            await replica.forget(self._limits.player_name_retention_s)
        await self._drop_old_requests()
        if self._keep_ended_ms:
            await self._delete_old_matches()

    async def _drop_old_requests(self) -> None:
        before_ms = self.uptime_at(self._time.monotonic_ms()) - self._limits.request_retention_s * 1000
        while not self._stopped:
            if await self._store.delete_requests(before_ms, REQUESTS_PER_WRITE) < REQUESTS_PER_WRITE:
                return

    # -- old matches ---------------------------------------------------------------------------------------------------

    async def _delete_old_matches(self) -> None:
        before_ms = self.uptime_at(self._time.monotonic_ms()) - self._keep_ended_ms
        while not self._stopped:
            if await self._delete_old(before_ms, DELETED_PER_LOOKUP) < DELETED_PER_LOOKUP:
                return
