"""The line of a log that is read from its beginning, with states along it: going back never plays much of it again."""

from __future__ import annotations

from bisect import bisect_right

from cext.state import State
from engine_service.log.line import Line
from engine_service.log.records import Record

MARK_EVERY = 32
"""Plies between the states that are kept: going back never plays more than that again."""


class Trail:
    """Holds states of the line in force alone: however often a log goes back, no more than its plies ask for.

    Its calls copy and move states of the pack: they belong inside the fence.
    """

    __slots__ = ("_marks", "line")

    def __init__(self, start: State) -> None:
        """``start`` is the state before the first step; it is not changed any more."""
        self.line = Line()
        self._marks = [(0, start)]  # (plies, state), by plies

    def push(self, record: Record, state: State) -> None:
        """Take in the next record of the log; ``state`` is how the game stands after it."""
        self.line.push(record)
        plies = len(self.line.steps)
        if plies >= self._marks[-1][0] + MARK_EVERY:
            self._marks.append((plies, state.clone()))

    def back_to(self, seq: int) -> tuple[State, int]:
        """A state of one's own: how the game stood after record ``seq`` of the line, and its plies. The UNDONE record
        that takes back what came later is pushed next."""
        steps = self.line.steps
        left = bisect_right(steps, seq, key=lambda step: step.seq)
        while self._marks[-1][0] > left:
            self._marks.pop()
        plies, mark = self._marks[-1]
        state = mark.clone()
        for step in steps[plies:left]:
            state.apply_unchecked(step.code, step.seat)
        return state, left
