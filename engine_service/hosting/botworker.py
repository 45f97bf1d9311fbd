"""What runs in a worker process: one decision of a bot. Nothing of the service is in there, and no secret of a match:
the position is one that the bot's seat cannot tell from the true one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import wait
from typing import Any

from cext.random import Rng
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.cards import CardLibrary
from gamepacks.api.game import Game
from gamepacks.api.types import Seat


@dataclass(frozen=True, slots=True)
class Thought:
    """All that a bot needs for a decision. It is pickled: classes go by name, the rest by value."""

    game: type[Game[Any]]
    players: int
    options: bytes
    position: bytes
    seat: int
    bot: Bot
    seed: int
    budget: Budget


_libraries: Mapping[str, CardLibrary[Any]] = {}
"""The card sets of each game with cards, as the service had them at its start."""


def start(libraries: Mapping[str, CardLibrary[Any]]) -> None:
    """Begin the process: it gets the card sets, and leaves it to the service to end it when a person presses Ctrl-C.

    A service that is killed ends nothing; then it ends itself.
    """
    global _libraries
    _libraries = libraries
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_outlive_nobody, name="parent", daemon=True).start()


def _outlive_nobody() -> None:
    """Wait for the end of the service's process. The pool's pipe does not tell of it: a worker holds both its ends."""
    service = multiprocessing.parent_process()
    assert service is not None, "a worker is started by the service"
    wait([service.sentinel])
    os._exit(1)


def think(thought: Thought) -> int:
    """The code that the bot chooses."""
    game = _table(thought.game, thought.players, thought.options)
    state = game.restore(game.messages.position.FromString(thought.position))
    return int(thought.bot.choose(game, state, Seat(thought.seat), Rng(thought.seed), thought.budget))


@lru_cache(maxsize=16)
def _table(game: type[Game[Any]], players: int, options: bytes) -> Game[Any]:
    message = game.messages.options.FromString(options)
    library = _libraries.get(game.id)
    return game.configure(players, message) if library is None else game.configure(players, message, library)
