"""The view drawn as SVG, and the parts of it that actions touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamepacks.api.scene import Group, Scene
from gamepacks.ominoes.codes import GODS, cell_name, face_title
from gamepacks.ominoes.sentences import PROMPTS
from gamepacks.ominoes.v1 import ominoes_pb2 as pb
from gamepacks.ominoes.v1.ominoes_enums import Face, Phase

_WIDTH = 720
_SIDE = 648
"""Side of the board."""
_LEFT, _TOP = 48, 132
"""Upper left corner of the board."""
_PLAYER_HEIGHT = 74
_LEGEND_LINE = 26

_CLASSES = {
    Face.HORUS: "green",
    Face.RA: "yellow",
    Face.APEP: "red",
    Face.KHEPRI: "blue",
    Face.YAY_RA: "purple",
    Face.OMINOTEP: "black",
}
_SIGNS = {
    Face.HORUS: "M14 46Q30 16 46 46M22 33L30 20L38 33M30 20V52M24 52H36",
    Face.RA: "M30 21A9 9 0 1 0 30.1 21M30 9V15M30 45V51M9 30H15M45 30H51"
    "M15 15L19 19M41 41L45 45M45 15L41 19M19 41L15 45",
    Face.APEP: "M14 48Q30 50 30 40T20 30T30 18T44 14M44 14L38 10M44 14L40 20",
    Face.KHEPRI: "M30 14Q46 20 42 38Q38 50 30 50Q22 50 18 38Q14 20 30 14M30 14V50"
    "M18 26L10 20M42 26L50 20M18 38L10 44M42 38L50 44",
    Face.YAY_RA: "M30 10V50M10 30H50M24 16L30 10L36 16M24 44L30 50L36 44M16 24L10 30L16 36M44 24L50 30L44 36",
    Face.OMINOTEP: "M46 22A18 18 0 1 0 48 36M48 12V24H36M24 28H24.1M36 28H36.1M24 38H36",
}
"""Line drawings in a square of 60."""

_HINTS = {
    Phase.SET_UP: "On any empty space.",
    Phase.SET_UP_EXTRA: "On any empty space.",
    Phase.REROLL: "Any die on the board; it stays on its space.",
    Phase.SCORE_AFTER_MOVE: "One point for each die; the dice leave the board.",
    Phase.ADD: "On any empty space.",
    Phase.SCORE_AFTER_ADD: "One point for each die; the dice leave the board.",
}
_ROLLED_WILD = {
    Face.YAY_RA: "wild; rolled: move any die",
    Face.OMINOTEP: "wild; rolled: reroll any die",
}


def svg(view: pb.View) -> str:
    """Returns the view as an SVG document: the prompt, the board, the players, the legend of faces."""
    bottom = _TOP + _SIDE + 44
    rows = (len(view.players) + 1) // 2
    legend = bottom + rows * (_PLAYER_HEIGHT + 12) + 20
    height = legend + 5 * _LEGEND_LINE + 24
    scene = Scene(_WIDTH, height, "Ominoes")
    scene.rect(0, 0, _WIDTH, height, "background")
    _draw_prompt(scene, view)
    _draw_board(scene.group(x=_LEFT, y=_TOP), view)
    for seat in range(len(view.players)):
        column, row = seat % 2, seat // 2
        _draw_player(scene.group(x=24 + 342 * column, y=bottom + row * (_PLAYER_HEIGHT + 12)), view, seat)
    _draw_legend(scene.group(x=24, y=legend), view)
    return scene.svg()


def targets(view: pb.View, choices: Iterable[pb.Action]) -> Sequence[Sequence[str]]:
    """Returns the spaces that each action touches, or the group that it scores."""
    groups = {(group.god, *_cells(view, group.cells)): number for number, group in enumerate(view.groups)}

    def of(action: pb.Action) -> Sequence[str]:
        match action.WhichOneof("action"):
            case "move":
                return _ids(view, (action.move.from_cell, action.move.to_cell))
            case "place":
                return _ids(view, (action.place.cell,))
            case "reroll":
                return _ids(view, (action.reroll.cell,))
            case "add":
                return _ids(view, (action.add.cell,))
            case "score":
                return (f"group-{groups[action.score.god, *_cells(view, action.score.cells)]}",)
        return ()

    return [of(action) for action in choices]


def _cells(view: pb.View, cells: Iterable[pb.Cell]) -> list[int]:
    return [cell.row * view.board_size + cell.column for cell in cells]


def _ids(view: pb.View, cells: Iterable[pb.Cell]) -> list[str]:
    return [f"cell-{cell}" for cell in _cells(view, cells)]


def _draw_prompt(scene: Group, view: pb.View) -> None:
    """Draw the prompt: the seat to act, its decision, and the rolled die."""
    phase = Phase(view.phase)
    prompt, hint = PROMPTS[phase], _HINTS.get(phase, "")
    prompt = f"Seat {view.active_seat}: {prompt}" if view.HasField("active_seat") else prompt.capitalize()
    if view.phase == pb.PHASE_OVER:
        winners = " and ".join(f"seat {seat}" for seat in view.winners)
        hint = f"{winners.capitalize()} {'wins' if len(view.winners) == 1 else 'share the win'}."
    if view.phase == pb.PHASE_MOVE:
        which = "any die" if view.rolled == pb.FACE_YAY_RA else f"a die that shows {face_title(view.rolled)}"
        hint = f"Exactly 3 steps with {which}, around other dice; no space twice."
    part = scene.group("prompt", prompt)
    part.text(24, 42, prompt, "title", size=26)
    if view.last_die:
        hint += " It was the last die off the board: it may not be added."
    if hint:
        part.paragraph(24, 74, hint.strip(), _WIDTH - 48 - (96 if view.rolled else 0), "muted", size=18)
    if view.rolled:
        title = f"Rolled: {face_title(view.rolled)}"
        die = scene.group("die-rolled", title, x=_WIDTH - 24 - 76, y=12)
        _draw_die(die, 76, Face(view.rolled))


def _draw_board(board: Group, view: pb.View) -> None:
    size = view.board_size
    side = _SIDE / size
    board.rect(-6, -6, _SIDE + 12, _SIDE + 12, "board", rounded=8)
    pit = set(_cells(view, view.pit))
    rerolled = _cells(view, [view.reroll_cell])[0] if view.HasField("reroll_cell") else -1
    for line in range(size):
        middle = (line + 0.5) * side
        board.text(middle, -14, cell_name(line, size)[0], "muted", size=18, anchor="middle")
        board.text(-14, middle + 6, str(line + 1), "muted", size=18, anchor="end")
    for cell, face in enumerate(view.board):
        row, column = divmod(cell, size)
        closed = cell in pit and view.pit_closed
        what = face_title(face) if face else "closed" if closed else "empty"
        where = f"{cell_name(cell, size)}{', snake pit' if cell in pit else ''}"
        space = board.group(f"cell-{cell}", f"{where}: {what}", x=column * side, y=row * side)
        shade = "closed" if closed else "cell shade" if cell in pit else "cell"
        space.rect(2, 2, side - 4, side - 4, shade, rounded=6, stroke=1)
        if closed:
            space.line(10, 10, side - 10, side - 10, "line muted")
            space.line(side - 10, 10, 10, side - 10, "line muted")
        if face:
            _draw_die(space.group(x=0.09 * side, y=0.09 * side), 0.82 * side, Face(face))
        if cell == rerolled:
            space.rect(3, 3, side - 6, side - 6, "outline last", rounded=6, stroke=5)
    for number, group in enumerate(view.groups):
        title = f"Group of {face_title(group.god)}: {len(group.cells)} points"
        part = board.group(f"group-{number}", title)
        for cell in _cells(view, group.cells):
            row, column = divmod(cell, size)
            classes = f"{_CLASSES[Face(group.god)]} tint won"
            part.rect(column * side + 2, row * side + 2, side - 4, side - 4, classes, rounded=6, stroke=5)


def _draw_die(group: Group, side: float, face: Face) -> None:
    """Draw a die with its sign and, for people who cannot tell its colour, its letter."""
    group.rect(0, 0, side, side, f"{_CLASSES[face]} token", rounded=0.16 * side, stroke=1.5)
    group.group(scale=side / 72).path(_SIGNS[face], "line on-color", stroke=3.4)
    group.text(0.94 * side, 0.93 * side, face_title(face)[0], "on-color title", size=0.27 * side, anchor="end")


def _draw_player(part: Group, view: pb.View, seat: int) -> None:
    player = view.players[seat]
    gods = ", ".join(face_title(god) for god in player.collects)
    active = view.HasField("active_seat") and view.active_seat == seat
    state = "won" if seat in view.winners else "active" if active else ""
    box = part.group(f"player-{seat}", f"Seat {seat}: {player.score} of {view.target} points, collects {gods}")
    box.rect(0, 0, 330, _PLAYER_HEIGHT, f"panel {state}", rounded=10, stroke=4 if state else 1)
    box.text(14, 30, f"seat {seat}", "strong", size=20)
    box.text(316, 30, f"{player.score} of {view.target}", "title", size=20, anchor="end")
    share = min(1.0, player.score / view.target)
    box.rect(150, 52, 166, 10, "shade", rounded=5)
    if share:
        box.rect(150, 52, 166 * share, 10, _CLASSES[Face(player.god)], rounded=5)
    for number, god in enumerate(player.collects):
        _draw_die(box.group(x=14 + 36 * number, y=38), 30, Face(god))


def _draw_legend(part: Group, view: pb.View) -> None:
    """Draw the legend: the meaning of each face."""
    for number, face in enumerate((*GODS, Face.YAY_RA, Face.OMINOTEP)):
        x, y = 342 * (number // 3), _LEGEND_LINE * (number % 3)
        _draw_die(part.group(x=x, y=y), 22, face)
        meaning = _ROLLED_WILD.get(face, f"rolled: move a {face_title(face)}")
        part.text(x + 30, y + 16, f"{face_title(face)}: {meaning}", "muted", size=15)
    y = 3 * _LEGEND_LINE + 20
    part.text(0, y, "A group: 4 or more dice of one god and wilds, edge to edge.", "muted", size=15)
    left = f"{view.supply} dice in the supply, {view.turns} turns over"
    part.text(0, y + _LEGEND_LINE, left, "muted", size=15)
