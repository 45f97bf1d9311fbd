"""Clocks: what each seat has left, when a match is late, and the one alarm of the service that watches over all.

A seat's time runs from the record that put the decision before it to the record that answers it; at a simultaneous
node it runs for every seat that still owes. It stands still before the start, while the host's outcome is awaited, and
while the service is down. It never runs for seats that the service plays (bots, and stand-ins for absent seats).
Going back gives no time back: what was thought stays spent, whoever is to act is charged until then, and the increments
of moves that are taken back are returned. The decision that comes back is the one that stood there before, so the time
of its ``per_move`` goes on where it stopped (:class:`Return`).

At a private decision no clock runs, and nothing is charged for it later: clocks are for everyone to see, and would tell
that a seat was asked. A seat that declines it gets no increment either; one that makes use of it does. The decision has
a limit of its own instead, and is declined when that is over.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine_service.model import SeatKind, TimeControl
from engine_service.store.base import SeatRow
from engine_service.timing import Cancellable, TimeSource

NEVER = 1 << 62
"""A deadline that does not come."""

Clocks = tuple[int, ...]
"""Milliseconds that each seat's match clock has left; empty where the match has no such clock."""


def fresh(control: TimeControl | None, players: int) -> Clocks:
    """The match clocks at the start."""
    if control is None or control.per_match_ms is None:
        return ()
    return (control.per_match_ms,) * players


def served(seats: Sequence[SeatRow]) -> int:
    """Bit mask of the seats that the service plays: no clock runs for them."""
    return sum(1 << seat for seat, row in enumerate(seats) if row.out or row.kind == SeatKind.BOT)


def charge(clocks: Clocks, seat: int, spent_ms: int, increment_ms: int = 0) -> Clocks:
    """The clocks after a seat has used some time (and has been given some)."""
    left = max(0, clocks[seat] - spent_ms) + increment_ms
    return (*clocks[:seat], left, *clocks[seat + 1 :])


def left_ms(control: TimeControl, clocks: Clocks, used: Clocks, seat: int, spent_ms: int) -> int:
    """What a seat has left when it has used ``spent_ms`` on the present decision (0 where it owes none).

    ``used``: what each seat had used on this decision before play went back to it; empty where it has not.
    """
    limits = [clocks[seat]] if clocks else []
    if control.per_move_ms is not None:
        limits.append(control.per_move_ms - (used[seat] if used else 0))
    return max(0, min(limits) - spent_ms)


def private_left_ms(control: TimeControl, spent_ms: int) -> int:
    """What is left of a private decision at which a seat has been for ``spent_ms``; NEVER without a limit."""
    return NEVER if control.private_ms is None else max(0, control.private_ms - spent_ms)


def deadline_ms(control: TimeControl, clocks: Clocks, used: Clocks, running: int, since_ms: int) -> int:
    """When the first of the seats in the bit mask ``running`` is late; NEVER where no clock runs."""
    first, seat = NEVER, 0
    while running >> seat:
        if running >> seat & 1:
            first = min(first, since_ms + left_ms(control, clocks, used, seat, 0))
        seat += 1
    return first


@dataclass(frozen=True, slots=True)
class Return:
    """A decision in force to which play has gone back. Those of one line are linked, the newest first."""

    root: int
    """The record after which the decision stood first."""
    seq: int
    """The UNDONE record with which play came back to it last."""
    time_ms: int
    """Of that record."""
    used: Clocks
    """What each seat that owes it had used on it by then."""
    before: Return | None
    """The return to an earlier decision."""


def returned_to(newest: Return | None, seq: int) -> Return | None:
    """The newest return that is in force when play goes back to record ``seq``."""
    while newest is not None and newest.root > seq:
        newest = newest.before
    return newest


Subject = TypeVar("Subject")


class Alarms(Generic[Subject]):
    """Calls ``ring(subject)`` when a subject's deadline has come, with one timer for all of them.

    A deadline that moves away is noticed only when the old one comes. So setting one costs next to nothing in the usual
    case, a move made in time.
    """

    def __init__(self, time: TimeSource, ring: Callable[[Subject], None]) -> None:
        self._time = time
        self._ring = ring
        self._heap: list[tuple[int, int, Subject]] = []
        self._known: dict[Subject, tuple[int, int]] = {}  # (deadline, moment that it stands in the heap with)
        self._timer: Cancellable | None = None
        self._timer_at = NEVER
        self._count = 0

    def set(self, subject: Subject, at_ms: int) -> None:
        """Ring at this moment of the monotonic time instead of any set before; NEVER: not for now."""
        known = self._known.get(subject)
        if known is not None and known[1] <= at_ms:
            self._known[subject] = (at_ms, known[1])
        elif at_ms < NEVER:
            self._push(subject, at_ms)
            self._arm()

    def drop(self, subject: Subject) -> None:
        """Forget it for good."""
        if self._known.pop(subject, None) is not None and len(self._heap) > 64 + 2 * len(self._known):
            self._heap = [entry for entry in self._heap if self._stands(entry)]
            heapq.heapify(self._heap)

    def close(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._heap.clear()
        self._known.clear()
        self._timer, self._timer_at = None, NEVER

    def __len__(self) -> int:
        return len(self._known)

    def _push(self, subject: Subject, at_ms: int) -> None:
        self._known[subject] = (at_ms, at_ms)
        self._count += 1
        heapq.heappush(self._heap, (at_ms, self._count, subject))

    def _stands(self, entry: tuple[int, int, Subject]) -> bool:
        """Is it not dropped, and not in the heap a second time for an earlier moment?"""
        known = self._known.get(entry[2])
        return known is not None and known[1] == entry[0]

    def _arm(self) -> None:
        if self._heap and self._heap[0][0] < self._timer_at:
            if self._timer is not None:
                self._timer.cancel()
            self._timer_at = self._heap[0][0]
            self._timer = self._time.call_at(self._timer_at, self._due)

    def _due(self) -> None:
        self._timer, self._timer_at = None, NEVER
        now = self._time.monotonic_ms()
        late: list[Subject] = []
        while self._heap and self._heap[0][0] <= now:
            entry = heapq.heappop(self._heap)
            if not self._stands(entry):
                continue
            subject = entry[2]
            deadline = self._known.pop(subject)[0]
            if deadline <= now:
                late.append(subject)
            elif deadline < NEVER:
                self._push(subject, deadline)
        self._arm()
        for subject in late:
            self._ring(subject)
