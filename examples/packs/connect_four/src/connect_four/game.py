"""The game: metadata, positions, views, events and drawings."""

from collections.abc import Sequence
from typing import Any

from connect_four import game_pb2 as pb
from connect_four.codes import BOOK, CELLS, COLUMNS, DROP, ROWS
from connect_four.reference import board
from connect_four.state import CompiledState
from gamepacks.api import (
    ActionCodec,
    Capabilities,
    Code,
    Fault,
    Game,
    IllegalAction,
    InvalidPosition,
    MessageTypes,
    Options,
    Seat,
    Viewer,
)
from gamepacks.api.scene import Scene


class ConnectFourOptions(Options):
    """The game has no options."""


class ConnectFour(Game[ConnectFourOptions, CompiledState, pb.View, pb.Action]):
    id = "connect-four"
    title = "Connect Four"
    summary = "Drop discs into columns; the first player with four in a line wins."
    rules_version = "1"
    capabilities = Capabilities(2, 2, chance=False, hidden=False, simultaneous=False, max_plies=CELLS)
    options_type = ConnectFourOptions
    messages = MessageTypes.of(pb)
    codec = ActionCodec(BOOK, pb.Action)

    def initial_state(self) -> CompiledState:
        return CompiledState(self)

    def position(self, state: CompiledState) -> pb.Position:
        return pb.Position(drops=state.drops)

    def restore(self, position: Any) -> CompiledState:
        state = self.initial_state()
        for number, column in enumerate(position.drops):
            if not DROP.fits(column) or not state.is_legal(DROP(column)):
                raise InvalidPosition([Fault(f"drops[{number}]", f"no disc can be dropped into column {column}")])
            state.apply_unchecked(DROP(column))
        return state

    def view(self, state: CompiledState, viewer: Viewer) -> pb.View:
        return pb.View(cells=[cell for row in board(state.drops) for cell in row])

    def why_illegal(self, state: CompiledState, code: int, seat: int = -1) -> IllegalAction:
        if code in [DROP(column) for column in range(COLUMNS)] and state.actor() >= 0 and seat in (-1, state.actor()):
            return IllegalAction("COLUMN_FULL", f"column {DROP.unpack(code)[0]} is full")
        return super().why_illegal(state, code, seat)

    def events(
        self, before: CompiledState, seat: Seat | None, code: Code, after: CompiledState, viewer: Viewer
    ) -> list[pb.Event]:
        (column,) = DROP.unpack(code)
        return [pb.Event(seat=len(before.drops) % 2, column=column, row=before.drops.count(column))]

    def render(self, view: pb.View) -> str:
        rows = [view.cells[row * COLUMNS : (row + 1) * COLUMNS] for row in reversed(range(ROWS))]
        lines = [" ".join(".XO"[cell] for cell in row) for row in rows]
        return "\n".join([*lines, " ".join(map(str, range(COLUMNS)))])

    def svg(self, view: pb.View) -> str:
        scene = Scene(100 * COLUMNS + 40, 100 * ROWS + 120, self.title)
        scene.rect(0, 0, 100 * COLUMNS + 40, 100 * ROWS + 120, "background")
        for seat in range(2):
            scene.circle(44 + 300 * seat, 38, 22, f"seat-{seat} token")
            scene.text(80 + 300 * seat, 48, f"seat {seat}", "title", size=28)
        for column in range(COLUMNS):
            discs = [view.cells[row * COLUMNS + column] for row in range(ROWS)]
            part = scene.group(
                f"column-{column}", f"column {column}: {ROWS - discs.count(0)} discs", x=20 + 100 * column, y=80
            )
            part.rect(2, 0, 96, 100 * ROWS, "board", rounded=10)
            for row, disc in enumerate(reversed(discs)):
                part.circle(50, 100 * row + 50, 40, f"seat-{disc - 1} token" if disc else "cell")
                if disc:
                    part.text(50, 100 * row + 64, "XO"[disc - 1], "on-color title", size=40, anchor="middle")
        return scene.svg()

    def targets(self, view: pb.View, choices: Sequence[pb.Action]) -> list[tuple[str, ...]]:
        return [(f"column-{choice.drop}",) for choice in choices]

    def touched(self, view: pb.View, seat: Seat, action: pb.Action) -> tuple[str, ...]:
        return self.targets(view, [action])[0]
