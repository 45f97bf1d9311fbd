"""Pydantic models of selectors, amounts and predicates (RULES.md, sections 10.6 to 10.8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias, Union

from pydantic import Discriminator, Field, Tag, model_validator

from gamepacks.api.cards import CardModel
from gamepacks.omen.cards.grammar import Described

_WORD = Field(
    pattern=r"^[a-z][a-z0-9_]*$",
    max_length=24,
    json_schema_extra={"patternErrorMessage": "must be small letters, digits and _ that begin with a letter"},
)
Var: TypeAlias = Annotated[str, _WORD]
"""A name that an ability gives to something; another step of it uses the name."""
SeatName: TypeAlias = Annotated[str, _WORD]
"""``you``, ``opp``, ``each``, ``active``, ``opposing``, ``any`` (a side only), or a variable."""
CityName: TypeAlias = Annotated[str, _WORD]
"""``here``, ``any``, ``other``, or a variable."""

TypeName: TypeAlias = Literal["soldier", "beast", "oracle", "spirit", "hero"]
TraitName: TypeAlias = Literal[
    "BOLSTER", "JILT", "GLEAN", "MYRIAD", "TRIUMPH", "COVETED", "WRATH", "SPOILS", "FATE", "RECRUIT", "PILFER",
    "VETERAN", "CURSE",
]  # fmt: skip
StepName: TypeAlias = Literal["wealth", "surge", "portent", "feat", "challenge", "war", "offering", "close"]
HookName: TypeAlias = Literal[
    "enter", "hand_use", "portent", "use", "react", "auto", "offered", "discarded", "destroyed", "static", "claim",
    "triumph", "end_game",
]  # fmt: skip
StatName: TypeAlias = Literal["cost", "offering", "strength", "invoke"]
CmpName: TypeAlias = Literal["eq", "ne", "lt", "le", "gt", "ge"]
KindName: TypeAlias = Literal["unit", "reward", "krater", "whim", "relic"]
SelZone: TypeAlias = Literal["city", "hand", "discard", "deck_top", "reveal", "used", "set"]
EventZone: TypeAlias = Literal["city", "hand", "discard", "deck", "deck_top", "deck_bottom", "used", "resolving", "out"]
PickName: TypeAlias = Literal[
    "you", "opp", "owner", "random", "highest:cost", "highest:offering", "highest:strength", "highest:invoke",
    "lowest:cost", "lowest:offering", "lowest:strength", "lowest:invoke",
]  # fmt: skip
EventName: TypeAlias = Literal[
    "game_start", "game_over", "turn_start", "turn_end", "step_start", "step_end", "draw", "to_hand", "to_deck",
    "reshuffle", "look", "reveal", "gain_coins", "lose_coins", "take_coins", "pay", "play", "deploy", "enter", "move",
    "change_side", "return_hand", "discard", "destroy", "mill", "ability", "prize_used", "prize_taken", "prize_shed",
    "enrage", "unrage", "war_begin", "war_result", "city_depleted", "city_razed", "feat", "feat_rotated", "challenge",
    "relic_placed", "relic_removed", "triumph", "whim_used", "whim_passed", "final_turn", "commit",
    "trigger_cap_hit", "action_cap_hit", "turn_cap",
]  # fmt: skip
CauseName: TypeAlias = Literal[
    "rule", "wealth", "play", "ability", "offering", "limit", "war", "raze", "beast", "jilt", "invoke", "hero",
    "free_trait", "reward", "krater", "whim", "relic", "setup",
]  # fmt: skip


def _first_key(*keys: str) -> Callable[[Any], str | None]:
    """Selects the member of a union of mappings by the key that only this member has."""
    known = dict.fromkeys(keys)

    def key(value: Any) -> str | None:
        if isinstance(value, bool):
            return None
        if isinstance(value, int):
            return "number"
        given = value if isinstance(value, dict) else type(value).model_fields if isinstance(value, CardModel) else ()
        named = [_ALIASES.get(name, name) for name in given]
        return next((name for name in named if name in known), None)

    return key


_ALIASES = {"not_": "not", "is_": "is"}


class CompareTo(CardModel):
    """A filter by number; several must hold together."""

    eq: Amount | None = None
    ne: Amount | None = None
    lt: Amount | None = None
    le: Amount | None = None
    gt: Amount | None = None
    ge: Amount | None = None

    @model_validator(mode="after")
    def _some(self) -> CompareTo:
        if not self.model_fields_set:
            raise ValueError("must have one of the comparisons eq, ne, lt, le, gt and ge")
        return self


class UpTo(CardModel):
    """At most this number."""

    up_to: Amount


def _many(value: Any) -> str:
    if value == "all":
        return "all"
    return "up_to" if isinstance(value, UpTo) or (isinstance(value, dict) and "up_to" in value) else "amount"


class Selector(Described):
    """Selects cards (section 10.6)."""

    zone: SelZone | None = None
    side: SeatName = "you"
    owner: Literal["you", "opp"] | None = None
    city: CityName = "any"
    kind: KindName | None = None
    type: tuple[TypeName, ...] | Var | None = None
    not_type: tuple[TypeName, ...] | None = None
    trait: tuple[TraitName, ...] | Var | None = None
    enraged: bool | None = None
    id: tuple[str, ...] | None = None
    cost: CompareTo | None = None
    offering: CompareTo | None = None
    strength: CompareTo | None = None
    self_: bool | None = Field(None, alias="self")
    not_self: bool | None = None
    same_as: Var | None = None
    not_: Var | None = Field(None, alias="not")
    top: Annotated[int, Field(ge=1, le=240)] | None = None
    weigh: bool = False
    n: (
        Annotated[
            Annotated[Literal["all"], Tag("all")] | Annotated[UpTo, Tag("up_to")] | Annotated[Amount, Tag("amount")],
            Discriminator(_many),
        ]
        | None
    ) = None
    pick: PickName | None = None
    as_: Var | None = Field(None, alias="as")


class EventFilter(Described):
    """Selects events of this turn (section 10.8)."""

    type: EventName
    by: SeatName | None = None
    who: SeatName | None = None
    card: Selector | None = None
    city: CityName | None = None
    from_: EventZone | None = Field(None, alias="from")
    to: EventZone | None = None
    cause: tuple[CauseName, ...] | None = None
    since: Literal["turn", "step", "ability"] = "turn"
    sum: bool = False
    self_: bool = Field(False, alias="self")


# -- amounts -----------------------------------------------------------------------------------------------------------


class CountOf(CardModel):
    """Number of cards."""

    count: Selector


class UnitsOf(CardModel):
    """Number of Units by weight."""

    units: Selector


class StatOf(CardModel):
    """A number of a bound card."""

    stat: StatName
    of: Var


class TotalOf(CardModel):
    """The sum of a number over cards."""

    total: StatName
    of: Selector


class CoinsOf(CardModel):
    """Coins of a seat."""

    coins: SeatName


class HandOf(CardModel):
    """Cards in a hand."""

    hand: SeatName


class DeckSize(CardModel):
    """Cards in the deck."""

    deck: Literal[True]


class PrizesOf(CardModel):
    """Prizes left in a City."""

    prizes: CityName


class FeatsOf(CardModel):
    """Feats that a seat has achieved."""

    feats: SeatName


class CounterOf(CardModel):
    """The counter of a seat."""

    counter: SeatName


class TurnNumber(CardModel):
    """Number of the turn."""

    turn: Literal[True]


class CitiesWhere(CardModel):
    """Number of Cities that satisfy a predicate."""

    cities: Pred


class EventsOf(CardModel):
    """Number of events of this turn."""

    events: EventFilter


class VarOf(CardModel):
    """A number bound before."""

    var: Var


Amounts: TypeAlias = Annotated[tuple["Amount", ...], Field(min_length=1, max_length=8)]


class Added(CardModel):
    """A sum."""

    add: Amounts


class Smallest(CardModel):
    """The smallest."""

    min: Amounts


class Largest(CardModel):
    """The largest."""

    max: Amounts


class Difference(CardModel):
    """A difference."""

    sub: tuple[Amount, Amount]


class Product(CardModel):
    """A product with a number."""

    mul: tuple[Amount, Annotated[int, Field(ge=-20, le=20)]]


class HalfDown(CardModel):
    """Half, rounded down."""

    half_down: Amount


class HalfUp(CardModel):
    """Half, rounded up."""

    half_up: Amount


Amount: TypeAlias = Annotated[
    Union[  # noqa: UP007  (a recursive alias)
        Annotated[int, Field(ge=-99, le=99), Tag("number")],
        Annotated[CountOf, Tag("count")],
        Annotated[UnitsOf, Tag("units")],
        Annotated[StatOf, Tag("stat")],
        Annotated[TotalOf, Tag("total")],
        Annotated[CoinsOf, Tag("coins")],
        Annotated[HandOf, Tag("hand")],
        Annotated[DeckSize, Tag("deck")],
        Annotated[PrizesOf, Tag("prizes")],
        Annotated[FeatsOf, Tag("feats")],
        Annotated[CounterOf, Tag("counter")],
        Annotated[TurnNumber, Tag("turn")],
        Annotated[CitiesWhere, Tag("cities")],
        Annotated[EventsOf, Tag("events")],
        Annotated[VarOf, Tag("var")],
        Annotated[Added, Tag("add")],
        Annotated[Smallest, Tag("min")],
        Annotated[Largest, Tag("max")],
        Annotated[Difference, Tag("sub")],
        Annotated[Product, Tag("mul")],
        Annotated[HalfDown, Tag("half_down")],
        Annotated[HalfUp, Tag("half_up")],
    ],
    Discriminator(
        _first_key(
            "count", "units", "stat", "total", "coins", "hand", "deck", "prizes", "feats", "counter", "turn", "cities",
            "events", "var", "add", "min", "max", "sub", "mul", "half_down", "half_up",
        ),
        custom_error_type="amount",
        custom_error_message="no amount: a number, or one of count, units, stat, total, coins, hand, deck, prizes, "
        "feats, counter, turn, cities, events, var, add, min, max, sub, mul, half_down, half_up",
    ),
]  # fmt: skip


# -- predicates --------------------------------------------------------------------------------------------------------

Preds: TypeAlias = Annotated[tuple["Pred", ...], Field(min_length=1, max_length=8)]


class AllOf(CardModel):
    """All of the predicates hold."""

    all: Preds


class AnyOf(CardModel):
    """At least one of the predicates holds."""

    any: Preds


class Not(CardModel):
    """The predicate does not hold."""

    not_: Pred = Field(alias="not")


class Compared(CardModel):
    """Comparison of two amounts."""

    cmp: tuple[Amount, CmpName, Amount]


class Exists(CardModel):
    """At least ``n`` cards match (1 if left out)."""

    exists: Selector


class EachCity(CardModel):
    """The predicate holds for each City that is not Razed."""

    each_city: Pred


class SomeCity(CardModel):
    """The predicate holds for at least one City that is not Razed."""

    some_city: Pred


class Happened(CardModel):
    """The given number of events happened; at least one if no number is given."""

    happened: EventFilter
    op: CmpName = "ge"
    n: Amount = 1


class IsLike(CardModel):
    """A bound card matches."""

    is_: Var = Field(alias="is")
    like: Selector


class InStep(CardModel):
    """The current step is one of these."""

    step: Annotated[tuple[StepName, ...], Field(min_length=1)]


class TurnOf(CardModel):
    """The current turn is that seat's."""

    turn_of: SeatName


