"""The state and the game. Rule ids as in RULES.md."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from gamepacks.api import (
    TERMINAL,
    ActionCodec,
    Capabilities,
    Code,
    CodeBook,
    Fault,
    IllegalAction,
    MessageGame,
    MessageState,
    MessageTypes,
    Options,
    Seat,
    Verb,
    Viewer,
)
from gamepacks.api.scene import Scene
from tic_tac_toe import game_pb2 as pb

BOOK = CodeBook(MARK := Verb("MARK", cell=8))


class TicTacToeOptions(Options):
    size: int = Field(3, ge=3, le=9, description="Rows and columns of the board (TIC-MARK-01).")


class TicTacToeState(MessageState[pb.Position]):
    def winner(self) -> int | None:
        """The seat that has marked a whole line (TIC-END-01)."""
        for seat in range(2):
            own = set(self.data.marks[seat::2])
            if any(own.issuperset(line) for line in self.game.lines):
                return seat
        return None

    def actor(self) -> int:
        over = len(self.data.marks) == self.game.cells or self.winner() is not None
        return TERMINAL if over else len(self.data.marks) % 2

    def legal(self, seat: int = -1) -> list[int]:
        actor = self.actor()
        mine = actor >= 0 and seat in (-1, actor)
        return [MARK(cell) for cell in range(self.game.cells) if cell not in self.data.marks] if mine else []

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.data.marks.extend(MARK.unpack(code))

    def returns(self) -> tuple[float, ...]:
        winner = self.winner()
        return (0.0, 0.0) if winner is None else (1.0 - 2 * winner, 2 * winner - 1.0)


class TicTacToe(MessageGame[TicTacToeOptions, TicTacToeState, pb.View, pb.Action]):
    id = "tic-tac-toe"
    title = "Tic-tac-toe"
    summary = "Mark cells in turn; the first player with a whole line wins."
    rules_version = "1"
    capabilities = Capabilities(2, 2, chance=False, hidden=False, simultaneous=False, max_plies=81)
    options_type = TicTacToeOptions
    state_type = TicTacToeState
    messages = MessageTypes.of(pb)
    codec = ActionCodec(BOOK, pb.Action)

    def __init__(self, players: int, options: TicTacToeOptions) -> None:
        super().__init__(players, options)
        size = options.size
        self.cells = size * size
        rows = [range(row * size, (row + 1) * size) for row in range(size)]
        columns = [range(column, self.cells, size) for column in range(size)]
        self.lines = [*rows, *columns, range(0, self.cells, size + 1), range(size - 1, self.cells - 1, size - 1)]

    def start(self) -> pb.Position:
        return pb.Position()

    def faults(self, state: TicTacToeState) -> Iterator[Fault]:
        replayed = TicTacToeState(self, self.start())
        for number, cell in enumerate(state.data.marks):
            if not MARK.fits(cell) or not replayed.is_legal(MARK(cell)):
                yield Fault(f"marks[{number}]", f"cell {cell} cannot be marked")
                return
            replayed.apply_unchecked(MARK(cell))

    def view(self, state: TicTacToeState, viewer: Viewer) -> pb.View:
        return pb.View(position=state.data, size=self.options.size)

    def why_illegal(self, state: TicTacToeState, code: int, seat: int = -1) -> IllegalAction:
        if state.actor() >= 0 and seat in (-1, state.actor()):
            return IllegalAction("NOT_EMPTY", "that is not an empty cell of the board")
        return super().why_illegal(state, code, seat)

    def events(
        self, before: TicTacToeState, seat: Seat | None, code: Code, after: TicTacToeState, viewer: Viewer
    ) -> list[pb.Event]:
        return [pb.Event(seat=before.actor(), cell=after.data.marks[-1])]

    def render(self, view: pb.View) -> str:
        marks = {cell: "XO"[number % 2] for number, cell in enumerate(view.position.marks)}
        rows = (range(row * view.size, (row + 1) * view.size) for row in range(view.size))
        return "\n".join(" ".join(marks.get(cell, ".") for cell in row) for row in rows)

    def svg(self, view: pb.View) -> str:
        marks = {cell: number % 2 for number, cell in enumerate(view.position.marks)}
        side = 600 / view.size
        scene = Scene(640, 700, self.title)
        scene.rect(0, 0, 640, 700, "background")
        scene.text(20, 48, "X is seat 0, O is seat 1", "title", size=28)
        for cell in range(view.size**2):
            row, column = divmod(cell, view.size)
            mark = "XO"[marks[cell]] if cell in marks else ""
            title = f"row {row + 1}, column {column + 1}: {mark or 'empty'}"
            part = scene.group(f"cell-{cell}", title, x=20 + column * side, y=80 + row * side)
            part.rect(2, 2, side - 4, side - 4, "cell", rounded=6)
            if mark:
                color = f"title seat-{marks[cell]}"
                part.text(side / 2, 0.75 * side, mark, color, size=0.7 * side, anchor="middle")
        return scene.svg()

    def targets(self, view: pb.View, choices: Sequence[pb.Action]) -> list[tuple[str, ...]]:
        return [(f"cell-{choice.mark}",) for choice in choices]

    def touched(self, view: pb.View, seat: Seat, action: pb.Action) -> tuple[str, ...]:
        return self.targets(view, [action])[0]
