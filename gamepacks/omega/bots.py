"""The planner bot."""

from __future__ import annotations

from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat
from gamepacks.omega.engine.search import best_action
from gamepacks.omega.engine.state import OmegaState


class PlannerBot(Bot):
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

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        assert isinstance(state, OmegaState)
        playouts, seconds = budget.bounds(self.DEFAULT_PLAYOUTS)
        return Code(best_action(state, seat, rng, playouts=playouts, seconds=seconds))
