"""Conversion of texts of card data to numbers of the engine: distances, words of the vocabulary, bound names."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

from cext.geometry.units import STEP
from gamepacks.olomoc import constants
from gamepacks.olomoc.cards.vocabulary import BASE_NAMES
from gamepacks.olomoc.ruleset import NONE

EnumT = TypeVar("EnumT", bound=IntEnum)


def ticks(inches: float | None) -> int:
    """Convert inches of card data, which have at most two decimals, to ticks; -1 for None."""
    return NONE if inches is None else round(inches * 100) * STEP


class Texts:
    """Texts numbered in the order of their first use."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self.texts = list(texts)

    def __getitem__(self, text: str | None) -> int:
        if text is None:
            return NONE
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)


class Scope:
    """The defaults of selectors on a card, and the names bound by ``as``."""

    def __init__(
        self, owned: bool, anywhere: bool, bearer: bool, name: str, *, aimed: bool = False, players_only: bool = False
    ) -> None:
        self.owned = owned
        self.anywhere = anywhere
        self.bearer = bearer
        self.name = name
        self.aimed = aimed
        """A target is bound from the start: rolls are against it unless they name another (OLO-ROLL-02)."""
        self.players_only = players_only
        """Effects never touch hostiles: a ministry other than the Axe (OLO-HOST-03)."""
        self._names = dict(BASE_NAMES)

    def who(self, name: str | None) -> int:
        if name is None:
            return NONE
        return self._names[name]

    def bind(self, name: str) -> int:
        if name not in self._names:
            self._names[name] = constants.BOUND + len(self._names) - len(BASE_NAMES)
        return self._names[name]

    def player(self, name: str) -> int:
        if name.startswith("of("):
            return constants.Player.OF + self.who(name[3:-1])
        return constants.Player[name.upper()]


def member(kind: type[EnumT], name: str) -> EnumT:
    """The member of an enum that a card names."""
    return kind[name.upper()]
