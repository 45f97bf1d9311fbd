"""Watches over the event loop: everything waits while a pack's rules hold it, so they must come back.

Rules that hold it for too long get :class:`~engine_service.guard.Overdue` raised in their midst, which ends their match
as any other fault of a pack does. That reaches what Python runs. Compiled code that never comes back cannot be
stopped from within a process; so after :data:`PATIENCE` times as long the process writes down where its threads are,
by file and line, and ends, for its supervisor to start it again. Nothing that was acknowledged is lost by that.
"""

from __future__ import annotations

import asyncio
import faulthandler
import signal
import sys
import threading
import traceback
from contextlib import suppress
from io import UnsupportedOperation
from pathlib import Path
from types import FrameType

from engine_service.guard import RULES, Fence, Overdue
from engine_service.stats import Stats
from engine_service.telemetry import get_logger

PATIENCE = 3
SIGNAL = signal.SIGUSR2
"""By which the main thread is interrupted; handlers of it run between two instructions of Python."""
LOOKS = 10
"""The loop must have stood still at so many looks in a row: a process that was stopped for a while is not overdue."""

log = get_logger("engine_service.watchdog")


class Watchdog:
    """For a loop that runs in the main thread. Begin with :meth:`start`, end with :meth:`stop`, both on the loop."""

    def __init__(self, seconds: float, stats: Stats) -> None:
        self._seconds = seconds
        self._stats = stats
        self._beats = 0
        self._held = False
        self._main = threading.main_thread()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._end = threading.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._last_resort = False
        self._handler = signal.SIG_DFL

    def start(self) -> None:
        """Watch from now on."""
        self._handler = signal.signal(SIGNAL, self._interrupt)  # type: ignore[assignment]
        self._beat()
        self._thread.start()

    def stop(self) -> None:
        """Watch no more."""
        self._end.set()
        self._thread.join()
        if self._timer is not None:
            self._timer.cancel()
        if self._last_resort:
            faulthandler.cancel_dump_traceback_later()
        signal.signal(SIGNAL, self._handler)

    def _beat(self) -> None:
        """On the loop: it goes on."""
        self._beats += 1
        self._held = False
        # Without the lock of the interpreter, which compiled code may never let go of again.
        with suppress(UnsupportedOperation, AttributeError, ValueError):
            faulthandler.dump_traceback_later(PATIENCE * self._seconds, exit=True)
            self._last_resort = True
        self._timer = asyncio.get_running_loop().call_later(self._seconds / LOOKS, self._beat)

    def _watch(self) -> None:
        """On a thread of its own."""
        seen, still = self._beats, 0
        while not self._end.wait(self._seconds / LOOKS):
            if self._beats != seen:
                seen, still = self._beats, 0
                continue
            still += 1
            if still % LOOKS == 0:
                self._bark(still // LOOKS)

    def _bark(self, times: int) -> None:
        frame = sys._current_frames().get(self._main.ident or 0)
        seconds = round(times * self._seconds, 3)
        if RULES.depth:
            log.error("a pack holds the event loop; its rules are stopped", seconds=seconds, at=_place(frame))
            self._held = True
            signal.pthread_kill(self._main.ident or 0, SIGNAL)
        else:
            log.error("the event loop is held up", seconds=seconds, at=_place(frame))

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """In the main thread, wherever it is."""
        within = RULES.depth and (frame is None or frame.f_code not in _FENCE)
        if self._held and within:
            self._held = False
            self._stats.overdue += 1
            raise Overdue


_FENCE = (Fence.__enter__.__code__, Fence.__exit__.__code__)


def _place(frame: FrameType | None) -> str:
    """Where a thread is, in words for the log; no value of it."""
    if frame is None:
        return "?"
    return " < ".join(
        f"{Path(entry.filename).name}:{entry.lineno}" for entry in reversed(traceback.extract_stack(frame, limit=6))
    )
