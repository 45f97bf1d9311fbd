"""Rules by which one record may follow another, for planned writes and for replays.

:func:`transition_fault` depends only on a record and the draft to which it is added. The rules of the game (legality of
an action, result) and the outcomes from the seed are checked elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine_service.log.header import LATEST_MS
from engine_service.log.records import Record
from engine_service.match_enums import AbsencePolicy, ChanceSource, MatchState, RecordKind, SeatKind, UndoPolicy
from engine_service.model import has_ended
from engine_service.text import is_readable
from gamepacks.api.types import CHANCE, TERMINAL

if TYPE_CHECKING:
    from engine_service.log.header import Header
    from engine_service.matches.draft import Draft
    from engine_service.matches.snapshot import MatchSnapshot


def transition_fault(draft: Draft, record: Record) -> str:
    """Returns why the record may not be the next one of this draft; empty if it may."""
    before, kind = draft.after, record.kind
    if has_ended(before.state):
        return "the match has ended before it"
    if record.time_ms < before.time_ms:
        return "its time is earlier than that of the record before it"
    if record.time_ms > LATEST_MS - draft.header.create_ms:
        return "its time is after the year 9999"
    if kind is not RecordKind.FINISHED and play_is_over(draft.header, before):
        # Several seats can be late at the same moment. While the rules are not loaded, nobody can state the result, and
        # a match can be cancelled meanwhile, or found to be at fault later.
        late_as_well = kind is RecordKind.TIMED_OUT and record.time_ms == before.time_ms
        without_rules = kind is RecordKind.CANCELLED or kind is RecordKind.FAULTED
        if not (late_as_well or without_rules) or not _one_seat_left(draft.header, before):
            return "play was over before it"
    lowest, seats = (-1, 0) if kind in _WITHOUT_SEAT else (0, len(before.seats))
    if not lowest <= record.seat < seats:
        return f"seat {record.seat} is out of range"
    if record.text and not (kind in _WITH_TEXT and is_readable(record.text)):
        return "its text is not allowed"
    return _FAULTS[kind](draft, record)


def play_is_over(header: Header, now: MatchSnapshot) -> bool:
    """Returns whether the next record has to be FINISHED."""
    return now.state is MatchState.ACTIVE and (now.actor == TERMINAL or _one_seat_left(header, now))


def _one_seat_left(header: Header, now: MatchSnapshot) -> bool:
    """Returns whether all seats but one, or all, have forfeited."""
    out = sum(seat.out for seat in now.seats)
    return header.policy.absence is AbsencePolicy.FORFEIT and out > 0 and len(now.seats) - out <= 1


# -- seats ---------------------------------------------------------------------------------------------------------


def _joined(draft: Draft, record: Record) -> str:
    if draft.after.state is not MatchState.WAITING:
        return "a seat was taken after the start"
    if draft.after.seats[record.seat].taken:
        return f"seat {record.seat} was taken already"
    return "" if record.text else "its text is empty: a player has a name"


def _left(draft: Draft, record: Record) -> str:
    seat = draft.after.seats[record.seat]
    if draft.after.state is not MatchState.WAITING:
        return "a seat was left after the start"
    return "" if seat.taken and seat.kind != SeatKind.BOT else f"no player had taken seat {record.seat}"


def _started(draft: Draft, record: Record) -> str:
    before = draft.after
    if before.state is not MatchState.WAITING:
        return "the match has started already"
    if not all(seat.taken for seat in before.seats):
        return "seats were still open"
    return "" if before.plies == draft.header.inherited_plies else "steps of the original are missing"


def _resigned(draft: Draft, record: Record) -> str:
    seat = draft.after.seats[record.seat]
    if draft.after.state is not MatchState.ACTIVE:
        return "the match has not started"
    return f"seat {record.seat} is out already or a bot's" if seat.out or seat.kind == SeatKind.BOT else ""


def _timed_out(draft: Draft, record: Record) -> str:
    control = draft.header.time_control
    if control is None or not control.has_clocks:
        return "the match has no clocks"
    if fault := _resigned(draft, record):
        return fault
    return "" if draft.after.seats_to_act >> record.seat & 1 else f"seat {record.seat} was not to act"


# -- steps ---------------------------------------------------------------------------------------------------------


def _action(draft: Draft, record: Record) -> str:
    before = draft.after
    if before.state is MatchState.WAITING:
        if before.plies >= draft.header.inherited_plies:
            return "a step was recorded before the start"
        with draft.guard:
            return "" if before.game_state.seats_to_act() >> record.seat & 1 else "the seat was not to act"
    return "" if before.seats_to_act >> record.seat & 1 else "the seat was not to act"


def _outcome(draft: Draft, record: Record) -> str:
    before = draft.after
    if before.state is MatchState.WAITING:
        if before.plies >= draft.header.inherited_plies:
            return "a step was recorded before the start"
        with draft.guard:
            return "" if before.game_state.actor() == CHANCE else "no outcome of chance was due"
    if before.actor != CHANCE:
        return "no outcome of chance was due"
    by_seed = draft.header.policy.chance is not ChanceSource.HOST
    if (record.kind is RecordKind.CHANCE) != by_seed:
        return "the outcome does not come from the match's source of chance"
    return ""


# -- undo ----------------------------------------------------------------------------------------------------------


def _undo_requested(draft: Draft, record: Record) -> str:
    before = draft.after
    if draft.header.policy.undo is UndoPolicy.NEVER:
        return "the match does not allow undo"
    if before.state is not MatchState.ACTIVE or before.undo is not None:
        return "play has not begun, or another undo request is pending"
    return _target_fault(draft, record)


def _undo_answered(draft: Draft, record: Record) -> str:
    undo = draft.after.undo
    waits = undo is not None and record.seat in undo.waiting_for and record.to_seq == undo.to_seq
    return "" if waits else "no pending undo request waits for this answer"


def _undo_withdrawn(draft: Draft, record: Record) -> str:
    undo = draft.after.undo
    own = undo is not None and (record.seat, record.to_seq) == (undo.seat, undo.to_seq)
    return "" if own else "the seat has no pending undo request to that record"


def _undone(draft: Draft, record: Record) -> str:
    before, policy = draft.after, draft.header.policy.undo
    if policy is UndoPolicy.NEVER:
        return "the match does not allow undo"
    if before.state is not MatchState.ACTIVE:
        return "the match has not started"
    if policy is UndoPolicy.CONSENT:
        undo = before.undo
        agreed = undo is not None and (undo.seat, undo.to_seq, undo.waiting_for) == (record.seat, record.to_seq, ())
        if not agreed:
            return "not all seats had agreed to undo to that record"
    return _target_fault(draft, record)


def _target_fault(draft: Draft, record: Record) -> str:
    possible = draft.after.started_seq <= record.to_seq and draft.history.can_return_to(record.to_seq)
    return "" if possible else f"play cannot go back to record {record.to_seq}"


# -- ends ----------------------------------------------------------------------------------------------------------


def _finished(draft: Draft, record: Record) -> str:
    return "" if play_is_over(draft.header, draft.after) else "play was not over"


def _ended(draft: Draft, record: Record) -> str:
    return ""


_FAULTS: dict[RecordKind, Callable[[Draft, Record], str]] = {
    RecordKind.JOINED: _joined,
    RecordKind.LEFT: _left,
    RecordKind.STARTED: _started,
    RecordKind.ACTION: _action,
    RecordKind.CHANCE: _outcome,
    RecordKind.OUTCOME_PROVIDED: _outcome,
    RecordKind.RESIGNED: _resigned,
    RecordKind.TIMED_OUT: _timed_out,
    RecordKind.UNDO_REQUESTED: _undo_requested,
    RecordKind.UNDO_ACCEPTED: _undo_answered,
    RecordKind.UNDO_DECLINED: _undo_answered,
    RecordKind.UNDO_WITHDRAWN: _undo_withdrawn,
    RecordKind.UNDONE: _undone,
    RecordKind.FINISHED: _finished,
    RecordKind.CANCELLED: _ended,
    RecordKind.FAULTED: _ended,
}

_WITHOUT_SEAT = frozenset(
    {
        RecordKind.STARTED,
        RecordKind.CHANCE,
        RecordKind.OUTCOME_PROVIDED,
        RecordKind.FINISHED,
        RecordKind.CANCELLED,
        RecordKind.FAULTED,
    }
)
_WITH_TEXT = frozenset(
    {
        RecordKind.JOINED,
        RecordKind.UNDO_REQUESTED,
        RecordKind.UNDO_ACCEPTED,
        RecordKind.UNDO_DECLINED,
        RecordKind.UNDONE,
        RecordKind.CANCELLED,
        RecordKind.FAULTED,
    }
)
"""Kinds of records with a text: a player's name, a reason or an incident id."""
