"""A bot that beats `greedy` in Ominoes: a tree search with the rules of the installed pack.

Measure it: `omnilude arena compare examples/strong_bot.py greedy --game ominoes` (docs/write-a-bot.md).
"""

from dataclasses import replace

from gamepacks.api import Budget, TreeSearchBot, Turn
from omnilude import Bot


class StrongBot(Bot):
    wants = ("rules",)

    def choose(self, turn: Turn) -> int:
        return TreeSearchBot().choose(replace(turn, budget=Budget(playouts=1000)))
