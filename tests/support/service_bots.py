"""Bots that misbehave, for every game, in the service's process and in worker processes.

Each is named after what it does. They are importable by name, so that worker processes can have them.
"""

from __future__ import annotations

import os
import signal
import time
from typing import Any, ClassVar

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from gamepacks.api.types import Code, Seat


class Lowest(Bot):
    """Takes the lowest legal code, here or in a worker process."""

    def __init__(self, name: str, inline: bool) -> None:
        self.name = name
        self.description = "takes the lowest legal code"
        self.inline = inline

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        return Code(min(state.legal(seat)))


class Raising(Lowest):
    """Raises a message that must not be logged."""

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        raise KeyError("the ace of spades")


class Illegal(Lowest):
    """Answers with a code that is never legal."""

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        return Code((1 << 31) - 1)


class Dying(Lowest):
    """Takes its process down."""

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")


class Endless(Lowest):
    """Does not answer."""

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        while True:
            time.sleep(1)


class BotPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    bots: ClassVar[list[Bot]] = [
        Lowest("lowest", True),
        Raising("raising", True),
        Illegal("illegal", True),
        Lowest("lowest-worker", False),
        Raising("raising-worker", False),
        Illegal("illegal-worker", False),
        Dying("dying-worker", False),
        Endless("endless-worker", False),
    ]

    @hookimpl
    def omnilude_bots(self) -> list[Bot]:
        return self.bots


PACK = BotPack()
