"""Exceptions that a pack may raise: those that are not an Exception, and other awkward ones."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from gamepacks.api.errors import Fault, InvalidOptions, InvalidPosition


class OwnBaseError(BaseException):
    """A BaseException that a pack defines."""


class CannotBePickled(Exception):
    """An exception that cannot be unpickled, because it passes only one of its two arguments on."""

    def __init__(self, first: object, second: object) -> None:
        super().__init__(first)


ERRORS: dict[str, BaseException] = {
    "RuntimeError": RuntimeError("the ace of spades"),
    "SystemExit": SystemExit(1),
    "KeyboardInterrupt": KeyboardInterrupt(),
    "CancelledError": asyncio.CancelledError(),
    "GeneratorExit": GeneratorExit(),
    "StopIteration": StopIteration(),
    "StopAsyncIteration": StopAsyncIteration(),
    "TimeoutError": TimeoutError(),
    "OwnBaseError": OwnBaseError("the ace of spades"),
    "CannotBePickled": CannotBePickled("the ace of spades", 2),
    "InvalidPosition": InvalidPosition([Fault("dice", "the ace of spades")]),
    "InvalidOptions": InvalidOptions([Fault("dice", "the ace of spades")]),
}
"""Exceptions by the name of their type; their messages must not be logged."""


def raise_error(name: str) -> NoReturn:
    """Raise the exception of that name, with a new traceback."""
    raise ERRORS[name].with_traceback(None)
