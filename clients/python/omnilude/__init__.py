"""Omnilude's Python client: play on a service, write a bot, host matches.

    import random
    from omnilude import Bot, Turn, run

    class MyBot(Bot):
        def choose(self, turn: Turn) -> int:
            return random.choice(turn.codes)

    run(MyBot(), "localhost:7878", game="ominoes", against=["greedy"], matches=3)

The names below are the public door; errors are in :mod:`omnilude.errors`, the messages of the wire in
:mod:`omnilude.v1`. They are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omnilude.async_client import AsyncClient, AsyncMatchHandle, AsyncSeatHandle
    from omnilude.bots import Bot, Choice, Played, Table, Turn
    from omnilude.client import Client, MatchHandle, SeatHandle
    from omnilude.connection import Tls
    from omnilude.errors import OmniludeError
    from omnilude.packs import GameInfo, PackMessages
    from omnilude.player import Player
    from omnilude.running import DEFAULT_TARGET, play, run
    from omnilude.sights import (
        Catalog,
        Invited,
        Legal,
        LegalAction,
        Observed,
        Open,
        Progress,
        ServiceBot,
        clocks,
        has_ended,
    )

_HOMES = {
    "async_client": ("AsyncClient", "AsyncMatchHandle", "AsyncSeatHandle"),
    "bots": ("Bot", "Choice", "Played", "Table", "Turn"),
    "client": ("Client", "MatchHandle", "SeatHandle"),
    "connection": ("Tls",),
    "errors": ("OmniludeError",),
    "packs": ("GameInfo", "PackMessages"),
    "player": ("Player",),
    "running": ("DEFAULT_TARGET", "play", "run"),
    "sights": (
        "Catalog",
        "Invited",
        "Legal",
        "LegalAction",
        "Observed",
        "Open",
        "Progress",
        "ServiceBot",
        "clocks",
        "has_ended",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "DEFAULT_TARGET",
    "AsyncClient",
    "AsyncMatchHandle",
    "AsyncSeatHandle",
    "Bot",
    "Catalog",
    "Choice",
    "Client",
    "GameInfo",
    "Invited",
    "Legal",
    "LegalAction",
    "MatchHandle",
    "Observed",
    "OmniludeError",
    "Open",
    "PackMessages",
    "Played",
    "Player",
    "Progress",
    "SeatHandle",
    "ServiceBot",
    "Table",
    "Tls",
    "Turn",
    "clocks",
    "has_ended",
    "play",
    "run",
]


def __getattr__(name: str) -> Any:
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
