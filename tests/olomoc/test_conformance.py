"""The kit's catalogue over all options, and over the ways of set-up that options of text choose."""

from __future__ import annotations

from typing import ClassVar

from gamepacks.api.kit import ConformanceSuite
from gamepacks.olomoc import Olomoc


class TestOlomoc(ConformanceSuite):
    game: ClassVar[type[Olomoc]] = Olomoc
    games = 13
