"""The card files of both editions: card records, file models and checks (section 11 of RULES.md).

A file of status ``fixture`` may lack cards that a game needs; such a set is for tests and is displayed as one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from gamepacks.api.cards import CardFile, CardFinding, CardModel, CardSource
from gamepacks.omen.cards import checks
from gamepacks.omen.cards.language import Ability
from gamepacks.omen.cards.program import MAX_ABILITIES, MAX_CARDS, MAX_CITIES
from gamepacks.omen.cards.queries import TraitName, TypeName

CardId: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9_]+$",
        max_length=40,
        json_schema_extra={"patternErrorMessage": "must be small letters, digits and _"},
    ),
]
Number: TypeAlias = Annotated[int, Field(ge=0, le=20)]
"""A sanity range, not a printed one (V-07)."""
WARN_ABOVE = 10
"""Larger numbers give a warning."""


class Card(CardModel):
    """Base class of card records."""

    id: CardId = Field(description="Unique in the set.")
    name: str = Field(min_length=1, max_length=60, description="Display name.")
    text: str = Field("", max_length=400, description="Display text of the card.")
    copies: int = Field(1, ge=1, le=20, description="Number of copies.")
    abilities: tuple[Ability, ...] = Field((), max_length=MAX_ABILITIES)
    placeholder: bool = Field(False, description="True for an invented card of a fixture.")


class OmegaUnit(Card):
    """A Unit of the edition ``omega``."""

    type: TypeName
    cost: Number
    offering: Number
    strength: Number
    invoke: Number | None = Field(None, description="Cost of both abilities of a Spirit.")


class TraitsUnit(Card):
    """A Unit of the edition ``traits``."""

    cost: Number
    offering: Number
    strength: Number
    traits: tuple[TraitName, ...] = Field((), max_length=13)


class Prize(Card):
    """A Reward or Krater."""


class Feat(Card):
    """A Feat."""


class Challenge(Card):
    """A Challenge."""


class Whim(Card):
    """A Whim."""

    hold_points: int = Field(ge=-5, le=5, description="Points in hand at the end (V-19).")


class Relic(Card):
    """A Relic."""


class OmegaSetup(CardModel):
    """The set-up numbers of ``omega``, which are fixed and may be left out."""

    cities: Literal[3] = 3
    prizes_per_city: Literal[4] = 4
    hand: Literal[4] = 4
    coins: Literal[4] = 4
    coin_supply: Literal[25] = 25
    hand_limit: Literal[7] = 7
    coin_limit: Literal[10] = 10
    city_limit: Literal[5] = 5


class TraitsSetup(CardModel):
    """The set-up numbers of ``traits``; the defaults are those of ``omega``, except for the Kraters per City."""

    cities: int = Field(3, ge=1, le=MAX_CITIES)
    prizes_per_city: int = Field(ge=1, le=20)
    hand: int = Field(4, ge=0, le=20)
    coins: int = Field(4, ge=0, le=20)
    coin_supply: int | None = Field(
        None, ge=0, le=200, description="Total number of coins; unlimited if it is missing."
    )
    hand_limit: Literal[6] = 6
    coin_limit: Literal[7] = 7
    city_limit: Literal[5] = 5


class _OmenFile(CardFile):
    _sections: ClassVar[tuple[str, ...]] = ()

    def sections(self) -> Iterator[tuple[str, Sequence[Card]]]:
        """The lists of cards with their names in the file."""
        for name in self._sections:
            yield name, getattr(self, name)

    def check(self) -> Iterable[CardFinding]:
        seen: dict[str, str] = {}
        every = [card for _, cards in self.sections() for card in cards]
        static = checks.statically_changed(ability for card in every for ability in card.abilities)
        for section, cards in self.sections():
            for number, card in enumerate(cards):
                place = (section, number)
                if card.id in seen:
                    yield CardFinding((*place, "id"), f"the id is used by another card, in {seen[card.id]} (V-01)")
                seen[card.id] = section
                if card.placeholder and self.status != "fixture":
                    yield CardFinding((*place, "placeholder"), "is allowed only in a set of status fixture (V-20)")
                yield from self._abilities(place, section, card)
                yield from checks.check_card(card.abilities, place, static, kind_of(section, card))
        known = set(seen)
        for section, cards in self.sections():
            for number, card in enumerate(cards):
                yield from checks.unknown_ids(card.abilities, (section, number, "abilities"), known)
        yield from self._counts()
        total = sum(card.copies for card in every)
        if total > MAX_CARDS:
            yield CardFinding((), f"the set has {total} cards, counting copies; at most {MAX_CARDS} are allowed")

    def warnings(self) -> Iterable[CardFinding]:
        for section, cards in self.sections():
            for number, card in enumerate(cards):
                place = (section, number)
                for stat in ("cost", "offering", "strength", "invoke"):
                    value = getattr(card, stat, None)
                    if value is not None and value > WARN_ABOVE:
                        yield CardFinding((*place, stat), f"{value} is unusually high: more than {WARN_ABOVE} (V-07)")
                yield from checks.warnings(card.abilities, (*place, "abilities"))
        yield from self._setup_warnings()

    @abstractmethod
    def _abilities(self, place: tuple[str | int, ...], section: str, card: Card) -> Iterator[CardFinding]:
        """Faults of a card's abilities that are specific to the edition."""

    @abstractmethod
    def _counts(self) -> Iterator[CardFinding]:
        """Faults of the number of cards of each kind."""

    def _setup_warnings(self) -> Iterator[CardFinding]:
        return iter(())


