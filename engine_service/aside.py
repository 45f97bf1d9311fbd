"""Work of packs aside from the event loop: each in a thread of its own that can be given up, and ends with the process.

A thread that is given up gets :class:`~engine_service.guard.Overdue` raised in its midst. That stops what Python runs;
compiled code goes on until it comes back of itself.
"""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from engine_service.guard import Overdue, PackRaised

T = TypeVar("T")


class Aside(Generic[T]):
    """One piece of work. ``await work.outcome`` waits for what it returns; what it raises is an outcome too."""

    def __init__(self, work: Callable[[], T], name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._work = work
        self._lock = threading.Lock()
        self._running = True
        self.outcome: asyncio.Future[T | BaseException] = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def result(self) -> T:
        """What the work returns; a caller who leaves does not stop it.

        Raises what the work raises; PackRaised with it where that is no Exception, and would end more than this call.
        """
        outcome = await asyncio.shield(self.outcome)
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, BaseException):
            raise PackRaised(outcome) from outcome
        return outcome

    def give_up(self) -> None:
        """Stop it, if it can be stopped; its outcome comes when it has ended."""
        with self._lock:
            if self._running:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(Overdue)
                )

    def _run(self) -> None:
        outcome: T | BaseException
        try:
            # Given up late, it may be interrupted anywhere up to the lock.
            try:
                outcome = self._work()
            except BaseException as error:  # even a SystemExit must not end the thread unheard
                outcome = error
            with self._lock:
                self._running = False
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(threading.get_ident()), None)  # none to come
        except Overdue as late:
            outcome = late
        # A loop that is closed has nobody left to tell.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._deliver, outcome)

    def _deliver(self, outcome: T | BaseException) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)
