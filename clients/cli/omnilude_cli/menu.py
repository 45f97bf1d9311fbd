"""The menu of legal actions: what a person types, and what is meant by it. No input or output here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from gamepacks.api.reading import folded


class Labelled(Protocol):
    """What a menu offers."""

    @property
    def code(self) -> int: ...

    @property
    def label(self) -> str: ...


class Command(Enum):
    """What can be typed besides an action."""

    HELP = "help"
    ALL = "all"
    BOARD = "board"
    UNDO = "undo"
    RESIGN = "resign"
    QUIT = "quit"


_SHORT = {"?": Command.HELP, "q": Command.QUIT}


@dataclass(frozen=True, slots=True)
class Chosen:
    """An action, by its code."""

    code: int
    label: str


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The menu shows fewer actions now, or all of them again."""


@dataclass(frozen=True, slots=True)
class NothingFits:
    """No action is like that; the menu is as it was."""

    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Not an action, but a question: ``? words``."""

    about: str


@dataclass(slots=True)
class Menu:
    """The legal actions of one decision, narrowed by what was typed so far."""

    actions: Sequence[Labelled]
    shown: list[Labelled] = field(init=False)
    """Those that fit, numbered from 1 for :meth:`take`."""

    def __post_init__(self) -> None:
        self.shown = list(self.actions)

    @property
    def is_narrowed(self) -> bool:
        """Is anything left out?"""
        return len(self.shown) < len(self.actions)

    def show_all(self) -> None:
        """Leave nothing out any more."""
        self.shown = list(self.actions)

    @staticmethod
    def is_reserved(line: str) -> bool:
        """Is it a command, a question, a number or nothing: what a menu understands without looking at labels?"""
        text = " ".join(line.lower().split())
        return not text or text.isdecimal() or text.startswith("?") or _command(text) is not None

    def take(self, line: str) -> Command | Chosen | Narrowed | NothingFits | Asked:
        """Make something of a line.

        A number is the action shown under it. Words narrow the menu to the labels that hold them all (as whole words
        if any label does, else as parts of words); when one action is left, it is chosen. An empty line chooses a sole
        action, and shows all of them again otherwise.
        """
        text = " ".join(line.lower().split())
        command = _command(text)
        if command is not None:
            return command
        if text.startswith("?"):
            return Asked(text[1:].strip())
        if not text:
            if len(self.shown) == 1:
                return self._chosen(self.shown[0])
            self.show_all()
            return Narrowed()
        if text.isdecimal():
            # Never looked for in labels: a slip of one key must not take "score 9 points".
            number = int(text)
            return self._chosen(self.shown[number - 1]) if 1 <= number <= len(self.shown) else NothingFits(text)
        fitting = fit(self.shown, text) or fit(self.actions, text)
        if not fitting:
            return NothingFits(text)
        if len(fitting) == 1:
            return self._chosen(fitting[0])
        self.shown = fitting
        return Narrowed()

    @staticmethod
    def _chosen(action: Labelled) -> Chosen:
        return Chosen(action.code, action.label)


def _command(text: str) -> Command | None:
    return _SHORT.get(text) or next((command for command in Command if command.value == text), None)


def fit(actions: Sequence[Labelled], text: str) -> list[Labelled]:
    """The actions whose label is meant by a text: is it, holds its words, or holds its parts of words.

    Accents count for nothing: not everybody can type them.
    """
    text = folded(text)
    words = text.split()
    labels = [(action, folded(action.label)) for action in actions]
    exact = [action for action, label in labels if label == text]
    whole = [action for action, label in labels if set(words) <= set(_words(label))]
    parts = [action for action, label in labels if all(word in label for word in words)]
    return exact or whole or parts


def shared_start(labels: Sequence[str]) -> str:
    """The words with which all of them begin, to be written once; empty where that is less than two words."""
    if len(labels) < 2:
        return ""
    shared = 0
    for words in zip(*(label.split(" ")[:-1] for label in labels), strict=False):
        if len(set(words)) > 1:
            break
        shared += 1
    return " ".join([*labels[0].split(" ")[:shared], ""]) if shared > 1 else ""


def _words(label: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter in "-'" else " " for letter in label).split()
