"""The pack of Omen: both editions, with house card sets and a greedy bot; the registry calls its hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.bots import GreedyBot, PackBot
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.omen.game import Omen, OmenTraits

__all__ = ["Omen", "OmenTraits", "omnilude_bots", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """Returns the games of this pack: Omen of 2017 and of 2023."""
    return [Omen, OmenTraits]


@hookimpl
def omnilude_bots() -> Sequence[PackBot]:
    """Returns the bots of this pack: a greedy bot for each game."""
    return [GreedyBot(game, inline_private=True) for game in (Omen, OmenTraits)]
