"""Initialisation of worker processes: card sets of games, memory limit, and exit together with the service."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import resource
import threading
from collections.abc import Mapping
from functools import cache, lru_cache
from multiprocessing.connection import wait
from struct import Struct
from typing import Any

from google.protobuf.message import Message

from cext.playout import yield_processor_every
from engine_service.pack_guard import THREAD_GUARD, PackRaised
from gamepacks.api.cards import CardLibrary
from gamepacks.api.errors import error_location
from gamepacks.api.game import Game
from gamepacks.api.options import Options
from gamepacks.api.registry import Registry

log = logging.getLogger(__name__)

PROCESS_START_S = 60
"""Time limit for starting a worker process."""
LENGTH = Struct("!i")
"""Length prefix of each message to and from a process, in the format of
:class:`multiprocessing.connection.Connection`."""
YIELD_S = 0.0002
"""Interval at which a worker process yields its processor while it computes, so that no call waits for the end of its
time slice."""


def pickled_libraries(registry: Registry) -> dict[str, bytes]:
    """Returns the card sets of each game with cards, pickled, for :func:`initialise`. Calls packs in this thread."""
    pickled = {}
    for entry in registry.games.values():
        if entry.library is None:
            continue
        try:
            with THREAD_GUARD:
                pickled[entry.game.id] = pickle.dumps(entry.library)
        except PackRaised as raised:
            error = raised.error
            location = error_location(error)
            log.error(
                "worker processes lack the card sets of %s: %s at %s", entry.game.id, type(error).__name__, location
            )
    return pickled


_libraries: Mapping[str, bytes] = {}
"""The card sets of each game with cards, pickled, as the service had loaded them at its start."""


def initialise(libraries: Mapping[str, bytes]) -> None:
    """Initialise a worker process with the card sets.

    The process yields its processor while it computes, and exits when the service ends.
    """
    global _libraries
    _libraries = libraries
    yield_processor_every(YIELD_S)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the service's process. A pipe does not show it if a worker holds both of its ends."""
    service = multiprocessing.parent_process()
    assert service is not None, "a worker is started by the service"
    wait([service.sentinel])
    os._exit(1)


@lru_cache(maxsize=64)
def configured_game(game_id: str, game: bytes, players: int, options: bytes) -> Game[Any]:
    """Returns a configured game in a worker process. ``game`` is the pickled class, ``options`` the pack's message.

    Raises whatever the pack raises.
    """
    kind: type[Game[Any]] = pickle.loads(game)
    return make_game(game_id, game, players, kind.messages.options.FromString(options))


def make_game(
    game_id: str, game: bytes, players: int, options: Mapping[str, Any] | Options | Message | None
) -> Game[Any]:
    """Returns a new configured game in a worker process: see :func:`configured_game`."""
    kind: type[Game[Any]] = pickle.loads(game)
    library = _library(game_id)
    return kind.configure(players, options) if library is None else kind.configure(players, options, library)


def limit_memory(mib: int) -> None:
    """Make allocations of this process beyond the limit fail with a MemoryError."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = mib << 20
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


@cache
def _library(game_id: str) -> CardLibrary[Any] | None:
    pickled = _libraries.get(game_id)
    return None if pickled is None else pickle.loads(pickled)
