"""A game whose compiled code harms its process: the sealed-bids game, but for some bids of seat 0.

``CRASH`` coins end the process by a segmentation fault, ``LOOP`` coins never return and keep the interpreter's lock,
``EAT`` coins allocate memory without end; the view after a bid of ``LOOP_VIEW`` coins never returns. The bot
``crashing`` crashes, ``bidding`` bids ``CRASH`` coins, and the call Misbehave of its service and its observer of
cancelled matches crash as well.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

from google.protobuf.message import Message

from gamepacks.api import PackBot, PackService, Turn, VisibleState, hookimpl
from gamepacks.api.game import Game
from gamepacks.api.types import Viewer
from tests.support.games import peek
from tests.support.games.sealed import BID, SealedGame, SealedState

CRASH, LOOP, EAT, RAISE, LOOP_VIEW = 1, 2, 3, 4, 6


def crash() -> None:
    ctypes.string_at(0)


class HostileState(SealedState):
    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        match seat, BID.unpack(code)[0]:
            case 0, 1:
                crash()
            case 0, 2:
                sum(itertools.repeat(0))
            case 0, 3:
                list(map(bytearray, itertools.repeat(1 << 20)))
            case 0, 4:
                raise KeyError("the ace of spades")
        super().apply_unchecked(code, seat)


class HostileGame(SealedGame):
    id = "hostile"
    title = "Hostile bids"
    summary = "Sealed bids whose rules end the process that they run in."
    state_type = HostileState

    def view(self, state: SealedState, viewer: Viewer) -> Message:
        if state.bids[0] == LOOP_VIEW:
            sum(itertools.repeat(0))
        return super().view(state, viewer)


class CrashingBot(PackBot):
    name = "crashing"
    description = "Ends its process."
    game_id = "hostile"
    inline = True

    def choose(self, turn: Turn) -> int:
        crash()
        raise AssertionError


class BiddingBot(CrashingBot):
    name = "bidding"
    description = "Bids what ends the process of the rules."

    def choose(self, turn: Turn) -> int:
        return BID(CRASH)


class HangingBot(CrashingBot):
    name = "hanging"
    description = "Bids what never returns from the rules."

    def choose(self, turn: Turn) -> int:
        return BID(LOOP)


class HostileService(PackService):
    service = peek.DESCRIPTOR
    game_ids = ("hostile",)

    def TellCard(self, request: Any, look: VisibleState) -> Any:
        assert isinstance(look.state, HostileState)
        return peek.messages.TellCardResponse(card=look.state.coins[request.seat], viewer=look.viewer)

    def Misbehave(self, request: Any, look: VisibleState) -> Any:
        crash()


class HostilePack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    @hookimpl
    def omnilude_games(self) -> list[type[Game[Any]]]:
        return [HostileGame]

    @hookimpl
    def omnilude_bots(self) -> list[PackBot]:
        return [CrashingBot(), BiddingBot(), HangingBot()]

    @hookimpl
    def omnilude_services(self) -> list[PackService]:
        return [HostileService()]

    @hookimpl
    def omnilude_match_event(self, match: str, kind: str) -> None:
        if kind == "cancelled":
            crash()


PACK = HostilePack()
