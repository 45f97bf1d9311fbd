"""A bot that looks a phase ahead: short Monte Carlo play-outs over thinned places."""

from __future__ import annotations

from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat
from gamepacks.olomoc.engine.evaluation import best_action
from gamepacks.olomoc.engine.state import OlomocState


class TacticianBot(Bot):
    """Plays its promising actions on to the end of the phase, many times, and takes the one after which the table looks
    best. It needs some milliseconds. Cabale and plans it chooses at random."""

    name = "tactician"
    description = (
        "Plays each promising action on to the end of the phase and takes the one after which the table looks best."
    )
    game_id = "olomoc"
    takes_budget = True

    DEFAULT_PLAYOUTS = 100
    """Short play-outs for a decision where no budget is given."""

    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        assert isinstance(state, OlomocState)
        playouts, seconds = budget.bounds(self.DEFAULT_PLAYOUTS)
        return Code(best_action(state, seat, rng, playouts=playouts, seconds=seconds))
