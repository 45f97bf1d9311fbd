"""Replays: a match's whole log with its header, as a message and as a file (``.omr``).

Reading one tells only whether it is whole; whether it is true is for :mod:`engine_service.log.verify`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from google.protobuf.message import DecodeError

from engine_service.errors import ReplayInvalid, ReplayTorn
from engine_service.log.header import has_unknown_fields
from engine_service.log.records import CHAIN_BYTES, KINDS, Record, chain, first_chain
from engine_service.log.results import result_bytes
from engine_service.model import Result
from omnilude.v1 import match_pb2, replay_pb2
from omnilude.v1.replay_pb2 import Replay

SUFFIX = ".omr"
MAX_BYTES = 64 * 1024 * 1024
"""A longer file is taken for no replay: it would hold millions of records."""


def export(header: bytes, records: Iterable[Record], seed: bytes = b"", result: Result | None = None) -> Replay:
    """The replay of a log. ``seed`` and ``result`` are those of a match that has ended; before, neither is known."""
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
    """The bytes of a replay file."""
    return replay.SerializeToString(deterministic=True)


def split_replay(replay: Replay, part_bytes: int) -> Iterator[Replay]:
    """Split a replay into messages of about ``part_bytes`` bytes that merge to it.

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
    """The replay that these bytes are. Raises ReplayTorn where they are cut short, too many, or no replay."""
    if len(data) > max_bytes:
        raise ReplayTorn(f"{len(data)} bytes are too many: a replay has {max_bytes} at most")
    replay = Replay()
    try:
        replay.ParseFromString(data)
    except DecodeError:
        raise ReplayTorn("cut short, or no replay") from None
    if not replay.header or len(replay.chain) != CHAIN_BYTES:
        raise ReplayTorn("cut short, or no replay: header or chain are not there")
    if has_unknown_fields(replay):
        raise ReplayTorn("no replay: it has fields that replays do not have")
    return replay


def records_of(replay: Replay) -> list[Record]:
    """The log of a replay. Raises ReplayInvalid where a record is of no known kind."""
    records: list[Record] = []
    for message in replay.records:
        kind = KINDS.get(message.kind)
        if kind is None:
            raise ReplayInvalid(message.seq, f"{message.kind} is no kind of record")
        records.append(
            Record(message.seq, kind, message.seat, message.code, message.time_ms, message.to_seq, message.text)
        )
    return records


def read_file(path: Path, max_bytes: int = MAX_BYTES) -> Replay:
    """The replay in a file. Raises ReplayTorn, and OSError where it cannot be read."""
    with path.open("rb") as file:
        return read(file.read(max_bytes + 1), max_bytes)


def write_file(path: Path, replay: Replay) -> None:
    """Write a replay file: whole, or (OSError) not at all; what was there before is replaced."""
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with aside.open("wb") as file:
            file.write(encode(replay))
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
