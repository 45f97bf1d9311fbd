"""The tiny games pass the whole kit."""

from __future__ import annotations

from gamepacks.api.kit import ConformanceSuite
from tests.support.games.guards import GuardsGame
from tests.support.games.kuhn import KuhnGame
from tests.support.games.sealed import SealedGame
from tests.support.games.suits import SuitsGame


class TestGuards(ConformanceSuite):
    game = GuardsGame
    games = 12


class TestKuhn(ConformanceSuite):
    game = KuhnGame
    games = 12


class TestSealed(ConformanceSuite):
    game = SealedGame
    games = 12


class TestSuits(ConformanceSuite):
    game = SuitsGame
    games = 12
