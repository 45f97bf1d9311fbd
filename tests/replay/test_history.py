"""The history of a log, compared with a slow oracle: steps in force, states after records, number of kept states."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import State
from engine_service.log import history as history_module
from engine_service.log.history import INDEX_EVERY, History
from engine_service.log.records import STEPS, Record, RecordLog
from engine_service.match_enums import RecordKind


class Steps(State):
    """A state that is the list of its steps, and counts how many were taken on all of its kind."""

    taken = 0

    def __init__(self, steps: tuple[int, ...] = ()) -> None:
        self.steps = steps

    def clone(self) -> Steps:
        return Steps(self.steps)

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        Steps.taken += 1
        self.steps = (*self.steps, code)


class CountingLog(RecordLog):
    """A log that counts how often one of its records is read."""

    __slots__ = ("reads",)

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def __getitem__(self, seq: int) -> Record:
        self.reads += 1
        return super().__getitem__(seq)

    def kind_of(self, seq: int) -> RecordKind:
        self.reads += 1
        return super().kind_of(seq)


class Opening:
    """A stub of a header and a game, with the methods that a history calls."""

    position = None

    def initial_state(self) -> Steps:
        return Steps()


OPENING: Any = Opening()


class Oracle:
    """A history that grows, and the steps in force after each record, computed slowly."""

    def __init__(self, start: Steps | None = None) -> None:
        self.history = History(OPENING, OPENING, start)
        self.history.log = self.log = CountingLog()
        self.lines: list[tuple[int, ...]] = [()]
        self.undone: list[tuple[int, int]] = []
        """Of each undo, the record to which play returned, and its own."""

    def add(self, kind: RecordKind, to_seq: int = 0) -> None:
        seq = self.log.last_seq + 1
        record = Record(seq, kind, seat=seq % 2 if kind is RecordKind.ACTION else -1, code=seq, to_seq=to_seq)
        line = self.lines[to_seq] if kind is RecordKind.UNDONE else self.lines[-1]
        self.lines.append((*line, seq) if kind in STEPS else line)
        if kind is RecordKind.UNDONE:
            self.undone.append((to_seq, seq))
        self.history.append(record)
        self.history.keep_state(Steps(self.lines[-1]), len(self.lines[-1]))

    def in_force(self, seq: int) -> bool:
        return not any(to_seq < seq < own for to_seq, own in self.undone)

    def targets(self) -> list[int]:
        return [seq for seq in range(1, self.log.last_seq) if self.history.can_return_to(seq)]

    def check(self, seq: int) -> int:
        """Check the state after a record; returns the number of steps taken to rebuild it."""
        before = Steps.taken
        state, plies = self.history.state_after(seq)
        assert isinstance(state, Steps) and state.steps == self.lines[seq] and plies == len(self.lines[seq])
        return Steps.taken - before


@pytest.mark.parametrize("replaying", [False, True])
@pytest.mark.parametrize("others", [1, 6])
@pytest.mark.parametrize("seed", range(10))
def test_history_agrees_with_oracle(seed: int, others: int, replaying: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "KEEP_EVERY", 5)
    monkeypatch.setattr(history_module, "KEEP_EVERY_REPLAYING", 2)
    monkeypatch.setattr(history_module, "INDEX_EVERY", 2)
    rng, oracle = Rng(seed), Oracle(Steps() if replaying else None)
    history = oracle.history
    kinds = [RecordKind.ACTION, RecordKind.ACTION, RecordKind.CHANCE, *[RecordKind.UNDO_DECLINED] * others]
    for _ in range(120):
        targets = oracle.targets()
        if targets and rng.below(5) == 0:
            oracle.add(RecordKind.UNDONE, rng.choice(targets))
        else:
            oracle.add(rng.choice(kinds))
        newest = oracle.lines[-1]
        for seq in range(oracle.log.last_seq + 3):
            in_force = oracle.in_force(seq)
            assert history.in_force(seq) == in_force
            behind = bool(newest) and newest[-1] > seq
            assert history.can_return_to(seq) == (seq >= 1 and in_force and behind), seq
            if history.can_return_to(seq):
                assert newest[: len(oracle.lines[seq])] == oracle.lines[seq] != newest
        assert history.last_step() == (newest[-1] if newest else 0)
        own = [seq for seq in newest if oracle.log[seq].seat == 1]
        assert history.last_action(1) == (own[-1] if own else 0)
        if own:
            assert history.last_action(1, before=own[-1]) == (own[-2] if len(own) > 1 else 0)
    if replaying:
        history.thin_out()
    for seq in range(oracle.log.last_seq + 1):
        assert oracle.check(seq) <= 10
        assert [step.seq for step in history.steps_back(seq)] == list(reversed(oracle.lines[seq]))
        assert [step.seq for step in history.steps_after(seq)] == [s for s in reversed(newest) if s > seq]


def test_two_undos_to_the_same_record() -> None:
    oracle = Oracle()
    for _ in range(3):
        oracle.add(RecordKind.ACTION)
    oracle.add(RecordKind.UNDONE, 1)
    oracle.add(RecordKind.ACTION)
    oracle.add(RecordKind.UNDONE, 1)
    assert [step.seq for step in oracle.history.steps_back()] == [1]
    assert not oracle.history.can_return_to(1)
    assert not oracle.history.can_return_to(2)


def test_kept_states_stay_near_during_repeated_undos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play repeatedly takes some steps, past a kept state, and most of them back."""
    monkeypatch.setattr(history_module, "KEEP_EVERY", 20)
    for forward, back in ((21, 2), (19, 12), (40, 39)):
        oracle = Oracle()
        for _ in range(40):
            for _ in range(forward):
                oracle.add(RecordKind.ACTION)
            oracle.add(RecordKind.UNDONE, oracle.lines[-1][-1 - back])
        assert max(oracle.check(seq) for seq in range(oracle.log.last_seq + 1)) <= 40


