"""Sealed states are sent with a seal, and accepted only with the right one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from engine_service import errors
from engine_service.log.header import Header
from engine_service.log.replay import encode, export, read, records_of
from engine_service.model import MatchSetup, SeatSetup
from gamepacks.api import Fault, InvalidPosition, SealedState, hookimpl
from tests.support.games import sealed
from tests.support.hosting import PACKS, Hosted, HostedMatch, hosting
from tests.support.protos import compile_proto

opaque = compile_proto(Path(sealed.__file__).with_name("opaque.proto"))
SEATS = [SeatSetup(), SeatSetup()]


class OpaqueGame(sealed.SealedGame):
    """The game of sealed bids, whose positions are one sealed state."""

    id = "opaque"
    messages = dataclasses.replace(sealed.SealedGame.messages, position=opaque.Position)

    def position(self, state: Any) -> Any:
        data = super().position(state).SerializeToString(deterministic=True)
        return opaque.Position(state=SealedState(state=data))

    def restore(self, position: Any) -> Any:
        inner = sealed.messages.Position.FromString(position.state.state)
        if not inner.coins:
            raise InvalidPosition([Fault("state", "cannot be read")])
        return super().restore(inner)


class OpaquePack:
    @hookimpl
    def omnilude_games(self) -> Sequence[type[OpaqueGame]]:
        return [OpaqueGame]


ALL = [*PACKS, OpaquePack()]


async def position_of(h: Hosted, **setup: Any) -> tuple[HostedMatch, Any]:
    """Returns a match in which one seat has bid, and its position as the host is sent it."""
    t = await h.new_match("opaque", **setup)
    await t.play(0, sealed.BID(1))
    observed = await h.host.observe_match(t.name, t.host_token)
    assert observed.observation is not None
    return t, observed.observation.position


async def create(h: Hosted, position: Any, **setup: Any) -> Any:
    return await h.host.create(MatchSetup("opaque", SEATS, position=position, **setup))


async def test_sealed_position_is_accepted_with_its_seal() -> None:
    async with hosting(packs=ALL) as h:
        t, position = await position_of(h)
        assert len(position.state.seal) == 32
        assert len(t.live.resample_position(1).state.seal) == 32  # type: ignore[attr-defined]
        created = await create(h, position)
        for seat in ("Ada", "Ben"):
            await h.host.join(created.match.name, seat)
        again = await h.host.observe_match(created.match.name, created.host_token)
        assert again.observation is not None and again.observation.position == position
        loaded = await h.new_host().observe_match(created.match.name, created.host_token)
        assert loaded.observation is not None and loaded.observation.position == position


@pytest.mark.parametrize(
    "change", ["byte of the state", "byte of the seal", "no seal", "other options", "other service"]
)
async def test_wrong_seal_is_refused(change: str) -> None:
    async with hosting(packs=ALL) as h:
        _, position = await position_of(h)
        setup: dict[str, Any] = {}
        if change == "byte of the state":
            position.state.state = bytes([position.state.state[0] ^ 1]) + position.state.state[1:]
        elif change == "byte of the seal":
            position.state.seal = bytes([position.state.seal[0] ^ 1]) + position.state.seal[1:]
        elif change == "no seal":
            position.state.ClearField("seal")
        elif change == "other options":
            setup = {"option_texts": {"rounds": "5"}}
        refusal: Any
        with pytest.raises(errors.InvalidPosition) as refusal:
            if change == "other service":
                await h.new_host(secret=b"o" * 32).create(MatchSetup("opaque", SEATS, position=position))
            else:
                await create(h, position, **setup)
        assert [fault.field for fault in refusal.value.faults] == ["position.state.seal"]


async def test_imported_position_needs_its_seal() -> None:
    async with hosting(packs=ALL) as h:
        _, position = await position_of(h)
        created = await create(h, position)
        await h.host.cancel(created.match.name, created.host_token)
        replay = await h.host.get_replay(created.match.name)
        await h.host.delete(created.match.name)
        assert (await h.host.import_replay(encode(replay))).name == created.match.name
        await h.host.delete(created.match.name)

        header = Header.decode(replay.header)
        assert header.position is not None
        inner = opaque.Position.FromString(header.position.value)
        inner.state.seal = bytes(32)
        forged = AnyMessage()
        forged.Pack(inner)
        edited = dataclasses.replace(header, position=forged).encode()
        assert replay.HasField("result")
        copy = export(edited, records_of(read(encode(replay))), replay.seed)
        copy.result.CopyFrom(replay.result)
        with pytest.raises(errors.InvalidPosition) as refusal:
            await h.host.import_replay(encode(copy))
        assert [fault.field for fault in refusal.value.faults] == ["position.state.seal"]
