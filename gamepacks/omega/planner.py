"""A bot that plans its turn: it tries many ways to play it and goes the first step of the best one."""

from __future__ import annotations

from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat
from gamepacks.omega.engine.plans import best_action
from gamepacks.omega.engine.state import OmegaState


class PlannerBot(Bot):
    """Plays its turn to the end in many random ways, in thought, and takes the first action of the one after which the
    table looks best. It needs less than a millisecond."""

    name = "planner"
    description = (
        "Tries many ways to play its turn and goes the first step of the one after which the table looks best."
    )
    game_id = "omega"
    inline = True

    DEFAULT_PLANS = 100
    """Plans for a decision where no budget is given."""

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        assert isinstance(state, OmegaState)
        plans, milliseconds = budget.playouts or 0, budget.milliseconds or 0
        if not plans and not milliseconds:
            plans = self.DEFAULT_PLANS
        return Code(best_action(state, seat, rng, plans=plans, seconds=milliseconds / 1000))
