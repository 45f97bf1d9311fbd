"""The greedy bot: it evaluates points, Feats, and Strength in Cities where War is near."""

from __future__ import annotations

from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.types import Code
from gamepacks.omen.engine.rules import OmenState, best_actions


class GreedyBot(PackBot):
    """Searches one move ahead, to the next chance node or decision of the other player. It needs no budget."""

    name = "greedy"
    description = "Takes the move with the best evaluation of points and Cities."
    inline_private = True

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id

    def choose(self, turn: Turn) -> Code:
        state = turn.state
        assert isinstance(state, OmenState)
        # The service waits for private decisions.
        return Code(turn.rng.choice(best_actions(state, turn.seat, quick=state.decline_code() != -1)))
