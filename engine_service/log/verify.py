"""Proving a replay: that its records are chained, that every step was legal, that no roll was chosen, that the result
follows; and by whose key it is signed.

It needs the rules that the match was played by, and trusts nothing that the replay says of itself. So a replay that
holds is consistent; that the match was played at some service only a signature tells, to whoever knows that service's
key. What nothing proves: that the players were who they say, and that times were measured well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cext.chance import SEED_BYTES, commitment, outcome
from cext.state import State
from engine_service.errors import EngineError, ReplayInvalid
from engine_service.guard import ASIDE, BrokenRules, PackRaised
from engine_service.log.header import LATEST_MS, Header, configure, opening
from engine_service.log.line import ended_without, final_result
from engine_service.log.records import Record, RecordKind, chain, first_chain
from engine_service.log.replay import records_of
from engine_service.log.results import result_bytes
from engine_service.log.signing import signer
from engine_service.log.trail import Trail
from engine_service.model import (
    AbsencePolicy,
    ChanceSource,
    EndReason,
    MatchState,
    Result,
    SeatKind,
    UndoPolicy,
)
from engine_service.text import is_readable
from gamepacks.api.errors import IllegalAction
from gamepacks.api.game import Game
from gamepacks.api.registry import Registry
from gamepacks.api.types import CHANCE
from omnilude.v1.replay_pb2 import Replay


@dataclass(frozen=True, slots=True)
class Report:
    """What was proved of a replay."""

    match: str
    game: str
    rules_version: str
    engine_version: str
    players: tuple[str, ...]
    """Who sat on each seat; empty for one that nobody took."""
    state: MatchState
    """WAITING or ACTIVE for a replay of a match that has not ended."""
    result: Result | None
    records: int
    steps: int
    """Actions and outcomes of chance in force at the end."""
    signing_key: bytes = b""
    """Public key of the service that has signed it; empty: nobody has."""
    rolls_proved: int = 0
    """Outcomes, taken back ones included, that the published seed gives."""
    rolls_sealed: int = 0
    """Outcomes that can be proved only when the seed is published."""
    rolls_supplied: int = 0
    """Outcomes that the host supplied."""
    rolls_inherited: int = 0
    """Outcomes that were copied from another match, whose seed they come from."""


def verify(replay: Replay, registry: Registry) -> Report:
    """Prove a replay.

    Raises ReplayInvalid, with the first record that does not hold; RulesNotLoaded, CardSetNotLoaded.
    """
    header = Header.decode(replay.header)
    records = records_of(replay)
    _check_chain(replay, records)
    signing_key = signer(replay)
    if replay.seed and (len(replay.seed) != SEED_BYTES or commitment(replay.seed) != header.seed_commitment):
        raise ReplayInvalid(0, "the seed is not the one that was committed to")
    seq = 0
    try:
        with ASIDE:
            game = configure(header, registry)
            proof = _Proof(header, game, opening(header, game), replay.seed)
        for record in records:
            seq = record.seq
            proof.take(record)
    except PackRaised as raised:
        raise _blame(raised.error, seq) from None
    _check_end(replay, proof)
    return replace(proof.report(), signing_key=signing_key)


def _check_chain(replay: Replay, records: Sequence[Record]) -> None:
    link = first_chain(replay.header)
    for seq, record in enumerate(records, 1):
        if record.seq != seq:
            raise ReplayInvalid(seq, f"a gap: it has the number {record.seq}")
        try:
            link = chain(link, record)
        except ValueError:
            raise ReplayInvalid(seq, "a number is out of range") from None
    if link != replay.chain:
        raise ReplayInvalid(0, "the chain does not end as it should: header or records were edited")


def _check_end(replay: Replay, proof: _Proof) -> None:
    if proof.over:
        raise ReplayInvalid(proof.records, "play is over, and no record says so")
    if proof.state.ended != replay.HasField("result"):
        raise ReplayInvalid(0, "the result is missing" if proof.state.ended else "a result before the end")
    if proof.state.ended and not replay.seed:
        raise ReplayInvalid(0, "the seed is missing")
    # By bytes, for -0.0 equals 0.0 and NaN does not equal itself.
    if proof.result is not None and replay.result.SerializeToString(deterministic=True) != result_bytes(proof.result):
        raise ReplayInvalid(0, "the result is not the one that follows from the log")


def _blame(error: BaseException, seq: int) -> EngineError:
    """What it means that the rules raised. Their own texts are left out: they may quote what nobody should read."""
    if isinstance(error, EngineError):
        return error
    if isinstance(error, IllegalAction):
        return ReplayInvalid(seq, f"not legal there ({error.reason})")
    return ReplayInvalid(seq, f"the rules failed on it ({type(error).__name__})")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request to go back, and who has not agreed yet."""

    seat: int
    to_seq: int
    waiting_for: frozenset[int]


