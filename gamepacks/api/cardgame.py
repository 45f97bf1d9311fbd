"""Base class of games with card sets; an option selects a set from a library."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from gamepacks.api.cards import ID_LENGTH, CardFileT, CardLibrary, CardSource
from gamepacks.api.game import ActionT, EventT, Game, StateT, ViewT
from gamepacks.api.options import Options
from gamepacks.api.types import CardSet


class CardOptions(Options):
    """Base of the options of a game with cards. The options message has ``optional string card_set``."""

    card_set: str = Field(
        "", max_length=ID_LENGTH, description="Id of the card set; empty: the first of the pack's own that fits."
    )


CardOptionsT = TypeVar("CardOptionsT", bound=CardOptions)


class CardGame(
    Game[CardOptionsT, StateT, ViewT, ActionT, EventT], Generic[CardOptionsT, CardFileT, StateT, ViewT, ActionT, EventT]
):
    """Base class of games with cards. The options of a game always name its card set, even if the given options did
    not."""

    card_source: ClassVar[CardSource[Any]]
    cards: CardFileT
    """The card set of this game."""

    def __init__(self, players: int, options: CardOptionsT, library: CardLibrary[CardFileT]) -> None:
        """Select the card set that the options name from the library. Raises UnknownCardSet."""
        loaded = library.pick(options.card_set or self.default_card_set(options))
        if options.card_set != loaded.card_set.id:
            options = options.model_copy(update={"card_set": loaded.card_set.id})
        super().__init__(players, options)
        self.cards = loaded.data
        self._card_set = loaded.card_set
        self._sets = library

    @classmethod
    def _make(cls, players: int, options: CardOptionsT, library: CardLibrary[Any] | None) -> CardGame[Any, Any]:
        return cls(players, options, cls.card_source.own if library is None else library)

    def _library(self) -> CardLibrary[Any] | None:
        return None if self._sets is self.card_source.own else self._sets

    @classmethod
    def default_card_set(cls, options: CardOptionsT) -> str:
        """Returns the id of the default set; override it if other options decide.

        It must be one of the pack's own.
        """
        return cls.card_source.own.ids[0]

    @property
    def card_set(self) -> CardSet:
        """The card set in use; its digest goes into the header of every log."""
        return self._card_set
