"""The conformance kit."""

from connect_four.game import ConnectFour

from gamepacks.api.kit import ConformanceSuite


class TestConnectFour(ConformanceSuite):
    game = ConnectFour
    games = 5
