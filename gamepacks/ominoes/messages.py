"""Action messages: the conversions that the code book does not declare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cext.errors import IllegalAction
from gamepacks.api.codec import ActionCodec
from gamepacks.api.types import Code
from gamepacks.ominoes import codes
from gamepacks.ominoes.codes import BOOK, GODS, Reason, cell_name, face_title
from gamepacks.ominoes.engine.rules import OminoesState
from gamepacks.ominoes.v1 import ominoes_pb2 as pb


def cell_message(cell: int, board_size: int) -> pb.Cell:
    """The message of a cell."""
    row, column = divmod(cell, board_size)
    return pb.Cell(row=row, column=column)


def cell_messages(cells: Iterable[int], board_size: int) -> list[pb.Cell]:
    """The messages of cells."""
    return [cell_message(cell, board_size) for cell in cells]


def _encode_cell(state: OminoesState, cell: int) -> pb.Cell:
    return cell_message(cell, state.rules.size)


def _decode_cell(state: OminoesState, cell: pb.Cell) -> int:
    size = state.rules.size
    if not (0 <= cell.row < size and 0 <= cell.column < size):
        raise IllegalAction(
            Reason.OUT_OF_BOARD,
            f"there is no row {cell.row}, column {cell.column} on a board of {size} x {size}",
            row=cell.row,
            column=cell.column,
        )
    return cell.row * size + cell.column


def _encode_score(state: OminoesState, code: int) -> pb.Score:
    god, lowest = codes.SCORE.unpack(code)
    return pb.Score(god=pb.God.Name(god), cells=cell_messages(state.connected(god, lowest), state.rules.size))


def _decode_score(state: OminoesState, given: pb.Score) -> Code:
    if int(given.god) not in GODS:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "god is not set", field="god")
    if not given.cells:
        raise IllegalAction(Reason.INCOMPLETE_ACTION, "cells is not set", field="cells")
    cells = sorted({_decode_cell(state, cell) for cell in given.cells})
    group = state.connected(given.god, cells[0])
    if (len(cells) > 1 and cells != group) or not group:
        names = ", ".join(cell_name(cell, state.rules.size) for cell in cells)
        raise IllegalAction(
            Reason.NO_SUCH_GROUP, f"{names} are not exactly one whole group of {face_title(given.god)}", cells=names
        )
    return codes.SCORE(_offered_god(state, given.god, group), group[0])


def _offered_god(state: OminoesState, god: int, group: Sequence[int]) -> int:
    """Returns the god under which a group is offered: for wilds alone it is one god, whichever of the player's gods the
    message names (section 9)."""
    if state.active is None or god not in state.rules.collects(state.active):
        return god
    return next((offered for offered, cells in state.groups() if cells == list(group)), god)


CODEC = ActionCodec(
    BOOK,
    pb.Action,
    parts={pb.Cell: (_encode_cell, _decode_cell)},
    verbs={codes.SCORE: (_encode_score, _decode_score)},
)
