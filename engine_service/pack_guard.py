"""Guards around calls into packs.

``with PACK_GUARD:`` surrounds every pack call on the event loop, and ``with THREAD_GUARD:`` those in other threads. Any
exception of the pack, BaseException included, leaves the guard as :class:`PackRaised`. Nothing is awaited inside a
guard, so a CancelledError that comes out of it was raised by the pack. IllegalAction counts as a fault as well: a call
that may raise it handles it inside the guard.

:func:`await_pack` waits for an isolated pack without blocking the event loop.

:class:`KillableThread` runs work of a pack in a daemon thread of its own that can be killed.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, TypeVar

from cext.errors import PicklableError
from engine_service.errors import EngineError
from gamepacks.api.errors import error_location, is_interrupt


class PackRaised(PicklableError, Exception):
    """A pack has raised ``error`` in a call. Its text may quote secrets, so it is not logged."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(type(error).__name__)
        self.error = error


class ContractViolated(Exception):
    """A pack has returned a value that the contract of :mod:`gamepacks.api` does not allow."""


class ProcessLost(Exception):
    """The process of an isolated pack ended in a call, or was ended because the call took too long."""


class PackTimeout(BaseException):
    """A call of a pack has exceeded its time. A pack's ``except Exception`` does not catch it."""


class PackPending(BaseException):
    """An isolated pack has not answered a call yet; ``answer`` is done when it has. See :func:`await_pack`."""

    def __init__(self, answer: Future[Any]) -> None:
        super().__init__()
        self.answer = answer


class PackGuard:
    """Context manager around each call of a pack; nothing is awaited inside."""

    __slots__ = ("depth",)

    depth: int
    """Number of nested pack calls under way; it is read only for the event loop's guard."""

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.depth -= 1
        if error is None or isinstance(error, PackRaised | EngineError | PackPending) or is_interrupt(error):
            return
        raise PackRaised(error) from error


PACK_GUARD = PackGuard()
"""Guard for the event loop's thread, which :mod:`engine_service.observability.watchdog` watches."""
THREAD_GUARD = PackGuard()
"""Guard for all other threads."""


def log_pack_error(log: logging.Logger, incident: str, what: str, error: BaseException) -> None:
    """Log the type and location of an exception of a pack.

    Its text and traceback, which may quote secrets, are logged at level debug only.
    """
    log.error(
        "%s: %s at %s (incident %s)",
        what,
        type(error).__name__,
        error_location(error),
        incident,
        exc_info=error if log.isEnabledFor(logging.DEBUG) else None,
    )


T = TypeVar("T")


class _Deferral(threading.local):
    """Context manager in which calls into isolated packs, made in this thread, raise PackPending."""

    on = False

    def __enter__(self) -> None:
        self.on = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.on = False


DEFERRAL = _Deferral()


async def await_pack(build: Callable[[], T]) -> T:
    """Returns the result of ``build``; the event loop runs other tasks while an isolated pack works.

    ``build`` is called again after each answer of the pack, until it has all answers that it needs; so it must have no
    effect before it returns.
    """
    while True:
        try:
            with DEFERRAL:
                return build()
        except PackPending as pending:
            await _done(pending.answer)


async def _done(answer: Future[Any]) -> None:
    answered = asyncio.Event()
    loop = asyncio.get_running_loop()

    def notify(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(answered.set)

    answer.add_done_callback(notify)
    await answered.wait()


class KillableThread(Generic[T]):
    """Daemon thread that can be killed. ``outcome`` is a future of the value that ``work`` returns or raises.

    A thread that is killed gets :class:`PackTimeout` raised in its Python code; compiled code goes on until it returns.
    """

    def __init__(self, work: Callable[[], T], name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._work = work
        self._lock = threading.Lock()
        self._running = True
        self.outcome: asyncio.Future[T | BaseException] = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def result(self) -> T:
        """Wait for the work and return its result; cancelling this call does not stop it.

        Raises the exception of the work; one that is not an Exception, and would end more than this call, as
        PackRaised.
        """
        outcome = await asyncio.shield(self.outcome)
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, BaseException):
            raise PackRaised(outcome) from outcome
        return outcome

    def kill(self) -> None:
        """Kill the thread if possible; the outcome is set when it has ended."""
        with self._lock:
            if self._running:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(PackTimeout)
                )

    def _run(self) -> None:
        outcome: T | BaseException
        try:
            # If it is killed late, it may be interrupted anywhere up to the lock.
            try:
                outcome = self._work()
            except BaseException as error:  # even a SystemExit must not end the thread silently
                outcome = error
            with self._lock:
                self._running = False
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(threading.get_ident()), None
                )  # none is pending any more
        except PackTimeout as late:
            outcome = late
        # If the loop is closed, nobody waits for the outcome.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._deliver, outcome)

    def _deliver(self, outcome: T | BaseException) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)
