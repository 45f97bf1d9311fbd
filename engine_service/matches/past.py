"""The past of a match: how it stood after any of its records, without playing the log again from its beginning.

Some states of the past are kept, one in so many plies of the line. From any record, going back along the line of play
as it was then, the nearest of them is never far, however much was taken back on the way: what was taken back is passed
in one stride. So a step into the past costs about the same in a log of any length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cext.state import State
from engine_service.guard import RULES, PackRaised
from engine_service.log.header import Header, opening
from engine_service.log.records import STEPS, Record, RecordKind, RecordLog
from gamepacks.api.game import Game

if TYPE_CHECKING:
    from engine_service.matches.progress import Progress

KEEP_EVERY = 500
"""Plies from one state that is kept to the next: no other is more than about twice so many steps away."""
TIP_EVERY = 64
"""In a stretch of records without a step, one in so many is remembered with the step before it."""


class Past:
    """What is kept of one match's past. The log that its calls are given is always the same one, or a longer one."""

    __slots__ = ("_gone", "_kept", "_on_line", "_tips")

    def __init__(self) -> None:
        self._kept: dict[int, tuple[State, int]] = {}  # by the seq of a step: the state after it, its plies
        self._on_line: list[tuple[int, int]] = [(0, 0)]  # (seq, plies) of those that the line of now goes through
        self._gone: list[tuple[int, int]] = []  # (to_seq, UNDONE record), apart and in order
        self._tips: dict[int, int] = {}  # UNDONE records, and some others: the newest step that was in force after them

    def reached(self, now: Progress, log: RecordLog, own: bool = True) -> None:
        """The match has come so far. ``own``: its state will not be changed any more. Raises PackRaised."""
        if now.plies >= self._on_line[-1][1] + KEEP_EVERY:
            with RULES:
                state = now.game_state if own else now.game_state.clone()
            self._keep(self._tip(now.seq, log), state, now.plies)

    def went_back(self, seq: int, to_seq: int, plies: int, log: RecordLog, header: Header, game: Game[Any]) -> None:
        """Record ``seq`` has taken play back to where it stood after ``to_seq``, at so many plies."""
        gone, on_line = self._gone, self._on_line
        while gone and gone[-1][0] >= to_seq:
            gone.pop()
        gone.append((to_seq, seq))
        tip = self._tips[seq] = self._tip(to_seq, log)
        if on_line[-1][0] <= tip:
            return
        while on_line[-1][0] > tip:
            on_line.pop()
        # Half-way, not here: else going back a little again and again would keep a state each time.
        steps_back = (plies - on_line[-1][1]) // 2
        if steps_back >= KEEP_EVERY // 4:
            for _ in range(steps_back):
                tip = self._tip(tip - 1, log)
            try:
                self._keep(tip, *self.state_after(tip, log, header, game))
            except PackRaised:
                return  # it fails again, and is dealt with, where somebody wants to know

    def _keep(self, seq: int, state: State, plies: int) -> None:
        self._kept[seq] = state, plies
        self._on_line.append((seq, plies))

    def in_force(self, seq: int) -> bool:
        """Is the record one that has not been taken back since?"""
        return self.taken_back_to(seq) is None

    def taken_back_to(self, seq: int) -> int | None:
        """The record to which play went back from behind ``seq``; None for a record in force."""
        at = bisect_left(self._gone, seq, key=lambda gone: gone[0]) - 1
        return None if at < 0 or self._gone[at][1] <= seq else self._gone[at][0]

    def newest_step(self, log: RecordLog, seat: int | None = None, before: int | None = None) -> int:
        """seq of the newest step in force, or of the newest action of a seat; 0 where there is none.

        ``before`` is a step in force: only those before it count.
        """
        seq = self._tip(log.last_seq if before is None else before - 1, log)
        while seq and seat is not None:
            record = log[seq]
            if record.seat == seat and record.kind is RecordKind.ACTION:
                break
            seq = self._tip(seq - 1, log)
        return seq

    def steps_after(self, seq: int, log: RecordLog) -> Iterator[Record]:
        """The steps in force behind record ``seq``, the newest first."""
        at = self._tip(log.last_seq, log)
        while at > seq:
            yield log[at]
            at = self._tip(at - 1, log)

    def state_after(self, seq: int, log: RecordLog, header: Header, game: Game[Any]) -> tuple[State, int]:
        """A state of one's own: how the game stood after record ``seq``, and its plies. Raises PackRaised."""
        steps: list[tuple[int, int]] = []
        kept = self._kept
        seq = self._tip(seq, log)
        while seq and seq not in kept:
            record = log[seq]
            steps.append((record.code, record.seat))
            seq = self._tip(seq - 1, log)
        with RULES:
            if seq:
                state, plies = kept[seq][0].clone(), kept[seq][1]
            else:
                state, plies = opening(header, game), 0
            for code, seat in reversed(steps):
                state.apply_unchecked(code, seat)
        return state, plies + len(steps)

    def _tip(self, seq: int, log: RecordLog) -> int:
        """The newest step that was in force after record ``seq``; 0 for none."""
        tips, at = self._tips, seq
        while at and at not in tips and log.kind_of(at) not in STEPS:
            at -= 1
        tip = tips.get(at, at)
        for further in range(at + TIP_EVERY, seq, TIP_EVERY):
            tips[further] = tip
        return tip
