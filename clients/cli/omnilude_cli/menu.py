"""The menu of legal actions: what a person types, and what is meant by it. No input or output here."""

from __future__ import annotations

from collections import Counter
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
    named: str = ""
    """For a number that is not in the list: the label that holds it, if exactly one does."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The number of one action in the list, and a number in the label of others. Typed again, it takes the former."""

    number: int
    listed: str
    named: tuple[str, ...]


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
    _asked_about: int | None = field(init=False, default=None)
    """The number that was ambiguous in the line before."""

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

    def take(self, line: str) -> Command | Chosen | Narrowed | NothingFits | Ambiguous | Asked:
        """Interpret a line.

        Digits alone are a number of the list; where a label of another action holds that number, they have to be typed
        twice. Words narrow the menu to the labels that hold them all as whole words, and choose the action that is
        left alone. Parts of words only narrow it: what they leave is shown before it is taken. An empty line chooses a
        sole action, and shows all of them again otherwise.
        """
        text = " ".join(line.lower().split())
        asked_about, self._asked_about = self._asked_about, None
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
            return self._take_number(int(text), asked_about)
        fitting, whole = fit(self.shown, text)
        if not fitting:
            fitting, whole = fit(self.actions, text)
        if not fitting:
            return NothingFits(text)
        if whole and len(fitting) == 1:
            return self._chosen(fitting[0])
        self.shown = fitting
        return Narrowed()

    def _take_number(self, number: int, asked_about: int | None) -> Chosen | NothingFits | Ambiguous:
        named = [action for action in self.shown if str(number) in _words(folded(action.label))]
        if not 1 <= number <= len(self.shown):
            return NothingFits(str(number), named[0].label if len(named) == 1 else "")
        listed = self.shown[number - 1]
        if named and listed not in named and number != asked_about:
            self._asked_about = number
            return Ambiguous(number, listed.label, tuple(action.label for action in named))
        return self._chosen(listed)

    @staticmethod
    def _chosen(action: Labelled) -> Chosen:
        return Chosen(action.code, action.label)


def _command(text: str) -> Command | None:
    return _SHORT.get(text) or next((command for command in Command if command.value == text), None)


def fit(actions: Sequence[Labelled], text: str) -> tuple[list[Labelled], bool]:
    """The actions whose label is meant by a text, and whether they hold its words as whole words.

    The closest kind of fit counts: the label itself, its words side by side, in their order, in any order, and parts of
    words. A word that is typed twice has to be there twice. A word with a digit never fits as a part: ``bid 1`` is not
    ``bid 10``. Accents count for nothing: not everybody can type them.
    """
    text = folded(text)
    words = _words(text)
    labels = [(action, folded(action.label)) for action in actions]
    exact = [action for action, label in labels if label == text]
    if exact or not words:
        return exact, True
    split = [(action, _words(label)) for action, label in labels]
    for holds in (_side_by_side, _in_order, _in_any_order):
        if fitting := [action for action, found in split if holds(found, words)]:
            return fitting, True
    return [action for action, found in split if all(_is_part(word, found) for word in words)], False


def _side_by_side(found: list[str], words: list[str]) -> bool:
    return any(found[at : at + len(words)] == words for at in range(len(found) - len(words) + 1))


def _in_order(found: list[str], words: list[str]) -> bool:
    rest = iter(found)
    return all(word in rest for word in words)


def _in_any_order(found: list[str], words: list[str]) -> bool:
    return Counter(words) <= Counter(found)


def _is_part(word: str, found: list[str]) -> bool:
    if any(letter.isdigit() for letter in word):
        return word in found
    return any(word in whole for whole in found)


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
