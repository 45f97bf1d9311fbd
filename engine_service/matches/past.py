"""The past of a match: how it stood after any of its records, without playing the log again from its beginning.

Some states of the past are kept, one in so many records and one in so many plies of the line. From any record, going
back along the line of play, the nearest of them is never far, however much was taken back on the way; so a step into
the past costs about the same in a log of any length.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from cext.state import State
from engine_service.guard import RULES
from engine_service.log.header import Header, opening
from engine_service.log.records import STEPS, RecordKind, RecordLog
from gamepacks.api.game import Game

if TYPE_CHECKING:
    from engine_service.matches.progress import Progress

KEEP_EVERY = 500
"""Records, and plies, from one state that is kept to the next: no other is more than about twice so many steps away."""


class Past:
    """What is kept of one match's past."""

    __slots__ = ("_gone", "_kept", "_next_ply", "_next_seq")

    def __init__(self) -> None:
        self._kept: dict[int, tuple[State, int]] = {}
        self._gone: tuple[tuple[int, int], ...] = ()  # (to_seq, UNDONE record), apart and in order
        self._next_seq = self._next_ply = KEEP_EVERY

    def reached(self, now: Progress, own: bool = True) -> None:
        """The match has come so far. ``own``: its state will not be changed any more. Raises PackRaised."""
        if now.seq >= self._next_seq or now.plies >= self._next_ply:
            with RULES:
                self._kept[now.seq] = now.game_state if own else now.game_state.clone(), now.plies
            self._next_seq = now.seq + KEEP_EVERY
            self._next_ply = now.plies + KEEP_EVERY

    def went_back(self, seq: int, to_seq: int, plies: int) -> None:
        """Record ``seq`` has taken play back to where it stood after ``to_seq``, at so many plies."""
        gone = self._gone
        while gone and gone[-1][0] >= to_seq:
            gone = gone[:-1]
        self._gone = (*gone, (to_seq, seq))
        self._next_ply = min(self._next_ply, plies + KEEP_EVERY)

    def in_force(self, seq: int) -> bool:
        """Is the record one that has not been taken back since?"""
        at = bisect_left(self._gone, seq, key=lambda gone: gone[0]) - 1
        return at < 0 or self._gone[at][1] <= seq

    def state_after(self, seq: int, log: RecordLog, header: Header, game: Game[Any]) -> tuple[State, int]:
        """A state of one's own: how the game stood after record ``seq``, and its plies. Raises PackRaised."""
        steps: list[tuple[int, int]] = []
        kept = self._kept
        while seq and seq not in kept:
            record = log[seq]
            if record.kind is RecordKind.UNDONE:
                seq = record.to_seq
                continue
            if record.kind in STEPS:
                steps.append((record.code, record.seat))
            seq -= 1
        with RULES:
            if seq:
                state, plies = kept[seq][0].clone(), kept[seq][1]
            else:
                state, plies = opening(header, game), 0
            for code, seat in reversed(steps):
                state.apply_unchecked(code, seat)
        return state, plies + len(steps)


def newest_step(log: RecordLog, seat: int | None = None) -> int:
    """seq of the newest step in force, or of the newest action of a seat; 0 where there is none."""
    seq = log.last_seq
    while seq:
        record = log[seq]
        if record.kind is RecordKind.UNDONE:
            seq = record.to_seq
            continue
        if record.kind in STEPS and (seat is None or (record.kind is RecordKind.ACTION and record.seat == seat)):
            return seq
        seq -= 1
    return 0
