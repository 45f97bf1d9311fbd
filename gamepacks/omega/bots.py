"""The planner bot."""

from __future__ import annotations

from gamepacks.api.bots import SearchBot, Turn
from gamepacks.omega.engine.rules import OmegaState, best_action


class PlannerBot(SearchBot):
    """Plays its turn to the end in many random ways and takes the first action of the one with the best evaluation.

    A decision takes less than a millisecond.
    """

    name = "planner"
    description = "Plays its turn to the end in many random ways and takes the first action of the best one."
    game_id = "omega"
    inline = True

    DEFAULT_PLAYOUTS = 100

    def search(self, turn: Turn, playouts: int, seconds: float) -> int:
        assert isinstance(turn.state, OmegaState)
        return best_action(turn.state, turn.seat, turn.rng, playouts=playouts, seconds=seconds)
