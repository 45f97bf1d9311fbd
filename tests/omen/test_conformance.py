"""The conformance kit on both editions of Omen.

A table for every option at once takes the place of one table for each option, which `omnilude pack check omen` plays.
"""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from gamepacks.api.kit import ConformanceSuite, GameSetup, Subject
from gamepacks.api.kit.values import round_trips
from gamepacks.omen import Omen, OmenTraits

EVERYTHING = {
    "start": "emissary",
    "spirits": True,
    "heroes": True,
    "challenges": "normal",
    "whims": True,
    "relics": True,
    "feat_claim": "optional",
    "survivors": "up_to",
    "spirit_order": "player",
    "coin_supply": 0,
    "auto_single": False,
}
TABLES: dict[type[Any], list[dict[str, Any]]] = {
    Omen: [{}, EVERYTHING, {"draft": "keep2of3", "whims": True, "relics": True, "challenges": "long"}],
    OmenTraits: [{}, {"combined": True, "start": "random"}, {"card_set": "house-tide-1", "auto_single": False}],
}


class TablesSubject(Subject):
    """A game with the options of TABLES."""

    def tables(self) -> list[GameSetup]:
        if not self._tables:
            self._tables = [GameSetup(self.game.configure(2, options), options) for options in TABLES[self.game]]
        return self._tables


class _Suite(ConformanceSuite):
    games: ClassVar[int] = 3

    @pytest.fixture
    def subject(self) -> Subject:
        return TablesSubject(self.game, self.seed, self.games, self.golden)


class TestOmen(_Suite):
    game = Omen


class TestOmenTraits(_Suite):
    game = OmenTraits


def test_equal_copies_are_distinguished_by_references_to_them() -> None:
    """On one of these walks a seat uses its second Festival: a change in force is that copy's, not the first one's."""
    assert round_trips.run(Subject(Omen)).endswith("positions")
