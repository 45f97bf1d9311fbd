"""Adapter that lets the bots of installed packs play at a service, chosen by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gamepacks.api.bots import Budget, Turn
from omnilude import Bot, BotSeat
from omnilude.local import RulesNotInstalled
from omnilude_cli.local_packs import installed_game, local_game, registry


class InstalledBot(Bot):
    """Plays each game with its installed bot of a given name."""

    wants = ("rules",)

    def __init__(self, name: str, budget: Budget, *card_sets: Path) -> None:
        self._name = name
        self._budget = budget
        self._card_sets = card_sets

    def on_start(self, bot_seat: BotSeat) -> None:
        """Configure the game as in the match. Raises RulesNotInstalled."""
        bot_seat.local_game = local_game(bot_seat.match, *self._card_sets)
        loaded = installed_game(bot_seat.match, *self._card_sets)
        if loaded is None or self._name not in loaded.bots:
            raise RulesNotInstalled(f"{bot_seat.match.game} has no bot {self._name!r} here")

    def choose(self, turn: Turn) -> int:
        """Returns the choice of the pack's bot."""
        bot = registry(*self._card_sets).games[turn.game.id].bots[self._name]
        return int(bot.choose(replace(turn, budget=self._budget)))
