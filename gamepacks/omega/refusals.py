"""Why an action of OMEGA is refused: the reason, a sentence for a person, and what was wrong.

A refusal goes to the seat that asked. It rests on public facts and on what the deciding seat knows (its pyramid, the
cards that it looks at), and another seat learns only that it is not its turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.omega import codes
from gamepacks.omega.codes import ANY, BOOK, CHANCE_VERBS, Frame, Phase, Reason
from gamepacks.omega.objections import EXPLAIN, Asked

if TYPE_CHECKING:
    from gamepacks.omega.engine.state import OmegaState

_MAIN = (
    codes.SUMMON,
    codes.CAPTURE,
    codes.PLACE,
    codes.PLACE_BLACK,
    codes.PAIR,
    codes.DISOWN,
    codes.MASK,
    codes.USE_BOOK,
    codes.END_MAIN,
)
_ANSWERS: dict[Frame, tuple[str, tuple[Verb, ...]]] = {
    Frame.BATCH: ("the batch is being built", (codes.ADD, codes.CONFIRM)),
    Frame.TARGET: ("an own Egregor is to be chosen for the rune", (codes.TARGET,)),
    Frame.PAIR_FIRST: ("an own Egregor is to be chosen for the first green", (codes.PAIR_FIRST,)),
    Frame.PAIR_SECOND: ("an own Egregor is to be chosen for the second green", (codes.PAIR_SECOND,)),
    Frame.BLACK_TARGET: ("an opposing Egregor is to be chosen for the black", (codes.BLACK_TARGET,)),
    Frame.BLACK_TAKE: ("a rune is to be taken with the black", (codes.BLACK_TAKE,)),
    Frame.RED: ("a red of the altar is offered", (codes.PULL, codes.DECLINE)),
    Frame.DRAW: ("a rune is to be drawn", (codes.TAKE_ALTAR, codes.TAKE_BAG, codes.SEARCH_BAG, codes.STOP)),
    Frame.ARCANA: ("an Arcana token is to be taken", (codes.ARCANA,)),
    Frame.RECOVER: ("runes of the lost Egregor are to be recovered", (codes.RECOVER, codes.STOP)),
    Frame.CYCLE: ("runes are to be taken back from own Egregors", (codes.CYCLE, codes.STOP)),
    Frame.KEY: ("a replacement for a Key is to be chosen, or none", (codes.KEY_TAKE, codes.KEY_NONE)),
    Frame.KEY_PLACE: ("the Key to be replaced is to be chosen", (codes.KEY_PLACE,)),
}


def wanted(state: OmegaState) -> tuple[str, tuple[Verb, ...]]:
    """What is to be decided now, in words, and the verbs that may answer."""
    if state.pending is not None:
        return _ANSWERS[Frame(state.pending[0])]
    if state.phase == Phase.DRAW:
        return "a rune is to be drawn", (codes.TAKE_ALTAR, codes.TAKE_BAG)
    return "an action of the Main phase is to be chosen", _MAIN


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
    what, verbs = wanted(state)
    if verb in CHANCE_VERBS or verb not in verbs:
        return IllegalAction(Reason.WRONG_PHASE, f"{verb.name} does not fit: {what}", action=verb.name)
    if verb is codes.SEARCH_BAG and state.pending is not None and state.pending[2] == ANY:
        return IllegalAction(Reason.OTHER_COLOUR, "this draw asks for no colour")
    return EXPLAIN[verb](Asked(state), *verb.unpack(code))
