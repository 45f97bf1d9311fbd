"""The short way for the plainest write there is: a move in an ephemeral match, followed by chance at most.

It comes to what :class:`~engine_service.matches.moves.Moves`, a draft and the writer come to together, at a fraction of
their price: most moves that the service ever takes are of this kind. Whatever is less plain (clocks, seats that the
service plays, a request to undo, simultaneous and private decisions, the end of a game) and whatever goes wrong is left
to them.
"""

from __future__ import annotations

from cext.chance import advance
from engine_service.guard import RULES, Overdue
from engine_service.matches.match import LiveMatch
from engine_service.matches.progress import ACTIVE, Progress
from engine_service.model import ChanceSource

MOST_ROLLS = 100
"""More rolls than this in a row are not plain."""


def move(live: LiveMatch, seat: int, code: object, expected_seq: int, most_records: int) -> Progress | None:
    """Take a seat's move and what chance makes of it; returns how the match stood before.

    None, and nothing has changed: this move needs the long way. Listeners are told by whoever calls this. Raises
    PackFault where the rules were stopped because they took too long: the long way would wait for them once more.
    """
    before, header = live.now, live.header
    if (
        type(code) is not int
        or not 0 <= code < 1 << 31
        or expected_seq != before.decision_seq
        or before.actor != seat
        or before.state is not ACTIVE
        or before.decline_code != -1
        or before.served
        or before.undo is not None
        or before.seq >= most_records
        or header.time_control is not None
        or header.policy.chance is ChanceSource.HOST
    ):
        return None
    # The long way meets the same error again and knows what to tell whom.
    RULES.depth += 1
    try:
        went = advance(before.game_state, code, seat, live.seed, header.chance_uid, before.plies, MOST_ROLLS)
        if went is None:
            return None
        state, rolls, actor, seats_to_act = went
    except Overdue as overdue:
        raise live.keeper.fault(live, overdue) from None
    except BaseException:
        return None
    finally:
        RULES.depth -= 1
    if not seats_to_act:
        return None

    time_ms = live.time_ms()
    now = before.branch()
    now.game_state = state
    now.actor = actor
    now.seats_to_act = seats_to_act
    now.plies = before.plies + 1 + len(rolls)
    now.seq = now.decision_seq = before.seq + 1 + len(rolls)
    now.time_ms = now.since_ms = time_ms
    live.log.append_move(seat, code, rolls, time_ms)
    live.points.append(now.seq)
    live.now = now
    return before
