"""The conformance kit."""

from goofspiel import Goofspiel

from gamepacks.api.kit import ConformanceSuite


class TestGoofspiel(ConformanceSuite):
    game = Goofspiel
    games = 10
