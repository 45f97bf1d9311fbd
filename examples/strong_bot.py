"""A bot that beats `greedy` in Ominoes: a tree search with the rules of the installed pack.

Measure it: `omnilude arena compare examples/strong_bot.py greedy --game ominoes` (docs/write-a-bot.md).
"""

from dataclasses import replace

from gamepacks.api import Budget, TreeSearchBot
from omnilude import Bot, Turn


class StrongBot(Bot):
    wants = ("position",)

    def choose(self, turn: Turn) -> int:
        local = replace(turn.local, budget=Budget(playouts=1000))
        return TreeSearchBot().choose(local)
