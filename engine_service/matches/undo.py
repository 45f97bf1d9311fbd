"""Undo: requests to take actions back, and the answers to them, planned on a draft.

Play can go back to any record in force after which a decision was pending (chance resolved, no hidden decision made),
except a private decision, because others may not know of it. A request lapses when a step that all may know of is
recorded, and the seat that made it can withdraw it. An answer names its request, so that a late answer never counts
for another request. Seats that the service plays always agree, and so does a seat that resigns. Going back returns no
thinking time: see :mod:`engine_service.matches.clocks`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from engine_service.errors import InvalidField, NotAllowed, NoUndoPending, UndoNotAllowed
from engine_service.limits import Limits
from engine_service.match_enums import RecordKind, UndoPolicy
from engine_service.matches.draft import Draft
from engine_service.matches.play import BotDecider, check_active, continue_play
from engine_service.text import text_fault

if TYPE_CHECKING:
    from engine_service.matches.match import LiveMatch


def check_reason(reason: str, limits: Limits) -> str:
    """Check the length and the characters of a reason. Raises InvalidField."""
    if wrong := text_fault(reason, limits.reason_length):
        raise InvalidField.one("reason", wrong)
    return reason


def check_answer(request_seq: int, reason: str, limits: Limits) -> None:
    """Check the fields of an answer to a request. Raises InvalidField."""
    if request_seq < 1:
        raise InvalidField.one("request_seq", "must be the seq of the undo request")
    check_reason(reason, limits)


def request(draft: Draft, live: LiveMatch, seat: int, to_seq: int | None, reason: str, decide: BotDecider) -> bool:
    """Request an undo; returns True if play has gone back at once because nobody else had to agree.

    ``to_seq`` is the seat's number. Raises MatchNotStarted, MatchEnded, UndoNotAllowed, NotAllowed (the seat is out).
    """
    check_active(draft.after)
    policy = draft.header.policy.undo
    if policy is UndoPolicy.NEVER:
        raise UndoNotAllowed("this match does not allow undo")
    if draft.after.seats[seat].out:
        raise NotAllowed("the seat is out: it has resigned or timed out")
    if draft.after.undo is not None:
        raise UndoNotAllowed("another undo request is pending")
    target = _target(draft, live, seat, to_seq)
    _check_clocks(draft, live, seat, target)
    if policy is UndoPolicy.FREE:
        draft.record(RecordKind.UNDONE, seat, to_seq=target, text=reason)
        undone = True
    else:
        draft.record(RecordKind.UNDO_REQUESTED, seat, to_seq=target, text=reason)
        undone = undo_if_agreed(draft)
    continue_play(draft, decide)
    return undone


def answer(
    draft: Draft, live: LiveMatch, seat: int, request_seq: int, accept: bool, reason: str, decide: BotDecider
) -> bool:
    """Accept or decline the request that record ``request_seq`` made; returns True if play has gone back.

    ``request_seq`` is the seat's number. Raises NoUndoPending.
    """
    undo = draft.after.undo
    if undo is None or live.numbering.viewer_seq(seat, undo.seq) != request_seq or seat not in undo.waiting_for:
        raise NoUndoPending(f"no undo request of record {request_seq} waits for this seat's answer")
    if not accept:
        draft.record(RecordKind.UNDO_DECLINED, seat, to_seq=undo.to_seq, text=reason)
        return False
    draft.record(RecordKind.UNDO_ACCEPTED, seat, to_seq=undo.to_seq, text=reason)
    undone = undo_if_agreed(draft)
    continue_play(draft, decide)
    return undone


def withdraw(draft: Draft, seat: int) -> None:
    """Withdraw the request of this seat. Raises NoUndoPending if the seat has no pending request."""
    undo = draft.after.undo
    if undo is None or undo.seat != seat:
        raise NoUndoPending("this seat has no pending undo request")
    draft.record(RecordKind.UNDO_WITHDRAWN, seat, to_seq=undo.to_seq)


def undo_if_agreed(draft: Draft) -> bool:
    """Go back if all seats have agreed to the pending request; returns whether play has gone back."""
    undo = draft.after.undo
    if undo is None or undo.waiting_for:
        return False
    draft.record(RecordKind.UNDONE, undo.seat, to_seq=undo.to_seq)
    return True


def _check_clocks(draft: Draft, live: LiveMatch, asking: int, target: int) -> None:
    """Check that all seats would have time left, because going back takes increments back. Raises UndoNotAllowed."""
    after = draft.after
    control = draft.header.time_control
    if control is None or not control.increment_ms:
        return
    spent = 0 if after.decline_code != -1 else draft.time_ms - after.since_ms
    for seat, left in enumerate(draft.clocks_without(draft.history.steps_after(target))):
        if not after.service_seats >> seat & 1 and left <= (spent if after.seats_to_act >> seat & 1 else 0):
            to_seq = live.numbering.viewer_seq(asking, target)
            raise UndoNotAllowed(f"seat {seat} would have no time left at record {to_seq}", to_seq=to_seq)


def _target(draft: Draft, live: LiveMatch, seat: int, to_seq: int | None) -> int:
    history, points = draft.history, live.decision_points
    if to_seq is not None:
        wanted = live.numbering.match_seq(seat, to_seq)
        at = bisect_left(points, wanted)
        is_decision = at < len(points) and points[at] == wanted and wanted not in live.private_decision_points
        if not is_decision or not history.can_return_to(wanted):
            raise UndoNotAllowed(f"play cannot go back to record {to_seq}", to_seq=to_seq)
        return wanted
    action = history.last_action(seat)
    while live.numbering.is_private(action):
        action = history.last_action(seat, before=action)
    at = bisect_left(points, action) - 1
    while at >= 0:
        back = history.taken_back_to(points[at])
        if back is not None:
            at = bisect_right(points, back) - 1
        elif points[at] in live.private_decision_points:
            at -= 1
        else:
            return points[at]
    raise UndoNotAllowed("this seat has no action that could be undone")
