"""History of a match: its log, the steps in force, and states kept along them.

A *step* is a record that moves the state of the game: an action or an outcome of chance. An UNDONE record takes back
every step behind its ``to_seq``; the others are *in force*, and the *ply* of a step is its index among them.

The state after any record is rebuilt from the nearest kept state before it. To find that state, the history follows the
steps that were in force after the record, from the newest to the oldest, and skips stretches that were taken back. So
the cost depends neither on the length of the log nor on how often play went back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from cext.state import State
from engine_service.log.header import Header, state_at_start
from engine_service.log.records import STEPS, Record, RecordLog
from engine_service.match_enums import RecordKind
from gamepacks.api.game import Game

KEEP_EVERY = 500
"""Plies between kept states of a live match; the distance from a record to the nearest one is at most about twice
that."""
KEEP_EVERY_REPLAYING = 32
"""Plies between kept states while a log is replayed, in which play may go back very often."""
INDEX_EVERY = 64
"""Interval of records, in a stretch without a step, at which the step before the stretch is remembered."""


class _KeptState(NamedTuple):
    """State after a step, its plies, and the seq of the kept state before it (0: none)."""

    state: State
    plies: int
    before: int


class History:
    """History of one match. Call methods whose docstring says "calls the pack" within a pack guard."""

    __slots__ = (
        "_game",
        "_header",
        "_keep_every",
        "_kept",
        "_kept_in_force",
        "_last_steps",
        "_start",
        "_undone",
        "_went_back",
        "log",
    )

    def __init__(self, header: Header, game: Game[Any], start: State | None = None) -> None:
        """With ``start``, the state before the first step, states are kept for a log that is replayed now, until
        :meth:`thin_out`; without, for a live match."""
        self.log = RecordLog()
        """The records; added by the methods of the history only."""
        self._header = header
        self._game = game
        self._start = start
        self._keep_every = KEEP_EVERY if start is None else KEEP_EVERY_REPLAYING
        self._kept: dict[int, _KeptState] = {}  # by the seq of the step
        self._kept_in_force = [(0, 0)]  # (seq, plies) of the kept states along the steps in force
        self._undone: list[tuple[int, int]] = []  # (to_seq, UNDONE record) of disjoint stretches, in order
        self._last_steps: dict[int, int] = {}  # by UNDONE record, and by some others: see last_step
        self._went_back = False  # past a kept state, since the last call of keep_state

    # -- adding records ----------------------------------------------------------------------------------------------

    def append(self, record: Record) -> None:
        """Add the next record. Raises ValueError if its seq is not the next one."""
        self.log.append(record)
        if record.kind is RecordKind.UNDONE:
            seq, to_seq = record.seq, record.to_seq
            while self._undone and self._undone[-1][0] >= to_seq:
                self._undone.pop()
            self._undone.append((to_seq, seq))
            last = self._last_steps[seq] = self.last_step(to_seq)
            while self._kept_in_force[-1][0] > last:
                self._kept_in_force.pop()
                self._went_back = True

    def keep_state(self, state: State, plies: int) -> None:
        """Keep a copy of the state after the newest record if the last kept one is far behind. Calls the pack."""
        last, gap = self.last_step(), plies - self._kept_in_force[-1][1]
        if self._went_back:
            self._went_back = False
            # The state half-way is kept, not this one: otherwise going back one step and forward again would keep a
            # state each time.
            steps_back = gap // 2
            if steps_back and steps_back >= self._keep_every // 4:
                for _ in range(steps_back):
                    last = self.last_step(last - 1)
                self._keep(last, *self.state_after(last))
        elif gap >= self._keep_every:
            self._keep(last, state.clone(), plies)

    def _keep(self, seq: int, state: State, plies: int) -> None:
        self._kept[seq] = _KeptState(state, plies, self._kept_in_force[-1][0])
        self._kept_in_force.append((seq, plies))

    def thin_out(self) -> None:
        """Keep only as many states as a live match does, now that the log is replayed."""
        self._start, self._keep_every = None, KEEP_EVERY
        # By the seq of a former kept state, the seq and plies of the one that remains: itself or one before it.
        nearest = {0: (0, 0)}
        kept: dict[int, _KeptState] = {}
        for seq, (state, plies, before) in sorted(self._kept.items()):
            remains, its_plies = nearest[before]
            if plies - its_plies >= KEEP_EVERY:
                kept[seq] = _KeptState(state, plies, remains)
                nearest[seq] = seq, plies
            else:
                nearest[seq] = remains, its_plies
        self._kept = kept
        self._kept_in_force = [(seq, plies) for seq, plies in self._kept_in_force if not seq or seq in kept]

    # -- steps in force ----------------------------------------------------------------------------------------------

    def in_force(self, seq: int) -> bool:
        """Returns whether the record has not been taken back since."""
        return self.taken_back_to(seq) is None

    def taken_back_to(self, seq: int) -> int | None:
        """Returns the record to which play went back from behind ``seq``; None for a record in force."""
        at = bisect_left(self._undone, seq, key=lambda undone: undone[0]) - 1
        return None if at < 0 or self._undone[at][1] <= seq else self._undone[at][0]

    def can_return_to(self, seq: int) -> bool:
        """Returns whether an UNDONE record may name ``seq``: it is in force, and a step is in force behind it."""
        return 1 <= seq < self.last_step() and self.in_force(seq)

    def last_step(self, seq: int | None = None) -> int:
        """Returns the seq of the newest step in force after record ``seq`` (None: the newest record); 0 if there is
        none."""
        known, log = self._last_steps, self.log
        at = seq = log.last_seq if seq is None else seq
        while at and at not in known and log.kind_of(at) not in STEPS:
            at -= 1
        step = known.get(at, at)
        for further in range(at + INDEX_EVERY, seq, INDEX_EVERY):
            known[further] = step
        return step

    def steps_back(self, seq: int | None = None) -> Iterator[Record]:
        """Iterate over the steps that were in force after record ``seq`` (None: the newest record), newest first."""
        at = self.last_step(seq)
        while at:
            yield self.log[at]
            at = self.last_step(at - 1)

    def steps_after(self, seq: int) -> Iterator[Record]:
        """Iterate over the steps in force behind record ``seq``, newest first."""
        for step in self.steps_back():
            if step.seq <= seq:
                return
            yield step

    def last_action(self, seat: int, before: int | None = None) -> int:
        """Returns the seq of a seat's newest action in force, before the step ``before`` if given; 0 if there is
        none."""
        for step in self.steps_back(None if before is None else before - 1):
            if step.seat == seat and step.kind is RecordKind.ACTION:
                return step.seq
        return 0

    # -- states ------------------------------------------------------------------------------------------------------

    def state_after(self, seq: int) -> tuple[State, int]:
        """Returns a new copy of the state after record ``seq`` (0: before the first), and its plies. Calls the pack."""
        kept, last_seq = self._kept, self.last_step(seq)
        steps: list[tuple[int, int]] = []
        while last_seq and last_seq not in kept:
            record = self.log[last_seq]
            steps.append((record.code, record.seat))
            last_seq = self.last_step(last_seq - 1)
        if last_seq:
            state, plies = kept[last_seq].state.clone(), kept[last_seq].plies
        else:
            state = state_at_start(self._header, self._game) if self._start is None else self._start.clone()
            plies = 0
        for code, seat in reversed(steps):
            state.apply_unchecked(code, seat)
        return state, plies + len(steps)
