"""Replays: the whole log of a match with its header, as a message and as a file (``.omr``), and their signatures.

Reading a replay checks only that it is complete; :mod:`engine_service.matches.verify` proves it. A signature (Ed25519
over the chain of the log, which covers the header and every record; ``replay.proto`` has the exact bytes) proves which
service recorded the match. A forger can chain an invented log, but cannot sign it with the key of another service.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from google.protobuf.message import DecodeError

from engine_service.errors import ReplayInvalid, ReplayMalformed
from engine_service.log.header import has_unknown_fields
from engine_service.log.records import CHAIN_BYTES, KINDS, Record, chain, first_chain
from engine_service.log.results import result_bytes
from engine_service.model import Result
from omnilude.v1 import match_pb2, replay_pb2
from omnilude.v1.replay_pb2 import Replay

SUFFIX = ".omr"
MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a replay file, enough for millions of records."""


def export(header: bytes, records: Iterable[Record], seed: bytes = b"", result: Result | None = None) -> Replay:
    """Returns the replay of a log. ``seed`` and ``result`` are given for a match that has ended."""
    link = first_chain(header)
    messages: list[replay_pb2.Record] = []
    for record in records:
        link = chain(link, record)
        seq, kind, seat, code, time_ms, to_seq, text = record
        messages.append(
            replay_pb2.Record(
                seq=seq,
                kind=int(kind),  # type: ignore[arg-type]
                seat=seat,
                code=code,
                time_ms=time_ms,
                to_seq=to_seq,
                text=text,
            )
        )
    outcome = None if result is None else match_pb2.MatchResult.FromString(result_bytes(result))
    return Replay(header=header, records=messages, chain=link, seed=seed, result=outcome)


def encode(replay: Replay) -> bytes:
    """Returns the bytes of a replay file."""
    return replay.SerializeToString(deterministic=True)


def split_replay(replay: Replay, part_bytes: int) -> Iterator[Replay]:
    """Split a replay into messages of about ``part_bytes`` bytes, which merge into the replay.

    The first part has the header, each part the next records, and the last one all other fields, so that the parts'
    encodings, one after the other, are the encoding of the replay.
    """
    part, size = Replay(header=replay.header), len(replay.header)
    for record in replay.records:
        if size >= part_bytes:
            yield part
            part, size = Replay(), 0
        part.records.append(record)
        size += record.ByteSize()
    part.chain, part.seed = replay.chain, replay.seed
    if replay.HasField("result"):
        part.result.CopyFrom(replay.result)
    part.signature, part.signing_key = replay.signature, replay.signing_key
    yield part


def read(data: bytes, max_bytes: int = MAX_BYTES) -> Replay:
    """Parse a replay. Raises ReplayMalformed if it is truncated, too long, or not a replay."""
    if len(data) > max_bytes:
        raise ReplayMalformed(f"the replay has {len(data)} bytes; the limit is {max_bytes}")
    replay = Replay()
    try:
        replay.ParseFromString(data)
    except DecodeError:
        raise ReplayMalformed("truncated, or not a replay") from None
    if not replay.header or len(replay.chain) != CHAIN_BYTES:
        raise ReplayMalformed("truncated, or not a replay: the header or the chain is missing")
    if has_unknown_fields(replay):
        raise ReplayMalformed("not a replay: it has unknown fields")
    return replay


def records_of(replay: Replay) -> list[Record]:
    """Returns the log of a replay. Raises ReplayInvalid if the kind of a record is unknown."""
    records: list[Record] = []
    for message in replay.records:
        kind = KINDS.get(message.kind)
        if kind is None:
            raise ReplayInvalid(message.seq, f"the kind {message.kind} is unknown")
        records.append(
            Record(message.seq, kind, message.seat, message.code, message.time_ms, message.to_seq, message.text)
        )
    return records


def read_file(path: Path, max_bytes: int = MAX_BYTES) -> Replay:
    """Read a replay file. Raises ReplayMalformed, and OSError if it cannot be read."""
    with path.open("rb") as file:
        return read(file.read(max_bytes + 1), max_bytes)


def write_file(path: Path, replay: Replay) -> None:
    """Write a replay file, replacing an older one, completely or (OSError) not at all."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("wb") as file:
            file.write(encode(replay))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


SIGNATURE_BYTES = 64
PUBLIC_KEY_BYTES = 32
_DOMAIN = b"omnilude replay 1\0"


class SigningKey:
    """The private key of a service, made from its 32 secret bytes."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()
        """The public key of 32 bytes, which verifies the signatures."""

    def sign(self, replay: Replay) -> None:
        """Sign a replay of a match that was played at this service."""
        replay.signature = self._key.sign(_DOMAIN + replay.chain)
        replay.signing_key = self.public


def signer(replay: Replay) -> bytes:
    """Returns the public key of the service that has signed a replay; empty if none has.

    Raises ReplayInvalid if the signature is not made with that key over this log.
    """
    if not replay.signature and not replay.signing_key:
        return b""
    try:
        if len(replay.signature) != SIGNATURE_BYTES or len(replay.signing_key) != PUBLIC_KEY_BYTES:
            raise InvalidSignature
        Ed25519PublicKey.from_public_bytes(replay.signing_key).verify(replay.signature, _DOMAIN + replay.chain)
    except (InvalidSignature, ValueError):
        raise ReplayInvalid(0, "the signature does not match the log") from None
    return replay.signing_key
