"""A game whose rules do not return: the sealed-bids game, but some bids of seat 0 keep the event loop.

``LOOP`` coins: in Python, so it can be stopped. ``COMPILED`` coins: in compiled code, so it cannot. ``LISTING`` coins:
the legal list of seat 0 does not come back afterwards. The bot ``stuck`` never comes back with a choice, and goes on
after every Exception.
"""

from __future__ import annotations

import itertools
from typing import Any

from gamepacks.api import PackBot, Turn
from gamepacks.api.game import Game
from gamepacks.api.hooks import hookimpl
from tests.support.games.sealed import BID, SealedGame, SealedState

LOOP, COMPILED, LISTING = 1, 2, 3


class StuckState(SealedState):
    def legal(self, seat: int = -1) -> list[int]:
        while seat == 0 and self.coins[0] == 10 - LISTING:
            pass
        return super().legal(seat)

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        bid = BID.unpack(code)[0]
        while (seat, bid) == (0, LOOP):
            pass
        if (seat, bid) == (0, COMPILED):
            sum(itertools.repeat(0))
        super().apply_unchecked(code, seat)


class StuckGame(SealedGame):
    id = "stuck"
    title = "Stuck bids"
    summary = "Sealed bids whose rules do not return."
    state_type = StuckState


class StuckBot(PackBot):
    name = "stuck"
    description = "Never returns."
    game_id = "stuck"
    inline = True

    def choose(self, turn: Turn) -> int:
        while True:
            try:
                while True:
                    pass
            except Exception:
                continue


class StuckPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    @hookimpl
    def omnilude_games(self) -> list[type[Game[Any]]]:
        return [StuckGame]

    @hookimpl
    def omnilude_bots(self) -> list[PackBot]:
        return [StuckBot()]


PACK = StuckPack()
