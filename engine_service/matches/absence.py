"""Seats that resign or time out, planned on a draft.

Under FORFEIT the seat loses: if one seat is left, the match ends for that one; if more are left, the absence bot makes
the decisions of the lost seat, which takes the last place. Under BOT the absence bot plays on and the result counts.
Either way the seat is out for good: its player can watch, but not act.
"""

from __future__ import annotations

from engine_service.log.header import Header
from engine_service.match_enums import MatchState, RecordKind
from engine_service.matches import clocks
from engine_service.matches.clocks import NEVER
from engine_service.matches.draft import Draft
from engine_service.matches.play import BotDecider, check_active, continue_play, end_if_over, take_action
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.matches.undo import undo_if_agreed
from gamepacks.api.types import Code


def resign(draft: Draft, seat: int, decide: BotDecider) -> None:
    """Resign for a seat; nothing happens if it is out already. Raises MatchNotStarted, MatchEnded."""
    check_active(draft.after)
    if draft.after.seats[seat].out:
        return
    draft.record(RecordKind.RESIGNED, seat)
    continue_after_seat_out(draft, decide)


def deadline_ms(header: Header, now: MatchSnapshot) -> int:
    """Returns the record time at which the first seat to act will be late; NEVER if no clock runs."""
    control = header.time_control
    if control is None:
        return NEVER
    if now.decline_code != -1:
        return (
            NEVER
            if now.service_seats >> now.actor & 1
            else min(NEVER, now.since_ms + clocks.private_left_ms(control, 0))
        )
    return clocks.deadline_ms(control, now.clocks, now.used, now.seats_to_act & ~now.service_seats, now.since_ms)


def needs_service(header: Header, now: MatchSnapshot) -> bool:
    """Returns whether the service itself has to act in the match: a clock runs, or a service seat is to act."""
    if now.state is not MatchState.ACTIVE:
        return False
    return bool(now.seats_to_act & now.service_seats) or deadline_ms(header, now) < NEVER


def time_out(draft: Draft, decide: BotDecider) -> int:
    """Record a time-out for every seat that is late; returns their number. Several can be late at a simultaneous node.

    A seat that is late with a private decision declines it, with no further effect.
    """
    after = draft.after
    control = draft.header.time_control
    if control is None:
        return 0
    if any(seat.out for seat in after.seats):
        # A seat may have resigned while the rules were not loaded, so nobody could check whether that ends the match.
        end_if_over(draft)
        if after.state is not MatchState.ACTIVE:
            return 0
    spent = draft.time_ms - after.since_ms
    if after.decline_code != -1:
        if clocks.private_left_ms(control, spent) == 0 and not after.service_seats >> after.actor & 1:
            take_action(draft, after.actor, Code(after.decline_code), decide)
        return 0
    running = after.seats_to_act & ~after.service_seats
    late = [
        seat
        for seat in range(len(after.seats))
        if running >> seat & 1 and clocks.left_ms(control, after.clocks, after.used, seat, spent) == 0
    ]
    for seat in late:
        draft.record(RecordKind.TIMED_OUT, seat)
    if late:
        continue_after_seat_out(draft, decide)
    return len(late)


def continue_after_seat_out(draft: Draft, decide: BotDecider) -> None:
    """Continue play after a seat is out; does nothing if that was done before."""
    end_if_over(draft)
    if draft.after.state is MatchState.ACTIVE:
        undo_if_agreed(draft)
        continue_play(draft, decide)
