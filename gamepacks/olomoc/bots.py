"""The tactician bot: flat Monte Carlo search to the end of a phase."""

from __future__ import annotations

from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.types import Code
from gamepacks.olomoc.engine.evaluation import best_action
from gamepacks.olomoc.engine.state import OlomocState


class TacticianBot(PackBot):
    """Plays promising actions out to the end of the phase, many times, and takes the one with the best mean evaluation.

    A decision takes some milliseconds. The cabale and the plans are chosen at random.
    """

    name = "tactician"
    description = (
        "Plays each promising action out to the end of the phase and takes the one with the best evaluation there."
    )
    game_id = "olomoc"
    takes_budget = True

    DEFAULT_PLAYOUTS = 100
    """Short play-outs for a decision where no budget is given."""

    def choose(self, turn: Turn) -> Code:
        assert isinstance(turn.state, OlomocState)
        playouts, seconds = turn.budget.bounds(self.DEFAULT_PLAYOUTS)
        return Code(best_action(turn.state, turn.seat, turn.rng, playouts=playouts, seconds=seconds))
