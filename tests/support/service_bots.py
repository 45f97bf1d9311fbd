"""Bots that misbehave, for every game, in the service's process and in worker processes.

Each is named after its behaviour. Worker processes import them by name.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, ClassVar

from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.hooks import hookimpl
from gamepacks.api.types import Code
from tests.support.raising import ERRORS, raise_error


class Lowest(PackBot):
    """Takes the lowest legal code, here or in a worker process."""

    def __init__(self, name: str, inline: bool) -> None:
        self.name = name
        self.description = "takes the lowest legal code"
        self.inline = inline

    def choose(self, turn: Turn) -> Code:
        return Code(min(turn.codes))


class Raising(Lowest):
    """Raises a message that must not be logged."""

    def choose(self, turn: Turn) -> Code:
        raise KeyError("the ace of spades")


class RaisingAnything(Lowest):
    """Raises the error of :mod:`tests.support.raising` with its name: ``SystemExit-worker``."""

    def choose(self, turn: Turn) -> Code:
        raise_error(self.name.removesuffix("-worker"))


class CannotBeSent(Lowest):
    """Cannot be pickled, so that it never gets to a worker process."""

    def __reduce__(self) -> Any:
        raise SystemExit("not me")


class CannotArrive(Lowest):
    """Can be pickled, and raises when a worker process unpickles it."""

    def __reduce__(self) -> Any:
        return raise_error, ("SystemExit",)


class Counted(Lowest):
    """Writes a line into a file at each call, and then chooses like another bot."""

    def __init__(self, path: Path, other: Lowest) -> None:
        super().__init__(other.name, other.inline)
        self.path = path
        self.other = other

    def choose(self, turn: Turn) -> Code:
        with self.path.open("a") as file:
            file.write("asked\n")
        return self.other.choose(turn)

    def times(self) -> int:
        """Returns the number of calls so far."""
        return len(self.path.read_text().splitlines()) if self.path.exists() else 0


class Thinking(Lowest):
    """Takes a budget, and writes the budget of each call into a file."""

    takes_budget = True

    def __init__(self, path: Path, name: str, inline: bool) -> None:
        super().__init__(name, inline)
        self.path = path

    def choose(self, turn: Turn) -> Code:
        with self.path.open("a") as file:
            file.write(f"{self.name} {turn.budget.playouts} {turn.budget.milliseconds}\n")
        return super().choose(turn)


class Illegal(Lowest):
    """Answers with a code that is never legal."""

    def choose(self, turn: Turn) -> Code:
        return Code((1 << 31) - 1)


class Dying(Lowest):
    """Kills its process."""

    def choose(self, turn: Turn) -> Code:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")


class DyingLater(Lowest):
    """Chooses, and ends its process after a delay, when nobody waits for it."""

    def choose(self, turn: Turn) -> Code:
        threading.Timer(0.2, os._exit, (7,)).start()
        return super().choose(turn)


class Slow(Lowest):
    """Sleeps before it chooses."""

    def choose(self, turn: Turn) -> Code:
        time.sleep(3)
        return super().choose(turn)


class Stubborn(Lowest):
    """Never returns, and ignores SIGTERM."""

    def choose(self, turn: Turn) -> Code:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)


class Endless(Lowest):
    """Never returns."""

    def choose(self, turn: Turn) -> Code:
        while True:
            time.sleep(1)


class BotPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    bots: ClassVar[list[PackBot]] = [
        Lowest("lowest", True),
        Raising("raising", True),
        Illegal("illegal", True),
        Lowest("lowest-worker", False),
        Raising("raising-worker", False),
        Illegal("illegal-worker", False),
        Dying("dying-worker", False),
        DyingLater("dying-later-worker", False),
        Endless("endless-worker", False),
        Stubborn("stubborn-worker", False),
        Slow("slow-worker", False),
        CannotBeSent("cannot-be-sent-worker", False),
        CannotArrive("cannot-arrive-worker", False),
        *(RaisingAnything(name, True) for name in ERRORS),
        *(RaisingAnything(f"{name}-worker", False) for name in ERRORS),
    ]

    def __init__(self, *more: PackBot) -> None:
        self.more = more

    @hookimpl
    def omnilude_bots(self) -> list[PackBot]:
        names = {bot.name for bot in self.more}
        return [*self.more, *(bot for bot in self.bots if bot.name not in names)]


PACK = BotPack()
