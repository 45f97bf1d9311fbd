"""Errors of packs and of their loading, and inspection of exceptions that packs raise.

::

    ValueError
    ├── IllegalAction        the action is not legal here (from cext, so that states can raise it)
    ├── CardFileError        a card file is wrong; .faults names file, line, card, field (from gamepacks.api.cards)
    └── InvalidInput         the input is invalid; .faults names each field
        ├── InvalidOptions
        │   └── UnknownCardSet   (from gamepacks.api.cards)
        ├── InvalidPlayerCount
        ├── InvalidPosition
        └── InvalidMessage   a message of another type, or bytes that are not a message
    LookupError
    └── UnknownGame          no loaded pack brings the game
    PackError                a pack cannot be loaded or breaks the contract of the API
"""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cext.errors import IllegalAction, PicklableError

__all__ = [
    "Fault",
    "IllegalAction",
    "InvalidInput",
    "InvalidMessage",
    "InvalidOptions",
    "InvalidPlayerCount",
    "InvalidPosition",
    "PackError",
    "UnknownGame",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in the input: the field (dotted path, ``dice[3].cell``) and what would be right."""

    field: str
    message: str


class InvalidInput(PicklableError, ValueError):
    """The input is invalid; ``faults`` names every wrong field, not only the first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


class InvalidOptions(InvalidInput):
    """An option is unknown or out of range."""


class InvalidPlayerCount(InvalidInput):
    """The game does not take this number of players."""

    def __init__(self, players: int, minimum: int, maximum: int) -> None:
        super().__init__([Fault("players", f"the game takes {minimum} to {maximum} players, not {players}")])
        self.minimum = minimum
        self.maximum = maximum


class InvalidPosition(InvalidInput):
    """A position breaks an invariant of the game."""


class InvalidMessage(InvalidInput):
    """A message is of another type than the expected one, or its bytes cannot be parsed."""


class UnknownGame(PicklableError, LookupError):
    """No loaded pack has a game of this id; ``known`` has the existing ids."""

    def __init__(self, game_id: str, known: Iterable[str]) -> None:
        self.game_id = game_id
        self.known = tuple(sorted(known))
        super().__init__(f"there is no game {game_id!r}; games: {', '.join(self.known) or 'none'}")


class PackError(Exception):
    """A pack cannot be loaded, or breaks the contract of :mod:`gamepacks.api`."""


# -- exceptions of packs ----------------------------------------------------------------------------------------------


def error_location(error: BaseException) -> str:
    """Returns the module and line where an exception was raised, without its message: ``acme.rules:31``.

    It is the innermost location in a pack, if there is one; else the innermost of all. An error that comes from another
    process has its location there as the attribute ``remote_location``.
    """
    remote = getattr(error, "remote_location", None)
    if isinstance(remote, str):
        return remote
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename.rpartition('/')[2]}:{error.lineno}"
    locations = [(frame.f_globals.get("__name__", "?"), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    ours = ("gamepacks.api", "engine_service", "cext", "pluggy", "importlib", "_frozen_importlib")
    in_packs = [location for location in locations if not location[0].startswith(ours)]
    module, line = (in_packs or locations or [("?", 0)])[-1]
    return f"{module}:{line}"


def is_interrupt(error: BaseException) -> bool:
    """Returns whether a person pressed Ctrl-C. Never true in a service, which handles SIGINT by itself."""
    return (
        isinstance(error, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
