"""Errors of packs and of their loading.

::

    ValueError
    ├── IllegalAction        the action is not legal here (from cext, so that states can raise it)
    ├── CardFileError        a card file is wrong; .faults names file, line, card, field (from gamepacks.api.cards)
    └── InvalidInput         what was given is wrong; .faults names each field
        ├── InvalidOptions
        │   └── UnknownCardSet   (from gamepacks.api.cards)
        ├── InvalidPlayerCount
        ├── InvalidPosition
        └── InvalidMessage   a message of another type, or bytes that are no message
    LookupError
    └── UnknownGame          no loaded pack brings the game
    PackError                a pack cannot be loaded or breaks the contract of the API
"""

from __future__ import annotations

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
    """One thing that is wrong: the field (dotted path, ``dice[3].cell``) and what it should be."""

    field: str
    message: str


class InvalidInput(PicklableError, ValueError):
    """Input is wrong; ``faults`` names every wrong field, not just the first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


class InvalidOptions(InvalidInput):
    """An option is unknown or out of range."""


class InvalidPlayerCount(InvalidInput):
    """The game is not played by so many."""

    def __init__(self, players: int, minimum: int, maximum: int) -> None:
        super().__init__([Fault("players", f"{players} players; the game takes {minimum} to {maximum}")])
        self.minimum = minimum
        self.maximum = maximum


class InvalidPosition(InvalidInput):
    """A position breaks an invariant of the game."""


class InvalidMessage(InvalidInput):
    """A message is of another type than the one wanted here, or its bytes are no such message."""


class UnknownGame(PicklableError, LookupError):
    """No loaded pack brings a game of this id; ``known`` are the ids that there are."""

    def __init__(self, game_id: str, known: Iterable[str]) -> None:
        self.game_id = game_id
        self.known = tuple(sorted(known))
        super().__init__(f"no game {game_id!r}; there are: {', '.join(self.known) or 'none'}")


class PackError(Exception):
    """A pack cannot be loaded, or breaks the contract of :mod:`gamepacks.api`."""
