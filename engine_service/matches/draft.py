"""How each record moves a match on: the same code for play, loading and recovery.

A :class:`Draft` is a copy of a match's :class:`~engine_service.matches.progress.Progress` on which a write is planned:
every record that is added is folded in at once, so the plan can look at what follows. A draft that is not committed
leaves no trace.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine_service.guard import RULES, BrokenRules
from engine_service.log.header import Header
from engine_service.log.line import ended_without, final_result
from engine_service.log.records import Record, RecordKind, RecordLog
from engine_service.log.trail import MARK_EVERY, Trail
from engine_service.matches import clocks
from engine_service.matches.clocks import Clocks, Return
from engine_service.matches.numbering import Numbering
from engine_service.matches.past import Past
from engine_service.matches.progress import ACTION, ACTIVE, CHANCE_BY_HOST, CHANCE_BY_SEED, PendingUndo, Progress
from engine_service.model import AbsencePolicy, EndReason, MatchState, Result
from engine_service.timing import TimeSource
from gamepacks.api.game import Game
from gamepacks.api.types import CHANCE, SIMULTANEOUS, TERMINAL


class Draft:
    """A write in the making: what is to be recorded, and how the match would stand then."""

    __slots__ = (
        "_owned",
        "_time",
        "_trail",
        "after",
        "bots_until_ms",
        "checked",
        "game",
        "header",
        "log",
        "numbering",
        "past",
        "points",
        "private_points",
        "private_records",
        "records",
        "seed",
        "time_ms",
        "went_back",
    )

    def __init__(
        self,
        header: Header,
        game: Game[Any],
        seed: bytes,
        log: RecordLog,
        past: Past,
        numbering: Numbering,
        before: Progress,
        time_ms: int,
        time: TimeSource,
    ) -> None:
        self.header = header
        self.game = game
        self.seed = seed
        self.log = log
        self.past = past
        self.numbering = numbering
        self.after = before.branch()
        self.time_ms = time_ms
        self._time = time
        self.records: list[Record] = []
        self.points: list[int] = []
        """Records of this draft after which a decision stands that did not stand before."""
        self.private_points: list[int] = []
        """Those of the points at which the decision is private."""
        self.private_records: dict[int, int] = {}
        """Records of this draft of which only one seat may know: seq to seat."""
        self.went_back: list[tuple[int, int, int]] = []
        """UNDONE records of this draft: seq, to_seq, and the plies that were left."""
        self.checked = False
        self.bots_until_ms: int | None = None
        """How long bots may decide within this write, in monotonic time; None: none has yet."""
        self._owned = False
        self._trail: Trail | None = None

    def record(self, kind: RecordKind, seat: int = -1, code: int = 0, to_seq: int = 0, text: str = "") -> int:
        """Add a record of this moment; returns its seq."""
        seq = self.after.seq + 1
        self.fold(Record(seq, kind, seat, code, self.time_ms, to_seq, text))
        return seq

    def replaying(self, log: Sequence[Record], at_once: int) -> Iterator[int]:
        """Fold in a log from its beginning, checking every step; pauses after so many records, earlier where play goes
        back, and tells how many are folded in.

        Raises PackRaised where the rules do not allow a step.
        """
        self.checked = True
        self._trail = Trail(self.after.game_state)
        work = 0
        for number, record in enumerate(log):
            if work >= at_once:
                yield number
                work = 0
            self.fold(record)
            with RULES:
                self._trail.push(record, self.after.game_state)
            work += MARK_EVERY if record.kind is RecordKind.UNDONE else 1

    def fold(self, record: Record) -> None:
        """Add a record and take in what it means."""
        after = self.after
        after.seq = record.seq
        after.time_ms = record.time_ms
        self.records.append(record)
        kind = record.kind
        if kind is ACTION or kind is CHANCE_BY_SEED or kind is CHANCE_BY_HOST:
            self._step(record)
        else:
            _FOLDS[kind](self, record)

    # -- the state of the game -------------------------------------------------------------------------------------

    def _step(self, record: Record) -> None:
        after = self.after
        seat = record.seat
        with RULES:
            if not self._owned:
                after.game_state = after.game_state.clone()
                self._owned = True
            state = after.game_state
            declined = state.decline_code() if record.kind is ACTION else -1
            if self.checked:
                state.apply(record.code, seat)
            else:
                state.apply_unchecked(record.code, seat)
            actor = state.actor()
            seats_to_act = state.seats_to_act() if actor >= 0 or actor == SIMULTANEOUS else 0
            decline_code = state.decline_code() if actor >= 0 else -1
        after.plies += 1
        private = declined != -1 and declined == record.code
        if private:
            self.private_records[record.seq] = seat
            after.private_records += 1
        if after.state is not ACTIVE:
            return  # a step that a fork took over
        same = False
        if record.kind is ACTION:
            if not private:
                self._charge(seat, increment=True, timed=declined == -1)
            same = actor == SIMULTANEOUS == after.actor and 0 != seats_to_act == after.seats_to_act & ~(1 << seat)
        if not private:
            after.undo = None
        self._stand(record, actor, seats_to_act, decline_code, same)

    def _stand(self, record: Record, actor: int, seats_to_act: int, decline_code: int, same: bool = False) -> None:
        """Somebody is to act now; ``same``: at the decision node that stood before."""
        after = self.after
        after.actor = actor
        after.seats_to_act = seats_to_act
        after.decline_code = decline_code
        if seats_to_act and not same:
            after.decision_seq = record.seq
            after.since_ms = record.time_ms
            after.used = ()
            self.points.append(record.seq)
            if decline_code != -1:
                self.private_points.append(record.seq)

    def _look(self, record: Record) -> None:
        """Find out who is to act from the state itself."""
        with RULES:
            state = self.after.game_state
            actor = state.actor()
            seats_to_act = state.seats_to_act() if actor >= 0 or actor == SIMULTANEOUS else 0
            decline_code = state.decline_code() if actor >= 0 else -1
        self._stand(record, actor, seats_to_act, decline_code)

    def _charge(self, seat: int, increment: bool = False, timed: bool = True) -> None:
        """Take the time that a seat has used on the present decision off its match clock, if it is ``timed``."""
        after = self.after
        control = self.header.time_control
        if control is not None and after.clocks and not after.served >> seat & 1:
            spent = after.time_ms - after.since_ms if timed else 0
            after.clocks = clocks.charge(after.clocks, seat, spent, control.increment_ms if increment else 0)

    def _charge_all(self) -> None:
        if self.after.decline_code != -1:
            return  # the time of a private decision must not show
        for seat in range(len(self.after.seats)):
            if self.after.seats_to_act >> seat & 1:
                self._charge(seat)

    def _go_back(self, record: Record) -> None:
        after, to_seq = self.after, record.to_seq
        if self._trail is not None:
            with RULES:
                after.game_state, after.plies = self._trail.back_to(to_seq)
        else:
            after.game_state, after.plies = self.past.state_after(to_seq, self.log, self.header, self.game)
        self.went_back.append((record.seq, to_seq, after.plies))
        self._owned = True

    # -- what each kind of record means ----------------------------------------------------------------------------

    def change_seat(self, seat: int, **changes: Any) -> None:
        """Replace fields of a seat's row."""
        seats = self.after.seats
        self.after.seats = (*seats[:seat], replace(seats[seat], **changes), *seats[seat + 1 :])
        self.after.served = clocks.served(self.after.seats)

    def _joined(self, record: Record) -> None:
        self.change_seat(record.seat, taken=True, player=record.text)

    def _left(self, record: Record) -> None:
        meant = self.header.seats[record.seat].player
        self.change_seat(record.seat, taken=False, player=meant, nonce=b"", digest=b"")

    def _started(self, record: Record) -> None:
        self.after.state = ACTIVE
        self.after.started_ms = self.wall_ms()
        self.after.clocks = clocks.fresh(self.header.time_control, len(self.after.seats))
        self._look(record)

    def _gave_up(self, record: Record) -> None:
        after = self.after
        if after.seats_to_act >> record.seat & 1 and after.decline_code == -1:
            self._charge(record.seat)
        self.change_seat(record.seat, out=True)
        undo = after.undo
        if undo is not None and undo.seat == record.seat:
            after.undo = None
        elif undo is not None:
            # Whoever is no longer there has nothing against it.
            after.undo = replace(undo, waiting_for=tuple(s for s in undo.waiting_for if s != record.seat))

    def _undo_requested(self, record: Record) -> None:
        served = self.after.served
        asked = tuple(s for s in range(self.game.players) if s != record.seat and not served >> s & 1)
        self.after.undo = PendingUndo(record.seat, record.to_seq, record.text, record.seq, asked)

    def _undo_accepted(self, record: Record) -> None:
        undo = self.after.undo
        if undo is None:
            raise BrokenRules("a consent to no request")
        self.after.undo = replace(undo, waiting_for=tuple(s for s in undo.waiting_for if s != record.seat))

    def _undo_ended(self, record: Record) -> None:
        self.after.undo = None

    def _undone(self, record: Record) -> None:
        after = self.after
        taken_back = [] if self.header.time_control is None else self.steps_after(record.to_seq)
        self._charge_all()
        after.clocks = self.clocks_without(taken_back)
        after.undo = None
        self._go_back(record)
        self._look(record)
        if self.header.time_control is not None:
            self._return_to_decision(record, taken_back)

    def steps_after(self, seq: int) -> list[Record]:
        """The steps in force behind record ``seq``, the newest first."""
        if self._trail is None:
            return list(self.past.steps_after(seq, self.log))
        steps = self._trail.line.steps
        return steps[bisect_right(steps, seq, key=lambda step: step.seq) :][::-1]

    def clocks_without(self, steps: Iterable[Record]) -> Clocks:
        """The match clocks as they stand, less the increments of these steps."""
        control, left = self.header.time_control, self.after.clocks
        if control is None or not control.increment_ms:
            return left
        for step in steps:
            if step.kind is ACTION and not self.after.served >> step.seat & 1 and not self._is_private(step.seq):
                left = clocks.charge(left, step.seat, control.increment_ms)
        return left

    def _is_private(self, seq: int) -> bool:
        return seq in self.private_records or self.numbering.is_private(seq)

    def _return_to_decision(self, record: Record, taken_back: Sequence[Record]) -> None:
        """What each seat has used on the decision that has come back: until it answered, each time that it stood."""
        after, to_seq = self.after, record.to_seq
        known = clocks.returned_to(after.returned, to_seq)
        if known is not None and to_seq in (known.root, known.seq):
            root, since_ms, used, before = known.root, known.time_ms, known.used, known.before
        else:
            root, since_ms, used, before = to_seq, self._time_of(to_seq), (0,) * len(after.seats), known
        answered = {step.seat: step.time_ms for step in taken_back if step.kind is ACTION}
        spent = [answered.get(seat, record.time_ms) - since_ms for seat in range(len(after.seats))]
        after.used = tuple(
            before_ms + ms if after.seats_to_act >> seat & 1 else 0
            for seat, (before_ms, ms) in enumerate(zip(used, spent, strict=True))
        )
        after.returned = Return(root, record.seq, record.time_ms, after.used, before)

    def _time_of(self, seq: int) -> int:
        """time_ms of an earlier record."""
        return (self.records[seq - 1] if self._trail is not None else self.log[seq]).time_ms

    def _finished(self, record: Record) -> None:
        with RULES:
            result = self.outcome()
            if result is None or len(result.returns) != self.game.players:
                raise BrokenRules("an end without a result for each seat")
        self._end(MatchState.FINISHED, result)

    def _cancelled(self, record: Record) -> None:
        self._end(MatchState.CANCELLED, ended_without(EndReason.CANCELLED))

    def _faulted(self, record: Record) -> None:
        self._end(MatchState.FAULTED, ended_without(EndReason.PACK_FAULT))

    def _end(self, state: MatchState, result: Result) -> None:
        after = self.after
        self._charge_all()
        after.state, after.result, after.ended_ms = state, result, self.wall_ms()
        after.actor, after.seats_to_act, after.decline_code, after.undo, after.waiting = TERMINAL, 0, -1, None, ()

    def outcome(self) -> Result | None:
        """The result, if play is over; asks the pack, so it belongs inside the fence."""
        after = self.after
        forfeit = self.header.policy.absence is AbsencePolicy.FORFEIT
        out = frozenset(s for s, row in enumerate(after.seats) if row.out) if forfeit else frozenset()
        return final_result(after.game_state, self.game.players, out, self.game.capabilities)

    def wall_ms(self) -> int:
        """Now, since 1970."""
        return self._time.wall_ms()

    @property
    def awaits_chance(self) -> bool:
        """Does play wait for an outcome of chance?"""
        return self.after.state is ACTIVE and self.after.actor == CHANCE


_FOLDS: dict[RecordKind, Callable[[Draft, Record], None]] = {
    RecordKind.JOINED: Draft._joined,
    RecordKind.LEFT: Draft._left,
    RecordKind.STARTED: Draft._started,
    RecordKind.RESIGNED: Draft._gave_up,
    RecordKind.TIMED_OUT: Draft._gave_up,
    RecordKind.UNDO_REQUESTED: Draft._undo_requested,
    RecordKind.UNDO_ACCEPTED: Draft._undo_accepted,
    RecordKind.UNDO_DECLINED: Draft._undo_ended,
    RecordKind.UNDO_WITHDRAWN: Draft._undo_ended,
    RecordKind.UNDONE: Draft._undone,
    RecordKind.FINISHED: Draft._finished,
    RecordKind.CANCELLED: Draft._cancelled,
    RecordKind.FAULTED: Draft._faulted,
}
