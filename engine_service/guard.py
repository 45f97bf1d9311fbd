"""The guard around calls of packs: whatever a pack raises becomes :class:`PackRaised` and goes no further.

That includes every BaseException. No call awaits anything within the guard, so a CancelledError that comes out of it
was raised by the pack; a cancellation of the calling task arrives at an await, outside. An IllegalAction counts as a
fault too: calls that may raise one catch it inside the guard.
"""

from __future__ import annotations

import logging
from types import TracebackType

from cext.errors import PicklableError
from engine_service.errors import EngineError
from gamepacks.api.raised import error_place, is_interrupt


class PackRaised(PicklableError, Exception):
    """A pack failed inside its rules; ``error`` is what it raised. Its text may hold secrets: it is not for logs."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(type(error).__name__)
        self.error = error


class BrokenRules(Exception):
    """A pack answered what the contract of :mod:`gamepacks.api` does not allow."""


class Overdue(BaseException):
    """Something of a pack has taken longer than it may. A pack's ``except Exception`` does not swallow it."""


class Fence:
    """``with RULES:`` around every call of a pack; no await within."""

    __slots__ = ("depth",)

    depth: int
    """How many calls of packs are under way, one in another; only the event loop's fence is asked."""

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.depth -= 1
        if error is not None and not isinstance(error, PackRaised | EngineError) and not is_interrupt(error):
            raise PackRaised(error) from error


RULES = Fence()
"""For the event loop's thread: :mod:`engine_service.watchdog` looks after what is within."""
ASIDE = Fence()
"""For other threads, which hold nobody up."""


def report(log: logging.Logger, incident: str, what: str, error: BaseException) -> None:
    """Log what a pack raised, by its type and place. Text and traceback could quote secrets: only at level debug."""
    log.error(
        "%s: %s at %s (incident %s)",
        what,
        type(error).__name__,
        error_place(error),
        incident,
        exc_info=error if log.isEnabledFor(logging.DEBUG) else None,
    )
