"""A bot that looks a phase ahead: short Monte Carlo play-outs over thinned places."""

from __future__ import annotations

from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.types import Code
from gamepacks.olomoc.engine.evaluation import best_action
from gamepacks.olomoc.engine.state import OlomocState


class TacticianBot(PackBot):
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

    def choose(self, turn: Turn) -> Code:
        assert isinstance(turn.state, OlomocState)
        playouts, seconds = turn.budget.bounds(self.DEFAULT_PLAYOUTS)
        return Code(best_action(turn.state, turn.seat, turn.rng, playouts=playouts, seconds=seconds))
