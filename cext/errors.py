"""IllegalAction, and a base class of errors that are pickled with their attributes."""

from __future__ import annotations

from typing import Any, TypeVar

E = TypeVar("E", bound="PicklableError")


class PicklableError(BaseException):
    """Base of exceptions whose ``__init__`` takes something else than ``args``: they are pickled and copied whole.

    Python pickles an exception as a call of its class with ``args``, which such an ``__init__`` refuses or mistakes.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[E], args: tuple[Any, ...], attributes: dict[str, Any]) -> E:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class IllegalAction(PicklableError, ValueError):
    """The action is not legal in this state; the state is untouched.

    ``reason`` is a machine-readable word in capitals from the pack's closed list (``PATH_BLOCKED``), ``message`` says
    it to a person, ``details`` holds the dynamic values of the message. None of them may hold what the acting seat
    cannot know.
    """

    def __init__(self, reason: str, message: str, **details: str | int) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.details = details
