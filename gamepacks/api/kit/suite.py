"""The kit as a pytest class, for the tests of a pack.

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
    """Returns one subject for all checks of a suite, so that its setups are configured once."""
    return Subject(game, seed, games, golden)


class ConformanceSuite:
    """Base class of a test class with one test for each check of the catalogue. Set ``game`` in the subclass."""

    game: ClassVar[type[Game[Any]]]
    seed: ClassVar[int] = 1
    games: ClassVar[int] = 20
    """Number of random matches of each check; fewer for a slow game. Each value of each option is used in any case."""
    golden: ClassVar[Path | None] = None
    """Folder of the golden replays; None: ``golden`` beside the game's module."""

    @pytest.fixture
    def subject(self) -> Subject:
        """The subject of the checks; can be overridden."""
        return _subject(self.game, self.seed, self.games, self.golden)

    @pytest.mark.parametrize("check", CATALOGUE, ids=lambda check: check.name)
    def test_conformance(self, check: Check, subject: Subject) -> None:
        check.run(subject)
