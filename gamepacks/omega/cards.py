"""Pydantic models of the cards and tokens of OMEGA, with effects and formulas (section 16 of RULES.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from gamepacks.api.cards import CardFile, CardFinding, CardModel, CardSource
from gamepacks.omega.codes import CARDS, MAX_EFFECTS, MAX_LOAD, MAX_POWERS, TOKENS, TYPE_NAMES

Type = Literal["blue", "gold", "red", "green", "white", "black"]
Amount = Annotated[int, Field(ge=1, le=42)]
Points = Annotated[int, Field(ge=-100, le=100)]
Bound = Annotated[int, Field(ge=0, le=1000)]
Number = Annotated[int, Field(ge=0, le=1_000_000)]


class Advance(CardModel):
    """Time Thrust (OMEGA-THRUST-01)."""

    op: Literal["advance"]
    n: Amount


class Draw(CardModel):
    """Hand of Fate (OMEGA-HAND-01, OMEGA-HAND-02)."""

    op: Literal["draw"]
    n: Amount
    color: Type | None = None


class Cycle(CardModel):
    """Runic Cycling (OMEGA-CYCLE-01, OMEGA-CYCLE-03)."""

    op: Literal["cycle"]
    n: Amount
    color: Type | None = None


class Key(CardModel):
    """Summoning Key (OMEGA-KEY-01)."""

    op: Literal["key"]
    n: Amount


Effect = Annotated[Advance | Draw | Cycle | Key, Field(discriminator="op")]


class Power(CardModel):
    """A power of a card: its trigger and its effects (OMEGA-POWER)."""

    trigger: Literal["lightning", "book"]
    effects: tuple[Effect, ...] = Field(min_length=1, max_length=MAX_EFFECTS)

    @model_validator(mode="after")
    def _key_stands_alone(self) -> Power:
        if len(self.effects) > 1 and any(effect.op == "key" for effect in self.effects):
            raise ValueError("a power with a key effect has no other effect")
        return self


class Egregor(CardModel):
    """A card."""

    id: str = Field(min_length=1, max_length=40)
    name: str = Field(min_length=1, max_length=40)
    snake: int = Field(ge=0, le=MAX_LOAD)
    thrust: int = Field(ge=0, le=100)
    renegade: bool = False
    primitive: bool = False
    powers: tuple[Power, ...] = Field((), max_length=MAX_POWERS)
    art: str | None = Field(None, max_length=200)

    @model_validator(mode="after")
    def _one_key(self) -> Egregor:
        if sum(effect.op == "key" for power in self.powers for effect in power.effects) > 1:
            raise ValueError("a card has at most one key effect")
        return self

    @property
    def key(self) -> int:
        """The number of a Key Egregor; 0 for others."""
        return next((effect.n for power in self.powers for effect in power.effects if effect.op == "key"), 0)


class Filter(CardModel):
    """Conditions on the holder's Egregors that a counter counts; all given conditions must hold."""

    renegade: bool | None = None
    primitive: bool | None = None
    key: bool | None = None
    trigger: Literal["lightning", "book", "none"] | None = None
    snake_min: Bound | None = None
    snake_max: Bound | None = None
    thrust_min: Bound | None = None
    thrust_max: Bound | None = None
    with_color: Type | None = None
    load_min: Bound | None = None
    load_max: Bound | None = None


class Runes(CardModel):
    """Runes of a type, or of all, on the holder's Egregors or in its pyramid."""

    counter: Literal["runes_on_egregors", "runes_in_pyramid"]
    color: Type | None = None


class SimpleCounter(CardModel):
    """A counter without parameters."""

    counter: Literal["colours_on_egregors", "snake_sum", "thrust_sum", "prestige", "arcana_count", "laps"]


class Egregors(CardModel):
    """Number of Egregors that pass a filter."""

    counter: Literal["egregors"]
    filter: Filter = Filter()


class Sets(CardModel):
    """Number of complete sets of some types on the holder's Egregors."""

    counter: Literal["sets"]
    colors: tuple[Type, ...] = Field(min_length=1, max_length=6)

    @model_validator(mode="after")
    def _each_once(self) -> Sets:
        for number, color in enumerate(self.colors):
            if color in self.colors[:number]:
                raise ValueError(
                    f"{color} is repeated: a set has one rune of each of its types (for pairs use runes_on_egregors"
                    " with each: 2)"
                )
        return self


Counter = Annotated[Runes | SimpleCounter | Egregors | Sets, Field(discriminator="counter")]


