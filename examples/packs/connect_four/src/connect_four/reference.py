"""The state in plain Python, with which the tests compare the compiled one."""

from collections.abc import Iterable, Sequence
from typing import Any

from connect_four.codes import CELLS, COLUMNS, DROP, ROWS
from gamepacks.api import TERMINAL, State

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Directions of lines (horizontal, vertical, both diagonals) as steps of rows and columns."""


def board(drops: Iterable[int]) -> list[list[int]]:
    """The seat plus 1 of each disc, or 0: ``board(drops)[row][column]``, row 0 at the bottom."""
    cells = [[0] * COLUMNS for _ in range(ROWS)]
    for number, column in enumerate(drops):
        row = next(row for row in range(ROWS) if not cells[row][column])
        cells[row][column] = number % 2 + 1
    return cells


class PythonState(State):
    """A state: the columns of all drops so far."""

    def __init__(self, game: Any, drops: Sequence[int] = ()) -> None:
        self.game, self.drops = game, tuple(drops)

    def winner(self) -> int | None:
        """The seat with four in a line (FOUR-END-01)."""
        cells = board(self.drops)
        for row in range(ROWS):
            for column in range(COLUMNS):
                for up, right in DIRECTIONS:
                    line = [(row + up * step, column + right * step) for step in range(4)]
                    if all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in line):
                        discs = {cells[r][c] for r, c in line}
                        if len(discs) == 1 and discs != {0}:
                            return discs.pop() - 1
        return None

    def actor(self) -> int:
        over = len(self.drops) == CELLS or self.winner() is not None
        return TERMINAL if over else len(self.drops) % 2

    def legal(self, seat: int = -1) -> list[int]:
        actor = self.actor()
        if actor < 0 or seat not in (-1, actor):
            return []
        return [DROP(column) for column in range(COLUMNS) if self.drops.count(column) < ROWS]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.drops += DROP.unpack(code)

    def clone(self) -> "PythonState":
        return PythonState(self.game, self.drops)

    def returns(self) -> tuple[float, ...]:
        winner = self.winner()
        return (0.0, 0.0) if winner is None else (1.0 - 2 * winner, 2 * winner - 1.0)
