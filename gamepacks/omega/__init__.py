"""The pack of OMEGA: the ritual: rules, messages, a bot that plans its turn. Its hooks are what the registry calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.bots import Bot
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.omega.game import Omega
from gamepacks.omega.planner import PlannerBot

__all__ = ["Omega", "PlannerBot", "omnilude_bots", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """OMEGA: the ritual."""
    return [Omega]


@hookimpl
def omnilude_bots() -> Sequence[Bot]:
    """The planner."""
    return [PlannerBot()]
