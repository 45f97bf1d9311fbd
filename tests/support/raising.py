"""Everything that a pack may raise and that is no Exception, and more that is awkward."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from gamepacks.api.errors import Fault, InvalidOptions, InvalidPosition


class OwnBaseError(BaseException):
    """What a pack may define for itself."""


class CannotBePickled(Exception):
    """Needs two arguments and keeps one, so a pickled one cannot be read."""

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
"""By the name of the type; what they say must not be logged."""


def raise_error(name: str) -> NoReturn:
    """Raise the error of that name, with a traceback of its own."""
    raise ERRORS[name].with_traceback(None)
