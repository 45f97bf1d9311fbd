"""The pack of OMEGA: the ritual. Its hooks are what the registry calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.omega.game import Omega

__all__ = ["Omega", "omnilude_games"]


@hookimpl
def omnilude_games() -> Sequence[type[Game[Any]]]:
    """OMEGA: the ritual."""
    return [Omega]
