"""OMEGA passes the conformance kit at 2, 3 and 4 players, with each option changed."""

from __future__ import annotations

from gamepacks.api.kit import ConformanceSuite
from gamepacks.omega import Omega


class TestOmega(ConformanceSuite):
    game = Omega
    games = 9
