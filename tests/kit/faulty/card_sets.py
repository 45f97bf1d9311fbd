"""Faulty games for the check of card sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from gamepacks.api import CardLibrary, CardOptions, CardSet, CardSource, Fault, InvalidOptions
from gamepacks.api.cards import LoadedCards
from tests.kit.faulty.base import caught
from tests.support.games.suits import SOURCE, SuitCards, SuitsGame, SuitsOptions


@caught("cards", "a card set that was added to the library is not used")
class KnowsOnlyItsOwn(SuitsGame):
    def __init__(self, players: int, options: SuitsOptions, library: CardLibrary[Any]) -> None:
        wanted = options.card_set if options.card_set in SOURCE.own.ids else "house-1"
        super().__init__(players, options.model_copy(update={"card_set": wanted}), SOURCE.own)


class AnyText(SuitsOptions):
    card_set: str = "house-1"


@caught("cards", r"the card set '.*suits-house\.yaml' is accepted, but there is none with this id")
class TakesPaths(SuitsGame):
    options_type = AnyText

    def __init__(self, players: int, options: SuitsOptions, library: CardLibrary[Any]) -> None:
        if Path(options.card_set).is_file():
            options = options.model_copy(update={"card_set": "house-1"})
        super().__init__(players, options, library)


@caught("cards", "game.options.card_set is not the id of game.card_set")
class LeavesTheOptionEmpty(SuitsGame):
    def __init__(self, players: int, options: SuitsOptions, library: CardLibrary[Any]) -> None:
        super().__init__(players, options, library)
        self.options = options


@caught("cards", r"no setup can use the pack's card sets \['short-1'\]")
class NeedsMoreCards(SuitsGame):
    def __init__(self, players: int, options: SuitsOptions, library: CardLibrary[Any]) -> None:
        super().__init__(players, options, library)
        if len(self.cards.cards) < 6:
            raise InvalidOptions([Fault("card_set", "too few cards")])


@caught("cards", "the card set 'house-1' is not the pack's own set with this id")
class TellsAnotherDigest(SuitsGame):
    @property
    def card_set(self) -> CardSet:
        return CardSet(self.options.card_set, "Another", True, b"d" * 32)


class Misnamed(CardOptions):
    hands: int = SuitsOptions.model_fields["hands"].default

    @classmethod
    def parse(cls, given: Any, players: int) -> Any:
        try:
            return SuitsOptions.parse(given, players)
        except InvalidOptions as error:
            raise InvalidOptions([Fault("options", fault.message) for fault in error.faults]) from None


@caught("cards", "does not name the option card_set")
class RefusesWithoutName(SuitsGame):
    options_type = Misnamed


class _WithoutVersion(CardSource[Any]):
    """The same sets, as if their ids were without versions."""

    def read(self, path: Path) -> LoadedCards[Any]:
        loaded = super().read(path)
        card_set = replace(loaded.card_set, id=loaded.card_set.id.removesuffix("-1"))
        return replace(loaded, card_set=card_set)


@caught("cards", r"the ids \['house', 'short'\] of the pack's card sets must end with a version")
class Unversioned(SuitsGame):
    card_source = _WithoutVersion("suits", SuitCards, *SOURCE.own_files)
