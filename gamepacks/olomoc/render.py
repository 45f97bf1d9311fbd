"""The view drawn for a terminal, as text with Rich markup: a coarse board, the players, the pending decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, sqrt
from textwrap import wrap

from cext.geometry.units import LAST, STEP
from gamepacks.api.text import counted
from gamepacks.olomoc.elements import (
    EDGE_NAMES,
    ELSEWHERE,
    SIGNS,
    affected,
    card_set_title,
    element_names,
    inches,
    seat_of,
)
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

WIDTH = 80
"""Columns that a terminal needs; no line is longer."""
COLUMNS, ROWS = 64, 32
"""Characters across and down: a quarter of an inch wide, half an inch high."""
_CELL_X, _CELL_Y = LAST / COLUMNS, LAST / ROWS
_COLOURS = ("cyan", "yellow")
_CHOICE = "[green]+[/]"
_MARKUP = re.compile(r"(?<!\\)\[/?[a-z ]*\]")
_LEGEND = "█ blocks sight  ▒ low  ~ zone  ◇ marker  . its zone  + a choice"


def render(view: pb.View, choices: Sequence[pb.Action] = ()) -> str:
    """Returns the board, the players, the rouages and the situation as text; letters and digits stand for elements, so
    that it is readable without colours.

    Places among the choices are marked by ``+``.
    """
    situation = [f"  {_escape(line)}" for line in wrap(view.situation, WIDTH - 2)]
    parts = (_head(view), _board(view, choices), _players(view), _rouages(view), situation)
    return "\n".join(line for part in parts for line in part)


def _head(view: pb.View) -> Iterator[str]:
    yield f"  [dim]{_escape(card_set_title(view))}[/]"
    where = " · ".join(part for part in (view.agenda.name, view.layout) if part)
    phase = "hostile phase" if view.phase == 6 else f"phase {view.phase}" if view.phase else "between phases"
    when = f"cycle {view.cycle} of 4, {phase}, hunt {view.traque}" if view.cycle else "set-up"
    yield f"  {_escape(where)}  {when}"
    if not view.cycle and view.agenda.text:
        yield from (f"  [dim]{_escape(line)}[/]" for line in wrap(view.agenda.text, WIDTH - 2))
    if view.artefact.name:
        text = f"Artefact {view.artefact.name}: {view.artefact.text}"
        yield from (f"  {_escape(line)}" for line in wrap(text, WIDTH - 2))
    names = element_names(view)
    force = [f"{effect.name} on {affected(effect, names)}" for effect in view.effects if effect.until != "game"]
    counters = [f"{counter.name} {counter.value}" for counter in view.counters]
    fallen = [f"fallen ministry {view.fallen.name}"] if view.fallen.name else []
    if parts := [*fallen, *counters, *(["in force: " + ", ".join(force)] if force else [])]:
        yield from (f"  [dim]{_escape(line)}[/]" for line in wrap(" · ".join(parts), WIDTH - 2))


# -- the board ---------------------------------------------------------------------------------------------------------


def _board(view: pb.View, choices: Sequence[pb.Action]) -> Iterator[str]:
    cells = [[" "] * COLUMNS for _ in range(ROWS)]
    for marker in view.markers:
        if marker.HasField("zone"):
            reach = pb.SceneryInfo(corners=[marker.centre], radius=marker.radius + marker.zone)
            _fill(cells, reach, "[dim].[/]")
    for piece in sorted(view.scenery, key=lambda piece: not piece.zone):
        sign = "[dim]~[/]" if piece.zone else "█" if piece.obstructing else "▒"
        _fill(cells, piece, f"[magenta]{sign}[/]" if piece.tainted and not piece.zone else sign)
    for choice in choices:
        what = choice.WhichOneof("action")
        if what in ("go", "charge", "lay_scenery"):
            _put(cells, getattr(choice, what).point, _CHOICE)
    for marker in view.markers:
        _put(cells, marker.centre, "[magenta]◆[/]" if marker.tainted else "◇")
    for rouage in view.rouages:
        if rouage.HasField("centre"):
            _put(cells, rouage.centre, _sign(rouage))
    yield "     ┌" + "─" * COLUMNS + "┐ N"
    for row in reversed(range(ROWS)):
        inch = f"{row // 2:3}" if row % 2 == 0 else "   "
        yield f"  {inch}│{''.join(cells[row])}│"
    yield "   0 └" + "─" * COLUMNS + "┘ S"
    yield "      " + "".join(f"{inch:<4}" for inch in range(17)).rstrip() + "  inches"
    yield f"      [dim]{_LEGEND}[/]"
    lines = [
        f"[{_COLOURS[number]}]{seat_of(view, number)} from the {EDGE_NAMES[player.line]}[/]"
        for number, player in enumerate(view.players)
        if player.line
    ]
    if lines:
        yield f"      deployment lines: {', '.join(lines)}"


def _put(cells: list[list[str]], point: pb.Point, sign: str) -> None:
    row, column = min(int(point.y / _CELL_Y), ROWS - 1), min(int(point.x / _CELL_X), COLUMNS - 1)
    cells[row][column] = sign


def _sign(rouage: pb.Rouage) -> str:
    """Returns the sign of an element: 1 to 3 for ranks of player 1, a to c for player 2, A to J for hostiles."""
    colour = f"bold {_COLOURS[rouage.player]}" if rouage.HasField("player") else "bold red"
    return f"[{colour}{' reverse' if rouage.active else ''}]{SIGNS[rouage.index]}[/]"


def _fill(cells: list[list[str]], piece: pb.SceneryInfo, sign: str) -> None:
    """Draw a shape."""
    for row, left, right in _spans(piece):
        for column in range(max(0, ceil(left / _CELL_X - 0.5)), min(COLUMNS - 1, floor(right / _CELL_X - 0.5)) + 1):
            cells[row][column] = sign


def _spans(piece: pb.SceneryInfo) -> Iterator[tuple[int, float, float]]:
    """Spans of the rows whose middle a piece covers: (row, from x, to x)."""
    corners, radius = [(corner.x, corner.y) for corner in piece.corners], piece.radius / STEP
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


# -- below it ----------------------------------------------------------------------------------------------------------


def _players(view: pb.View) -> Iterator[str]:
    for number, player in enumerate(view.players):
        seat = f"seat {player.seat}" if player.HasField("seat") else "seat unknown"
        mark = "▶" if player.HasField("seat") and player.seat in view.deciding_seats else " "
        won = "  [bold]won[/]" if player.HasField("seat") and player.seat in view.winners else ""
        priority = ", priority" if view.priority_player == number and view.cycle else ""
        counters = "".join(f", {_escape(counter.name)} {counter.value}" for counter in player.counters)
        colour = _COLOURS[number]
        yield (
            f"{mark} [{colour}]player {number + 1}[/] ({seat}{priority}): {player.vp} points, Fiel {player.fiel}"
            f"{counters}{won}"
        )
        if player.plan:
            yield from _joined("    plan", [_slot(slot) for slot in player.plan])
        if hand := ", ".join(f"{card.name} ({' '.join(map(str, card.slots))})" for card in player.hand):
            text = f"ministries in hand, with their slots: {hand}"
            yield from (f"    [dim]{_escape(line)}[/]" for line in wrap(text, WIDTH - 4))


def _slot(slot: pb.PlanSlot) -> str:
    if not slot.filled:
        return "\\[ ]"
    return f"\\[{_escape(slot.name) or '?'}]" + ("" if slot.revealed else "[dim]*[/]")


def _rouages(view: pb.View) -> Iterator[str]:
    names = element_names(view)
    for rouage in view.rouages:
        if not rouage.name:
            continue
        place = ELSEWHERE.get(rouage.place) or inches(rouage.centre.x, rouage.centre.y)
        life = "".join("x" if box < rouage.ticked else letter for box, letter in enumerate(rouage.life))
        marks = [f"N{rouage.noirceur}"] if rouage.noirceur else []
        marks += ["[bold]stunned[/]"] if pb.STATE_STUNNED in rouage.states else []
        marks += ["engaged"] if rouage.engaged else []
        active = "▶" if rouage.active else " "
        gear = [f"· {_escape(rouage.gear.name)}"] if rouage.HasField("gear") else []
        tokens = counted(rouage.ap, "token") if rouage.HasField("player") else ""
        name = _escape(names[rouage.index])
        first = f"{active} {_sign(rouage)} {name:<18} {_stats(rouage)}  {life:<9} {tokens:<8}  {place:<13}"
        yield from _joined(first, [*gear, *marks])


def _joined(first: str, parts: Sequence[str]) -> Iterator[str]:
    """Parts behind a first one, in as many lines as they need."""
    line = first
    for part in parts:
        if _width(f"{line} {part}") > WIDTH:
            yield line.rstrip()
            line = "     "
        line = f"{line} {part}"
    yield line.rstrip()


def _width(text: str) -> int:
    """Columns that a text with markup takes."""
    return len(_MARKUP.sub("", text).replace("\\[", "["))


def _stats(rouage: pb.Rouage) -> str:
    """Technique, Combat, Shooting, Dodge."""
    return " ".join(f"{letter}{value}" for letter, value in zip("TCSD", rouage.stats, strict=False))


def _escape(text: str) -> str:
    return text.replace("[", "\\[")
