"""The tactician bot: flat Monte Carlo search to the end of a phase."""

from __future__ import annotations

from gamepacks.api.bots import SearchBot, Turn
from gamepacks.olomoc.engine.rules import OlomocState, best_action


class TacticianBot(SearchBot):
    """Plays the best few actions by their evaluation out to the end of the phase, and takes the best by the mean there.

    A decision with 20 play-outs takes some tens of milliseconds. The cabale and the plans are chosen at random.
    """

    name = "tactician"
    description = (
        "Plays the best few actions out to the end of the phase and takes the one with the best evaluation there."
    )
    game_id = "olomoc"

    DEFAULT_PLAYOUTS = 100

    def search(self, turn: Turn, playouts: int, seconds: float) -> int:
        assert isinstance(turn.state, OlomocState)
        return best_action(turn.state, turn.seat, turn.rng, playouts=playouts, seconds=seconds)
