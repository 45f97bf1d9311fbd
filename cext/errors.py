"""The one error of the ground floor: an action that is not legal."""

from __future__ import annotations


class IllegalAction(ValueError):
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
