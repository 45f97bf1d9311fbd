"""Pydantic models of effects, costs and abilities of cards (RULES.md, sections 10.4 and 10.9).

The models hold the data of a card; :mod:`gamepacks.omen.cards.checks` finds faults across its parts, and
:mod:`gamepacks.omen.cards.compiler` turns it into numbers.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field, model_validator

from gamepacks.api.cards import CardModel
from gamepacks.omen.cards.grammar import Described
from gamepacks.omen.cards.queries import (
    Amount,
    CityName,
    EventFilter,
    HookName,
    Pred,
    SeatName,
    Selector,
    StepName,
    TypeName,
    Var,
)

Duration: TypeAlias = Literal["war", "step", "turn", "next_own_turn", "static"]


class Cost(CardModel):
    """A cost: exactly one of these."""

    coins: Amount | None = None
    discard: Selector | None = None
    destroy: Selector | None = None
    return_: Selector | None = Field(None, alias="return")

    @model_validator(mode="after")
    def _one(self) -> Cost:
        if len(self.model_fields_set) != 1:
            raise ValueError("must have exactly one of coins, discard, destroy and return")
        return self


class _Effect(Described):
    """An effect, known by its ``op``."""


Block: TypeAlias = Annotated[tuple["Effect", ...], Field(max_length=40)]


class Draw(_Effect):
    """Draw Units."""

    op: Literal["draw"]
    who: SeatName = "you"
    n: Amount = 1
    optional: bool = False


class Coins(_Effect):
    """Gain coins from the supply."""

    op: Literal["coins"]
    who: SeatName = "you"
    n: Amount = 1


class LoseCoins(_Effect):
    """Give coins to the supply."""

    op: Literal["lose_coins"]
    who: SeatName = "you"
    n: Amount = 1


class TakeCoins(_Effect):
    """Take coins from a seat."""

    op: Literal["take_coins"]
    from_: SeatName = Field("opp", alias="from")
    n: Amount = 1


class Discard(_Effect):
    """Discard from a hand; its owner picks unless ``pick`` says otherwise."""

    op: Literal["discard"]
    sel: Selector


class Look(_Effect):
    """Look at cards; only you see them."""

    op: Literal["look"]
    zone: Literal["deck_top", "deck", "hand", "prize"]
    side: SeatName = "you"
    city: CityName = "here"
    n: Amount | None = None
    as_: Var | None = Field(None, alias="as")


class Reveal(_Effect):
    """Reveal cards to all; those of a deck that are left are discarded when the ability ends."""

    op: Literal["reveal"]
    zone: Literal["deck_top", "hand"]
    side: SeatName = "you"
    n: Amount | None = None
    sel: Selector | None = None
    as_: Var | None = Field(None, alias="as")


class Put(_Effect):
    """Move cards between zones other than Cities."""

    op: Literal["put"]
    sel: Selector
    to: Literal["hand", "deck_top", "deck_bottom", "discard", "used", "prize", "out"]
    who: SeatName = "you"
    city: CityName | None = None


class Shuffle(_Effect):
    """Shuffle the discard pile into the deck."""

    op: Literal["shuffle"]
    who: SeatName = "you"


class Less(CardModel):
    """Pay the Cost less an amount."""

    less: Amount


class Deploy(_Effect):
    """Put a Unit into a City."""

    op: Literal["deploy"]
    sel: Selector
    city: CityName = "any"
    side: SeatName = "you"
    pay: Literal["free", "full"] | Less = "free"
    played: bool = False


class Destroy(_Effect):
    """Destroy Units."""

    op: Literal["destroy"]
    sel: Selector


class Return(_Effect):
    """Returns Units to a hand or the deck."""

    op: Literal["return"]
    sel: Selector
    to: Literal["hand", "deck_top", "deck_bottom"] = "hand"
    who: SeatName | None = None


class Move(_Effect):
    """Move Units to another City, on the same side."""

    op: Literal["move"]
    sel: Selector
    city: CityName = "other"


class Seize(_Effect):
    """Move opposing Units to your side of their City."""

    op: Literal["seize"]
    sel: Selector


class Give(_Effect):
    """Move your Units to the other side of their City."""

    op: Literal["give"]
    sel: Selector


class Swap(_Effect):
    """Swap the places of two Units."""

    op: Literal["swap"]
    a: Selector
    b: Selector


class Enrage(_Effect):
    """Make Units Enraged."""

    op: Literal["enrage"]
    sel: Selector


class Unrage(_Effect):
    """Turn Enraged Units face up."""

    op: Literal["unrage"]
    sel: Selector


class Run(_Effect):
    """Carry out another card's ability as if it were yours."""

    op: Literal["run"]
    sel: Selector
    hook: HookName


