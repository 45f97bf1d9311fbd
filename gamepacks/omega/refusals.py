"""Why an action of OMEGA is refused: the reason and the sentence for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.omega import codes
from gamepacks.omega.codes import BOOK, CHANCE_VERBS, Phase, Reason

if TYPE_CHECKING:
    from gamepacks.omega.state import OmegaState


def refusal(state: OmegaState, code: int, seat: int) -> IllegalAction:
    """Why a code that is not legal in ``state`` may not be taken by ``seat`` (-1: whoever acts).

    Raises ValueError for one that is.
    """
    if state.is_legal(code, seat):
        raise ValueError(f"{code} is legal")
    if state.phase == Phase.OVER:
        return IllegalAction(Reason.GAME_OVER, "the game is over")
    actor = state.actor()
    if seat not in (-1, actor):
        turn = "chance" if actor < 0 else f"seat {actor}"
        return IllegalAction(Reason.NOT_YOUR_TURN, f"{turn} is to act, not seat {seat}", seat=seat)
    try:
        verb = BOOK.verb(code)
        known = verb(*verb.unpack(code)) == code
    except ValueError:
        known = False
    if not known:
        return IllegalAction(Reason.UNKNOWN_CODE, f"{code} is no action code of OMEGA", code=code)
    if actor < 0:
        return IllegalAction(Reason.NOT_AN_OUTCOME, f"chance cannot have the outcome {BOOK.name(code)} here")
    offered = {BOOK.verb(legal) for legal in state.legal(actor)}
    if verb in CHANCE_VERBS or (verb not in offered and state.pending is not None):
        return IllegalAction(Reason.WRONG_PHASE, f"{verb.name} does not fit what is to be decided now")
    return IllegalAction(_REASONS.get(verb, Reason.WRONG_PHASE), f"{BOOK.name(code)} is not possible here")


_REASONS = {
    codes.TAKE_ALTAR: Reason.NO_SUCH_RUNE,
    codes.TAKE_BAG: Reason.BAG_EMPTY,
    codes.SUMMON: Reason.NO_SUCH_CARD,
    codes.CAPTURE: Reason.NO_SUCH_EGREGOR,
    codes.PLACE: Reason.CANNOT_PLACE,
    codes.PLACE_BLACK: Reason.CANNOT_TAKE,
    codes.PAIR: Reason.CANNOT_PLACE,
    codes.DISOWN: Reason.CANNOT_DISOWN,
    codes.MASK: Reason.CANNOT_MASK,
    codes.USE_BOOK: Reason.CANNOT_USE,
    codes.END_MAIN: Reason.TOO_MANY_EGREGORS,
    codes.ADD: Reason.NOT_A_BATCH,
    codes.CONFIRM: Reason.TOO_FEW,
    codes.TARGET: Reason.CANNOT_PLACE,
    codes.PAIR_FIRST: Reason.CANNOT_PLACE,
    codes.PAIR_SECOND: Reason.CANNOT_PLACE,
    codes.BLACK_TARGET: Reason.CANNOT_TAKE,
    codes.BLACK_TAKE: Reason.CANNOT_TAKE,
    codes.ARCANA: Reason.NO_SUCH_STACK,
    codes.RECOVER: Reason.NO_SUCH_RUNE,
    codes.CYCLE: Reason.NO_SUCH_RUNE,
    codes.KEY_TAKE: Reason.NO_SUCH_CARD,
    codes.KEY_PLACE: Reason.NO_SUCH_EGREGOR,
}
"""The reason where the verb is offered or the main phase waits, but not with these arguments."""
