"""Action codes as the pack's action messages, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cext.errors import IllegalAction
from gamepacks.api.types import Code
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import BOOK, GODS, Reason, cell_name, face_title
from gamepacks.ominoes.state import OminoesState
from gamepacks.ominoes.v1 import ominoes_pb2 as pb


def cell_message(cell: int, board_size: int) -> pb.Cell:
    """A cell as the wire has it."""
    row, column = divmod(cell, board_size)
    return pb.Cell(row=row, column=column)


def cell_messages(cells: Iterable[int], board_size: int) -> list[pb.Cell]:
    """Cells as the wire has them."""
    return [cell_message(cell, board_size) for cell in cells]


def to_message(state: OminoesState, code: int) -> pb.Action:
    """The message of a code that is legal in ``state``. Raises ValueError for a number that is no code."""
    size = state.rules.size
    verb = BOOK.verb(code)
    arguments = verb.unpack(code)
    if verb is codes.START_PLAYER:
        return pb.Action(start_player=pb.StartPlayer(seat=arguments[0]))
    if verb is codes.ROLL:
        return pb.Action(roll=pb.Roll(face=pb.Face.Name(arguments[0])))
    if verb is codes.PLACE:
        return pb.Action(place=pb.Place(cell=cell_message(arguments[0], size)))
    if verb is codes.MOVE:
        start, end = cell_messages(arguments, size)
        return pb.Action(move=pb.Move(from_cell=start, to_cell=end))
    if verb is codes.REROLL:
        return pb.Action(reroll=pb.Reroll(cell=cell_message(arguments[0], size)))
    if verb is codes.SCORE:
        god, lowest = arguments
        cells = cell_messages(state.connected(god, lowest), size)
        return pb.Action(score=pb.Score(god=pb.God.Name(god), cells=cells))
    if verb is codes.DECLINE:
        return pb.Action(decline_score=pb.DeclineScore())
    return pb.Action(add=pb.Add(cell=cell_message(arguments[0], size)))


def from_message(state: OminoesState, action: pb.Action) -> Code:
    """The code that a message stands for; whether it is legal is another question.

    Raises IllegalAction (INCOMPLETE_ACTION, OUT_OF_BOARD, NO_SUCH_GROUP, NOT_AN_OUTCOME) where it stands for none.
    """
    kind = action.WhichOneof("action")
    if kind is None:
        raise _incomplete("action")
    given = getattr(action, kind)
    if kind == "move":
        return codes.MOVE(_cell(state, given, "from_cell"), _cell(state, given, "to_cell"))
    if kind == "score":
        return _score(state, given)
    if kind == "decline_score":
        return codes.DECLINE()
    if kind == "roll":
        return _outcome(codes.ROLL(given.face) if codes.ROLL.fits(given.face) else None, f"no face {given.face}")
    if kind == "start_player":
        fits = codes.START_PLAYER.fits(given.seat)
        return _outcome(codes.START_PLAYER(given.seat) if fits else None, f"no seat {given.seat}")
    verb = {"place": codes.PLACE, "reroll": codes.REROLL, "add": codes.ADD}[kind]
    return verb(_cell(state, given, "cell"))


def _outcome(code: Code | None, problem: str) -> Code:
    if code is None:
        raise IllegalAction(Reason.NOT_AN_OUTCOME, f"there is {problem}")
    return code


def _incomplete(field: str) -> IllegalAction:
    return IllegalAction(Reason.INCOMPLETE_ACTION, f"{field} is not set", field=field)


def _cell(state: OminoesState, given: pb.Place | pb.Move | pb.Reroll | pb.Add, field: str) -> int:
    if not given.HasField(field):
        raise _incomplete(field)
    return _number(state, getattr(given, field))


def _number(state: OminoesState, cell: pb.Cell) -> int:
    size = state.rules.size
    if not (0 <= cell.row < size and 0 <= cell.column < size):
        raise IllegalAction(
            Reason.OUT_OF_BOARD,
            f"there is no row {cell.row}, column {cell.column} on a board of {size} x {size}",
            row=cell.row,
            column=cell.column,
        )
    return cell.row * size + cell.column


def _score(state: OminoesState, given: pb.Score) -> Code:
    if int(given.god) not in GODS:
        raise _incomplete("god")
    if not given.cells:
        raise _incomplete("cells")
    cells = sorted({_number(state, cell) for cell in given.cells})
    group = state.connected(given.god, cells[0])
    if (len(cells) > 1 and cells != group) or not group:
        names = ", ".join(cell_name(cell, state.rules.size) for cell in cells)
        raise IllegalAction(
            Reason.NO_SUCH_GROUP, f"{names}: not the whole group of {face_title(given.god)}", cells=names
        )
    return codes.SCORE(_offered_god(state, given.god, group), group[0])


def _offered_god(state: OminoesState, god: int, group: Sequence[int]) -> int:
    """Wilds alone are offered under one god, whichever of the player's gods the message names (section 9)."""
    if state.active is None or god not in state.rules.collects(state.active):
        return god
    return next((offered for offered, cells in state.groups() if cells == list(group)), god)
