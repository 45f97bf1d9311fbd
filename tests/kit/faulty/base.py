"""Deliberately faulty games, each with one fault that one check of the kit must name: how they are entered.

They are the tiny games of :mod:`tests.support.games` with something spoilt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamepacks.api import Game

GameType = type[Game[Any]]

FAULTS: list[tuple[str, GameType, str]] = []
"""Name of the check, the faulty game, and what the failure must say (a regular expression)."""


def caught(check: str, words: str) -> Callable[[GameType], GameType]:
    """Enter a faulty game into FAULTS."""

    def enter(game: GameType) -> GameType:
        FAULTS.append((check, game, words))
        return game

    return enter
