"""Drafts: planned writes, and the effects of each kind of record. Play, loading and verification share this code.

A :class:`Draft` works on a copy of a match's :class:`~engine_service.matches.snapshot.MatchSnapshot`. Each record that
is added is applied to the copy at once, so the plan can go on from what follows. A draft that is not committed has no
effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine_service.log.header import Header
from engine_service.log.history import KEEP_EVERY_REPLAYING, History
from engine_service.log.records import Record
from engine_service.log.results import empty_result, final_result
from engine_service.match_enums import AbsencePolicy, EndReason, MatchState, RecordKind
from engine_service.matches import clocks
from engine_service.matches.clocks import Clocks, ReturnedDecision
from engine_service.matches.numbering import Numbering
from engine_service.matches.snapshot import ACTION, ACTIVE, CHANCE_BY_HOST, CHANCE_BY_SEED, MatchSnapshot, PendingUndo
from engine_service.matches.transitions import transition_fault
from engine_service.model import Result
from engine_service.pack_guard import PACK_GUARD, ContractViolated, PackGuard
from engine_service.timing import SystemTime, TimeSource
from gamepacks.api.game import Game
from gamepacks.api.types import CHANCE, SIMULTANEOUS, TERMINAL


class InvalidPlan(RuntimeError):
    """A planned record may not follow the records before it; this is a bug of the service."""


class Draft:
    """A planned write: its records, and the snapshot of the match after them."""

    __slots__ = (
        "_owned",
        "_time",
        "after",
        "bots_until_ms",
        "checked",
        "decision_points",
        "game",
        "guard",
        "header",
        "history",
        "numbering",
        "private_decision_points",
        "private_records",
        "records",
        "seed",
        "time_ms",
    )

    def __init__(
        self,
        header: Header,
        game: Game[Any],
        history: History,
        before: MatchSnapshot,
        *,
        seed: bytes = b"",
        numbering: Numbering | None = None,
        time_ms: int = 0,
        time: TimeSource | None = None,
        guard: PackGuard = PACK_GUARD,
    ) -> None:
        """``history`` and ``numbering`` are those of the match before this write; ``guard`` is used for pack calls."""
        self.header = header
        self.game = game
        self.history = history
        self.seed = seed
        self.numbering = Numbering() if numbering is None else numbering
        self.after = before.copy()
        self.time_ms = time_ms
        self.guard = guard
        self._time = SystemTime() if time is None else time
        self.records: list[Record] = []
        self.decision_points: list[int] = []
        """Records of this draft after which a new decision is pending."""
        self.private_decision_points: list[int] = []
        """The decision points at which the decision is private."""
        self.private_records: dict[int, int] = {}
        """Records of this draft that only one seat may know of: seq to seat."""
        self.checked = False
        """Whether the legality of steps is checked as they are applied."""
        self.bots_until_ms: int | None = None
        """Monotonic time until which bots may decide within this write; None: no bot has decided yet."""
        self._owned = False

    def record(self, kind: RecordKind, seat: int = -1, code: int = 0, to_seq: int = 0, text: str = "") -> int:
        """Add a record of this moment; returns its seq. Raises InvalidPlan if it may not be the next one."""
        record = Record(self.after.seq + 1, kind, seat, code, self.time_ms, to_seq, text)
        if fault := transition_fault(self, record):
            raise InvalidPlan(f"record {record.seq} ({kind.name}) of {self.header.match}: {fault}")
        self.apply(record)
        return record.seq

    def replay(self, log: Sequence[Record], at_once: int) -> Iterator[int]:
        """Apply a whole log to this empty draft and add it to its history, checking the legality of every step.

        Yields the number of records applied, after every ``at_once`` of them, sooner if play goes back. Raises
        PackRaised if the rules do not allow a step.
        """
        self.checked = True
        work = 0
        for number, record in enumerate(log):
            if work >= at_once:
                yield number
                work = 0
            self.apply(record)
            self.add_to_history(record)
            work += KEEP_EVERY_REPLAYING if record.kind is RecordKind.UNDONE else 1

    def add_to_history(self, record: Record) -> None:
        """Add a record that was just applied to the history, if the draft replays a log. Raises PackRaised."""
        self.history.append(record)
        with self.guard:
            self.history.keep_state(self.after.game_state, self.after.plies)

    def apply(self, record: Record) -> None:
        """Add a record and change the snapshot as it says."""
        after = self.after
        after.seq = record.seq
        after.time_ms = record.time_ms
        self.records.append(record)
        kind = record.kind
        if kind is ACTION or kind is CHANCE_BY_SEED or kind is CHANCE_BY_HOST:
            self._step(record)
        else:
            _HANDLERS[kind](self, record)

    # -- the state of the game -------------------------------------------------------------------------------------

    def _step(self, record: Record) -> None:
        after = self.after
        seat = record.seat
        with self.guard:
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
            return  # a step that a fork has copied
        same = False
        if record.kind is ACTION:
            if not private:
                self._charge(seat, increment=True, timed=declined == -1)
            same = actor == SIMULTANEOUS == after.actor and 0 != seats_to_act == after.seats_to_act & ~(1 << seat)
        if not private:
            after.undo = None
        self._set_actor(record, actor, seats_to_act, decline_code, same)

    def _set_actor(self, record: Record, actor: int, seats_to_act: int, decline_code: int, same: bool = False) -> None:
        """Note who is to act now; ``same``: at the same decision node as before."""
        after = self.after
        after.actor = actor
        after.seats_to_act = seats_to_act
        after.decline_code = decline_code
        if seats_to_act and not same:
            after.decision_seq = record.seq
            after.since_ms = record.time_ms
            after.used = ()
            self.decision_points.append(record.seq)
            if decline_code != -1:
                self.private_decision_points.append(record.seq)

    def _update_actor(self, record: Record) -> None:
        """Ask the state who is to act."""
        with self.guard:
            state = self.after.game_state
            actor = state.actor()
            seats_to_act = state.seats_to_act() if actor >= 0 or actor == SIMULTANEOUS else 0
            decline_code = state.decline_code() if actor >= 0 else -1
        self._set_actor(record, actor, seats_to_act, decline_code)

    def _charge(self, seat: int, increment: bool = False, timed: bool = True) -> None:
        """Take the time that a seat has used on the present decision off its match clock, if it is ``timed``."""
        after = self.after
        control = self.header.time_control
        if control is not None and after.clocks and not after.service_seats >> seat & 1:
            spent = after.time_ms - after.since_ms if timed else 0
            after.clocks = clocks.charge(after.clocks, seat, spent, control.increment_ms if increment else 0)

    def _charge_all(self) -> None:
        if self.after.decline_code != -1:
            return  # the time of a private decision must not show
        for seat in range(len(self.after.seats)):
            if self.after.seats_to_act >> seat & 1:
                self._charge(seat)

    def _go_back(self, record: Record) -> None:
        after = self.after
        with self.guard:
            after.game_state, after.plies = self.history.state_after(record.to_seq)
        self._owned = True

    # -- effects of the kinds of records --------------------------------------------------------------------------

    def change_seat(self, seat: int, **changes: Any) -> None:
        """Replace fields of a seat's row."""
        seats = self.after.seats
        self.after.seats = (*seats[:seat], replace(seats[seat], **changes), *seats[seat + 1 :])
        self.after.service_seats = clocks.service_seats(self.after.seats)

    def _joined(self, record: Record) -> None:
        self.change_seat(record.seat, taken=True, player=record.text)

    def _left(self, record: Record) -> None:
        invited = self.header.seats[record.seat].player
        self.change_seat(record.seat, taken=False, player=invited, nonce=b"", digest=b"")

    def _started(self, record: Record) -> None:
        self.after.state = ACTIVE
        self.after.started_seq = record.seq
        self.after.started_ms = self.wall_ms()
        self.after.clocks = clocks.full_clocks(self.header.time_control, len(self.after.seats))
        self._update_actor(record)

    def _seat_out(self, record: Record) -> None:
        after = self.after
        if after.seats_to_act >> record.seat & 1 and after.decline_code == -1:
            self._charge(record.seat)
        self.change_seat(record.seat, out=True)
        undo = after.undo
        if undo is not None and undo.seat == record.seat:
            after.undo = None
        elif undo is not None:
            # A seat that is out does not have to agree.
            after.undo = replace(undo, waiting_for=tuple(s for s in undo.waiting_for if s != record.seat))

    def _undo_requested(self, record: Record) -> None:
        service_seats = self.after.service_seats
        asked = tuple(s for s in range(self.game.players) if s != record.seat and not service_seats >> s & 1)
        self.after.undo = PendingUndo(record.seat, record.to_seq, record.text, record.seq, asked)

    def _undo_accepted(self, record: Record) -> None:
        undo = self.after.undo
        if undo is None:
            raise InvalidPlan("no undo request is pending that could be answered")
        self.after.undo = replace(undo, waiting_for=tuple(s for s in undo.waiting_for if s != record.seat))

    def _undo_ended(self, record: Record) -> None:
        self.after.undo = None

    def _undone(self, record: Record) -> None:
        after = self.after
        clocked = self.header.time_control is not None
        taken_back = list(self.history.steps_after(record.to_seq)) if clocked else []
        self._charge_all()
        after.clocks = self.clocks_without(taken_back)
        after.undo = None
        self._go_back(record)
        self._update_actor(record)
        if clocked:
            self._return_to_decision(record, taken_back)

    def clocks_without(self, steps: Iterable[Record]) -> Clocks:
        """Returns the match clocks without the increments of these steps."""
        control, left = self.header.time_control, self.after.clocks
        if control is None or not control.increment_ms:
            return left
        for step in steps:
            if step.kind is ACTION and not self.after.service_seats >> step.seat & 1 and not self._is_private(step.seq):
                left = clocks.charge(left, step.seat, control.increment_ms)
        return left

    def _is_private(self, seq: int) -> bool:
        return seq in self.private_records or self.numbering.is_private(seq)

    def _return_to_decision(self, record: Record, taken_back: Sequence[Record]) -> None:
        """Note how much time each seat has used on the decision to which play has gone back."""
        after, to_seq = self.after, record.to_seq
        known = clocks.returned_to(after.returned, to_seq)
        if known is not None and to_seq in (known.root, known.seq):
            root, since_ms, used, before = known.root, known.time_ms, known.used, known.before
        else:
            root, since_ms, used, before = to_seq, self.history.log[to_seq].time_ms, (0,) * len(after.seats), known
        answered = {step.seat: step.time_ms for step in taken_back if step.kind is ACTION}
        spent = [answered.get(seat, record.time_ms) - since_ms for seat in range(len(after.seats))]
        after.used = tuple(
            before_ms + ms if after.seats_to_act >> seat & 1 else 0
            for seat, (before_ms, ms) in enumerate(zip(used, spent, strict=True))
        )
        after.returned = ReturnedDecision(root, record.seq, record.time_ms, after.used, before)

    def _finished(self, record: Record) -> None:
        with self.guard:
            result = self.outcome()
            if result is None or len(result.returns) != self.game.players:
                raise ContractViolated("play ended without a result for each seat")
        self._end(MatchState.FINISHED, result)

    def _cancelled(self, record: Record) -> None:
        self._end(MatchState.CANCELLED, empty_result(EndReason.CANCELLED))

    def _faulted(self, record: Record) -> None:
        self._end(MatchState.FAULTED, empty_result(EndReason.PACK_FAULT))

    def _end(self, state: MatchState, result: Result) -> None:
        after = self.after
        self._charge_all()
        after.state, after.result, after.ended_ms = state, result, self.wall_ms()
        after.actor, after.seats_to_act, after.decline_code, after.undo, after.queued_outcomes = (
            TERMINAL,
            0,
            -1,
            None,
            (),
        )

    def outcome(self) -> Result | None:
        """Returns the result if play is over, else None. Calls the pack, so it belongs inside the guard."""
        after = self.after
        forfeit = self.header.policy.absence is AbsencePolicy.FORFEIT
        out = frozenset(s for s, row in enumerate(after.seats) if row.out) if forfeit else frozenset()
        return final_result(after.game_state, self.game.players, out, self.game.capabilities)

    def wall_ms(self) -> int:
        """Returns the present time since 1970."""
        return self._time.wall_ms()

    @property
    def awaits_chance(self) -> bool:
        """Whether play waits for an outcome of chance."""
        return self.after.state is ACTIVE and self.after.actor == CHANCE


_HANDLERS: dict[RecordKind, Callable[[Draft, Record], None]] = {
    RecordKind.JOINED: Draft._joined,
    RecordKind.LEFT: Draft._left,
    RecordKind.STARTED: Draft._started,
    RecordKind.RESIGNED: Draft._seat_out,
    RecordKind.TIMED_OUT: Draft._seat_out,
    RecordKind.UNDO_REQUESTED: Draft._undo_requested,
    RecordKind.UNDO_ACCEPTED: Draft._undo_accepted,
    RecordKind.UNDO_DECLINED: Draft._undo_ended,
    RecordKind.UNDO_WITHDRAWN: Draft._undo_ended,
    RecordKind.UNDONE: Draft._undone,
    RecordKind.FINISHED: Draft._finished,
    RecordKind.CANCELLED: Draft._cancelled,
    RecordKind.FAULTED: Draft._faulted,
}
