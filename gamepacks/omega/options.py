"""The options of OMEGA (section 17 of RULES.md)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gamepacks.api.cardgame import CardOptions
from gamepacks.api.errors import Fault


class OmegaOptions(CardOptions):
    """The options of OMEGA; each default is the ruling of RULES.md."""

    start_player: int | None = Field(
        None, ge=0, le=3, description="The seat that begins; empty: chance decides (OMEGA-SETUP-05)."
    )
    eye_trigger: Literal["reach", "cross"] = Field(
        "reach", description="Reaching the Eye counts as passing it, or only leaving it (OMEGA-DISC-03)."
    )
    final_turn_capture: bool = Field(False, description="Captures are legal in the final round (OMEGA-CAPTURE-09).")
    red_limit: Literal["per_rune", "per_batch", "per_turn"] = Field(
        "per_rune",
        description="Offers to pull a red: one for each placed red, batch or turn, even if declined (OMEGA-RED-01).",
    )
    black_takes: Literal["coloured", "nonwhite"] = Field(
        "coloured",
        description="Runes that a black may take; nonwhite adds blacks that lay there at the start of the turn (A08).",
    )
    recovery: Literal["exact", "up_to"] = Field(
        "exact", description="The loser recovers exactly the snake number of runes, or up to it (OMEGA-RECOVER-02)."
    )
    exhaustion: Literal["any_moment", "end_of_turn"] = Field(
        "any_moment",
        description="The bag ends the game if it was empty at some moment of the turn, or at its end (OMEGA-END-05).",
    )
    disown_limit: Literal["1", "any"] = Field(
        "1", description="Number of Egregors that may be disowned in a turn (OMEGA-DISOWN-03)."
    )
    green_pairing: Literal["explicit", "consecutive"] = Field(
        "explicit", description="Two greens are a pair by one action, or when placed one after the other (A13)."
    )
    key_unchosen: Literal["shuffle", "discard"] = Field(
        "shuffle",
        description="Cards looked at and not chosen go back into the deck, or to the discard pile (OMEGA-KEY-10).",
    )
    key_fires_lightning: bool = Field(
        False, description="A card that replaces a Key triggers its lightning power after the Key's (OMEGA-KEY-08)."
    )
    mask_moves: Literal["no_repeat", "once"] = Field(
        "no_repeat",
        description="Moves of the Mask in a turn: any number but never two in a row, or one (OMEGA-MASK-06).",
    )
    power_amount: Literal["full", "up_to"] = Field(
        "full",
        description="Hand of Fate and Runic Cycling are carried out in full, or may be stopped (OMEGA-POWER-04).",
    )
    arcana_cap: bool = Field(
        False,
        description="Passing the Eye gives no token to a holder of 7 tokens (with 4 players: 6) (OMEGA-ARCANA-05).",
    )
    prestige_zero_bonus: bool = Field(
        False, description="If nobody has Prestige, all players get the bonus (OMEGA-SCORE-05)."
    )
    tie_break: Literal["shared", "most_arcana", "most_prestige"] = Field(
        "shared", description="Tie-break between equal scores (OMEGA-SCORE-08)."
    )
    arcana_view: Literal["face_down", "open"] = Field(
        "face_down", description="Taken Arcana tokens are face down, or visible to all (A29)."
    )
    max_turns: int = Field(
        0,
        ge=0,
        le=100_000,
        description="Number of turns of all players together after which the judgement takes place; 0: no limit.",
    )

    def check(self, players: int) -> list[Fault]:
        if self.start_player is not None and self.start_player >= players:
            return [Fault("start_player", f"there is no seat {self.start_player}; give 0 to {players - 1}")]
        return []
