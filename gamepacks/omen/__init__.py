"""The pack of Omen: both editions, with house card sets and a greedy bot, and the hooks that the registry calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.bots import PackBot
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.omen.bots import GreedyBot
from gamepacks.omen.game import Omen, OmenTraits

__all__ = ["GreedyBot", "Omen", "OmenTraits", "omnilude_bots", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """The games of this pack: Omen of 2017 and of 2023."""
    return [Omen, OmenTraits]


@hookimpl
def omnilude_bots() -> Sequence[PackBot]:
    """The bots of this pack: the greedy bot for each game."""
    return [GreedyBot(Omen.id), GreedyBot(OmenTraits.id)]
