"""Seats that give up or are late, planned on a draft.

Under FORFEIT the seat loses: with one seat left the match ends for that one; with more left the absence bot makes its
decisions and it takes the last place. Under BOT the absence bot plays on and the result counts. Either way the seat is
out for good: its player can watch, and decide nothing any more.
"""

from __future__ import annotations

from engine_service.errors import MatchEnded, MatchNotStarted
from engine_service.log.header import Header
from engine_service.log.records import RecordKind
from engine_service.matches import clocks
from engine_service.matches.clocks import NEVER
from engine_service.matches.draft import Draft
from engine_service.matches.play import Decider, act, end_if_over, settle
from engine_service.matches.progress import Progress
from engine_service.matches.undo import complete
from engine_service.model import MatchState
from gamepacks.api.types import Code


def check_active(after: Progress) -> None:
    """Raises MatchNotStarted, MatchEnded."""
    if after.state is not MatchState.ACTIVE:
        raise MatchEnded() if after.state.ended else MatchNotStarted()


def resign(draft: Draft, seat: int, decide: Decider) -> None:
    """The seat gives up; nothing more happens where it is out already. Raises MatchNotStarted, MatchEnded."""
    check_active(draft.after)
    if draft.after.seats[seat].out:
        return
    draft.record(RecordKind.RESIGNED, seat)
    go_on(draft, decide)


def deadline_ms(header: Header, now: Progress) -> int:
    """The record time at which the first seat that is to act will be late; NEVER where no clock runs."""
    control = header.time_control
    if control is None:
        return NEVER
    if now.decline_code != -1:
        return NEVER if now.served >> now.actor & 1 else min(NEVER, now.since_ms + clocks.private_left_ms(control, 0))
    return clocks.deadline_ms(control, now.clocks, now.used, now.seats_to_act & ~now.served, now.since_ms)


def time_out(draft: Draft, decide: Decider) -> int:
    """Take note of every seat that is late; returns how many are. Several can be, at a simultaneous node.

    A seat that is late with a private decision declines it, and nothing more happens to it.
    """
    after = draft.after
    control = draft.header.time_control
    if control is None:
        return 0
    if any(seat.out for seat in after.seats):
        # The last seat but one may have been given up while the rules were not here to say that this ends play.
        end_if_over(draft)
        if after.state is not MatchState.ACTIVE:
            return 0
    spent = draft.time_ms - after.since_ms
    if after.decline_code != -1:
        if clocks.private_left_ms(control, spent) == 0 and not after.served >> after.actor & 1:
            act(draft, after.actor, Code(after.decline_code), decide)
        return 0
    running = after.seats_to_act & ~after.served
    late = [
        seat
        for seat in range(len(after.seats))
        if running >> seat & 1 and clocks.left_ms(control, after.clocks, after.used, seat, spent) == 0
    ]
    for seat in late:
        draft.record(RecordKind.TIMED_OUT, seat)
    if late:
        go_on(draft, decide)
    return len(late)


def go_on(draft: Draft, decide: Decider) -> None:
    """Plan what follows when a seat has given up; nothing where it has followed already."""
    end_if_over(draft)
    if draft.after.state is MatchState.ACTIVE:
        complete(draft)
        settle(draft, decide)
