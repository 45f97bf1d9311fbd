"""Why an action is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.errors import IllegalAction
from gamepacks.omen.codes import BOOK, Reason

if TYPE_CHECKING:
    from gamepacks.omen.engine.state import OmenState


def refusal(state: OmenState, code: int, seat: int) -> IllegalAction:
    """The error for a code that may not be taken, by what the seat may know."""
    actor = state.actor()
    if actor == TERMINAL:
        return _refuse(Reason.GAME_OVER, "the game has ended", code)
    if actor == CHANCE and seat == -1:
        return _refuse(Reason.NOT_AN_OUTCOME, "chance cannot have this outcome here", code)
    if actor == SIMULTANEOUS and not (0 <= seat < 2 and state.owing() >> seat & 1):
        return _refuse(Reason.NOT_YOUR_TURN, "the seat owes no decision now", code)
    if actor != SIMULTANEOUS and seat not in (-1, actor):
        return _refuse(Reason.NOT_YOUR_TURN, "another seat, or chance, is to act", code)
    try:
        verb = BOOK.verb(code)
        BOOK.name(code)
    except ValueError:
        return _refuse(Reason.UNKNOWN_CODE, f"{code} is no action code of this game", code)
    legal = state.legal(seat)
    if verb not in {BOOK.verb(option) for option in legal}:
        return _refuse(Reason.WRONG_DECISION, f"{verb.name} is not what is to be decided now", code)
    if verb.name == "CITY":
        return _refuse(
            Reason.NO_ROOM, "that City has no room on the side, is closed, or is not one of those meant", code
        )
    return _refuse(Reason.NOT_AN_OPTION, f"{BOOK.name(code)} is no option of this decision", code)


def _refuse(reason: Reason, message: str, code: int) -> IllegalAction:
    return IllegalAction(reason, message, code=code)