def kind_of(section: str, card: Card) -> str:
    """The kind of a card as hooks name it: the type of a Unit, ``trait`` for a Unit with traits, ``reward``."""
    if isinstance(card, OmegaUnit):
        return card.type
    return "trait" if isinstance(card, TraitsUnit) else section.removesuffix("s")


_OMEGA_HOOKS: dict[str, tuple[frozenset[str], int, int]] = {
    "soldier": (frozenset({"enter"}), 1, 6),
    "beast": (frozenset({"hand_use"}), 1, 1),
    "oracle": (frozenset({"portent"}), 1, 6),
    "spirit": (frozenset({"enter"}), 2, 2),
    "hero": (frozenset({"use", "react"}), 1, 6),
    "rewards": (frozenset({"use"}), 1, 1),
    "feats": (frozenset({"claim"}), 1, 1),
    "challenges": (frozenset({"claim"}), 1, 1),
    "whims": (frozenset({"use", "react"}), 1, 6),
    "relics": (frozenset({"use", "react", "auto", "static", "end_game"}), 1, 6),
    "kraters": (frozenset({"use"}), 1, 1),
}
"""Hooks that a type or section must have: which, and from how many to how many (V-08)."""


def _hook_faults(place: tuple[str | int, ...], what: str, card: Card, fixture: bool) -> Iterator[CardFinding]:
    hooks, least, most = _OMEGA_HOOKS[what]
    at = (*place, "abilities")
    found = sum(ability.hook in hooks for ability in card.abilities)
    if not card.abilities and fixture:
        return
    if not least <= found <= most:
        count = f"exactly {least}" if least == most else f"{least} or more"
        yield CardFinding(at, f"must have {count} with hook {' or '.join(sorted(hooks))}, not {found} (V-08)")
    for number, ability in enumerate(card.abilities):
        if (
            what in ("rewards", "kraters")
            and ability.hook == "use"
            and (ability.step not in (None, ("surge",)) or ability.turn not in (None, "own"))
        ):
            yield CardFinding(
                (*at, number),
                "can have only step [surge] and turn own: a prize is used in its owner's Surge step (V-08)",
            )


class OmegaFile(_OmenFile):
    """A card set of the 2017 edition."""

    game: Literal["omen"]
    setup: OmegaSetup = OmegaSetup()
    units: tuple[OmegaUnit, ...]
    rewards: tuple[Prize, ...]
    feats: tuple[Feat, ...]
    challenges: tuple[Challenge, ...] = ()
    whims: tuple[Whim, ...] = ()
    relics: tuple[Relic, ...] = ()

    _sections: ClassVar[tuple[str, ...]] = ("units", "rewards", "feats", "challenges", "whims", "relics")

    def has(self, kind: TypeName) -> bool:
        """True if the set has Units of this type."""
        return any(unit.type == kind for unit in self.units)

    def _abilities(self, place: tuple[str | int, ...], section: str, card: Card) -> Iterator[CardFinding]:
        fixture = self.status == "fixture"
        if not isinstance(card, OmegaUnit):
            yield from _hook_faults(place, section, card, fixture)
            if section != "rewards" and card.copies != 1:
                yield CardFinding((*place, "copies"), "must be 1: there is one of each (V-05)")
            return
        yield from _hook_faults(place, card.type, card, fixture)
        if card.copies != 1:
            yield CardFinding((*place, "copies"), "must be 1: no Unit exists twice (OMEN-COMP-05, V-02)")
        if card.type == "hero" and card.cost != 0:
            yield CardFinding((*place, "cost"), "must be 0 for a Hero (OMEN-COMP-08, V-07)")
        if (card.invoke is not None) != (card.type == "spirit"):
            yield CardFinding((*place, "invoke"), "must be set for Spirits, and for no other Unit (V-07)")
        if card.type == "spirit" and card.abilities:
            labels = [ability.label for ability in card.abilities if ability.hook == "enter"]
            if labels != ["a", "b"]:
                yield CardFinding(
                    (*place, "abilities"), "the two enter abilities of a Spirit must have the labels a and b (V-08)"
                )

    def _counts(self) -> Iterator[CardFinding]:
        if self.status == "fixture":
            return
        wanted: dict[str, tuple[int, ...]] = {
            "soldier": (24,), "beast": (12,), "oracle": (12,), "spirit": (12, 0), "hero": (6, 0),
        }  # fmt: skip
        for kind, counts in wanted.items():
            found = sum(unit.type == kind for unit in self.units)
            if found not in counts:
                yield CardFinding(("units",), f"has {found} of type {kind}; {counts[0]} are needed (V-02, V-03)")
        if len(self.rewards) != 6:
            yield CardFinding(("rewards",), f"has {len(self.rewards)} Rewards; 6 are needed, with 2 copies each (V-04)")
        for number, card in enumerate(self.rewards):
            if card.copies != 2:
                yield CardFinding(("rewards", number, "copies"), "must be 2 for a Reward (OMEN-COMP-02, V-04)")
        for section, allowed in (("feats", (6,)), ("challenges", (6, 0)), ("whims", (5, 0)), ("relics", (6, 0))):
            found = len(getattr(self, section))
            if found not in allowed:
                yield CardFinding((section,), f"has {found} cards; {' or '.join(map(str, allowed))} are needed (V-05)")


