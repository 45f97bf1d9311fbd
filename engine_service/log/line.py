"""The line of play of a log, and how a match ends: pure functions, the same for live matches and for verification.

A *step* is a record that moves the state: an action or an outcome of chance. The *line* is the list of steps in force:
an UNDONE record takes back every step behind its ``to_seq``. A step's *ply* is its index in the line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable

from cext.state import State
from engine_service.log.records import STEPS, Record, RecordKind
from engine_service.model import EndReason, Result
from gamepacks.api.types import TERMINAL, Capabilities


class Line:
    """The line of a log that is read record by record."""

    __slots__ = ("_gone", "steps")

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.steps: list[Record] = []
        self._gone: list[tuple[int, int]] = []  # (first step taken back, UNDONE record), apart and in order
        for record in records:
            self.push(record)

    def push(self, record: Record) -> None:
        """Take in the next record of the log."""
        if record.kind in STEPS:
            self.steps.append(record)
        elif record.kind is RecordKind.UNDONE:
            first = record.seq
            while self.steps and self.steps[-1].seq > record.to_seq:
                first = self.steps.pop().seq
            while self._gone and self._gone[-1][0] >= first:
                self._gone.pop()
            self._gone.append((first, record.seq))

    def can_return_to(self, seq: int) -> bool:
        """Can an UNDONE record point to ``seq``: was the line after that record a shorter beginning of this one?

        Not where nothing would be taken back, and not into a stretch that was taken back already.
        """
        if seq < 1 or not self.steps or self.steps[-1].seq <= seq:
            return False
        at = bisect_right(self._gone, seq, key=lambda gone: gone[0]) - 1
        return at < 0 or self._gone[at][1] <= seq


def effective_line(records: Iterable[Record]) -> list[Record]:
    """The steps in force after these records, which are a log from its beginning."""
    return Line(records).steps


def final_result(state: State, players: int, out: Collection[int], card: Capabilities) -> Result | None:
    """The result, once play is over; None before. ``out`` are the seats that have forfeited.

    It is over when one seat is left (the others have forfeited), or by the rules. A seat that has forfeited gets the
    game's least return and the last place, whatever its stand-in brought about; returns need not add up to 0 then.
    """
    if out and players - len(out) <= 1:
        returns = tuple(card.min_return if seat in out else card.max_return for seat in range(players))
        return Result(returns, _places(returns, out), EndReason.FORFEIT)
    if state.actor() != TERMINAL:
        return None
    returns = tuple(card.min_return if seat in out else float(won) for seat, won in enumerate(state.returns()))
    return Result(returns, _places(returns, out), EndReason.RULES)


def ended_without(reason: EndReason) -> Result:
    """What stands for the result of a match that was cancelled or that its pack's fault has ended."""
    return Result((), (), reason)


def _places(returns: tuple[float, ...], out: Collection[int]) -> tuple[int, ...]:
    """From 1; equal returns share the better place, and seats that have forfeited share the last one."""
    worth = [(seat not in out, won) for seat, won in enumerate(returns)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)
