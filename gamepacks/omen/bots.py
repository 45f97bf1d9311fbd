"""The greedy bot: it evaluates points, Feats, and Strength in Cities where War is near."""

from __future__ import annotations

from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat
from gamepacks.omen.engine.evaluation import best_actions
from gamepacks.omen.engine.state import OmenState


class GreedyBot(Bot):
    """Searches one move ahead, to the next chance node or decision of the other player. It needs no budget."""

    name = "greedy"
    description = "Takes the move with the best evaluation of points and Cities."
    inline_private = True

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        assert isinstance(state, OmenState)
        # The service waits for private decisions.
        return Code(rng.choice(best_actions(state, seat, quick=state.decline_code() != -1)))
