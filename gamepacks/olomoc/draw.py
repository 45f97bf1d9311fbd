"""The view drawn for a terminal, as text with Rich markup: a coarse board, the players, what is to be decided."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, floor, sqrt

from gamepacks.olomoc.laid import card_set_title
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

COLUMNS, ROWS = 64, 32
"""Characters across and down: a quarter of an inch wide, half an inch high."""
_CELL_X, _CELL_Y = 1600 / COLUMNS, 1600 / ROWS
_COLOURS = ("cyan", "yellow")


def render(view: pb.View) -> str:
    """Board, players, rouages and the situation; letters and digits stand for elements, so it reads without colours."""
    return "\n".join([*_head(view), *_board(view), *_players(view), *_rouages(view), *_situation(view)])


def _head(view: pb.View) -> Iterator[str]:
    yield f"  [dim]{_escape(card_set_title(view))}[/]"
    where = " · ".join(part for part in (view.agenda.name, view.layout) if part)
    phase = "hostile phase" if view.phase == 6 else f"phase {view.phase}" if view.phase else "between phases"
    yield f"  {_escape(where)}  cycle {view.cycle}, {phase}, traque {view.traque}"


def _board(view: pb.View) -> Iterator[str]:
    cells = [[" "] * COLUMNS for _ in range(ROWS)]
    for piece in view.scenery:
        sign = "[dim]~[/]" if piece.zone else "█" if piece.obstructing else "▒"
        for row, left, right in _spans(piece):
            for column in range(max(0, ceil(left / _CELL_X - 0.5)), min(COLUMNS - 1, floor(right / _CELL_X - 0.5)) + 1):
                cells[row][column] = sign
    for marker in view.markers:
        _put(cells, marker.centre, "[magenta]◆[/]" if marker.tainted else "◇")
    for rouage in view.rouages:
        if rouage.HasField("centre"):
            _put(cells, rouage.centre, _sign(rouage))
    yield "  ┌" + "─" * COLUMNS + "┐ N"
    for line in reversed(cells):
        yield "  │" + "".join(line) + "│"
    yield "  └" + "─" * COLUMNS + "┘ S"


def _put(cells: list[list[str]], point: pb.Point, sign: str) -> None:
    row, column = min(int(point.y / _CELL_Y), ROWS - 1), min(int(point.x / _CELL_X), COLUMNS - 1)
    cells[row][column] = sign


def _sign(rouage: pb.Rouage) -> str:
    """One character: 1 to 3 for ranks of player 1, a to c for player 2, H for a hostile."""
    if not rouage.HasField("player"):
        return "[bold red]H[/]"
    letters = "123" if rouage.player == 0 else "abc"
    return f"[bold {_COLOURS[rouage.player]}]{letters[rouage.index % 3]}[/]"


def _spans(piece: pb.SceneryInfo) -> Iterator[tuple[int, float, float]]:
    """Where a piece covers the middle of a row: (row, from x, to x)."""
    corners, radius = [(corner.x, corner.y) for corner in piece.corners], piece.radius / 127
    edges = list(pairwise([*corners, corners[0]]))
    for row in range(ROWS):
        y = (row + 0.5) * _CELL_Y
        if radius:
            centre_x, centre_y = corners[0]
            half = radius**2 - (y - centre_y) ** 2
            if half >= 0:
                yield row, centre_x - sqrt(half), centre_x + sqrt(half)
            continue
        crossings = sorted(
            (bx - ax) * (y - ay) / (by - ay) + ax for (ax, ay), (bx, by) in edges if (ay > y) != (by > y)
        )
        for left, right in zip(crossings[::2], crossings[1::2], strict=True):
            yield row, left, right


def _players(view: pb.View) -> Iterator[str]:
    for number, player in enumerate(view.players):
        seat = f"seat {player.seat}" if player.HasField("seat") else "seat unknown"
        mark = "▶" if player.HasField("seat") and player.seat in view.deciding_seats else " "
        won = "  [bold]won[/]" if player.HasField("seat") and player.seat in view.winners else ""
        priority = ", priority" if view.priority_player == number and view.cycle else ""
        colour = _COLOURS[number]
        yield (
            f"{mark} [{colour}]player {number + 1}[/] ({seat}{priority}): {player.vp} points, Fiel {player.fiel}"
            f"  plan {' '.join(_slot(slot) for slot in player.plan) or '-'}{won}"
        )


def _slot(slot: pb.PlanSlot) -> str:
    if not slot.filled:
        return "\\[ ]"
    return f"\\[{_escape(slot.name) or '?'}]" + ("" if slot.revealed else "[dim]*[/]")


def _rouages(view: pb.View) -> Iterator[str]:
    for rouage in view.rouages:
        if not rouage.name:
            continue
        where = {pb.PLACE_OFF: "off the board", pb.PLACE_OUT: "out of action"}.get(rouage.place)
        place = where or f"({rouage.centre.x / 100:.2f}, {rouage.centre.y / 100:.2f})"
        life = "".join("x" if box < rouage.ticked else letter for box, letter in enumerate(rouage.life))
        marks = [f"N{rouage.noirceur}"] if rouage.noirceur else []
        marks += ["stunned"] if pb.STATE_STUNNED in rouage.states else []
        marks += ["engaged"] if rouage.engaged else []
        active = "▶" if rouage.active else " "
        gear = f" · {_escape(rouage.gear.name)}" if rouage.HasField("gear") else ""
        yield (
            f"{active} {_sign(rouage)} {_escape(rouage.name):<18} {_stats(rouage)}  {life:<9} AP {rouage.ap}  {place}"
            f"{gear} {' '.join(marks)}".rstrip()
        )


def _stats(rouage: pb.Rouage) -> str:
    """Technique, Combat, Shooting, Dodge."""
    return " ".join(f"{letter}{value}" for letter, value in zip("TCSD", rouage.stats, strict=False))


def _situation(view: pb.View) -> Iterator[str]:
    if view.end_cause:
        cause = pb.EndCause.Name(view.end_cause).removeprefix("END_CAUSE_").lower().replace("_", " ")
        yield f"  The game is over ({cause})."
        return
    what = pb.Decision.Name(view.decision).removeprefix("DECISION_").lower().replace("_", " ")
    who = ", ".join(f"seat {seat}" for seat in view.deciding_seats)
    yield f"  {who or 'chance'}: {what}"


def _escape(text: str) -> str:
    return text.replace("[", "\\[")
