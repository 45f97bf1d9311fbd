"""The planner bot."""

from __future__ import annotations

from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.types import Code
from gamepacks.omega.engine.search import best_action
from gamepacks.omega.engine.state import OmegaState


class PlannerBot(PackBot):
    """Plays its turn to the end in many random ways and takes the first action of the one with the best evaluation.

    A decision takes less than a millisecond.
    """

    name = "planner"
    description = "Plays its turn to the end in many random ways and takes the first action of the best one."
    game_id = "omega"
    takes_budget = True
    inline = True

    DEFAULT_PLAYOUTS = 100
    """Play-outs for a decision without a budget."""

    def choose(self, turn: Turn) -> Code:
        assert isinstance(turn.state, OmegaState)
        playouts, seconds = turn.budget.bounds(self.DEFAULT_PLAYOUTS)
        return Code(best_action(turn.state, turn.seat, turn.rng, playouts=playouts, seconds=seconds))
