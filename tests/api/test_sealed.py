"""Sealed states: finding them in a position, and the kit's checks of packs that have them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import DecodeError, Message

from gamepacks.api import Fault, InvalidPosition, SealedState, sealed_states
from gamepacks.api.kit import CATALOGUE, CheckFailed, Subject
from tests.support.games import sealed
from tests.support.games.sealed import SealedGame
from tests.support.protos import compile_proto

opaque = compile_proto(Path(sealed.__file__).with_name("opaque.proto"))
CHECKS = {check.name: check for check in CATALOGUE}


class OpaqueGame(SealedGame):
    """The game of sealed bids, whose positions are one sealed state."""

    id = "opaque"
    messages = dataclasses.replace(SealedGame.messages, position=opaque.Position)

    def position(self, state: Any) -> Message:
        data = super().position(state).SerializeToString(deterministic=True)
        return opaque.Position(state=SealedState(state=data))

    def restore(self, position: Any) -> Any:
        try:
            inner = sealed.messages.Position.FromString(position.state.state)
        except DecodeError:
            raise InvalidPosition([Fault("state", "cannot be read")]) from None
        return super().restore(inner)


class SealsItself(OpaqueGame):
    def position(self, state: Any) -> Message:
        position: Any = super().position(state)
        position.state.seal = b"mine"
        return position


def test_sealed_states_are_found_with_their_paths() -> None:
    first, second = SealedState(state=b"1"), SealedState(state=b"2")
    message = opaque.Position(state=first, parts=[opaque.Part(numbers={1: 2}), opaque.Part(state=second)])
    found = list(sealed_states(message))
    assert found == [("state", first), ("parts[1].state", second)]
    found[1][1].seal = b"seal"
    assert message.parts[1].state.seal == b"seal", "the part itself, not a copy"
    assert list(sealed_states(sealed.messages.Position(coins=[1, 2]))) == []


@pytest.mark.parametrize("name", ["round-trips", "position-faults", "clones"])
def test_the_kit_accepts_a_game_with_sealed_states(name: str) -> None:
    CHECKS[name].run(Subject(OpaqueGame, games=3))


def test_the_kit_refuses_a_pack_that_fills_in_seals() -> None:
    with pytest.raises(CheckFailed, match="must set state and leave seal empty"):
        CHECKS["round-trips"].run(Subject(SealsItself, games=1))
