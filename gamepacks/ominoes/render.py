"""The view drawn for a terminal, as text with Rich markup."""

from __future__ import annotations

from collections.abc import Iterator

from gamepacks.ominoes.codes import cell_name, face_title
from gamepacks.ominoes.sentences import PROMPTS
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase

_COLOURS = {
    Face.HORUS: "green",
    Face.RA: "yellow",
    Face.APEP: "red",
    Face.KHEPRI: "blue",
    Face.YAY_RA: "magenta",
    Face.OMINOTEP: "white",
}


def render(view: pb.View) -> str:
    """Returns the board, the dice and the players as text; letters stand for faces, so that it is readable without
    colours."""
    return "\n".join([*_board(view), "", *_players(view), *_situation(view), _legend()])


def _face(face: int) -> str:
    face = Face(face)
    return f"[bold {_COLOURS[face]}]{face_title(face)[0]}[/]"


def _board(view: pb.View) -> Iterator[str]:
    size = view.board_size
    pit = {cell.row * size + cell.column for cell in view.pit}
    groups = {cell.row * size + cell.column for group in view.groups for cell in group.cells}
    line = "───"
    yield "     " + "   ".join(cell_name(column, size)[0] for column in range(size))
    yield "   ┌" + "┬".join([line] * size) + "┐"
    for row in range(size):
        cells = [_space(view, row * size + column, pit, groups) for column in range(size)]
        yield f"{row + 1:>2} │" + "│".join(cells) + "│"
        if row < size - 1:
            yield "   ├" + "┼".join([line] * size) + "┤"
    yield "   └" + "┴".join([line] * size) + "┘"


def _space(view: pb.View, cell: int, pit: set[int], groups: set[int]) -> str:
    face = view.board[cell]
    rerolled = view.HasField("reroll_cell") and view.reroll_cell.row * view.board_size + view.reroll_cell.column == cell
    if face:
        left, right = ("(", ")") if cell in groups else ("<", ">") if rerolled else (" ", " ")
        return f"{left}{_face(face)}{right}"
    if cell in pit:
        return "[dim]▒▒▒[/]" if view.pit_closed else "[dim] · [/]"
    return "   "


def _players(view: pb.View) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        active = view.HasField("active_seat") and view.active_seat == seat
        gods = " ".join(f"{_face(god)} {face_title(god)}" for god in player.collects)
        won = "  [bold]won[/]" if seat in view.winners else ""
        yield f"{'▶' if active else ' '} seat {seat}  {player.score:>3} of {view.target} points   {gods}{won}"


def _situation(view: pb.View) -> Iterator[str]:
    yield f"  {view.supply} dice in the supply, {view.turns} turns over"
    phase = Phase(view.phase)
    if phase is Phase.OVER:
        yield "  The game is over."
        return
    who = f"Seat {view.active_seat}: " if view.HasField("active_seat") else ""
    rolled = f" (rolled: {_face(view.rolled)} {face_title(view.rolled)}{_last(view)})" if view.rolled else ""
    yield f"  {who}{PROMPTS[phase]}{rolled}"


def _last(view: pb.View) -> str:
    return ", the last die" if view.last_die else ""


def _legend() -> str:
    return "  [dim]" + "  ".join(f"{face_title(face)[0]} {face_title(face)}" for face in Face) + "[/]"
