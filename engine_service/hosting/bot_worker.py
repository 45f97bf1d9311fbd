"""Decisions of bots in a worker process.

A worker knows nothing of the service and no secret of a match: its position is one that the bot's seat cannot tell from
the true one. Only bytes, numbers and :class:`Failure` cross between the processes. Objects of a pack are unpickled
within :func:`choose_action`, so a pack that cannot be unpickled, or an error that cannot be pickled, fails that one
decision.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass

from cext.random import Rng
from engine_service.hosting.workers import configured_game
from gamepacks.api.bots import Budget, PackBot, Turn
from gamepacks.api.errors import error_location
from gamepacks.api.types import Seat


@dataclass(frozen=True, slots=True)
class BotTask:
    """A decision for a bot to make, with everything that it needs."""

    game_id: str
    game: bytes
    """The game class, pickled."""
    players: int
    options: bytes
    position: bytes
    seat: int
    bot: bytes
    """The bot, pickled."""
    seed: int
    budget: Budget


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed decision of a bot. It holds no text of the pack, which might quote a secret of the match."""

    error: str
    """Type of the error: ``KeyError``."""
    where: str
    """Module and line that raised the error, or how the process ended: ``acme.bots:31``, ``exit code -9``."""
    timed_out: bool = False
    ended_process: bool = False

    @property
    def disruptive(self) -> bool:
        """Whether others had to wait for it."""
        return self.timed_out or self.ended_process


def choose_action(task: BotTask) -> int | Failure:
    """Returns the code that the bot chooses. Raises nothing."""
    try:
        game = configured_game(task.game_id, task.game, task.players, task.options)
        state = game.restore(game.messages.position.FromString(task.position))
        bot: PackBot = pickle.loads(task.bot)
        return int(bot.choose(Turn(game, state, Seat(task.seat), Rng(task.seed), task.budget)))
    except BaseException as error:  # the pack's: this process runs nothing else
        return Failure(type(error).__name__, error_location(error))