class _Proof:
    """A log played again, record by record. Refuses with ReplayInvalid; what the pack raises comes as PackRaised."""

    def __init__(self, header: Header, game: Game[Any], start: State, seed: bytes) -> None:
        self.header = header
        self.game = game
        self.seed = seed
        self.state = MatchState.WAITING
        self.result: Result | None = None
        self.over: Result | None = None
        """The result that the next record must make known."""
        self.records = 0
        self.proved = self.sealed = self.supplied = self.inherited = 0
        self._time_ms = 0
        self._taken_over = 0
        self._started_seq = 0
        self._game_state = start.clone()
        self._trail = Trail(start)
        self._line = self._trail.line
        self._players = [seat.player if seat.kind is SeatKind.BOT else "" for seat in header.seats]
        self._open = {seat for seat, meant in enumerate(header.seats) if meant.kind is not SeatKind.BOT}
        self._gone: frozenset[int] = frozenset()
        self._asked: _Asked | None = None

    def take(self, record: Record) -> None:
        """Prove the next record."""
        kind = record.kind
        self._require(not self.state.ended, record, "a record after the end")
        self._require(record.time_ms >= self._time_ms, record, "its time lies before that of the record before it")
        self._require(record.time_ms <= LATEST_MS - self.header.create_ms, record, "its time cannot be")
        if self.over is not None and kind is not RecordKind.FINISHED:
            # Several seats can be late at the same moment.
            late_as_well = kind is RecordKind.TIMED_OUT and record.time_ms == self._time_ms
            # Where the rules were missing, nobody could state the result before somebody cancelled the match.
            cancelled = kind is RecordKind.CANCELLED
            allowed = (late_as_well or cancelled) and self.over.reason is EndReason.FORFEIT
            self._require(allowed, record, "play was over before it")
        lowest, seats = (0, self.header.players) if kind in _OF_A_SEAT else (-1, 0)
        self._require(lowest <= record.seat < seats, record, f"seat {record.seat} cannot be")
        _PROOFS[kind](self, record)
        self._require(_text_can_be(record), record, "its text cannot be")
        with ASIDE:
            self._trail.push(record, self._game_state)
        self._time_ms = record.time_ms
        self.records = record.seq

    def report(self) -> Report:
        """What was proved."""
        return Report(
            match=self.header.match,
            game=self.header.game,
            rules_version=self.header.rules_version,
            engine_version=self.header.engine_version,
            players=tuple(self._players),
            state=self.state,
            result=self.result,
            records=self.records,
            steps=len(self._line.steps),
            rolls_proved=self.proved,
            rolls_sealed=self.sealed,
            rolls_supplied=self.supplied,
            rolls_inherited=self.inherited,
        )

    def _require(self, holds: bool, record: Record, otherwise: str) -> None:
        if not holds:
            raise ReplayInvalid(record.seq, otherwise)

    # -- seats -----------------------------------------------------------------------------------------------------

    def _joined(self, record: Record) -> None:
        self._require(self.state is MatchState.WAITING, record, "a seat was taken after the start")
        self._require(record.seat in self._open, record, f"seat {record.seat} was taken already")
        self._open.remove(record.seat)
        self._players[record.seat] = record.text

    def _left(self, record: Record) -> None:
        free = record.seat in self._open or self.header.seats[record.seat].kind is SeatKind.BOT
        self._require(self.state is MatchState.WAITING, record, "a seat was left after the start")
        self._require(not free, record, f"nobody sat on seat {record.seat}")
        self._open.add(record.seat)
        self._players[record.seat] = ""

    def _started(self, record: Record) -> None:
        self._require(self.state is MatchState.WAITING, record, "a second start")
        self._require(not self._open, record, "seats were still open")
        missing = self._taken_over < self.header.inherited_plies
        self._require(not missing, record, "steps of the original are missing")
        self.state = MatchState.ACTIVE
        self._started_seq = record.seq
        self._look()

    def _gave_up(self, record: Record) -> None:
        self._require(self.state is MatchState.ACTIVE, record, "before the start")
        bot = self.header.seats[record.seat].kind is SeatKind.BOT
        self._require(not bot and record.seat not in self._gone, record, f"seat {record.seat} had nothing to give up")
        if record.kind is RecordKind.TIMED_OUT:
            with ASIDE:
                owes = self._game_state.seats_to_act() >> record.seat & 1
            self._require(self.header.time_control is not None, record, "a match without clocks")
            self._require(bool(owes), record, f"seat {record.seat} was not to act")
        self._gone |= {record.seat}
        if self._asked is not None:
            withdrawn = self._asked.seat == record.seat
            self._asked = None if withdrawn else self._without(self._asked, record.seat)
        self._look()

    # -- steps -----------------------------------------------------------------------------------------------------

    def _step(self, record: Record) -> None:
        if self.state is MatchState.WAITING:
            inherits = self._taken_over < self.header.inherited_plies
            self._require(inherits, record, "a step before the start")
            self._taken_over += 1
        state = self._game_state
        with ASIDE:
            if record.kind is RecordKind.ACTION:
                in_turn = bool(state.seats_to_act() >> record.seat & 1)
            else:
                in_turn = state.actor() == CHANCE
        self._require(in_turn, record, "out of turn")
        if record.kind is not RecordKind.ACTION:
            self._roll(record)
        with ASIDE:
            state.apply(record.code, record.seat)
        self._asked = None
        if self.state is MatchState.ACTIVE:
            self._look()

    def _roll(self, record: Record) -> None:
        if self.state is MatchState.WAITING:
            self.inherited += 1
            return
        by_seed = self.header.policy.chance is not ChanceSource.HOST
        expected = RecordKind.CHANCE if by_seed else RecordKind.OUTCOME_PROVIDED
        self._require(record.kind is expected, record, "the outcome is not from where the match takes its chance")
        if not by_seed:
            self.supplied += 1
        elif not self.seed:
            self.sealed += 1
        else:
            with ASIDE:
                outcomes = self._game_state.chance()
                rolled = outcome(self.seed, self.header.chance_uid, len(self._line.steps), outcomes)
            self._require(record.code == rolled, record, "the outcome is not the one that the seed gives")
            self.proved += 1

    def _look(self) -> None:
        """Is play over now?"""
        card = self.game.capabilities
        out = self._gone if self.header.policy.absence is AbsencePolicy.FORFEIT else frozenset()
        with ASIDE:
            self.over = final_result(self._game_state, self.header.players, out, card)
            if self.over is not None and len(self.over.returns) != self.header.players:
                raise BrokenRules("an end without a result for each seat")

    # -- going back ------------------------------------------------------------------------------------------------

    def _undo_requested(self, record: Record) -> None:
        self._require(self.header.policy.undo is not UndoPolicy.NEVER, record, "this match does not go back")
        self._require(self.state is MatchState.ACTIVE and self._asked is None, record, "nothing could be asked for")
        self._check_target(record)
        asked = {seat for seat, meant in enumerate(self.header.seats) if meant.kind is not SeatKind.BOT}
        self._asked = _Asked(record.seat, record.to_seq, frozenset(asked - self._gone - {record.seat}))

    def _undo_answered(self, record: Record) -> None:
        asked = self._asked
        waits = asked is not None and record.seat in asked.waiting_for and record.to_seq == asked.to_seq
        self._require(waits, record, "an answer to no question")
        accepted = asked is not None and record.kind is RecordKind.UNDO_ACCEPTED
        self._asked = self._without(asked, record.seat) if asked is not None and accepted else None

    def _undo_withdrawn(self, record: Record) -> None:
        asked = self._asked
        own = asked is not None and (record.seat, record.to_seq) == (asked.seat, asked.to_seq)
        self._require(own, record, "a request was withdrawn that the seat had not made")
        self._asked = None

    @staticmethod
    def _without(asked: _Asked, seat: int) -> _Asked:
        return replace(asked, waiting_for=asked.waiting_for - {seat})

    def _undone(self, record: Record) -> None:
        policy = self.header.policy.undo
        self._require(policy is not UndoPolicy.NEVER, record, "this match does not go back")
        self._require(self.state is MatchState.ACTIVE, record, "before the start")
        if policy is UndoPolicy.CONSENT:
            agreed = self._asked == _Asked(record.seat, record.to_seq, frozenset())
            self._require(agreed, record, "not everyone had agreed to go back there")
        self._check_target(record)
        self._asked = None
        with ASIDE:
            self._game_state, _ = self._trail.back_to(record.to_seq)
        self._look()

    def _check_target(self, record: Record) -> None:
        possible = self._started_seq <= record.to_seq and self._line.can_return_to(record.to_seq)
        self._require(possible, record, f"play cannot go back to record {record.to_seq}")

    # -- ends ------------------------------------------------------------------------------------------------------

    def _finished(self, record: Record) -> None:
        self._require(self.over is not None, record, "play was not over")
        self.state, self.result, self.over = MatchState.FINISHED, self.over, None

    def _cancelled(self, record: Record) -> None:
        self.state, self.result, self.over = MatchState.CANCELLED, ended_without(EndReason.CANCELLED), None

    def _faulted(self, record: Record) -> None:
        self.state, self.result = MatchState.FAULTED, ended_without(EndReason.PACK_FAULT)


