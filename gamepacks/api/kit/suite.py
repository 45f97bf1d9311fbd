"""The kit as a pytest class: a pack's whole conformance in three lines.

::

    from gamepacks.api.kit import ConformanceSuite

    class TestMyGame(ConformanceSuite):
        game = MyGame
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gamepacks.api.game import Game
from gamepacks.api.kit.base import Check, Subject
from gamepacks.api.kit.catalogue import CATALOGUE


@functools.cache
def _subject(game: type[Game[Any]], seed: int, games: int, golden: Path | None) -> Subject:
    """One subject for all checks of a suite, so that its tables are configured once."""
    return Subject(game, seed, games, golden)


class ConformanceSuite:
    """Each check of the catalogue is one test. Subclass it in a test module and name the game."""

    game: ClassVar[type[Game[Any]]]
    seed: ClassVar[int] = 1
    games: ClassVar[int] = 20
    """Random matches of each check; fewer for a slow game. Each value of each option is played with in any case."""
    golden: ClassVar[Path | None] = None
    """Folder of the golden replays, if not beside the game's module."""

    @pytest.fixture
    def subject(self) -> Subject:
        """The subject of the checks; override it to make it in another way."""
        return _subject(self.game, self.seed, self.games, self.golden)

    @pytest.mark.parametrize("check", CATALOGUE, ids=lambda check: check.name)
    def test_conformance(self, check: Check, subject: Subject) -> None:
        check.run(subject)
