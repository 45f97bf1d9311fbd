"""The conformance kit."""

from tic_tac_toe import TicTacToe

from gamepacks.api.kit import ConformanceSuite


class TestTicTacToe(ConformanceSuite):
    game = TicTacToe
    games = 5
