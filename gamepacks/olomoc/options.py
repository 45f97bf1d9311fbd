"""The options of Olomòc (section 2 of RULES.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

from pydantic import Field

from gamepacks.api.cardgame import CardOptions
from gamepacks.api.errors import Fault

_OMITTED = "; empty: the card set's, else {}, which is ours: the rulebook omits the value"


def _omitted(text: str, default: int, rule: str, **bounds: int) -> int | None:
    """A value that the rulebook omits: if it is empty, the card set's value applies, or else the house set's."""
    description = f"{text}{_OMITTED.format(default)} ({rule})."
    return Field(None, description=description, json_schema_extra={"house": default}, **bounds)  # type: ignore[no-any-return, call-overload]


class OlomocOptions(CardOptions):
    """The options of Olomòc; each default is the ruling of RULES.md."""

    agenda: str = Field(
        "random", max_length=40, description="The agenda: an id of the card set, or random (OLO-SETUP-02)."
    )
    bloc: str = Field(
        "random",
        max_length=40,
        description="The board: an id of a layout, random, or placed: player 1 lays the scenery (OLO-SETUP-03).",
    )
    build: Literal["draft", "secret"] = Field(
        "draft", description="Cabales are drafted in turn, or built in secret and revealed together (OLO-CABAL-01)."
    )
    start_number: Literal["random", "seat0", "seat1"] = Field(
        "random", description="Player 1 is decided by a roll, or is the given seat (OLO-SETUP-01)."
    )
    tie_rule: Literal["any", "activation_only"] = Field(
        "any", description="Ties that draw an Artefact card: any, or those of two activation cards (A02, OLO-PHASE-03)."
    )
    tainted_box: Literal["any_source", "attack_only"] = Field(
        "any_source", description="A tainted box gives Noirceur for any wound, or only for attacks (A46, OLO-LIFE-07)."
    )
    reaction_limit: Literal["one", "both"] = Field(
        "one", description="Reactions to an attack: one, or a riposte and a dodge (A07, OLO-REACT-01)."
    )
    felled_riposte: bool = Field(
        True, description="The riposte of a rouage that the attack put out of action still wounds (A08, OLO-SEQ-10)."
    )
    reinforced_scope: Literal["any_in_span", "next_box"] = Field(
        "any_in_span",
        description="A reinforced box counts anywhere in an attack's span, or only as the next box (A11, OLO-LIFE-03).",
    )
    entry: Literal["compulsory", "first_token"] = Field(
        "compulsory",
        description="A rouage enters before all else in its activation, or with its first token (A38, OLO-ENTER-01).",
    )
    hostile_stun: Literal["recover", "permanent"] = Field(
        "recover", description="Its activation ends the stun of a hostile, or it stays stunned (A52, OLO-HOST-06)."
    )
    hostile_reactions: Literal["profile", "none", "free"] = Field(
        "profile", description="Hostiles react as often as their profile says, never, or always (A31, OLO-HOST-05)."
    )
    spawn_acts: bool = Field(
        True, description="A hostile that appears in the hostile phase acts in that phase (A55, OLO-HPH-02)."
    )
    propaganda_ap: Literal["max", "choose"] = Field(
        "max",
        description="A Propaganda gives back as many tokens as it can, or as the player chooses (A36, OLO-PHASE-08).",
    )
    list_step: Literal[25, 50, 100] = Field(
        50, description="Step of the listed destinations in 1/100 inch; legality does not depend on it (OLO-GEO-60)."
    )
    move_ruler_length: int | None = _omitted("Length of the movement ruler in 1/100 inch", 300, "A01", ge=25, le=800)
    move_ruler_width: int | None = _omitted("Width of the movement ruler in 1/100 inch", 80, "A01", ge=25, le=800)
    push_ruler_length: int | None = _omitted("Length of the push ruler in 1/100 inch", 100, "A15", ge=25, le=800)
    push_ruler_width: int | None = _omitted("Width of the push ruler in 1/100 inch", 80, "A15", ge=25, le=800)
    rest_ap: int | None = _omitted("Tokens that a Rest costs", 1, "OLO-REST-01", ge=0, le=4)
    rest_limit: int | None = _omitted("Rests of a rouage in a phase; 0: no limit", 1, "OLO-REST-01", ge=0, le=2)
    march_ap: int | None = _omitted("Tokens that a March costs", 1, "OLO-MARCH-01", ge=0, le=4)
    charge_ap: int | None = _omitted("Tokens that a Charge costs", 2, "OLO-CHARGE-01", ge=1, le=4)
    charge_limit: int | None = _omitted("Charges of a rouage in a phase; 0: no limit", 0, "OLO-CHARGE-01", ge=0, le=1)
    riposte_ap: int | None = _omitted("Tokens that a Riposte costs", 1, "OLO-RIPO-01", ge=0, le=4)
    riposte_limit: int | None = _omitted("Ripostes of a rouage in a phase; 0: no limit", 0, "OLO-RIPO-01", ge=0, le=2)
    dodge_limit: int | None = _omitted("Dodges of a rouage in a phase; 0: no limit", 0, "OLO-DODGE-01", ge=0, le=2)
    opportunity_ap: int | None = _omitted("Tokens that an opportunity attack costs", 1, "OLO-OPP-01", ge=0, le=4)
    opportunity_limit: int | None = _omitted(
        "Opportunity attacks of a rouage in a phase; 0: no limit", 0, "OLO-OPP-01", ge=0, le=1
    )
    propaganda_rank: int | None = _omitted("Rank of a Propaganda card", 0, "A04, OLO-PHASE-02", ge=0, le=9)

    def check(self, players: int) -> list[Fault]:
        return self.values().faults()

    def values(self, card_set: Mapping[str, int] | None = None) -> Values:
        """Returns the values that the rulebook omits: from the options, else the card set's, else the house set's."""
        found: dict[str, int] = {}
        for field in fields(Values):
            given = getattr(self, field.name)
            house = HOUSE_VALUES[field.name]
            found[field.name] = given if given is not None else (card_set or {}).get(field.name, house)
        return Values(**found)


@dataclass(frozen=True, slots=True)
class Values:
    """The values that the rulebook omits, as a match uses them; rulers in lattice steps, limits 0 for none."""

    move_ruler_length: int
    move_ruler_width: int
    push_ruler_length: int
    push_ruler_width: int
    rest_ap: int
    rest_limit: int
    march_ap: int
    charge_ap: int
    charge_limit: int
    riposte_ap: int
    riposte_limit: int
    dodge_limit: int
    opportunity_ap: int
    opportunity_limit: int
    propaganda_rank: int

    def faults(self) -> list[Fault]:
        """Returns a fault if the push ruler is longer or wider than the movement ruler (OLO-V-15)."""
        return [
            Fault(f"push_ruler_{side}", f"{push} is more than the movement ruler's {side}, {move}")
            for side, push, move in (
                ("length", self.push_ruler_length, self.move_ruler_length),
                ("width", self.push_ruler_width, self.move_ruler_width),
            )
            if push > move
        ]


OMITTED_VALUES = tuple(field.name for field in fields(Values))
HOUSE_VALUES: dict[str, int] = {
    name: OlomocOptions.model_fields[name].json_schema_extra["house"]  # type: ignore[index, misc]
    for name in OMITTED_VALUES
}
