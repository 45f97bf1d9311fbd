"""The options of both games (section 3 of RULES.md)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from gamepacks.api.cardgame import CardOptions
from gamepacks.api.errors import Fault

MIN_SUPPLY = 8
"""Coins that both seats together get at the start (OMEN-SETUP-05)."""


class _Shared(CardOptions):
    """Options of both editions; they come last in option lists."""

    final_tie: Literal["shared", "second_player"] = Field(
        "shared", description="After all tie-breakers, a tie is a shared win, or the second player wins (A-04, T-03)."
    )
    trigger_cap: int = Field(
        60, ge=10, le=1_000, description="Maximum number of triggered abilities in a turn (OMENX-LOOP-01)."
    )
    action_cap: int = Field(
        200, ge=50, le=1_000, description="Maximum number of actions in a turn, of both seats together (OMENX-LOOP-03)."
    )
    max_turns: int = Field(
        300, ge=20, le=10_000, description="Number of turns after which the game ends (OMENX-LOOP-02)."
    )
    auto_single: bool = Field(
        True,
        description="A decision with a single option is taken automatically if that reveals nothing (OMENX-ATOM-03).",
    )

    def _supply_faults(self, supply: int | None) -> list[Fault]:
        if supply and supply < MIN_SUPPLY:
            return [
                Fault("coin_supply", f"{supply} coins are too few: {MIN_SUPPLY} are dealt at the start (0: no limit)")
            ]
        return []

    def rule_values(self) -> dict[str, Any]:
        """Values of the options that affect the rules, for the engine."""
        values = self.model_dump(exclude={"card_set", "more_sets"})
        if "oldest_seat" in values:
            values["oldest_seat"] = "AB".index(values["oldest_seat"])
        return values


class OmenOptions(_Shared):
    """Options of the 2017 edition. Each default is the ruling of RULES.md."""

    start: Literal["oldest", "emissary", "random"] = Field(
        "oldest",
        description="First player: the oldest player, by Emissaries, or at random (OMEN-SETUP-06, OMEN-EMIS-01).",
    )
    oldest_seat: Literal["A", "B"] = Field("A", description="The oldest player: seat A (0) or B (1) (OMEN-SETUP-06).")
    spirits: bool = Field(False, description="Play with the 12 Spirits (OMEN-SETUP-01).")
    heroes: bool = Field(False, description="Play with the 6 Heroes (OMEN-SETUP-01).")
    draft: Literal["none", "keep2of3", "open20"] = Field(
        "none",
        description="Draft, which adds Spirits and Heroes: pass one of three cards, or 20 open cards (OMEN-DRAFT-01).",
    )
    draft_first: Literal["same", "swap"] = Field(
        "same", description="First pick in round 2 of open20: the oldest player again, or the other (A-27)."
    )
    challenges: Literal["none", "normal", "long"] = Field(
        "none", description="Zeus' Challenges, in the normal or the long game (OMEN-CHAL-01, OMEN-CHAL-05)."
    )
    whims: bool = Field(False, description="Tyche's Whims (OMEN-WHIM-01).")
    relics: bool = Field(False, description="Relics of Olympus (OMEN-RELIC-01).")
    feat_end: Literal["opposing", "either"] = Field(
        "opposing", description="Five Feats of the Opposing player end the game, or of either player (A-03)."
    )
    feat_claim: Literal["auto", "optional"] = Field(
        "auto", description="A Feat whose condition is met is achieved automatically, or may be declined (A-10)."
    )
    survivors: Literal["max_count", "up_to"] = Field(
        "max_count", description="Units that survive War: as many as possible, or any number up to that (A-06)."
    )
    spirit_trigger: Literal["enter", "played"] = Field(
        "enter", description="A Spirit's ability happens when it enters, or only when it is played (A-14)."
    )
    spirit_order: Literal["printed", "player"] = Field(
        "printed", description="Order of an invoked Spirit's two abilities (A-15)."
    )
    enter_on_opposing_turn: bool = Field(
        True, description="A Soldier's ability happens on the other player's turn too (A-16)."
    )
    coin_supply: int = Field(25, ge=0, le=200, description="Total number of coins, 8 or more; 0: no limit (A-02).")

    def check(self, players: int) -> list[Fault]:
        return self._supply_faults(self.coin_supply)

    def rule_values(self) -> dict[str, Any]:
        values = super().rule_values()
        drafted = self.draft != "none"
        return {**values, "spirits": self.spirits or drafted, "heroes": self.heroes or drafted}


class TraitsOptions(_Shared):
    """Options of the 2023 edition. Each default is the ruling of RULES.md."""

    start: Literal["oldest", "random"] = Field(
        "oldest", description="First player: the oldest player, or at random (OMENT-SETUP-01)."
    )
    oldest_seat: Literal["A", "B"] = Field("A", description="The oldest player: seat A (0) or B (1).")
    combined: bool = Field(False, description="Combine the decks of several card sets (OMENT-COMB-01).")
    more_sets: tuple[str, ...] = Field(
        (), max_length=4, description="Card sets combined with card_set; empty: all others of the pack."
    )
    first_turn_wealth: int = Field(3, ge=2, le=3, description="Wealth actions of the first turn (T-02).")
    sacked_tie: Literal["nobody", "active", "opposing"] = Field(
        "nobody", description="Winner of a City that nobody wins by Strength or BOLSTER (T-04)."
    )
    myriad_keep_weight: int = Field(
        1, ge=1, le=2, description="Number of Units that a MYRIAD Unit counts as among survivors (T-05)."
    )
    kraters_count_for_limit: bool = Field(True, description="Kraters in hand count for the hand limit (T-08).")
    trait_once: bool = Field(
        True, description="A card is discarded for FATE, RECRUIT or PILFER at most once a turn (T-11)."
    )
    coin_supply: int | None = Field(
        None,
        ge=0,
        le=200,
        description="Total number of coins, 8 or more; 0: no limit; empty: that of the card set (T-21).",
    )

    def check(self, players: int) -> list[Fault]:
        faults = self._supply_faults(self.coin_supply)
        if self.more_sets and not self.combined:
            faults.append(Fault("more_sets", "must be empty unless the option combined is true (OMENT-COMB-01)"))
        return faults
