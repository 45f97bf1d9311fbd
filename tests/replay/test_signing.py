"""Signatures of replays: made by the service that hosted the match, and verified with its key."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine_service.errors import ReplayInvalid
from engine_service.log.header import Header
from engine_service.log.records import chain_all, first_chain
from engine_service.log.replay import SigningKey, encode, read, records_of, signer
from engine_service.matches.verify import verify
from omnilude.v1.replay_pb2 import Replay
from tests.support.hosting import SIGNING_KEY, HostedMatch, hosting

OTHER = SigningKey(bytes(32))


async def played(h: object, **setup: object) -> HostedMatch:
    t: HostedMatch = await h.new_match("kuhn", **setup)  # type: ignore[attr-defined]
    await t.host.resign(t.name, t.tokens[0])
    return t


def rechained(replay: Replay, **changed: object) -> Replay:
    """Returns the same replay with another header and a new chain."""
    header = Header.decode(replay.header)
    fields = {name: getattr(header, name) for name in header.__slots__}
    edited = Replay()
    edited.CopyFrom(replay)
    edited.header = Header(**{**fields, **changed}).encode()
    edited.chain = chain_all(first_chain(edited.header), records_of(edited))
    return edited


@pytest.mark.parametrize("ephemeral", [True, False])
async def test_service_signs_the_replays_of_its_own_matches(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await played(h, ephemeral=ephemeral)
        replay = read(encode(await h.host.get_replay(t.name)))
        assert replay.signing_key == h.host.signing_key == SIGNING_KEY.public
        assert verify(replay, h.registry).signing_key == SIGNING_KEY.public
        if not ephemeral:
            h.host._runtime.cache.remove(t.name)
            assert await h.host.get_replay(t.name) == replay, "from the store it is the same"


async def test_running_match_is_signed_up_to_its_last_record() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        replay = await h.host.get_replay(t.name, t.host_token)
        assert verify(replay, h.registry).signing_key == SIGNING_KEY.public


def test_bytes_that_are_signed_are_those_of_the_contract() -> None:
    replay = Replay(chain=bytes(range(32)))
    OTHER.sign(replay)
    key = Ed25519PublicKey.from_public_bytes(replay.signing_key)
    key.verify(replay.signature, b"omnilude replay 1\0" + bytes(range(32)))
    assert signer(replay) == OTHER.public
    assert signer(Replay(chain=bytes(32))) == b""


async def test_edited_replay_that_is_rechained_is_signed_by_nobody() -> None:
    async with hosting() as h:
        t = await played(h, labels={"event": "spring"})
        replay = await h.host.get_replay(t.name)
        edited = rechained(replay, labels={"event": "world championship"})
        with pytest.raises(ReplayInvalid, match="signature"):
            verify(edited, h.registry)
        edited.signature = edited.signing_key = b""
        assert verify(edited, h.registry).signing_key == b"", "it is consistent, and that is all"
        OTHER.sign(edited)
        assert verify(edited, h.registry).signing_key == OTHER.public


@pytest.mark.parametrize(
    ("signature", "key"),
    [(b"", SIGNING_KEY.public), (b"x" * 64, b""), (b"x" * 64, b"k" * 32), (b"x", SIGNING_KEY.public), (b"", b"k")],
)
async def test_incomplete_and_wrong_signatures_are_refused(signature: bytes, key: bytes) -> None:
    async with hosting() as h:
        t = await played(h)
        replay = await h.host.get_replay(t.name)
        replay.signature, replay.signing_key = signature, key
        with pytest.raises(ReplayInvalid, match="signature"):
            verify(replay, h.registry)
        with pytest.raises(ReplayInvalid, match="signature"):
            await h.host.import_replay(encode(replay))