class Fixed(CardModel):
    """A fixed number of points."""

    kind: Literal["fixed"]
    n: Points


class Per(CardModel):
    """``n`` points for each full ``each`` of the counter, at most ``max``."""

    kind: Literal["per"]
    what: Counter
    n: Points
    each: int = Field(1, ge=1, le=1_000_000)
    max: int | None = Field(None, ge=-1_000_000, le=1_000_000)


class If(CardModel):
    """``n`` points if the comparison holds, else ``else``."""

    kind: Literal["if"]
    what: Counter
    cmp: Literal[">=", "=", "<="]
    value: Number
    n: Points
    otherwise: Points = Field(0, alias="else")


class Most(CardModel):
    """``n`` points if the holder leads in the counter; ``tie`` says whether several leaders each get them."""

    kind: Literal["most"]
    what: Counter
    n: Points
    tie: Literal["all", "none"]


class Lookup(CardModel):
    """Points by the counter, the last entry for all larger ones."""

    kind: Literal["table"]
    what: Counter
    values: tuple[Points, ...] = Field(min_length=1, max_length=1000)


class Sum(CardModel):
    """The sum of several formulas."""

    kind: Literal["sum"]
    of: tuple[Formula, ...] = Field(min_length=1, max_length=8)


Formula = Annotated[Fixed | Per | If | Most | Lookup | Sum, Field(discriminator="kind")]


class Arcanum(CardModel):
    """A kind of Arcana token."""

    id: str = Field(min_length=1, max_length=40)
    name: str | None = Field(None, max_length=40)
    text: str | None = Field(None, max_length=160)
    copies: int = Field(ge=1, le=TOKENS)
    points: Formula

    @property
    def title(self) -> str:
        """Name, or the id if there is none."""
        return self.name or self.id


class Disc(CardModel):
    """The Ritual Disc (OMEGA-COMP-06)."""

    squares: int = Field(ge=1, le=1000)
    eye_offset: int = Field(ge=1, le=1000)
    source: str = Field(min_length=1, max_length=400)

    @model_validator(mode="after")
    def _eye_on_disc(self) -> Disc:
        if self.eye_offset > self.squares:
            raise ValueError("eye_offset must be from 1 to the number of squares (OMEGA-DISC-03)")
        return self


class RuneCounts(CardModel):
    """The runes of the bag (OMEGA-COMP-01)."""

    blue: Literal[25] = 25
    gold: Literal[25] = 25
    red: Literal[37] = 37
    green: Literal[28] = 28
    white: Literal[22] = 22
    black: Literal[18] = 18

    def counts(self) -> tuple[int, ...]:
        """The number of runes of each type, in canonical order."""
        return tuple(getattr(self, name) for name in TYPE_NAMES)


class OmegaCards(CardFile):
    """A card set: 42 Egregors, 42 Arcana tokens, the disc."""

    game: Literal["omega"]
    disc: Disc
    egregors: tuple[Egregor, ...] = Field(min_length=CARDS, max_length=CARDS)
    arcana: tuple[Arcanum, ...] = Field(min_length=1, max_length=TOKENS)
    runes: RuneCounts = RuneCounts()

    def check(self) -> Iterator[CardFinding]:
        ids = {"egregors": [card.id for card in self.egregors], "arcana": [token.id for token in self.arcana]}
        for name, given in ids.items():
            for number, one in enumerate(given):
                if one in given[:number]:
                    yield CardFinding((name, number, "id"), "the id is used by another entry")
        if (tokens := sum(token.copies for token in self.arcana)) != TOKENS:
            yield CardFinding(
                ("arcana",), f"the copies add up to {tokens} tokens; there must be {TOKENS} (OMEGA-COMP-03)"
            )

    def warnings(self) -> Iterator[CardFinding]:
        # Facts about cards in the rulebook (section 13).
        for number, card in enumerate(self.egregors):
            snake = {"Syphus": 4, "Pysos": 0}.get(card.name, card.snake)
            if card.snake != snake:
                yield CardFinding(
                    ("egregors", number, "snake"), f"the rulebook gives {card.name} the snake number {snake}"
                )
            if card.name == "Nodo" and all(power.trigger != "book" for power in card.powers):
                yield CardFinding(("egregors", number, "powers"), "the rulebook gives Nodo a book power")


SOURCE = CardSource("omega", OmegaCards, Path(__file__).with_name("house.yaml"))
"""The card sets of OMEGA."""
