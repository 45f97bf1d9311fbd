"""What the service sees to by itself, whatever its matches do: its uptime is kept, old requests are forgotten, and
matches that ended long ago are deleted where that is wanted.

Clocks stand still while the service is down, and run while it is up, moves or not. A log tells only when moves came,
so each match's row has the service's uptime at its newest record, and the uptime itself is kept now and then: what a
killed service gives back of the time that somebody was thinking is about :data:`BEAT_MS`. The uptime grows only while a
service runs, and with the monotonic time: a machine's clock that is set meanwhile changes nothing. So the age of what
is forgotten one day is counted by it, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from engine_service.errors import StoreUnavailable
from engine_service.limits import Limits
from engine_service.store.base import Store
from engine_service.timing import Cancellable, TimeSource

BEAT_MS = 1_000
"""While clocks run, the uptime is kept so often."""
FIRST_FORGETTING_MS = 60_000
FORGETTING_MS = 3_600_000
"""Requests are looked through so often, from FIRST_FORGETTING_MS after the start on."""
FORGOTTEN_AT_ONCE = 500
"""So few in one write, that others need not wait for it."""

DELETED_AT_ONCE = 20
"""Names of old matches that are looked up at once; each is deleted by a write of its own."""
DAY_MS = 86_400_000

DeleteOld = Callable[[int, int], Awaitable[int]]
"""Deletes the matches that had ended before an uptime, so many at most, and tells how many there were."""
Soon = Callable[[Callable[[], Awaitable[object]]], None]


class Housekeeping:
    """The uptime and the old requests of one service."""

    def __init__(
        self,
        store: Store,
        time: TimeSource,
        limits: Limits,
        soon: Soon,
        clocks_run: Callable[[], object],
        keep_ended_days: int,
        delete_old: DeleteOld,
    ) -> None:
        """``soon`` runs a write in the background; ``clocks_run`` says whether any clock runs; with
        ``keep_ended_days`` 0 no match is deleted."""
        self._store = store
        self._time = time
        self._limits = limits
        self._soon = soon
        self._clocks_run = clocks_run
        self._keep_ended_ms = keep_ended_days * DAY_MS
        self._delete_old = delete_old
        self._started_at_ms = 0
        self._uptime_before_ms = 0
        self._beat: Cancellable | None = None
        self._forgetting: Cancellable | None = None
        self._stopped = False

    async def start(self) -> None:
        """Count from now on. Raises StoreUnavailable."""
        self._uptime_before_ms = await self._store.uptime()
        self._started_at_ms = self._time.monotonic_ms()
        self._forgetting = self._time.call_at(self._started_at_ms + FIRST_FORGETTING_MS, self._forget)

    def stop(self) -> None:
        """Do nothing more of itself."""
        self._stopped = True
        for timer in (self._beat, self._forgetting):
            if timer is not None:
                timer.cancel()

    # -- uptime --------------------------------------------------------------------------------------------------------

    def uptime_at(self, monotonic_ms: int) -> int:
        """How long services had run on this store, all together, at a moment of this one's life."""
        return self._uptime_before_ms + max(0, monotonic_ms - self._started_at_ms)

    def clock_runs(self) -> None:
        """Some clock runs now: keep the uptime from time to time until none does."""
        if self._beat is None and not self._stopped:
            self._beat = self._time.call_at(self._time.monotonic_ms() + BEAT_MS, self._keep_soon)

    async def keep_uptime(self) -> None:
        """Keep the uptime as it is now; where the store cannot be written, the next time will do."""
        with suppress(StoreUnavailable):
            await self._store.keep_uptime(self.uptime_at(self._time.monotonic_ms()))

    def _keep_soon(self) -> None:
        self._soon(self._keep_on)

    async def _keep_on(self) -> None:
        await self.keep_uptime()
        self._beat = None
        if self._clocks_run():
            self.clock_runs()

    # -- requests ------------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._soon(self.keep_uptime)  # ages are counted by it
        self._soon(self._forget_all)
        if self._keep_ended_ms:
            self._soon(self._delete_all)
        self._forgetting = self._time.call_at(self._time.monotonic_ms() + FORGETTING_MS, self._forget)

    async def _forget_all(self) -> None:
        before_ms = self.uptime_at(self._time.monotonic_ms()) - self._limits.request_retention_s * 1000
        while not self._stopped:
            if await self._store.forget_requests(before_ms, FORGOTTEN_AT_ONCE) < FORGOTTEN_AT_ONCE:
                return

    # -- old matches ---------------------------------------------------------------------------------------------------

    async def _delete_all(self) -> None:
        before_ms = self.uptime_at(self._time.monotonic_ms()) - self._keep_ended_ms
        while not self._stopped:
            if await self._delete_old(before_ms, DELETED_AT_ONCE) < DELETED_AT_ONCE:
                return
