"""Pydantic models of the cards of Olomòc (section 6 of RULES.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import Field, create_model, model_validator

from cext.geometry.units import LAST
from gamepacks.api.cards import CardFile, CardFinding, CardModel
from gamepacks.olomoc.cards.effects import Effects
from gamepacks.olomoc.cards.vocabulary import (
    AffiliationName,
    Axis,
    Cond,
    Edge,
    Id,
    Inches,
    MinistryName,
    Name,
    Selector,
    Size,
    Text,
)
from gamepacks.olomoc.constants import CORRUPTED
from gamepacks.olomoc.options import OMITTED_VALUES, OlomocOptions

EventName = Literal[
    "cycle_start", "mechanism", "planned", "revealed", "activated", "activation_end", "card_end", "phase_end",
    "hostile_phase_start", "hostile_phase_end", "cycle_end", "game_end", "entered_bloc", "move_announced", "moved",
    "entered", "left", "contact", "attack_declared", "reaction", "rolled", "attack_end", "wounded", "out", "noirceur",
    "stunned", "used", "coordinated",
]  # fmt: skip


class Cost(CardModel):
    """A cost: tokens paid and Noirceur received (OLO-CAP-03)."""

    ap: int = Field(0, ge=0, le=4)
    noirceur: int = Field(0, ge=0, le=CORRUPTED)


class Freq(CardModel):
    """A frequency: the maximum number of uses in a period (OLO-CAP-02)."""

    n: int = Field(1, ge=1, le=9)
    per: Literal["phase", "cycle", "game"]


class When(CardModel):
    """The moment of a permanent capacity. Short form: the event alone."""

    event: EventName
    zone: Id | None = Field(
        None, description="For the events entered and left: a tag; if it is missing, a foe's threat zone."
    )
    what: Selector | None = Field(None, description="For the event contact: the elements that are touched.")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, given: object) -> object:
        return {"event": given} if isinstance(given, str) else given

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.zone is not None and self.event not in ("entered", "left"):
            raise ValueError("zone is allowed only with the events entered and left")
        if (self.what is not None) != (self.event == "contact"):
            raise ValueError("what must be set for the event contact, and only for it")
        return self


class Capacity(CardModel):
    """A specific capacity of a profile, gear or agenda."""

    id: Id
    name: Name
    text: Text = ""
    timing: Literal["active", "permanent"]
    cost: Cost = Cost()
    freq: Freq | None = None
    attack: Literal["none", "frontal", "ranged", "other"] = "none"
    cond: Cond | None = Field(None, alias="if")
    target: Selector | None = None
    sight: bool = Field(True, description="The target must be seen (OLO-LOS-05).")
    on: When | None = Field(None, description="If it is missing, a permanent capacity is always in force.")
    optional: bool = True
    do: Effects = Field(min_length=1)
    off_bloc: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.timing == "active" and self.on is not None:
            raise ValueError("on is allowed only for permanent capacities")
        if self.target is not None and self.target.pick != "choose":
            raise ValueError("target must have pick: choose")
        if self.timing == "permanent" and self.on is None and (self.cost != Cost() or self.freq or self.target):
            raise ValueError("a permanent capacity without on must not have a cost, freq or target")
        return self


Figure = Annotated[int, Field(ge=0, le=9)]
Life = Annotated[
    str,
    Field(
        pattern=r"^[SRT]{1,20}$",
        json_schema_extra={"patternErrorMessage": "must have 1 to 20 letters, each S, R or T"},
    ),
]
Digits = Annotated[
    str,
    Field(
        pattern=r"^[12][0-9]{0,5}$",
        json_schema_extra={"patternErrorMessage": "must have 1 to 6 digits in quotes, the first 1 or 2"},
    ),
]


class Body(CardModel):
    """Base class of players' rouages and hostiles."""

    id: Id
    name: Name
    text: Text = ""
    ministries: tuple[AffiliationName, ...] = ()
    base: Size
    technique: Figure
    combat: Figure
    shoot: Figure
    dodge: Figure
    life: Life
    capacities: tuple[Capacity, ...] = Field((), max_length=8)

    @model_validator(mode="after")
    def _life(self) -> Self:
        if set(self.life) == {"R"}:
            raise ValueError("life must have at least one box S or T (OLO-V-03)")
        return self