class TakePrize(_Effect):
    """Take a City's top prize."""

    op: Literal["take_prize"]
    city: CityName = "any"
    who: SeatName = "you"


class ReadyPrize(_Effect):
    """Take face-down prizes back to hand."""

    op: Literal["ready_prize"]
    sel: Selector


class ShedPrize(_Effect):
    """Lay Rewards from the hand face down."""

    op: Literal["shed_prize"]
    who: SeatName = "you"
    n: Amount = 1


class RelicEffect(_Effect):
    """Place a Relic of the side, or send one back."""

    op: Literal["relic"]
    do: Literal["place", "remove"]
    sel: Selector
    city: CityName = "any"


class Roll(_Effect):
    """Roll a die."""

    op: Literal["roll"]
    sides: Annotated[int, Field(ge=2, le=20)] = 6
    as_: Var = Field(alias="as")


class Later(_Effect):
    """Defer effects to the end of the turn."""

    op: Literal["later"]
    do: Block


class Counter(_Effect):
    """Change the counter of a seat."""

    op: Literal["counter"]
    who: SeatName = "you"
    by: Amount | None = None
    set: Amount | None = None

    @model_validator(mode="after")
    def _one(self) -> Counter:
        if (self.by is None) == (self.set is None):
            raise ValueError("must have exactly one of by and set")
        return self


class Resolve(_Effect):
    """Resolve a City now, war-torn or not."""

    op: Literal["resolve"]
    city: CityName = "any"


class Claim(_Effect):
    """Achieve a Feat or take a Challenge, regardless of its condition."""

    op: Literal["claim"]
    kind: Literal["feat", "challenge"]
    sel: Selector | None = None


class _Lasting(_Effect):
    for_: Duration | None = Field(None, alias="for")
    until: Literal["turn_end", "your_next_turn"] | None = None

    @model_validator(mode="after")
    def _once(self) -> _Lasting:
        if self.for_ is not None and self.until is not None:
            raise ValueError("must not have both for and until")
        return self


class Mod(_Lasting):
    """Change a number of cards, of a seat or of a City."""

    op: Literal["mod"]
    what: Literal[
        "cost", "invoke", "offering", "strength", "weight", "keep_weight", "type", "wealth_actions", "prize_uses",
        "offerings", "hand_limit", "coin_limit", "city_limit", "war_total", "war_opposing", "never_war",
    ]  # fmt: skip
    sel: Selector | None = None
    who: SeatName | None = None
    city: CityName | None = None
    by: Amount | None = None
    set: Amount | TypeName | None = None


class Grant(_Lasting):
    """Allow something extra."""

    op: Literal["grant"]
    who: SeatName = "you"
    what: Literal[
        "wealth_action", "prize_use", "offering", "challenge", "win_ties", "extra_turn", "portent_use", "play_in",
    ]  # fmt: skip
    n: Amount = 1
    sel: Selector | None = None
    step: Annotated[tuple[StepName, ...], Field(min_length=1)] | None = None


