"""Local rules of a game, for bots that use them: :attr:`omnilude.Turn.local`.

The rules come from the installed packs. The distribution ``omnilude`` registers the two functions that this module
needs as entry points of the group ``omnilude.rules``; the client itself contains no rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from omnilude.errors import OmniludeError
from omnilude.turns import BotSeat, Turn

ENTRY_POINT_GROUP = "omnilude.rules"


class RulesNotInstalled(OmniludeError):
    """The game, the rules version or the card set of a match is not installed here."""


def local_turn(turn: Turn) -> Any:
    """Returns the ``gamepacks.api.Turn`` of a turn."""
    game = local_game(turn.bot_seat)
    return _rules("turn")(game, turn.position, turn.seat, turn.rng.getrandbits(64))


def local_game(bot_seat: BotSeat) -> Any:
    """Returns the configured game of a match, cached in ``bot_seat``. Raises RulesNotInstalled."""
    if bot_seat.local_game is None:
        bot_seat.local_game = _rules("game")(bot_seat.match)
    return bot_seat.local_game


@cache
def _rules(name: str) -> Callable[..., Any]:
    for entry in entry_points(group=ENTRY_POINT_GROUP, name=name):
        function: Callable[..., Any] = entry.load()
        return function
    raise RulesNotInstalled("no rules are installed here: pip install omnilude, and the pack of the game")
