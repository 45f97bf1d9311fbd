"""Names, numbers, selectors and conditions of card data (section 6.7 of RULES.md), as models.

Short forms are converted to full ones, so that a set has one normal form: ``n: 2`` is ``n: {const: 2}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema

from cext.geometry.units import LAST
from gamepacks.api.cards import CardModel
from gamepacks.olomoc.constants import CORRUPTED

Id = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        pattern=r"^[a-z0-9][a-z0-9-]*$",
        json_schema_extra={
            "patternErrorMessage": "must have small letters, digits and hyphens only, and not begin with a hyphen"
        },
    ),
]
"""Id of a card, a tag or a counter."""
Name = Annotated[str, Field(min_length=1, max_length=40)]
"""A name that players see (OLO-V-23)."""
Text = Annotated[str, Field(max_length=400)]
"""A text that explains a card to players."""
Inches = Annotated[float, Field(ge=0, le=25, multiple_of=0.01)]
Size = Literal[30, 40, 50]
Axis = Annotated[int, Field(ge=0, le=LAST)]
"""A coordinate in lattice steps."""
Bound = Annotated[
    str,
    Field(
        pattern=r"^[a-z][a-z0-9_]{0,20}$",
        json_schema_extra={
            "patternErrorMessage": "must be a word of at most 21 small letters, digits and _ that begins with a letter"
        },
    ),
]
Who = Bound
"""A name bound where the effect runs: self, target, attacker, ..., or one bound by ``as``."""
PlayerName = Annotated[
    str,
    Field(
        pattern=r"^(owner|opponent|active|passive|priority|both|of\([a-z][a-z0-9_]{0,20}\))$",
        json_schema_extra={
            "patternErrorMessage": "must be one of owner, opponent, active, passive, priority, both, or of(NAME)"
        },
    ),
]
"""A player; ``of(target)`` is the player of a rouage."""
Caps = Annotated[tuple[Bound | Id, ...], Field(max_length=16)]
"""Capacities: names of generic ones, ids of others, ``attack`` for all that attack; none: all."""

StatName = Literal["technique", "combat", "shoot", "dodge"]
StatusName = Literal["healthy", "tainted", "corrupted"]
StateName = Literal["stunned"]
MinistryName = Literal["coordination", "integrite", "effort", "progres", "harmonie", "edification", "securite"]
AffiliationName = Literal[
    "coordination", "integrite", "effort", "progres", "harmonie", "edification", "securite", "axe", "frange"
]
Edge = Literal["N", "E", "S", "W"]
CauseName = Literal["start", "tie", "effect"]
Compare = Literal["<", "<=", "=", ">=", ">", "!="]
Duration = Literal["roll", "attack", "card", "phase", "next_phase", "hostile_phase", "cycle", "game"]
Direction = Literal["towards", "away", "directly_towards", "directly_away"]

VAL_HEADS = ("const", "successes", "face", "die", "count", "stat", "what", "token")


class Val(CardModel):
    """A number: one of the first eight fields is its source; ``mul`` and ``add`` change it, ``min`` and ``max`` limit
    it."""

    const: int | None = Field(None, ge=-100, le=100, description="A fixed number; short form: the number itself.")
    successes: Literal[True] | None = Field(None, description="Successes of the roll; short form: the text successes.")
    face: Literal[True] | None = Field(None, description="Number on the die; short form: the text face.")
    die: Literal["d6", "d3"] | None = Field(None, description="A die that is rolled for the number.")
    count: Selector | None = Field(None, description="Number of elements that match.")
    stat: StatName | None = Field(None, description="A characteristic of ``of``.")
    what: Literal["ap", "noirceur", "rank", "boxes_ticked", "boxes_left"] | None = Field(
        None, description="A number that ``of`` has."
    )
    token: Id | None = Field(None, description="A counter of the agenda.")
    of: Who | None = None
    player: PlayerName | None = Field(None, description="Owner of the counter, for ``player_tokens``; not both.")
    mul: int = Field(1, ge=-10, le=10)
    add: int = Field(0, ge=-100, le=100)
    min: int | None = Field(None, ge=-100, le=100)
    max: int | None = Field(None, ge=-100, le=100)

    @model_validator(mode="before")
    @classmethod
    def _short(cls, given: Any) -> Any:
        if isinstance(given, int) and not isinstance(given, bool):
            return {"const": given}
        if given in ("successes", "face"):
            return {given: True}
        return given

    @model_validator(mode="after")
    def _one(self) -> Self:
        heads = [name for name in VAL_HEADS if getattr(self, name) is not None]
        if len(heads) != 1:
            raise ValueError(f"must have exactly one of {', '.join(VAL_HEADS)}")
        if (heads[0] in ("stat", "what")) != (self.of is not None):
            raise ValueError("of must be set with stat and what, and only with these")
        if self.player is not None and (self.token is None or self.player == "both"):
            raise ValueError("player is allowed only with token, and must be a single player")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        full = handler.resolve_ref_schema(handler(core_schema))
        properties = dict(full)
        full.clear()
        full["anyOf"] = [{"type": "integer"}, {"enum": ["successes", "face"]}, properties]
        return full


class Selector(CardModel):
    """Elements that match all of the given conditions."""

    kind: Literal["rouage", "marker", "scenery"] = "rouage"
    side: Literal["ally", "enemy", "foe", "hostile", "player", "any"] | None = Field(
        None, description="Default ally (OLO-GEN-05); any on a card without an owner."
    )
    where: Literal["bloc", "off", "any"] | None = Field(
        None, description="Default bloc; any on Artefact cards, unless their scope is bloc (OLO-MECH-04)."
    )
    within: Inches | None = Field(None, description="Maximum distance from ``of`` in inches.")
    of: Who | None = None
    contact: Who | None = Field(None, description="In contact with it.")
    sight: Who | None = Field(None, description="Seen by it.")
    zone_of: Who | None = Field(None, description="In its threat zone.")
    zone: Id | None = Field(None, description="In the zone of a marker with this tag, or on zone scenery with it.")
    status: tuple[StatusName, ...] = ()
    state: tuple[StateName, ...] = ()
    rank_min: int | None = Field(None, ge=0, le=9)
    rank_max: int | None = Field(None, ge=0, le=9)
    ministry: AffiliationName | None = None
    name: Id | None = Field(None, description="Id of a profile or hostile.")
    tag: Id | None = Field(None, description="Tag of markers or pieces.")
    not_self: bool | None = Field(
        None,
        description="Excludes the bearer; default true for a rouage's own capacity (OLO-GEN-07), "
        "but not for the target of ``on``.",
    )
    pick: Literal["all", "nearest", "farthest", "highest_rank", "lowest_rank", "choose"] = "all"
    by: PlayerName = "owner"
    count: Val = Field(default_factory=lambda: Val(const=1))
    up_to: bool = False

    @model_validator(mode="after")
    def _check_combination(self) -> Self:
        if self.within is not None and self.of is None:
            raise ValueError("within must be used together with of")
        if self.of is not None and self.within is None and self.pick not in ("nearest", "farthest"):
            raise ValueError("of is allowed only with within, or with pick nearest or farthest")
        if self.pick in ("nearest", "farthest") and self.of is None:
            raise ValueError(f"pick {self.pick} must be used together with of")
        if self.kind != "rouage" and (self.side or self.where or self.status or self.state or self.ministry):
            raise ValueError("side, where, status, state and ministry are allowed only for rouages")
        return self


class Used(CardModel):
    """The number of uses of a capacity in this phase."""

    caps: Caps
    of: Who = "self"
    max: int = Field(ge=0, le=20)


COND_HEADS = (
    "exists",
    "free",
    "engaged",
    "engages",
    "on_bloc",
    "in_cover",
    "status",
    "state",
    "noirceur_min",
    "rank_cmp",
    "contact",
    "within",
    "cycle",
    "phase",
    "priority",
    "ministry_revealed",
    "active",
    "cmp",
    "used",
    "cause",
    "not_",
    "all_",
    "any_",
    "is_",
    "same",
)
_WITH_OF = {"engages", "status", "state", "noirceur_min", "is_"}


class Cond(CardModel):
    """A condition: exactly one of its kinds, with its operands."""

    exists: Selector | None = None
    min: int | None = Field(None, ge=1, le=20, description="Minimum number for exists; default 1.")
    free: Who | None = None
    engaged: Who | None = None
    engages: Who | None = Field(None, description="The rouage engages ``of``.")
    on_bloc: Who | None = None
    in_cover: Who | None = None
    status: StatusName | None = Field(None, description="Of ``of``.")
    state: StateName | None = Field(None, description="Of ``of``.")
    noirceur_min: int | None = Field(None, ge=0, le=CORRUPTED, description="Of ``of``.")
    of: Who | None = None
    rank_cmp: tuple[Who, Compare, Who] | None = None
    contact: tuple[Who, Who] | None = None
    within: tuple[Who, Who, Inches] | None = None
    cycle: tuple[Annotated[int, Field(ge=1, le=4)], ...] | None = None
    phase: tuple[Annotated[int, Field(ge=0, le=6)], ...] | None = Field(
        None, description="0: before the first phase; 1 to 5; 6: the hostile phase."
    )
    priority: PlayerName | None = Field(None, description="This player holds priority.")
    ministry_revealed: PlayerName | None = Field(None, description="This player's ministry is revealed.")
    active: Who | None = None
    cmp: tuple[Val, Compare, Val] | None = None
    used: Used | None = None
    cause: CauseName | None = Field(None, description="Cause of the Mechanism that triggered.")
    not_: Cond | None = Field(None, alias="not")
    all_: tuple[Cond, ...] | None = Field(None, alias="all", min_length=1, max_length=8)
    any_: tuple[Cond, ...] | None = Field(None, alias="any", min_length=1, max_length=8)
    is_: Selector | None = Field(None, alias="is", description="``of`` matches the selector.")
    same: tuple[Who, Who] | None = Field(None, description="Both names are bound to the same element.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        heads = [name for name in COND_HEADS if getattr(self, name) is not None]
        if len(heads) != 1:
            raise ValueError(f"must have exactly one of {', '.join(name.rstrip('_') for name in COND_HEADS)}")
        if (heads[0] in _WITH_OF) != (self.of is not None):
            raise ValueError("of must be set with engages, status, state, noirceur_min and is, and only with these")
        if self.min is not None and heads[0] != "exists":
            raise ValueError("min is allowed only with exists")
        return self


BASE_NAMES: Mapping[str, int] = {
    name: number
    for number, name in enumerate(
        ("self", "target", "attacker", "defender", "mover", "victim", "killer", "each", "picked", "main")
    )
}
"""The names that the engine binds, by their number in ``constants.Who``."""
STATS: tuple[str, ...] = get_args(StatName)
