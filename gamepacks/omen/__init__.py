"""The pack of Omen: both editions, with house sets of cards and a greedy bot. Its hooks are what the registry calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.bots import Bot
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.omen.game import Omen, OmenTraits
from gamepacks.omen.greedy import GreedyBot

__all__ = ["GreedyBot", "Omen", "OmenTraits", "omnilude_bots", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """Omen of 2017, and of 2023."""
    return [Omen, OmenTraits]


@hookimpl
def omnilude_bots() -> Sequence[Bot]:
    """The greedy bot, for each of them."""
    return [GreedyBot(Omen.id), GreedyBot(OmenTraits.id)]
