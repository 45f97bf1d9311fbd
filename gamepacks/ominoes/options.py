"""The options of Ominoes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gamepacks.api.errors import Fault
from gamepacks.api.options import Options
from gamepacks.ominoes.v1.ominoes_enums import Face

God = Literal["horus", "ra", "apep", "khepri"]

DEFAULT_GODS: dict[int, tuple[God, ...]] = {
    2: ("ra", "apep"),
    3: ("ra", "khepri", "apep"),
    4: ("ra", "khepri", "apep", "horus"),
}
"""Default favoured gods, by number of players (OMI-COMP-03)."""
DEFAULT_TARGETS = {2: 21, 3: 13, 4: 13}
"""Default points to win, by number of players (OMI-COMP-04)."""


class OminoesOptions(Options):
    """The options of Ominoes; each default is the rule of the rulebook or, without one, the ruling of RULES.md."""

    board_size: int = Field(
        8, ge=6, le=12, multiple_of=2, description="Spaces along one side of the board (OMI-COMP-02)."
    )
    gods: tuple[God, ...] = Field(
        (),
        description=(
            "The favoured god of each seat, all different; empty: ra, khepri, apep, horus with four players, "
            "ra, khepri, apep with three, ra, apep with two (OMI-COMP-03)."
        ),
    )
    target: int | None = Field(
        None,
        ge=1,
        le=100,
        description="Points to win; empty: 13 with three or four players, 21 with two (OMI-COMP-04).",
    )
    start_player: int | None = Field(
        None, ge=0, le=3, description="The seat that begins; empty: chance decides (OMI-SETUP-00)."
    )
    extra_setup_die: bool = Field(
        False, description="Each player also rolls and places one more die in the set-up (OMI-SETUP-04)."
    )
    late_add: bool = Field(
        False, description="Scoring dice in the same turn allows the last die to be added (OMI-ADD-03)."
    )
    all_wild_groups: bool = Field(
        True, description="Four or more wilds alone are a group of any god that the player collects (OMI-SCORE-02)."
    )
    optional_scoring: bool = Field(False, description="A player may leave a group unscored (OMI-SCORE-05).")
    max_turns: int = Field(
        1_000,
        ge=1,
        le=10_000,
        description="Turns of all players together after which the game ends by points (OMI-END-02).",
    )
    expert: bool = Field(False, description="The four spaces of the snake pit are closed (OMI-EXPERT-01).")

    def check(self, players: int) -> list[Fault]:
        faults = []
        if self.gods and len(self.gods) != players:
            faults.append(
                Fault(
                    "gods", f"there are {len(self.gods)} gods for {players} players; give one for each player, or none"
                )
            )
        if len(set(self.gods)) < len(self.gods):
            faults.append(Fault("gods", "a god is repeated; all must be different"))
        if self.start_player is not None and self.start_player >= players:
            faults.append(Fault("start_player", f"there is no seat {self.start_player}; give 0 to {players - 1}"))
        return faults

    def resolved(self, players: int) -> OminoesOptions:
        """Returns a copy in which the options that depend on the number of players are set."""
        return self.model_copy(
            update={
                "gods": self.gods or DEFAULT_GODS[players],
                "target": DEFAULT_TARGETS[players] if self.target is None else self.target,
            }
        )

    def favoured(self) -> list[Face]:
        """The favoured god of each seat, once resolved."""
        return [Face[god.upper()] for god in self.gods]
