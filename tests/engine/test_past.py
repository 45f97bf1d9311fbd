"""The states of the past: right after any record, whatever was taken back, and never far to go."""

from __future__ import annotations

import gc

import pytest

from cext.random import Rng
from cext.state import State
from engine_service import errors
from engine_service.hosting import shelf
from engine_service.log.line import Line
from engine_service.log.records import STEPS, Record, RecordKind, RecordLog
from engine_service.matches import past
from engine_service.matches.past import Past
from engine_service.matches.progress import Progress
from engine_service.model import AbsencePolicy, ForkSetup, Policy, UndoPolicy
from gamepacks.api.types import Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, hosting

FREE = Policy(undo=UndoPolicy.FREE, absence=AbsencePolicy.BOT)


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


class Read(RecordLog):
    """A log that counts how often one of its records is looked at."""

    __slots__ = ("looks",)

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def __getitem__(self, seq: int) -> Record:
        self.looks += 1
        return super().__getitem__(seq)

    def kind_of(self, seq: int) -> RecordKind:
        self.looks += 1
        return super().kind_of(seq)


class Opening:
    """What is asked of header and game."""

    position = None

    def initial_state(self) -> Steps:
        return Steps()


OPENING = Opening()


class History:
    """A log that grows, the line by a slow oracle, and what is kept of it."""

    def __init__(self) -> None:
        self.log, self.past, self.line = Read(), Past(), Line()
        self.lines: list[tuple[int, ...]] = [()]
        self.now = Progress(Steps(), ())

    def add(self, kind: RecordKind, to_seq: int = 0) -> None:
        seq = self.log.last_seq + 1
        record = Record(seq, kind, seat=seq % 2 if kind is RecordKind.ACTION else -1, code=seq, to_seq=to_seq)
        line = self.lines[to_seq] if kind is RecordKind.UNDONE else self.lines[-1]
        self.lines.append((*line, seq) if kind in STEPS else line)
        self.log.append(record)
        self.line.push(record)
        if kind is RecordKind.UNDONE:
            self.past.went_back(seq, to_seq, len(line), self.log, OPENING, OPENING)  # type: ignore[arg-type]
        self.now = self.now.branch()
        self.now.seq, self.now.plies, self.now.game_state = seq, len(self.lines[-1]), Steps(self.lines[-1])
        self.past.reached(self.now, self.log)

    def check(self, seq: int) -> int:
        """Returns how many steps it took."""
        before = Steps.taken
        state, plies = self.past.state_after(seq, self.log, OPENING, OPENING)  # type: ignore[arg-type]
        assert isinstance(state, Steps) and state.steps == self.lines[seq] and plies == len(self.lines[seq])
        return Steps.taken - before


@pytest.mark.parametrize("talk", [1, 6])
@pytest.mark.parametrize("seed", range(10))
def test_any_record_of_any_history(seed: int, talk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "KEEP_EVERY", 5)
    monkeypatch.setattr(past, "TIP_EVERY", 2)
    rng, history = Rng(seed), History()
    kinds = [RecordKind.ACTION, RecordKind.ACTION, RecordKind.CHANCE, *[RecordKind.UNDO_DECLINED] * talk]
    for _ in range(120):
        targets = [seq for seq in range(1, history.log.last_seq) if history.line.can_return_to(seq)]
        if targets and rng.below(5) == 0:
            history.add(RecordKind.UNDONE, rng.choice(targets))
        else:
            history.add(rng.choice(kinds))
        for seq in range(1, history.log.last_seq):
            # Whether the two differ where nothing would be taken back is for the caller.
            if history.line.steps and history.line.steps[-1].seq > seq and history.log[seq].kind in STEPS:
                assert history.past.in_force(seq) == history.line.can_return_to(seq)
        newest = history.lines[-1]
        assert history.past.newest_step(history.log) == (newest[-1] if newest else 0)
        own = [seq for seq in newest if history.log[seq].seat == 1]
        assert history.past.newest_step(history.log, 1) == (own[-1] if own else 0)
    for seq in range(history.log.last_seq + 1):
        assert history.check(seq) <= 10