class Profile(Body):
    """A rouage of a player."""

    factions: tuple[Id, ...] = Field(min_length=1)
    ministries: tuple[AffiliationName, ...] = Field(min_length=1)
    rank: int = Field(ge=1, le=3)
    ap: int = Field(4, ge=1, le=8)
    capacities: tuple[Capacity, ...] = Field(min_length=1, max_length=8)
    known: tuple[str, ...] = Field((), description="Fields whose values the rulebook states; the others are invented.")

    @model_validator(mode="after")
    def _known(self) -> Self:
        if unknown := sorted(set(self.known) - set(type(self).model_fields)):
            raise ValueError(f"known names fields that do not exist: {', '.join(unknown)}")
        return self


class Line(CardModel):
    """A line of an Instinct (section 6.4)."""

    cond: Cond | None = Field(None, alias="if")
    do: Literal["frontal", "shoot", "charge", "move", "rest", "use", "stop"]
    mode: Literal["directly_towards", "towards", "away", "directly_away"] = "directly_towards"
    use: Id | None = Field(None, description="For do: use, a capacity of the hostile.")
    target: tuple[
        Literal[
            "highest_rank", "nearest", "lowest_rank", "farthest", "most_noirceur", "fewest_boxes", "corrupted_first",
            "engaged_by_me", "in_sight",
        ], ...,
    ] = ("highest_rank", "nearest")  # fmt: skip

    @model_validator(mode="after")
    def _use(self) -> Self:
        if (self.use is not None) != (self.do == "use"):
            raise ValueError("use must be set for do: use, and only for it")
        return self


class Reactions(CardModel):
    """Reactions of a hostile in a phase (OLO-HOST-05)."""

    riposte: int = Field(1, ge=0, le=9)
    dodge: int = Field(1, ge=0, le=9)
    opportunity: int = Field(1, ge=0, le=9)
    prefer: tuple[Literal["riposte", "dodge"], ...] = Field(("dodge", "riposte"), min_length=1, max_length=2)


class Hostile(Body):
    """A hostile."""

    rank: int = Field(0, ge=0, le=9)
    acts: int = Field(2, ge=1, le=4)
    instinct: tuple[Line, ...] = Field(min_length=1, max_length=12)
    reactions: Reactions = Reactions()


class Belongs(CardModel):
    """The affiliation of a gear card: exactly one (OLO-V-10)."""

    ministry: MinistryName | Literal["frange"] | None = None
    faction: Id | None = None
    rouage: Id | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(part is not None for part in (self.ministry, self.faction, self.rouage)) != 1:
            raise ValueError("must have exactly one of ministry, faction and rouage")
        return self


class Gear(CardModel):
    """Equipment or a gift."""

    id: Id
    name: Name
    text: Text = ""
    kind: Literal["equipment", "don"]
    affiliation: Belongs
    capacities: tuple[Capacity, ...] = Field(min_length=1, max_length=4)


class Ministry(CardModel):
    """A ministry card."""

    id: Id
    name: Name
    text: Text = ""
    affiliation: MinistryName | Literal["axe"]
    rank: int = Field(ge=0, le=9)
    slots: tuple[Annotated[int, Field(ge=1, le=5)], ...] = Field(min_length=1)
    copies: int = Field(1, ge=1, le=2)
    do: Effects


class Artefact(CardModel):
    """An Artefact card, or several with one effect."""

    id: Id
    name: Name
    text: Text = ""
    number: Digits | None = None
    numbers: tuple[Digits, ...] = ()
    copies: int = Field(1, ge=1, le=12)
    scope: Literal["all", "bloc"] = "all"
    do: Effects

    @model_validator(mode="after")
    def _numbered(self) -> Self:
        if (self.number is None) == (not self.numbers):
            raise ValueError("must have exactly one of number and numbers")
        if self.numbers and len(self.numbers) != self.copies:
            raise ValueError(f"numbers has {len(self.numbers)} entries for {self.copies} copies")
        return self

    def printed(self) -> tuple[str, ...]:
        """The number of each copy."""
        return self.numbers or (self.number or "",) * self.copies


class Marker(CardModel):
    """A marker that lies on the board from the start."""

    tag: Id
    size: Size
    x: Axis
    y: Axis
    tainted: bool = False
    zone: Inches | None = Field(None, description="Radius of its zone in inches, from the edge of the marker.")


class HostileAt(CardModel):
    """A hostile that is on the board from the start."""

    profile: Id
    x: Axis
    y: Axis


