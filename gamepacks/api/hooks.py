"""The hooks that packs implement for the service (pluggy, project ``omnilude``, entry-point group ``omnilude.packs``).

A pack is a module (or any object) with functions marked :data:`hookimpl`. They
register games, bots and services, and notify observers of matches; play-outs call no hook.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from gamepacks.api.bots import PackBot
    from gamepacks.api.game import Game
    from gamepacks.api.services import PackService

PROJECT = "omnilude"
ENTRY_POINT_GROUP = "omnilude.packs"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def omnilude_games() -> Sequence[type[Game[Any]]]:  # type: ignore[empty-body]
    """Returns the games of the pack."""


@hookspec
def omnilude_bots() -> Sequence[PackBot]:  # type: ignore[empty-body]
    """Returns the bots of the pack, each for one game or for all."""


@hookspec
def omnilude_services() -> Sequence[PackService]:  # type: ignore[empty-body]
    """Returns the gRPC services of the pack: calls that observe matches of its games."""


@hookspec
def omnilude_match_event(match: str, game: str, kind: str) -> None:
    """Observe a public event of a match of any game: ``kind`` is started, finished, cancelled or faulted.

    Called after it is on disk, in a thread beside the service's event loop, for one event after the other. An observer
    that raises is logged, without any other effect. One that takes longer than ``limits.pack_call_timeout_s`` is not
    called any more.
    """
