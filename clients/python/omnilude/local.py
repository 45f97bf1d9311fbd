"""Bots that use the rules of a game where they run: :attr:`omnilude.Turn.local`, and :class:`LocalBot`.

The rules are those of the installed packs. The distribution ``omnilude`` registers the two functions that this module
needs as entry points of the group ``omnilude.rules``; this client, without it, contains no rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from omnilude.bots import Bot, BotSeat, Turn
from omnilude.errors import OmniludeError

ENTRY_POINT_GROUP = "omnilude.rules"


class RulesNotInstalled(OmniludeError):
    """The game, the rules version or the card set of a match is not installed here."""


class Chooser(Protocol):
    """A bot of a pack: ``gamepacks.api.Bot``."""

    def choose(self, turn: Any, /) -> int:
        """Return one of ``turn.codes``; ``turn`` is a ``gamepacks.api.Turn``."""


class LocalBot(Bot):
    """Lets a bot of a pack play at a service: its turns have the rules, and a position that the service sends.

    ``budget``, a ``gamepacks.api.Budget``, limits each decision.
    """

    wants = ("position",)

    def __init__(self, bot: Chooser, budget: Any = None) -> None:
        self.bot = bot
        self._budget = budget

    def on_start(self, bot_seat: BotSeat) -> None:
        """Configure the game of the match. Raises RulesNotInstalled."""
        local_game(bot_seat)

    def choose(self, turn: Turn) -> int:
        """Return the choice of the pack's bot."""
        local = turn.local
        if self._budget is not None:
            local = dataclasses.replace(local, budget=self._budget)
        return int(self.bot.choose(local))


def as_bot(bot: Bot | Chooser) -> Bot:
    """Return a bot of this client as it is, and a bot of a pack as a :class:`LocalBot`.

    Raises TypeError for an object without ``choose``, and for a class.
    """
    if isinstance(bot, type):
        raise TypeError(f"{bot.__name__} is a class: pass an object of it, {bot.__name__}()")
    if isinstance(bot, Bot):
        return bot
    if not callable(getattr(bot, "choose", None)):
        raise TypeError(f"{type(bot).__name__} is not a bot: it has no method choose(turn)")
    return LocalBot(bot)


def local_turn(turn: Turn) -> Any:
    """Return the ``gamepacks.api.Turn`` of a turn."""
    game = local_game(turn.bot_seat)
    return _rules("turn")(game, turn.position, turn.seat, turn.rng.getrandbits(64))


def local_game(bot_seat: BotSeat) -> Any:
    """Return the game of a match, configured once for each seat. Raises RulesNotInstalled."""
    if bot_seat.local_game is None:
        bot_seat.local_game = _rules("game")(bot_seat.match)
    return bot_seat.local_game


@cache
def _rules(name: str) -> Callable[..., Any]:
    for entry in entry_points(group=ENTRY_POINT_GROUP, name=name):
        function: Callable[..., Any] = entry.load()
        return function
    raise RulesNotInstalled("no rules are installed here: pip install omnilude, and the pack of the game")