_TRAIT_HOOKS = {"BOLSTER": "enter", "JILT": "hand_use", "GLEAN": "portent", "TRIUMPH": "triumph"}


class TraitsFile(_OmenFile):
    """A card set of the 2023 edition."""

    game: Literal["omen-traits"]
    setup: TraitsSetup
    units: tuple[TraitsUnit, ...]
    kraters: tuple[Prize, ...]

    _sections: ClassVar[tuple[str, ...]] = ("units", "kraters")

    def _abilities(self, place: tuple[str | int, ...], section: str, card: Card) -> Iterator[CardFinding]:
        if not isinstance(card, TraitsUnit):
            yield from _hook_faults(place, section, card, self.status == "fixture")
            return
        if len(set(card.traits)) < len(card.traits):
            yield CardFinding((*place, "traits"), "a trait is repeated (V-09)")
        hooks = [ability.hook for ability in card.abilities]
        for trait, hook in _TRAIT_HOOKS.items():
            found = hooks.count(hook)  # type: ignore[arg-type]
            if found != (1 if trait in card.traits else 0):
                yield CardFinding(
                    (*place, "abilities"),
                    f"must have one ability with hook {hook} if the Unit has the trait {trait}, else none (V-09)",
                )

    def _counts(self) -> Iterator[CardFinding]:
        needed = self.setup.cities * self.setup.prizes_per_city
        kraters = sum(card.copies for card in self.kraters)
        if kraters < needed:
            yield CardFinding(("kraters",), f"has {kraters} Kraters; the Cities need {needed} (V-10)")
        units = sum(card.copies for card in self.units)
        if units < 2 * self.setup.hand + 1:
            yield CardFinding(("units",), f"has {units} Units; {2 * self.setup.hand + 1} are needed (V-10)")

    def _setup_warnings(self) -> Iterator[CardFinding]:
        given = self.setup.model_fields_set
        borrowed = [name for name in ("cities", "hand", "coins") if name not in given]
        if borrowed:
            yield CardFinding(
                ("setup",), f"has the defaults of the edition omega for {', '.join(borrowed)} (OMENT-SETUP-01)"
            )
        needed = self.setup.cities * self.setup.prizes_per_city
        kraters = sum(card.copies for card in self.kraters)
        if kraters > needed:
            yield CardFinding(("kraters",), f"has {kraters - needed} Kraters more than the Cities need (V-10)")
        units = sum(card.copies for card in self.units)
        if units < 20:
            yield CardFinding(("units",), f"has only {units} Units (V-10)")


AnyFile: TypeAlias = OmegaFile | TraitsFile

_PACK = Path(__file__).parents[1]
OMEGA_SOURCE: CardSource[OmegaFile] = CardSource("omen", OmegaFile, _PACK / "house.yaml")
TRAITS_SOURCE: CardSource[TraitsFile] = CardSource(
    "omen-traits", TraitsFile, _PACK / "house-bronze.yaml", _PACK / "house-tide.yaml"
)


def setup_numbers(file: AnyFile) -> dict[str, Any]:
    """The ``setup`` block as plain numbers (None for an unlimited supply of coins)."""
    return file.setup.model_dump()
