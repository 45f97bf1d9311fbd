"""What a bot is, and the bots that play every game: random and flat Monte Carlo."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from cext.random import Rng
from cext.state import State
from gamepacks.api.game import Game
from gamepacks.api.types import Code, Seat


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think about one decision: play-outs, milliseconds, or whichever ends first."""

    playouts: int | None = None
    milliseconds: int | None = None


class Bot(ABC):
    """A player that runs beside the rules: as a seat of the service, or at home with the pack installed.

    It is shown ``state``: one state that its seat cannot tell from the true one, drawn anew for each decision. It may do
    with it what it likes.
    """

    name: str
    """Unique in its game: ``monte-carlo``."""
    description: str
    game_id: str | None = None
    """The game it plays; None: every game."""
    inline: bool = False
    """It needs well under a millisecond, so the service may run it on its event loop."""

    @abstractmethod
    def choose(self, game: Game[Any], state: State, seat: Seat, rng: Rng, budget: Budget) -> Code:
        """A code from ``state.legal(seat)``."""
