"""Where the service takes its time from; tests put a hand-driven one in its place."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Cancellable(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """Let it not come."""


class TimeSource(Protocol):
    """Time in whole milliseconds."""

    def monotonic_ms(self) -> int:
        """From an arbitrary point on, never going back: for clocks and time spans."""

    def wall_ms(self) -> int:
        """Since 1970: for moments that people read."""

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Cancellable:
        """Call it on the running event loop once that moment has come."""


class SystemTime:
    """The machine's own."""

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Cancellable:
        delay = (monotonic_ms - self.monotonic_ms()) / 1000
        return asyncio.get_running_loop().call_later(max(delay, 0), callback)