@pytest.mark.parametrize("more", [(), (RecordKind.UNDO_REQUESTED, RecordKind.UNDO_DECLINED)])
def test_records_undone_are_skipped(more: tuple[RecordKind, ...]) -> None:
    """The same action, taken and taken back: each time to where the last one had been taken back to."""
    oracle = Oracle()
    oracle.add(RecordKind.ACTION)
    for _ in range(300):
        here = oracle.log.last_seq
        oracle.add(RecordKind.ACTION)
        oracle.add(RecordKind.UNDONE, here)
        for kind in more:
            oracle.add(kind)
    for seq in (oracle.log.last_seq, oracle.log.last_seq - 300):
        oracle.log.reads = 0
        oracle.check(seq)
        assert oracle.log.reads <= 10
    oracle.log.reads = 0
    assert oracle.history.last_step() == 1 and oracle.history.last_action(0) == 0
    assert oracle.log.reads <= 15


def test_records_without_steps_are_read_once() -> None:
    oracle = Oracle()
    oracle.add(RecordKind.ACTION)
    for _ in range(5_000):
        oracle.add(RecordKind.UNDO_DECLINED)
    oracle.check(5_001)
    for seq in range(5_000, 2, -150):
        oracle.log.reads = 0
        oracle.check(seq)
        assert oracle.log.reads <= INDEX_EVERY + 10


@pytest.mark.parametrize("replaying", [False, True])
def test_number_of_kept_states_and_distance_are_bounded(replaying: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number is bounded however often and however far play goes back."""
    monkeypatch.setattr(history_module, "KEEP_EVERY", 20)
    monkeypatch.setattr(history_module, "KEEP_EVERY_REPLAYING", 5)
    for forward, back in ((20, 1), (19, 0), (21, 2), (2, 1), (3, 1), (39, 20), (30, 11)):
        oracle = Oracle(Steps() if replaying else None)
        for _ in range(40):
            for _ in range(forward):
                oracle.add(RecordKind.ACTION)
            for _ in range(back):
                oracle.add(RecordKind.UNDONE, oracle.lines[-1][-2])
        if replaying:
            oracle.history.thin_out()
        assert max(oracle.check(seq) for seq in range(oracle.log.last_seq + 1)) <= 40
        assert len(oracle.history._kept) <= 2 + oracle.log.last_seq / 5
