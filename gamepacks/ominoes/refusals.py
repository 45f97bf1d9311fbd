"""Refusals: the reason why a code is illegal, and a sentence for a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cext.errors import IllegalAction
from gamepacks.api.codes import Verb
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import BOOK, CHANCE_PHASES, SCORING_PHASES, Reason, cell_name, face_title
from gamepacks.ominoes.sentences import PROMPTS
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase

if TYPE_CHECKING:
    from gamepacks.ominoes.engine.rules import OminoesState

_PHASES_OF: dict[Verb, frozenset[Phase]] = {
    codes.START_PLAYER: frozenset({Phase.START_PLAYER}),
    codes.ROLL: frozenset({Phase.SET_UP_ROLL, Phase.ROLL, Phase.REROLLING}),
    codes.PLACE: frozenset({Phase.SET_UP, Phase.SET_UP_EXTRA}),
    codes.MOVE: frozenset({Phase.MOVE}),
    codes.REROLL: frozenset({Phase.REROLL}),
    codes.SCORE: SCORING_PHASES,
    codes.DECLINE: SCORING_PHASES,
    codes.ADD: frozenset({Phase.ADD}),
}


def refusal(state: OminoesState, code: int, seat: int = -1) -> IllegalAction:
    """Returns the refusal of a code that is illegal in ``state`` for ``seat`` (-1: the seat to act).

    Raises ValueError for a legal code.
    """
    if state.is_legal(code, seat):
        raise ValueError(f"{code} is legal")
    phase = Phase(state.phase)
    if phase is Phase.OVER:
        return IllegalAction(Reason.GAME_OVER, "the game is over")
    if seat != -1 and state.actor() != seat:
        turn = "chance" if phase in CHANCE_PHASES else f"seat {state.active}"
        return IllegalAction(Reason.NOT_YOUR_TURN, f"{turn} must act now, not seat {seat}", seat=seat)
    try:
        verb = BOOK.verb(code)
    except ValueError:
        return _unknown(code)
    arguments = verb.unpack(code)
    if verb(*arguments) != code:
        return _unknown(code)
    if phase not in _PHASES_OF[verb]:
        return IllegalAction(
            Reason.WRONG_PHASE, f"this action does not answer the pending decision: {PROMPTS[phase]}", phase=phase.name
        )
    return _EXPLAIN[verb](state, *arguments)


def _unknown(code: int) -> IllegalAction:
    return IllegalAction(Reason.UNKNOWN_CODE, f"{code} is not an action code of Ominoes", code=code)


def _space(state: OminoesState, cell: int) -> IllegalAction | None:
    """The reason why a die cannot be put on a space."""
    if fault := _outside(state, cell):
        return fault
    name = cell_name(cell, state.rules.size)
    if not state.rules.is_open(cell):
        return IllegalAction(Reason.PIT_CLOSED, f"{name} is in the snake pit, which is closed", cell=name)
    if face := state.face(cell):
        return IllegalAction(
            Reason.CELL_OCCUPIED, f"a die that shows {face_title(face)} is already on {name}", cell=name
        )
    return None


def _outside(state: OminoesState, cell: int) -> IllegalAction | None:
    size = state.rules.size
    if cell < size * size:
        return None
    return IllegalAction(Reason.OUT_OF_BOARD, f"there is no space {cell} on a board of {size} x {size}", cell=cell)


def _die(state: OminoesState, cell: int) -> IllegalAction | None:
    """The reason why no die can be taken from a space."""
    if fault := _outside(state, cell):
        return fault
    if state.face(cell):
        return None
    name = cell_name(cell, state.rules.size)
    return IllegalAction(Reason.NO_DIE_THERE, f"there is no die on {name}", cell=name)


def _put(state: OminoesState, cell: int) -> IllegalAction:
    fault = _space(state, cell)
    assert fault is not None
    return fault


def _reroll(state: OminoesState, cell: int) -> IllegalAction:
    fault = _die(state, cell)
    assert fault is not None
    return fault


def _move(state: OminoesState, start: int, end: int) -> IllegalAction:
    if fault := _die(state, start) or _outside(state, end):
        return fault
    size, face, rolled = state.rules.size, Face(state.face(start)), Face(state.rolled)
    source, target = cell_name(start, size), cell_name(end, size)
    if rolled not in (face, Face.YAY_RA):
        return IllegalAction(
            Reason.NOT_YOUR_DIE,
            f"the die on {source} shows {face_title(face)}, but {face_title(rolled)} was rolled",
            cell=source,
        )
    steps = abs(start // size - end // size) + abs(start % size - end % size)
    if steps not in (1, 3):
        return IllegalAction(
            Reason.NOT_THREE_STEPS,
            f"{target} cannot be reached from {source} in exactly 3 steps",
            start=source,
            end=target,
        )
    return _space(state, end) or IllegalAction(
        Reason.PATH_BLOCKED, f"every path of 3 steps from {source} to {target} is blocked", start=source, end=target
    )


def _score(state: OminoesState, god: int, lowest: int) -> IllegalAction:
    if fault := _outside(state, lowest):
        return fault
    assert state.active is not None
    name = cell_name(lowest, state.rules.size)
    if god not in state.rules.collects(state.active):
        title = face_title(god) if god in set(Face) else str(god)
        return IllegalAction(Reason.NOT_YOUR_GOD, f"seat {state.active} does not collect {title}", god=title)
    for offered, cells in state.groups():
        if lowest in cells and state.connected(god, lowest) == cells:
            first = cell_name(cells[0], state.rules.size)
            return IllegalAction(
                Reason.NO_SUCH_GROUP,
                f"the group with {name} is scored for {face_title(offered)} and named by its lowest space, {first}",
                cell=name,
            )
    return IllegalAction(
        Reason.NO_SUCH_GROUP,
        f"no group of {face_title(god)} that contains {name} can be scored",
        cell=name,
        god=face_title(god),
    )


def _decline(state: OminoesState) -> IllegalAction:
    return IllegalAction(Reason.SCORING_COMPULSORY, "a group that can be scored must be scored")


def _start_player(state: OminoesState, seat: int) -> IllegalAction:
    return IllegalAction(Reason.NOT_AN_OUTCOME, f"there is no seat {seat}", seat=seat)


def _roll(state: OminoesState, face: int) -> IllegalAction:
    return IllegalAction(Reason.NOT_AN_OUTCOME, f"a die has no face {face}", face=face)


_EXPLAIN: dict[Verb, Callable[..., IllegalAction]] = {
    codes.START_PLAYER: _start_player,
    codes.ROLL: _roll,
    codes.PLACE: _put,
    codes.MOVE: _move,
    codes.REROLL: _reroll,
    codes.SCORE: _score,
    codes.DECLINE: _decline,
    codes.ADD: _put,
}