class Forbid(_Lasting):
    """Forbid something."""

    op: Literal["forbid"]
    who: SeatName | None = None
    sel: Selector | None = None
    city: CityName | None = None
    what: Literal[
        "play", "hand_use", "invoke", "use_prize", "draw", "coins", "offer", "enter", "move", "destroy", "discard",
        "enrage",
    ]  # fmt: skip


class Cancel(_Effect):
    """Cancel the event."""

    op: Literal["cancel"]


class Replace(_Effect):
    """Carry out other effects instead of the event."""

    op: Literal["replace"]
    do: Block


class Score(_Effect):
    """Give points at the end."""

    op: Literal["score"]
    who: SeatName = "you"
    n: Amount = 1


class Option(CardModel):
    """One of the options of a choice."""

    label: str = Field(min_length=1, max_length=60)
    do: Block


class Choose(_Effect):
    """Carry out some of several options."""

    op: Literal["choose"]
    n: Annotated[int, Field(ge=1, le=4)] = 1
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=4)]
    who: SeatName = "you"

    @model_validator(mode="after")
    def _check_number(self) -> Choose:
        if self.n > len(self.options):
            raise ValueError("n must not be more than the number of options")
        return self


class May(_Effect):
    """Carry out effects, or skip them."""

    op: Literal["may"]
    do: Block
    who: SeatName = "you"


class Pay(_Effect):
    """Carry out effects for a cost."""

    op: Literal["pay"]
    cost: Cost
    then: Block
    else_: Block | None = Field(None, alias="else")
    who: SeatName = "you"


class If(_Effect):
    """Carry out effects that depend on a condition."""

    op: Literal["if"]
    cond: Pred
    then: Block
    else_: Block | None = Field(None, alias="else")


class ForEach(_Effect):
    """Carry out effects for each card, City or seat."""

    op: Literal["for_each"]
    over: Literal["cities", "seats"] | Selector
    as_: Var = Field(alias="as")
    do: Block


class Repeat(_Effect):
    """Repeat effects."""

    op: Literal["repeat"]
    n: Amount
    do: Block
    may: bool = False


class Let(_Effect):
    """Bind a number to a variable."""

    op: Literal["let"]
    name: Var
    amount: Amount


class Name(_Effect):
    """Name a type, trait, number or seat."""

    op: Literal["name"]
    what: Literal["type", "trait", "number", "seat"]
    as_: Var = Field(alias="as")
    max: Annotated[int, Field(ge=1, le=20)] = 20


class ChooseCity(_Effect):
    """Choose a City."""

    op: Literal["choose_city"]
    as_: Var = Field(alias="as")
    city: Literal["any", "other"] = "any"
    cond: Pred | None = None


Effect: TypeAlias = Annotated[
    Draw | Coins | LoseCoins | TakeCoins | Discard | Look | Reveal | Put | Shuffle | Deploy | Destroy | Return | Move
    | Seize | Give | Swap | Enrage | Unrage | Run | TakePrize | ReadyPrize | ShedPrize | RelicEffect | Claim | Mod
    | Grant | Forbid | Cancel | Replace | Score | Choose | May | Pay | If | ForEach | Repeat | Let | Name | ChooseCity
    | Resolve | Counter | Later | Roll,
    Field(discriminator="op"),
]  # fmt: skip


EFFECTS = get_args(get_args(Effect)[0])
"""The models of all effects."""


class Ability(Described):
    """One ability (section 10.4)."""

    hook: HookName
    label: str | None = Field(None, min_length=1, max_length=40)
    may: bool = False
    when: Pred | None = None
    in_: Literal["city", "hand", "used"] | None = Field(None, alias="in")
    step: Annotated[tuple[StepName, ...], Field(min_length=1)] | None = None
    turn: Literal["own", "opp", "any"] | None = None
    event: EventFilter | None = None
    timing: Literal["before", "after"] | None = None
    limit: Literal["turn", "game"] | None = None
    cost: Cost | None = None
    cond: Pred | None = None
    do: Block | None = None
