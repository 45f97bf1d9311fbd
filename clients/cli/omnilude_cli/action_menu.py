"""The menu of legal actions: interpretation of typed lines, without input or output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from gamepacks.api.text import folded


class LabelledAction(Protocol):
    """An entry of the menu."""

    @property
    def code(self) -> int: ...

    @property
    def label(self) -> str: ...


class Command(Enum):
    """Commands that can be typed instead of an action."""

    HELP = "help"
    ALL = "all"
    BOARD = "board"
    UNDO = "undo"
    WITHDRAW = "withdraw"
    RESIGN = "resign"
    QUIT = "quit"


_SHORT = {"?": Command.HELP, "q": Command.QUIT}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The action that was chosen."""

    code: int
    label: str


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The menu was narrowed to fewer actions, or shows all of them again."""


@dataclass(frozen=True, slots=True)
class NoMatch:
    """No action matches; the menu is unchanged."""

    text: str
    named: str = ""
    """For a number that is not in the list: the only label that contains it, if any."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A number that is both in the list and in the label of other actions; typed again, it chooses from the list."""

    number: int
    listed: str
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the game: ``? words``."""

    about: str


@dataclass(slots=True)
class ActionMenu:
    """The legal actions of one decision, narrowed by the lines typed so far."""

    actions: Sequence[LabelledAction]
    shown: list[LabelledAction] = field(init=False)
    """The actions that match, numbered from 1."""
    _asked_about: int | None = field(init=False, default=None)
    """The number that was ambiguous in the previous line."""

    def __post_init__(self) -> None:
        self.shown = list(self.actions)

    def show_all(self) -> None:
        """Show all actions again."""
        self.shown = list(self.actions)

    @staticmethod
    def is_reserved(line: str) -> bool:
        """Returns whether a line is empty, a command, a question or a number, and so is not text for the pack."""
        text = " ".join(line.lower().split())
        return not text or text.isdecimal() or text.startswith("?") or _command(text) is not None

    def interpret(self, line: str) -> Command | Chosen | Narrowed | NoMatch | Ambiguous | Question:
        """Interpret a line.

        Digits are a number of the list; if the label of another action contains that number, they must be typed twice.
        Words narrow the menu to labels that contain all of them as whole words, and choose the action if it is the only
        one. Parts of words only narrow the menu, so that the action is shown before it is taken. An empty line chooses
        the only action, or shows all of them again.
        """
        text = " ".join(line.lower().split())
        asked_about, self._asked_about = self._asked_about, None
        command = _command(text)
        if command is not None:
            return command
        if text.startswith("?"):
            return Question(text[1:].strip())
        if not text:
            if len(self.shown) == 1:
                return self._chosen(self.shown[0])
            self.show_all()
            return Narrowed()
        if text.isdecimal():
            return self._take_number(int(text), asked_about)
        fitting, whole = matching_actions(self.shown, text)
        if not fitting:
            fitting, whole = matching_actions(self.actions, text)
        if not fitting:
            return NoMatch(text)
        if whole and len(fitting) == 1:
            return self._chosen(fitting[0])
        self.shown = fitting
        return Narrowed()

    def _take_number(self, number: int, asked_about: int | None) -> Chosen | NoMatch | Ambiguous:
        named = [action for action in self.shown if str(number) in _words(folded(action.label))]
        if not 1 <= number <= len(self.shown):
            return NoMatch(str(number), named[0].label if len(named) == 1 else "")
        listed = self.shown[number - 1]
        if named and listed not in named and number != asked_about:
            self._asked_about = number
            return Ambiguous(number, listed.label, tuple(action.label for action in named))
        return self._chosen(listed)

    @staticmethod
    def _chosen(action: LabelledAction) -> Chosen:
        return Chosen(action.code, action.label)


def _command(text: str) -> Command | None:
    return _SHORT.get(text) or next((command for command in Command if command.value == text), None)


def matching_actions(actions: Sequence[LabelledAction], text: str) -> tuple[list[LabelledAction], bool]:
    """Returns the actions whose label matches a text, and whether the labels contain its words as whole words.

    The closest kind of match counts: the whole label, its words in sequence, in order, in any order, and parts of
    words. A word that is typed twice must occur twice. A word with a digit never matches as a part: ``bid 1`` is not
    ``bid 10``. Accents are ignored: not everybody can type them.
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


def common_prefix(labels: Sequence[str]) -> str:
    """Returns the words with which all labels begin; empty if they share fewer than two words."""
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
