"""The kit as a pytest class: a pack's whole conformance in three lines.

::

    from gamepacks.api.kit import ConformanceSuite

    class TestMyGame(ConformanceSuite):
        game = MyGame
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from gamepacks.api.game import Game
from gamepacks.api.kit.base import Check, Subject
from gamepacks.api.kit.catalogue import CATALOGUE


class ConformanceSuite:
    """Each check of the catalogue is one test. Subclass it in a test module and name the game."""

    game: ClassVar[type[Game[Any]]]
    seed: ClassVar[int] = 1
    games: ClassVar[int] = 20
    """Random matches of each check; fewer for a slow game."""
    golden: ClassVar[Path | None] = None
    """Folder of the golden replays, if not beside the game's module."""

    @pytest.fixture
    def subject(self) -> Subject:
        """The subject of the checks; override it to make it in another way."""
        return Subject(self.game, self.seed, self.games, self.golden)

    @pytest.mark.parametrize("check", CATALOGUE, ids=lambda check: check.name)
    def test_conformance(self, check: Check, subject: Subject) -> None:
        check.run(subject)
