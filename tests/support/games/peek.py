"""A pack with a gRPC service: the tiny poker, and calls that look at hands and misbehave in every way."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool

from gamepacks.api import Fault, IllegalAction, InvalidInput, PackService, VisibleState, hookimpl
from tests.support.games import kuhn
from tests.support.protos import compile_proto

messages = compile_proto(Path(__file__).with_name("peek.proto"))
DESCRIPTOR = descriptor_pool.Default().FindServiceByName("tests.peek.v1.PeekService")
SECRET = "the ace of spades"


class Awkward(Fault):
    """A fault that does not let itself be read."""

    def __getattribute__(self, name: str) -> Any:
        if sys._getframe(1).f_globals["__name__"].startswith("engine_service"):
            sys.exit(SECRET)
        return super().__getattribute__(name)


class PeekService(PackService):
    """Tells whatever it finds: only what it is given to look at keeps secrets."""

    service = DESCRIPTOR
    game_ids = ("kuhn",)

    def __init__(self) -> None:
        self.waiting = threading.Event()
        """Set when a call waits."""
        self.gate = threading.Event()
        """A call that waits goes on when it is set."""

    def TellCard(self, request: Any, look: VisibleState) -> Any:
        state = look.state
        assert isinstance(state, kuhn.KuhnState)
        if not 0 <= request.seat < look.game.players:
            raise InvalidInput([Fault("seat", f"no seat {request.seat}; there are {look.game.players}")])
        hand = state.zones.kinds(state.game.hands[request.seat])
        return messages.TellCardResponse(card=hand[0] if hand else -1, viewer=look.viewer)

    def Misbehave(self, request: Any, look: VisibleState) -> Any:
        match request.how:
            case "refuse":
                raise IllegalAction("TOO_FAR", "12 inches are too far", inches=12)
            case "refuse wrongly":
                raise InvalidInput([Awkward("seat", "wrong")])
            case "cancel":
                raise asyncio.CancelledError
            case "raise":
                raise RuntimeError(SECRET)
            case "exit":
                sys.exit(SECRET)
            case "wrong type":
                return messages.TellCardResponse()
            case "change":
                look.state.apply(look.state.legal()[0])
            case "wait":
                self.waiting.set()
                self.gate.wait(60)
            case "hang":
                self.waiting.set()
                while not self.gate.is_set():
                    pass
        return messages.MisbehaveResponse()


class PeekPack(kuhn.KuhnPack):
    """The pack, as an object for ``Registry.load(extra=[PeekPack()])``."""

    def __init__(self) -> None:
        self.service = PeekService()

    @hookimpl
    def omnilude_services(self) -> list[PackService]:
        return [self.service]
