"""The pack of Ominoes: rules, messages, a greedy bot; the registry calls its hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.bots import GreedyBot, PackBot
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.ominoes.game import Ominoes

__all__ = ["Ominoes", "omnilude_bots", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """Returns the game Ominoes."""
    return [Ominoes]


@hookimpl
def omnilude_bots() -> Sequence[PackBot]:
    """Returns the greedy bot."""
    return [GreedyBot(Ominoes, inline=True)]
