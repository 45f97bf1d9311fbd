"""Time source of the service, which tests replace by one that they control."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Cancellable(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call."""


class TimeSource(Protocol):
    """Source of time, in whole milliseconds."""

    def monotonic_ms(self) -> int:
        """Returns the time since an arbitrary moment, which never decreases: for clocks and durations."""

    def wall_ms(self) -> int:
        """Returns the time since 1970: for timestamps."""

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Cancellable:
        """Schedule a call on the running event loop at that time."""


class SystemTime:
    """The machine's own time."""

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def call_at(self, monotonic_ms: int, callback: Callable[[], None]) -> Cancellable:
        delay = (monotonic_ms - self.monotonic_ms()) / 1000
        return asyncio.get_running_loop().call_later(max(delay, 0), callback)