class Agenda(CardModel):
    """A mission."""

    id: Id
    name: Name
    text: Text = ""
    edges: tuple[Edge, Edge]
    layout: Id | None = None
    markers: tuple[Marker, ...] = Field((), max_length=24)
    hostiles: tuple[HostileAt, ...] = Field((), max_length=10)
    capacities: tuple[Capacity, ...] = Field((), max_length=16)
    rules: tuple[Capacity, ...] = Field((), max_length=16)
    tokens: tuple[Id, ...] = Field((), max_length=16)
    """Counters that both players share."""
    player_tokens: tuple[Id, ...] = Field((), max_length=8)
    """Counters that each player has."""


Corner = tuple[Annotated[int, Field(ge=-LAST, le=LAST)], Annotated[int, Field(ge=-LAST, le=LAST)]]


class Shape(CardModel):
    """A polygon, or a disc (x, y, radius in ticks), in lattice steps."""

    poly: tuple[Corner, ...] | None = Field(None, min_length=3, max_length=64)
    disc: (
        tuple[
            Annotated[int, Field(ge=-LAST, le=LAST)],
            Annotated[int, Field(ge=-LAST, le=LAST)],
            Annotated[int, Field(ge=1, le=60_000)],
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.poly is None) == (self.disc is None):
            raise ValueError("must have exactly one of poly and disc")
        return self


class Piece(CardModel):
    """A piece of scenery, with coordinates relative to its origin."""

    id: Id
    name: Name
    shape: Shape
    obstructing: bool = True
    zone: bool = False
    tainted: bool = False
    tag: Id | None = None


class PieceAt(CardModel):
    """A piece of scenery on a board, rotated by ``rotation`` times 22.5 degrees."""

    piece: Id
    at: tuple[Axis, Axis]
    rotation: int = Field(0, ge=0, le=15)
    tainted: bool | None = Field(None, description="Default: the value of the piece.")


class Layout(CardModel):
    """A board."""

    id: Id
    name: Name
    pieces: tuple[PieceAt, ...] = Field((), max_length=32)
    markers: tuple[Marker, ...] = Field((), max_length=16)


class Faction(CardModel):
    """A faction."""

    id: Id
    name: Name


CardValues = create_model(  # type: ignore[call-overload]
    "CardValues",
    __base__=CardModel,
    __doc__="Values that the rulebook omits, as printed on an owner's cards (section 2.1).",
    **{
        name: (int | None, Field(None, description=OlomocOptions.model_fields[name].description))
        for name in OMITTED_VALUES
    },
)


class OlomocCards(CardFile):
    """A card set of Olomòc."""

    game: Literal["olomoc"]
    language: str = Field("en", max_length=20)
    author: str = Field("", max_length=120)
    notes: str = Field("", max_length=2000)
    options: CardValues = CardValues()
    exclusive_factions: bool = Field(False, description="In a draft the players must play different factions.")
    factions: tuple[Faction, ...] = Field(min_length=1, max_length=16)
    profiles: tuple[Profile, ...] = Field(min_length=3, max_length=128)
    hostiles: tuple[Hostile, ...] = Field((), max_length=32)
    gear: tuple[Gear, ...] = Field(min_length=3, max_length=128)
    ministries: tuple[Ministry, ...]
    artefacts: tuple[Artefact, ...]
    agendas: tuple[Agenda, ...] = Field(min_length=1, max_length=32)
    pieces: tuple[Piece, ...] = Field((), max_length=32)
    layouts: tuple[Layout, ...] = Field((), max_length=32)

    def check(self) -> Iterable[CardFinding]:
        """Yield faults across cards: references, counts, effects; of boards if references are valid (section 7)."""
        from gamepacks.olomoc.cards.board_checks import board_faults
        from gamepacks.olomoc.cards.cabale_checks import cabale_faults
        from gamepacks.olomoc.cards.checks import card_faults
        from gamepacks.olomoc.cards.selector_checks import selector_faults

        for fault in card_faults(self) or selector_faults(self) or board_faults(self) or cabale_faults(self):
            yield CardFinding(fault.place(self), fault.message)

    def warnings(self) -> Iterable[CardFinding]:
        """Yield warnings (OLO-V-07, OLO-V-08, OLO-V-22)."""
        from gamepacks.olomoc.cards.checks import warnings

        for warning in warnings(self):
            yield CardFinding(warning.place(self), warning.message)
