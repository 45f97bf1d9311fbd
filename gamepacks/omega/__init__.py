"""The pack of OMEGA: the ritual; the registry calls its hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.bots import GreedyBot, PackBot
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.omega.bots import PlannerBot
from gamepacks.omega.game import Omega

__all__ = ["Omega", "PlannerBot", "omnilude_bots", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """Returns the game OMEGA."""
    return [Omega]


@hookimpl
def omnilude_bots() -> Sequence[PackBot]:
    """Returns the greedy bot and the planner bot."""
    return [GreedyBot(Omega, inline=True), PlannerBot()]
