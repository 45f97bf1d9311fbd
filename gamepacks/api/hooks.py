"""The hooks by which the service meets packs (pluggy, project ``omnilude``, entry-point group ``omnilude.packs``).

A pack is a module (or any object) with functions marked :data:`hookimpl`. Hooks find packs and tell of matches; they
are never called for a move of a play-out.
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
    """The games that the pack brings."""


@hookspec
def omnilude_bots() -> Sequence[PackBot]:  # type: ignore[empty-body]
    """The bots that the pack brings, each for one game or for all."""


@hookspec
def omnilude_services() -> Sequence[PackService]:  # type: ignore[empty-body]
    """The gRPC services that the pack brings: calls that look at matches of its games."""


@hookspec
def omnilude_match_event(match: str, game: str, kind: str) -> None:
    """Something public happened to a match of any game: ``kind`` is started, finished, cancelled or faulted.

    Called after it is on disk, in a thread beside the service's event loop, for one event after the other. An observer
    that raises is logged and does no harm. One that takes longer than ``limits.pack_call_timeout_s`` is not called any
    more.
    """