def _text_can_be(record: Record) -> bool:
    """Is the record's text one that a service would have taken? Only some kinds have any."""
    if record.kind is RecordKind.JOINED:
        return is_readable(record.text)
    return not record.text or (record.kind in _WITH_TEXT and is_readable(record.text))


_PROOFS: dict[RecordKind, Callable[[_Proof, Record], None]] = {
    RecordKind.JOINED: _Proof._joined,
    RecordKind.LEFT: _Proof._left,
    RecordKind.STARTED: _Proof._started,
    RecordKind.ACTION: _Proof._step,
    RecordKind.CHANCE: _Proof._step,
    RecordKind.OUTCOME_PROVIDED: _Proof._step,
    RecordKind.RESIGNED: _Proof._gave_up,
    RecordKind.TIMED_OUT: _Proof._gave_up,
    RecordKind.UNDO_REQUESTED: _Proof._undo_requested,
    RecordKind.UNDO_ACCEPTED: _Proof._undo_answered,
    RecordKind.UNDO_DECLINED: _Proof._undo_answered,
    RecordKind.UNDO_WITHDRAWN: _Proof._undo_withdrawn,
    RecordKind.UNDONE: _Proof._undone,
    RecordKind.FINISHED: _Proof._finished,
    RecordKind.CANCELLED: _Proof._cancelled,
    RecordKind.FAULTED: _Proof._faulted,
}

_OF_A_SEAT = frozenset(RecordKind) - {
    RecordKind.STARTED,
    RecordKind.CHANCE,
    RecordKind.OUTCOME_PROVIDED,
    RecordKind.FINISHED,
    RecordKind.CANCELLED,
    RecordKind.FAULTED,
}
"""Kinds of records that a seat is behind."""

_WITH_TEXT = frozenset(
    {
        RecordKind.UNDO_REQUESTED,
        RecordKind.UNDO_ACCEPTED,
        RecordKind.UNDO_DECLINED,
        RecordKind.UNDONE,
        RecordKind.CANCELLED,
        RecordKind.FAULTED,
    }
)
"""Kinds of records that can have a reason or an incident."""
