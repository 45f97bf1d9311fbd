"""Watchdog of the event loop: stops rules of a pack that block it for too long.

The event loop is blocked while the rules of a pack run. Rules that run for too long get
:class:`~engine_service.pack_guard.PackTimeout` raised in their Python code, which ends their match like any other fault
of a pack. Compiled code that never returns cannot be stopped from within the process; so after :data:`EXIT_FACTOR`
times that time the process writes the stacks of its threads to standard error and exits, and its supervisor restarts
it. No acknowledged action is lost by that.
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

from engine_service.observability.logs import get_logger
from engine_service.observability.stats import Stats
from engine_service.pack_guard import PACK_GUARD, PackGuard, PackTimeout

EXIT_FACTOR = 3
"""Multiple of the time limit after which the process exits."""
SIGNAL = signal.SIGUSR2
"""Signal that interrupts the main thread; its handler runs between two bytecode instructions."""
CHECKS = 10
"""Number of consecutive checks that must find the loop blocked; a single one may only show that the process was
suspended."""

log = get_logger("engine_service.observability.watchdog")


class Watchdog:
    """Watchdog of a loop in the main thread. Call :meth:`start` and :meth:`stop` on the loop."""

    def __init__(self, seconds: float, stats: Stats) -> None:
        self._seconds = seconds
        self._stats = stats
        self._ticks = 0
        self._interrupting = False
        self._main = threading.main_thread()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._stopped = threading.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._dump_scheduled = False
        self._handler = signal.SIG_DFL

    def start(self) -> None:
        """Start watching."""
        self._handler = signal.signal(SIGNAL, self._interrupt)  # type: ignore[assignment]
        self._tick()
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._stopped.set()
        self._thread.join()
        if self._timer is not None:
            self._timer.cancel()
        if self._dump_scheduled:
            faulthandler.cancel_dump_traceback_later()
        signal.signal(SIGNAL, self._handler)

    def _tick(self) -> None:
        """Note, on the event loop, that it is running."""
        self._ticks += 1
        self._interrupting = False
        # It does not need the interpreter lock, which compiled code may never release.
        with suppress(UnsupportedOperation, AttributeError, ValueError):
            faulthandler.dump_traceback_later(EXIT_FACTOR * self._seconds, exit=True)
            self._dump_scheduled = True
        self._timer = asyncio.get_running_loop().call_later(self._seconds / CHECKS, self._tick)

    def _watch(self) -> None:
        """Watch from a thread."""
        seen, still = self._ticks, 0
        while not self._stopped.wait(self._seconds / CHECKS):
            if self._ticks != seen:
                seen, still = self._ticks, 0
                continue
            still += 1
            if still % CHECKS == 0:
                self._report(still // CHECKS)

    def _report(self, times: int) -> None:
        frame = sys._current_frames().get(self._main.ident or 0)
        seconds = round(times * self._seconds, 3)
        if PACK_GUARD.depth:
            log.error("a pack blocks the event loop; its rules are stopped", seconds=seconds, at=_location(frame))
            self._interrupting = True
            signal.pthread_kill(self._main.ident or 0, SIGNAL)
        else:
            log.error("the event loop is blocked", seconds=seconds, at=_location(frame))

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise PackTimeout in the main thread if a pack holds it."""
        within = PACK_GUARD.depth and (frame is None or frame.f_code not in _GUARD_CODE)
        if self._interrupting and within:
            self._interrupting = False
            self._stats.pack_timeouts += 1
            raise PackTimeout


_GUARD_CODE = (PackGuard.__enter__.__code__, PackGuard.__exit__.__code__)


def _location(frame: FrameType | None) -> str:
    """Returns the location of a thread in its code, for the log, without any values."""
    if frame is None:
        return "?"
    return " < ".join(
        f"{Path(entry.filename).name}:{entry.lineno}" for entry in reversed(traceback.extract_stack(frame, limit=6))
    )
