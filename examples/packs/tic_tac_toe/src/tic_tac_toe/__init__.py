"""Tic-tac-toe: a pack for Omnilude."""

from gamepacks.api import hookimpl
from tic_tac_toe.game import TicTacToe


@hookimpl
def omnilude_games() -> list[type[TicTacToe]]:
    """The games of this pack."""
    return [TicTacToe]
