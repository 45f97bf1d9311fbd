"""The conformance kit on Ominoes."""

from __future__ import annotations

from gamepacks.api.kit import ConformanceSuite
from gamepacks.ominoes import Ominoes


class TestOminoes(ConformanceSuite):
    game = Ominoes
    games = 16
