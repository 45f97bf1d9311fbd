"""Omnilude's Python client: play on a service, write a bot, host matches.

    import random
    from omnilude import Bot, Turn, run

    class MyBot(Bot):
        def choose(self, turn: Turn) -> int:
            return random.choice(turn.codes)

    run(MyBot(), "localhost:7878", game="ominoes", against=["greedy"], matches=3)

The names below are the public API; errors are in :mod:`omnilude.errors`, the protobuf messages in
:mod:`omnilude.v1`. They are imported when they are first used, so that importing the package is cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omnilude.async_client import AsyncClient, AsyncMatchHandle, AsyncSeatHandle, AsyncSimulation
    from omnilude.bots import Bot, Choice
    from omnilude.client import Client, MatchHandle, SeatHandle, Simulation
    from omnilude.connection import Tls
    from omnilude.errors import OmniludeError
    from omnilude.models import (
        Catalog,
        Invited,
        LegalAction,
        LegalActions,
        MatchUpdate,
        Observation,
        Open,
        ServiceBot,
        clocks,
        has_ended,
    )
    from omnilude.packs import GameInfo, PackMessages
    from omnilude.player import Player
    from omnilude.runner import DEFAULT_TARGET, run, run_async
    from omnilude.turns import BotSeat, PlayedMatch, Resign, Turn

_EXPORTS = {
    "async_client": ("AsyncClient", "AsyncMatchHandle", "AsyncSeatHandle", "AsyncSimulation"),
    "bots": ("Bot", "Choice"),
    "client": ("Client", "MatchHandle", "SeatHandle", "Simulation"),
    "connection": ("Tls",),
    "errors": ("OmniludeError",),
    "packs": ("GameInfo", "PackMessages"),
    "player": ("Player",),
    "runner": ("DEFAULT_TARGET", "run", "run_async"),
    "turns": ("BotSeat", "PlayedMatch", "Resign", "Turn"),
    "models": (
        "Catalog",
        "Invited",
        "LegalActions",
        "LegalAction",
        "Observation",
        "Open",
        "MatchUpdate",
        "ServiceBot",
        "clocks",
        "has_ended",
    ),
}
_MODULE = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = [
    "DEFAULT_TARGET",
    "AsyncClient",
    "AsyncMatchHandle",
    "AsyncSeatHandle",
    "AsyncSimulation",
    "Bot",
    "BotSeat",
    "Catalog",
    "Choice",
    "Client",
    "GameInfo",
    "Invited",
    "LegalAction",
    "LegalActions",
    "MatchHandle",
    "MatchUpdate",
    "Observation",
    "OmniludeError",
    "Open",
    "PackMessages",
    "PlayedMatch",
    "Player",
    "Resign",
    "SeatHandle",
    "ServiceBot",
    "Simulation",
    "Tls",
    "Turn",
    "clocks",
    "has_ended",
    "run",
    "run_async",
]


def __getattr__(name: str) -> Any:
    module = _MODULE.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
