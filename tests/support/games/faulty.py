"""A game whose rules raise: for tests that one pack's fault harms nobody else.

It is the sealed-bids game, but taking a bid of BOMB coins, or any action after ``FUSE`` of them in one state, raises.
``LEAKING_TEXT`` is the error's message: it must never reach a log line or the wire.
"""

from __future__ import annotations

from typing import Any, ClassVar

from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from tests.support.games.sealed import BID, NONE, SealedGame, SealedState

BOMB = 7
FUSE = 6
LEAKING_TEXT = "the secret hand is ace of spades"


class FaultyState(SealedState):
    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        placed = self.round * len(self.bids) + sum(bid != NONE for bid in self.bids)
        if BID.unpack(code) == (BOMB,) or placed >= FUSE:
            raise ZeroDivisionError(LEAKING_TEXT)
        super().apply_unchecked(code, seat)


class FaultyGame(SealedGame):
    id = "faulty"
    title = "Faulty bids"
    summary = "Sealed bids whose rules raise on a bid of 7 coins, and after six bids."
    state_type = FaultyState


class FaultyPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    games: ClassVar[list[type[Game[Any]]]] = [FaultyGame]

    @hookimpl
    def omnilude_games(self) -> list[type[Game[Any]]]:
        return self.games


PACK = FaultyPack()