def test_a_line_that_grows_by_going_back_is_never_far_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time some steps forward, past what is kept, and most of them back again."""
    monkeypatch.setattr(past, "KEEP_EVERY", 20)
    for forward, back in ((21, 2), (19, 12), (40, 39)):
        history = History()
        for _ in range(40):
            for _ in range(forward):
                history.add(RecordKind.ACTION)
            history.add(RecordKind.UNDONE, history.lines[-1][-1 - back])
        assert max(history.check(seq) for seq in range(history.log.last_seq + 1)) <= 40


@pytest.mark.parametrize("more", [(), (RecordKind.UNDO_REQUESTED, RecordKind.UNDO_DECLINED)])
def test_what_was_taken_back_is_not_read_again(more: tuple[RecordKind, ...]) -> None:
    """The same action, taken and taken back: each time to where the last one had been taken back to."""
    history = History()
    history.add(RecordKind.ACTION)
    for _ in range(300):
        here = history.log.last_seq
        history.add(RecordKind.ACTION)
        history.add(RecordKind.UNDONE, here)
        for kind in more:
            history.add(kind)
    for seq in (history.log.last_seq, history.log.last_seq - 300):
        history.log.looks = 0
        history.check(seq)
        assert history.log.looks <= 10
    history.log.looks = 0
    assert history.past.newest_step(history.log) == 1 and history.past.newest_step(history.log, 0) == 0
    assert history.log.looks <= 15


def test_a_stretch_without_a_step_is_not_read_again_and_again() -> None:
    history = History()
    history.add(RecordKind.ACTION)
    for _ in range(5_000):
        history.add(RecordKind.UNDO_DECLINED)
    history.check(5_001)
    for seq in range(5_000, 2, -150):
        history.log.looks = 0
        history.check(seq)
        assert history.log.looks <= past.TIP_EVERY + 10


def test_states_that_are_kept_do_not_all_end_up_beside_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is taken back, and however often, what is kept stays near and stays little."""
    monkeypatch.setattr(past, "KEEP_EVERY", 20)
    for forward, back in ((20, 1), (19, 0), (21, 2), (2, 1), (3, 1), (39, 20), (30, 11)):
        history = History()
        for _ in range(40):
            for _ in range(forward):
                history.add(RecordKind.ACTION)
            for _ in range(back):
                history.add(RecordKind.UNDONE, history.lines[-1][-2])
        assert max(history.check(seq) for seq in range(history.log.last_seq + 1)) <= 40
        assert len(history.past._kept) <= 2 + history.log.last_seq / 5


async def test_a_match_keeps_what_it_needs_as_it_is_played_loaded_and_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "KEEP_EVERY", 2)
    monkeypatch.setattr(shelf, "RECORDS_AT_ONCE", 2)
    async with hosting() as h:
        t = await h.table("sealed", policy=FREE)
        for _ in range(2):
            for seat in (0, 1):
                await t.play(seat, sealed.BID(0))
        await h.host.request_undo(t.name, t.tokens[0])
        for seat in (0, 1):
            await t.play(seat, sealed.BID(1))
        loaded = await h.another().find(t.name)
        copy = await h.host.fork(t.name, ForkSetup([BOT, BOT]), t.live.decision_seq, t.host_token)
        copied = h.host.peek(copy.match.name)
        assert copied is not None and copied.past._kept
        assert t.live.past._kept and loaded.past._gone == t.live.past._gone != []
        for seq in range(t.live.seq + 1):
            assert loaded.state_after(seq).to_bytes() == t.live.state_after(seq).to_bytes()


async def test_a_log_that_goes_back_often_is_read_with_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, found = 0, []
    clone = kuhn.KuhnState.clone

    def alive() -> int:
        return sum(type(known) is kuhn.KuhnState for known in gc.get_objects())

    def counted(state: kuhn.KuhnState) -> kuhn.KuhnState:
        nonlocal calls
        calls += 1
        if calls % 20 == 0:
            found.append(alive())
        return clone(state)

    async with hosting() as h:
        t = await h.table("kuhn", policy=FREE)
        for _ in range(100):
            await t.play(0, kuhn.CHECK())
            await h.host.request_undo(t.name, t.tokens[0])
        before = alive()
        monkeypatch.setattr(kuhn.KuhnState, "clone", counted)
        assert (await h.another().find(t.name)).seq == t.live.seq
    assert len(found) >= 5 and max(found) <= before + 10


async def test_one_cannot_copy_where_an_answer_has_begun_or_play_is_over() -> None:
    async with hosting() as h:
        t = await h.table("sealed", policy=FREE)
        started = t.live.decision_seq
        await t.play(0, sealed.BID(0))
        for seq in (started - 1, t.live.seq):
            with pytest.raises(errors.InvalidField):
                await h.host.fork(t.name, ForkSetup([BOT, BOT]), seq, t.host_token)
        await h.host.fork(t.name, ForkSetup([BOT, BOT]), started, t.host_token)
        await h.host.cancel(t.name, t.host_token)
        with pytest.raises(errors.InvalidField):
            await h.host.fork(t.name, ForkSetup([BOT, BOT]), t.live.seq, t.host_token)
        await h.host.fork(t.name, ForkSetup([BOT, BOT]), started, t.host_token)
        assert (await h.host.find(t.name)).owes(Seat(0)) is False
