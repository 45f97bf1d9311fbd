"""The effects of card data (section 6.7 of RULES.md), as models: a closed list, distinguished by ``op``."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gamepacks.api.cards import CardModel
from gamepacks.olomoc.cards.vocabulary import (
    Axis,
    Bound,
    Caps,
    Cond,
    Direction,
    Duration,
    Edge,
    Id,
    Inches,
    Name,
    PlayerName,
    Selector,
    Size,
    StateName,
    StatName,
    Val,
    Who,
)


class Wound(CardModel):
    """Inflicts wounds: those of an attack if the capacity attacks (OLO-LIFE-02), otherwise plain ones (OLO-LIFE-07)."""

    op: Literal["wound"]
    who: Who
    n: Val


class Heal(CardModel):
    """Unticks the last boxes."""

    op: Literal["heal"]
    who: Who
    n: Val


class Noirceur(CardModel):
    """Gives Noirceur, which is received one by one (OLO-NOIR-04); a negative number removes it."""

    op: Literal["noirceur"]
    who: Who
    n: Val


class Fiel(CardModel):
    """Gives a player Fiel (OLO-FIEL-01)."""

    op: Literal["fiel"]
    player: PlayerName
    n: Val


class Traque(CardModel):
    """Raises the hunt (OLO-TRAQ-01)."""

    op: Literal["traque"]
    n: Val


class SetState(CardModel):
    """Adds or removes a state token (OLO-STATE-01)."""

    op: Literal["state"]
    who: Who
    state: StateName
    set: bool


class Push(CardModel):
    """A push (OLO-PUSH-01)."""

    op: Literal["push"]
    who: Who
    dir: Direction | None = None
    of: Who | None = None
    by: PlayerName = "owner"

    @model_validator(mode="after")
    def _check_direction(self) -> Self:
        _check_dir_and_of(self)
        return self


class Place(CardModel):
    """A placement (OLO-PLACE-01) within a number of inches of ``of``, or in contact with ``contact``."""

    op: Literal["place"]
    who: Who
    within: Inches | None = None
    of: Who | None = None
    contact: Who | None = None
    by: PlayerName = "owner"
    up_to: bool = False

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.within is None) != (self.of is None) or (self.within is None) == (self.contact is None):
            raise ValueError("must have either within and of, or contact")
        return self


class Move(CardModel):
    """A move (OLO-MOVE-05); it draws opportunity attacks."""

    op: Literal["move"]
    who: Who
    ruler: Literal["any", "move", "push", "base"] = "any"
    dir: Direction | None = None
    of: Who | None = None
    count: bool = Field(False, description="Counts as a march (OLO-MARCH-01).")
    by: PlayerName = "owner"
    up_to: bool = False

    @model_validator(mode="after")
    def _check_direction(self) -> Self:
        _check_dir_and_of(self)
        return self


def _check_dir_and_of(effect: Push | Move) -> None:
    if (effect.dir is None) != (effect.of is None):
        raise ValueError("dir and of must be used together")


class Ap(CardModel):
    """Gives or takes action tokens, within the number given at the start of the cycle (OLO-AP-02)."""

    op: Literal["ap"]
    who: Who
    n: Val


class On(CardModel):
    """The rolls to which a modifier applies."""

    who: Who | Literal["any"] = Field("self", description="Rouage whose rolls are meant; any: all rouages.")
    role: Literal["any", "attacker", "defender"] = "any"
    caps: Caps = ()
    stats: tuple[StatName, ...] = ()
    target: Selector | None = Field(None, description="Condition on the target of the roll.")


class Mod(CardModel):
    """A modifier of rolls (OLO-ROLL-07)."""

    op: Literal["mod"]
    on: On = On()
    dice: Val = Val(const=0)
    difficulty: Val = Val(const=0)
    successes: Val = Val(const=0)
    until: Duration = Field(alias="for")
    name: Name | None = None


class SetStat(CardModel):
    """Changes a characteristic."""

    op: Literal["stat"]
    who: Who
    stat: StatName
    add: Val | None = None
    set: Val | None = None
    until: Duration = Field(alias="for")
    name: Name | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.add is None) == (self.set is None):
            raise ValueError("must have exactly one of add and set")
        return self


class Reroll(CardModel):
    """Repeats the roll that triggered the effect, if it matches ``on``; with ``max``, at most that many of its
    dice."""

    op: Literal["reroll"]
    on: On = On()
    failures_only: bool = False
    max: Val | None = None


class Protect(CardModel):
    """Reduces the wounds of each attack before they reach the boxes."""

    op: Literal["protect"]
    who: Who
    n: Val
    until: Duration = Field(alias="for")
    name: Name | None = None


class Roll(CardModel):
    """A characteristic roll (OLO-ROLL-01), with support and fate; ``successes`` is bound in ``then``."""

    op: Literal["roll"]
    who: Who = "self"
    stat: StatName
    target: Who | None = None
    then: tuple[Effect, ...] = Field((), max_length=12)
    otherwise: tuple[Effect, ...] = Field((), alias="else", max_length=12)


class Die(CardModel):
    """A single die: a list of effects for each face, or one list for all."""

    op: Literal["die"]
    kind: Literal["d6", "d3"]
    table: tuple[tuple[Effect, ...], ...] = Field((), description="By face, from 1.")
    then: tuple[Effect, ...] = Field((), max_length=12)

    @model_validator(mode="after")
    def _one(self) -> Self:
        if bool(self.table) == bool(self.then) or (self.table and len(self.table) != int(self.kind[1])):
            raise ValueError("must have either then, or a table with a list for each face")
        return self


class MakeAttack(CardModel):
    """Makes an attack now."""

    op: Literal["attack"]
    who: Who = "self"
    kind: Literal["frontal", "ranged", "charge"]
    target: Who
    free: bool = True
    count: bool = Field(True, description="Counts against the limit of the phase (OLO-ATT-01).")
    mods: tuple[Mod, ...] = Field((), max_length=4)


class At(CardModel):
    """A spot: exactly one of these."""

    at: tuple[Axis, Axis] | None = None
    near: Who | None = None
    near_tag: Id | None = None
    edge: Edge | None = Field(None, description="The middle of an edge.")
    centre: Literal[True] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(part is not None for part in (self.at, self.near, self.near_tag, self.edge, self.centre)) != 1:
            raise ValueError("must have exactly one of at, near, near_tag, edge and centre")
        return self


class Spawn(CardModel):
    """Adds hostiles (OLO-HOST-01), as near as possible to the spot (OLO-GEO-73)."""

    op: Literal["spawn"]
    profile: Id
    n: int = Field(1, ge=1, le=4)
    spot: At


class Despawn(CardModel):
    """Removes a hostile or marker from the board."""

    op: Literal["despawn"]
    who: Who


class MarkerEffect(CardModel):
    """Places a marker, moves it to a spot, or removes it."""

    op: Literal["marker"]
    do: Literal["put", "move", "remove"]
    who: Who | None = None
    size: Size | None = None
    tag: Id | None = None
    spot: At | None = None
    tainted: bool = False

    @model_validator(mode="after")
    def _needs(self) -> Self:
        wanted = {"put": ("size", "tag", "spot"), "move": ("who", "spot"), "remove": ("who",)}[self.do]
        given = tuple(name for name in ("who", "size", "tag", "spot") if getattr(self, name) is not None)
        if set(given) != set(wanted):
            raise ValueError(f"{self.do} must have exactly the fields {', '.join(wanted)}")
        return self


class Taint(CardModel):
    """Makes a piece of scenery or a marker tainted or clean (OLO-SCEN-03)."""

    op: Literal["taint"]
    element: Who
    set: bool


class Token(CardModel):
    """Changes a counter of the agenda; ``player`` is its owner, if it is one of ``player_tokens``."""

    op: Literal["token"]
    name: Id
    player: PlayerName | None = None
    n: Val | None = None
    set: Val | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.n is None) == (self.set is None):
            raise ValueError("must have exactly one of n and set")
        return self


class Vp(CardModel):
    """Gives victory points; a total never falls below 0."""

    op: Literal["vp"]
    player: PlayerName
    n: Val


class Mechanism(CardModel):
    """Draws Artefact cards (OLO-MECH-01)."""

    op: Literal["mechanism"]
    n: int = Field(1, ge=1, le=3)


class Priority(CardModel):
    """Gives a player priority (OLO-PRIO-01)."""

    op: Literal["priority"]
    player: PlayerName


class Forbid(CardModel):
    """Forbids capacities."""

    op: Literal["forbid"]
    who: Who
    caps: Caps
    until: Duration = Field(alias="for")
    name: Name | None = None


class Permit(CardModel):
    """Makes capacities free of cost, allows further uses, or lifts conditions."""

    op: Literal["permit"]
    who: Who
    caps: Caps
    free: bool = False
    extra: int = Field(0, ge=0, le=2)
    ignore: tuple[Literal["free", "nearest", "sight", "cover", "long_range", "engaged"], ...] = ()
    until: Duration = Field(alias="for")
    name: Name | None = None

    @model_validator(mode="after")
    def _check_not_empty(self) -> Self:
        if not (self.free or self.extra or self.ignore):
            raise ValueError("must have at least one of free, extra and ignore")
        return self


class Activate(CardModel):
    """Runs hostiles (OLO-HPH-03), or activates a rouage, without coordination."""

    op: Literal["activate"]
    who: Who | None = None
    of: Selector | None = None
    n: int = Field(1, ge=1, le=10)
    by: PlayerName = "active"

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.who is None) == (self.of is None):
            raise ValueError("must have exactly one of who and of")
        return self


class Plan(CardModel):
    """Looks at, reveals, swaps or moves planning cards; a swap keeps the constraints of ministries."""

    op: Literal["plan"]
    do: Literal["peek", "reveal", "swap", "move"]
    player: PlayerName
    slots: tuple[Annotated[int, Field(ge=1, le=5)], ...] = Field((1, 2, 3, 4, 5), min_length=1)


class Sight(CardModel):
    """Switches cover or the blocking of sight for a rouage or a piece of scenery."""

    op: Literal["sight"]
    who: Who
    cover: Literal["none", "always"] | None = None
    blocks: Literal["none"] | None = None
    until: Duration = Field(alias="for")

    @model_validator(mode="after")
    def _check_not_empty(self) -> Self:
        if self.cover is None and self.blocks is None:
            raise ValueError("must have cover or blocks")
        return self


class PickOne(CardModel):
    """Picks elements; the last one is bound to ``picked``."""

    op: Literal["pick"]
    of: Selector
    bind: Bound | None = Field(None, alias="as")


class Each(CardModel):
    """Carries out effects for every element, in an order chosen by the owner."""

    op: Literal["each"]
    of: Selector
    bind: Bound = Field("each", alias="as")
    do: tuple[Effect, ...] = Field(min_length=1, max_length=12)


class Option(CardModel):
    """An option of a choice, with its effects."""

    text: Name
    do: tuple[Effect, ...] = Field((), max_length=12)


class Choose(CardModel):
    """Lets a player choose one of several lists of effects."""

    op: Literal["choose"]
    by: PlayerName = "owner"
    options: tuple[Option, ...] = Field(min_length=2, max_length=8)
    optional: bool = False


class If(CardModel):
    """Carries out effects that depend on a condition."""

    op: Literal["if"]
    cond: Cond
    then: tuple[Effect, ...] = Field((), max_length=12)
    otherwise: tuple[Effect, ...] = Field((), alias="else", max_length=12)


class Skip(CardModel):
    """Skips the named step."""

    op: Literal["skip"]
    what: Literal["rest", "entry", "activation"]


Effect = Annotated[
    Wound
    | Heal
    | Noirceur
    | Fiel
    | Traque
    | SetState
    | Push
    | Place
    | Move
    | Ap
    | Mod
    | SetStat
    | Reroll
    | Protect
    | Roll
    | Die
    | MakeAttack
    | Spawn
    | Despawn
    | MarkerEffect
    | Taint
    | Token
    | Vp
    | Mechanism
    | Priority
    | Forbid
    | Permit
    | Activate
    | Plan
    | Sight
    | PickOne
    | Each
    | Choose
    | If
    | Skip,
    Field(discriminator="op"),
]

Effects = Annotated[tuple[Effect, ...], Field(max_length=12)]
