"""A bot that takes what looks best at once: scores, builds its gods' groups, and keeps others from theirs."""

from __future__ import annotations

from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.types import Code
from gamepacks.ominoes.engine.evaluation import best_actions
from gamepacks.ominoes.engine.state import OminoesState


class GreedyBot(PackBot):
    """Looks one action ahead; among actions that look alike it takes any. It needs no budget."""

    name = "greedy"
    description = "Takes the action after which the board looks best: it scores, builds groups, and blocks others."
    game_id = "ominoes"
    inline = True

    def choose(self, turn: Turn) -> Code:
        assert isinstance(turn.state, OminoesState)
        return Code(turn.rng.choice(best_actions(turn.state, turn.seat)))