class FirstTurn(CardModel):
    """The current turn is the first turn of the first player."""

    first_turn: Literal[True]


class WarTorn(CardModel):
    """The City would be resolved in War now."""

    war_torn: CityName


class Depleted(CardModel):
    """The City has no prizes left."""

    depleted: CityName


Pred: TypeAlias = Annotated[
    Union[  # noqa: UP007
        Annotated[AllOf, Tag("all")],
        Annotated[AnyOf, Tag("any")],
        Annotated[Not, Tag("not")],
        Annotated[Compared, Tag("cmp")],
        Annotated[Exists, Tag("exists")],
        Annotated[EachCity, Tag("each_city")],
        Annotated[SomeCity, Tag("some_city")],
        Annotated[Happened, Tag("happened")],
        Annotated[IsLike, Tag("is")],
        Annotated[InStep, Tag("step")],
        Annotated[TurnOf, Tag("turn_of")],
        Annotated[FirstTurn, Tag("first_turn")],
        Annotated[WarTorn, Tag("war_torn")],
        Annotated[Depleted, Tag("depleted")],
    ],
    Discriminator(
        _first_key(
            "all", "any", "not", "cmp", "exists", "each_city", "some_city", "happened", "is", "step", "turn_of",
            "first_turn", "war_torn", "depleted",
        ),
        custom_error_type="predicate",
        custom_error_message="no predicate: all, any, not, cmp, exists, each_city, some_city, happened, is, step, "
        "turn_of, first_turn, war_torn or depleted",
    ),
]  # fmt: skip
