"""Clocks: the time left to each seat, the deadline of each decision, and the deadline scheduler.

A seat's time runs from the record that requires its decision to the record that answers it; at a simultaneous node
it runs for every seat that is still to act. It does not run before the start, while an outcome of the host is awaited,
or while the service is down, and never for service seats.

Going back returns no time: time that was used stays used, the seats to act are charged until then, and the increments
of actions that are taken back are returned. The decision to which play returns is the same as before, so its
``per_move`` time goes on where it stopped (:class:`ReturnedDecision`).

At a private decision no clock runs, and nothing is charged for it later, because clocks are public and would reveal
that a seat was asked. A seat that declines it gets no increment; a seat that acts does. The decision has a limit of its
own instead, after which it is declined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from engine_service.match_enums import SeatKind
from engine_service.model import TimeControl
from engine_service.store.base import SeatRow
from engine_service.timing import Cancellable, TimeSource

NEVER = 1 << 62
"""A deadline that is never reached."""

Clocks = tuple[int, ...]
"""Milliseconds left on each seat's match clock; empty in a match without such clocks."""


def full_clocks(control: TimeControl | None, players: int) -> Clocks:
    """Returns the match clocks at the start."""
    if control is None or control.per_match_ms is None:
        return ()
    return (control.per_match_ms,) * players


def service_seats(seats: Sequence[SeatRow]) -> int:
    """Returns the bit mask of the service seats, for which no clock runs."""
    return sum(1 << seat for seat, row in enumerate(seats) if row.out or row.kind == SeatKind.BOT)


def charge(clocks: Clocks, seat: int, spent_ms: int, increment_ms: int = 0) -> Clocks:
    """Returns the clocks after a seat has used some time and was given an increment."""
    left = max(0, clocks[seat] - spent_ms) + increment_ms
    return (*clocks[:seat], left, *clocks[seat + 1 :])


def left_ms(control: TimeControl, clocks: Clocks, used: Clocks, seat: int, spent_ms: int) -> int:
    """Returns the time that a seat has left after ``spent_ms`` on the present decision (0 for a seat that is not to
    act).

    ``used`` is the time that each seat had used on this decision before play went back to it; empty if it has not.
    """
    limits = [clocks[seat]] if clocks else []
    if control.per_move_ms is not None:
        limits.append(control.per_move_ms - (used[seat] if used else 0))
    if not limits:
        return NEVER
    return max(0, min(limits) - spent_ms)


def private_left_ms(control: TimeControl, spent_ms: int) -> int:
    """Returns the time left for a private decision after ``spent_ms``; NEVER without a limit."""
    return NEVER if control.private_ms is None else max(0, control.private_ms - spent_ms)


def deadline_ms(control: TimeControl, clocks: Clocks, used: Clocks, running: int, since_ms: int) -> int:
    """Returns the moment at which the first of the seats in the bit mask ``running`` is late; NEVER if no clock
    runs."""
    first, seat = NEVER, 0
    while running >> seat:
        if running >> seat & 1:
            first = min(first, since_ms + left_ms(control, clocks, used, seat, 0))
        seat += 1
    return first


@dataclass(frozen=True, slots=True)
class ReturnedDecision:
    """A decision in force to which play has gone back; each links to an earlier one."""

    root: int
    """Record after which the decision was first pending."""
    seq: int
    """UNDONE record with which play last went back to it."""
    time_ms: int
    """Of that record."""
    used: Clocks
    """Time that each seat to act had used on it by then."""
    before: ReturnedDecision | None
    """Returns to an earlier decision."""


def returned_to(newest: ReturnedDecision | None, seq: int) -> ReturnedDecision | None:
    """Returns the newest returned decision that stays in force when play goes back to record ``seq``."""
    while newest is not None and newest.root > seq:
        newest = newest.before
    return newest


Subject = TypeVar("Subject")


@dataclass(slots=True)
class _Timer:
    """Timer of the event loop; it fires at ``fires_ms``, which is not after the deadline."""

    deadline_ms: int
    fires_ms: int
    handle: Cancellable


class DeadlineScheduler(Generic[Subject]):
    """Calls ``fire(subject)`` when a subject's deadline has passed: one timer of the event loop for each subject.

    A deadline that moves to a later time is noticed only when the timer fires. So an action in time costs about 1 us
    here; cancelling its timer and making another one would cost 8 us (both with 10,000 running clocks).
    """

    def __init__(self, time: TimeSource, fire: Callable[[Subject], None]) -> None:
        self._time = time
        self._fire = fire
        self._timers: dict[Subject, _Timer] = {}

    def set(self, subject: Subject, deadline_ms: int) -> None:
        """Set the deadline, in monotonic time, which replaces an earlier one; NEVER: no deadline for now."""
        timer = self._timers.get(subject)
        if timer is not None and timer.fires_ms <= deadline_ms:
            timer.deadline_ms = deadline_ms
        elif deadline_ms < NEVER:
            if timer is not None:
                timer.handle.cancel()
            handle = self._time.call_at(deadline_ms, partial(self._on_timer, subject))
            self._timers[subject] = _Timer(deadline_ms, deadline_ms, handle)

    def remove(self, subject: Subject) -> None:
        """Remove a subject."""
        timer = self._timers.pop(subject, None)
        if timer is not None:
            timer.handle.cancel()

    def close(self) -> None:
        """Remove all subjects."""
        for timer in self._timers.values():
            timer.handle.cancel()
        self._timers.clear()

    def __len__(self) -> int:
        return len(self._timers)

    def _on_timer(self, subject: Subject) -> None:
        deadline_ms = self._timers.pop(subject).deadline_ms
        if deadline_ms <= self._time.monotonic_ms():
            self._fire(subject)
        else:
            self.set(subject, deadline_ms)
