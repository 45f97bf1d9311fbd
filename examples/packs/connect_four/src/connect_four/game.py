"""The game: it makes states and explains them."""

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


class ConnectFourOptions(Options):
    """There are none."""


class ConnectFour(Game[ConnectFourOptions, CompiledState]):
    id = "connect-four"
    title = "Connect Four"
    summary = "Drop discs into columns; who gets four in a line wins."
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

    def render(self, view: Any) -> str:
        rows = [view.cells[row * COLUMNS : (row + 1) * COLUMNS] for row in reversed(range(ROWS))]
        lines = [" ".join(".XO"[cell] for cell in row) for row in rows]
        return "\n".join([*lines, " ".join(map(str, range(COLUMNS)))])
