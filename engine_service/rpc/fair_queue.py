"""Fair queue in front of the handlers, in which calls wait for their turn on the event loop.

gRPC has its own queue, first in, first out, over all connections, and delivers the next call only when the event loop
asks for it. That queue does not distinguish connections, and calls in it can neither be timed nor refused with a
reason. So while calls keep coming, this queue holds handlers back at intervals until gRPC has delivered its calls. In
this queue

* callers that send a token come before anonymous ones,
* connections take turns,
* a call that has waited for longer than ``limits.max_lag_ms`` is refused with LIMIT_REACHED.

Calls that arrive while the queue is empty and no calls are being taken over from gRPC start at once, and so do the
first calls with a token in any case.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from engine_service.errors import RETRY_MS, LimitReached

BUSY_CALLS = 3
"""Number of calls in PROBE_INTERVAL_SECONDS above which gRPC may have undelivered calls."""
PROBE_INTERVAL_SECONDS = 0.05
PROBE_SECONDS = 0.001
"""Time for which handlers are held back to find out whether gRPC delivers another call."""
TICK_SECONDS = 0.003
QUIET_TICKS = 2
"""Number of ticks without a call after which gRPC has no more undelivered calls."""
GATHER_SECONDS = 0.1
"""Maximum time for which handlers are held back to take over calls from gRPC."""
RUN_SECONDS = 0.2
"""Time for which handlers run after all calls were taken over."""
OVERLOADED_RUN_SECONDS = 0.02
"""Time for which handlers run if not all calls could be taken over within GATHER_SECONDS."""
WITH_TOKEN_IN_A_ROW = 4
"""Number of calls with a token after which one without is started, if there is one."""
HELD_BYTES = 1 << 26
"""Maximum size of all waiting requests together, in bytes."""
REFUSED_AT_ONCE = 50
"""Number of late calls that are refused in one iteration of the loop."""


class Loop(Protocol):
    """The methods of an event loop that the queue uses."""

    def time(self) -> float:
        """Returns the time in seconds."""

    def call_soon(self, callback: Callable[[], None]) -> Any:
        """Call ``callback`` in the next iteration."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Any:
        """Call ``callback`` after ``delay`` seconds."""

    def create_future(self) -> asyncio.Future[None]:
        """Returns a future of this loop."""


@dataclass(slots=True, eq=False)
class _Waiting:
    started: asyncio.Future[None]
    since: float
    size: int


class _RoundRobin:
    """Calls of one class by connection, taken round-robin."""

    def __init__(self) -> None:
        self._by_connection: dict[str, deque[_Waiting]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_connection)

    def add(self, connection: str, call: _Waiting) -> None:
        """Append a call to the queue of its connection."""
        self._by_connection.setdefault(connection, deque()).append(call)

    def next(self) -> _Waiting:
        """Remove and return the oldest call of the connection whose turn it is, which then comes last."""
        connection = next(iter(self._by_connection))
        calls = self._by_connection.pop(connection)
        call = calls.popleft()
        if calls:
            self._by_connection[connection] = calls
        return call


class FairQueue:
    """Decides when each call's handler starts."""

    def __init__(self, max_lag_ms: int, loop: Loop | None = None) -> None:
        """``loop``: None means the running loop."""
        self._max_lag_ms = max_lag_ms
        self._given_loop = loop
        self._with_token = _RoundRobin()
        self._anonymous = _RoundRobin()
        self._with_token_in_a_row = 0
        self.waiting = 0
        """Number of calls that wait."""
        self._held_bytes = 0
        self._arrived = 0
        """Calls that have come since handlers were started again, or since the last tick of a gathering."""
        self._gathering = False
        self._gather_at = 0.0
        """Time at which calls are taken over from gRPC again, if many have arrived."""
        self._gather_until = 0.0
        self._quiet_ticks = 0
        self._probing = False
        """Whether no call has come yet in this gathering."""
        self._all_taken_over = True
        """Whether gRPC had no more calls at the end of the last gathering."""
        self._free_starts = 0
        """Number of calls with a token that are still started at once during this gathering."""

    async def wait_for_turn(self, connection: str, *, has_token: bool, size: int = 0) -> None:
        """Wait until the handler may start.

        ``has_token``: the call sends a token. ``size``: bytes of its request. Raises LimitReached.
        """
        loop = self._loop
        now = loop.time()
        self._arrived += 1
        if not self.waiting and not self._gathering:
            if now < self._gather_at:
                return
            busy = now < self._gather_at + RUN_SECONDS and (self._arrived >= BUSY_CALLS or not self._all_taken_over)
            if not busy:
                self._arrived = 0
                self._gather_at = now + PROBE_INTERVAL_SECONDS
                return
            self._gather(now)
        if has_token and self._free_starts and not self._with_token:
            self._free_starts -= 1
            return
        if self._held_bytes + size > HELD_BYTES:
            raise self._refusal()
        call = _Waiting(loop.create_future(), now, size)
        (self._with_token if has_token else self._anonymous).add(connection, call)
        self.waiting += 1
        self._held_bytes += size
        await call.started

    @property
    def _loop(self) -> Loop:
        return self._given_loop or asyncio.get_running_loop()

    def _gather(self, now: float) -> None:
        """Hold handlers back until no more calls arrive, or for GATHER_SECONDS."""
        self._gathering = True
        self._gather_until = now + GATHER_SECONDS
        self._quiet_ticks = self._arrived = 0
        self._probing = True
        self._free_starts = WITH_TOKEN_IN_A_ROW
        self._loop.call_later(PROBE_SECONDS, self._tick)

    def _tick(self) -> None:
        """Continue gathering, or start handlers again."""
        now = self._loop.time()
        self._quiet_ticks = 0 if self._arrived else self._quiet_ticks + 1
        self._arrived = 0
        probing, self._probing = self._probing, False
        self._all_taken_over = self._quiet_ticks >= (1 if probing else QUIET_TICKS)
        if not self._all_taken_over and now < self._gather_until:
            self._loop.call_later(TICK_SECONDS, self._tick)
            return
        self._gathering = False
        self._free_starts = 0
        if not self._all_taken_over:
            self._gather_at = now + OVERLOADED_RUN_SECONDS
        else:
            self._gather_at = now + (PROBE_INTERVAL_SECONDS if probing else RUN_SECONDS)
        self._start_next()

    def _start_next(self) -> None:
        """Start one call, and schedule the next for the next iteration of the loop."""
        now = self._loop.time()
        for _ in range(REFUSED_AT_ONCE):
            if not self.waiting:
                return
            call = self._next()
            self.waiting -= 1
            self._held_bytes -= call.size
            if call.started.done():
                continue  # its client has gone
            if now - call.since <= self._max_lag_ms / 1000:
                call.started.set_result(None)
                break
            call.started.set_exception(self._refusal())
        if self.waiting:
            if self._gather_at <= now and self._arrived:
                self._gather(now)
            else:
                self._loop.call_soon(self._start_next)

    def _next(self) -> _Waiting:
        if self._with_token and (self._with_token_in_a_row < WITH_TOKEN_IN_A_ROW or not self._anonymous):
            self._with_token_in_a_row += 1
            return self._with_token.next()
        self._with_token_in_a_row = 0
        return self._anonymous.next()

    def _refusal(self) -> LimitReached:
        return LimitReached(
            "max_lag_ms", self._max_lag_ms, f"the service is overloaded: calls wait for {self._max_lag_ms} ms", RETRY_MS
        )
