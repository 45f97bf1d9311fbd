"""Adapter that lets a bot of an installed pack play at a service, from the positions that the service sends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cext.random import Rng
from gamepacks.api.bots import Bot as LocalBot
from gamepacks.api.bots import Budget
from gamepacks.api.game import Game
from gamepacks.api.types import Seat
from omnilude import Bot, BotSeat, OmniludeError, Turn
from omnilude_cli.local_packs import as_local, configured_game, installed_game


class RulesDiffer(OmniludeError):
    """The game, the rules version or the card set of a match is not installed here."""


class PackBot(Bot):
    """Plays with the installed bot of a given name."""

    wants = ("position",)

    def __init__(self, name: str, budget: Budget, *card_sets: Path) -> None:
        self._name = name
        self._budget = budget
        self._card_sets = card_sets

    def on_start(self, bot_seat: BotSeat) -> None:
        """Configure the game as in the match. Raises RulesDiffer."""
        loaded = installed_game(bot_seat.match, *self._card_sets)
        if loaded is None or self._name not in loaded.bots:
            wanted = f"{bot_seat.match.game} with rules {bot_seat.match.rules_version} and a bot {self._name!r}"
            raise RulesDiffer(f"{wanted} is not installed here")
        game = configured_game(bot_seat.match, loaded)
        if game is None:
            raise RulesDiffer(f"the card set of {bot_seat.match.name} is not installed here: see --card-sets")
        bot_seat.memory["bot"] = loaded.bots[self._name]
        bot_seat.memory["game"] = game
        bot_seat.memory["rng"] = Rng(bot_seat.rng.getrandbits(64))

    def choose(self, turn: Turn) -> int:
        """Return the choice of the pack's bot for the position of the turn."""

        bot: LocalBot = turn.memory["bot"]
        game: Game[Any] = turn.memory["game"]
        state = game.restore(as_local(turn.position, game.messages.position))
        return bot.choose(game, state, Seat(turn.seat), turn.memory["rng"], self._budget)
