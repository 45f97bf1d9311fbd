"""The pack of Omen: both editions, with house sets of cards. Its hooks are what the registry calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.omen.game import Omen, OmenTraits

__all__ = ["Omen", "OmenTraits", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """Omen of 2017, and of 2023."""
    return [Omen, OmenTraits]
