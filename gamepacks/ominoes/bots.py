"""A bot that takes what looks best at once: scores, builds its gods' groups, and keeps others from theirs."""

from __future__ import annotations

from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat
from gamepacks.ominoes.engine.evaluation import best_actions
from gamepacks.ominoes.engine.state import OminoesState


class GreedyBot(Bot):
    """Looks one action ahead; among actions that look alike it takes any. It needs no budget."""

    name = "greedy"
    description = "Takes the action after which the board looks best: it scores, builds groups, and blocks others."
    game_id = "ominoes"
    inline = True

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        assert isinstance(state, OminoesState)
        return Code(rng.choice(best_actions(state, seat)))
