"""The pack of Olomòc: rules, cards, messages. Its hooks are what the registry calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.olomoc.game import Olomoc

__all__ = ["Olomoc", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """Olomòc."""
    return [Olomoc]
