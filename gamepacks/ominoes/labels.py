"""Labels of action codes: their texts for a person."""

from __future__ import annotations

from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import BOOK, face_title
from gamepacks.ominoes.engine.rules import OminoesState


def label(state: OminoesState, code: int) -> str:
    """Returns the label of a code that is legal in ``state``. Raises ValueError for a number that is not a code."""
    size = state.rules.size
    verb = BOOK.verb(code)
    arguments = verb.unpack(code)
    if verb is codes.START_PLAYER:
        return f"Seat {arguments[0]} begins"
    if verb is codes.ROLL:
        return f"The die shows {face_title(arguments[0])}"
    if verb is codes.DECLINE:
        return "Do not score"
    if verb is codes.SCORE:
        god, lowest = arguments
        cells = state.connected(god, lowest)
        listed = " ".join(codes.cell_name(cell, size) for cell in cells)
        return f"Score {len(cells)} points for {face_title(god)}: {listed}"
    names = [codes.cell_name(cell, size) for cell in arguments]
    if verb is codes.MOVE:
        return f"Move {face_title(state.face(arguments[0]))} from {names[0]} to {names[1]}"
    if verb is codes.REROLL:
        return f"Reroll {face_title(state.face(arguments[0]))} on {names[0]}"
    if verb is codes.ADD:
        return f"Add {face_title(state.rolled)} on {names[0]}"
    assert state.active is not None
    return f"Place {face_title(state.rolled or state.rules.collects(state.active)[0])} on {names[0]}"
