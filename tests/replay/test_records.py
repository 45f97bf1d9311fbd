"""Records, their canonical bytes and chain, the packed log."""

from __future__ import annotations

import struct
import tracemalloc
from hashlib import blake2b

import pytest

from cext.random import Rng
from engine_service.log.records import KINDS, Record, RecordLog, canonical, chain, chain_all, first_chain
from engine_service.match_enums import RecordKind

KNOWN = [
    "32006dd888967d6d97c10cb5a21e3be2512f23eaa6358578d6d61d6eea3257cc",
    "ff8473dd7b6d8ce5106b4104d8693c62a6d13957ec59aec06a0ccfa5f3e723ec",
    "9cf463ee45eca8d58114b663700a1c773518cdfec909b8a1717540ce028108bf",
    "4f0f1e4097a56493f17058e1fba8e1881869921e4ed72f3b36294fa5ca70510e",
    "7aa15c9d6a12163297bddcafde08b19c1f2a8e1e8f9f912519fab6a06eb59cc7",
    "d9c972c07d7f355687fd38809f02c11107975fbd1b6edecb3b1f2156c7d136fc",
]
"""Chains 0 to 5 of the log below, computed by a separate script."""


def test_canonical_bytes_follow_the_contract() -> None:
    record = Record(258, RecordKind.UNDO_REQUESTED, 2, -5, 1_000_000, 77, "h\u00e9 \U0001f3b2")
    text = "h\u00e9 \U0001f3b2".encode()
    assert canonical(record) == (
        (258).to_bytes(8, "little")
        + bytes([9])
        + (2).to_bytes(1, "little", signed=True)
        + (-5).to_bytes(4, "little", signed=True)
        + (1_000_000).to_bytes(8, "little")
        + (77).to_bytes(8, "little")
        + len(text).to_bytes(4, "little")
        + text
    )
    assert canonical(Record(1, RecordKind.STARTED))[9:10] == b"\xff"  # seat -1


def test_chain_of_a_known_log() -> None:
    """Known bytes, which must never change, because every replay file depends on them."""
    log = [
        Record(1, RecordKind.JOINED, 0, 0, 5, 0, "Ada"),
        Record(2, RecordKind.STARTED, -1, 0, 6),
        Record(3, RecordKind.ACTION, 0, 65_537, 900),
        Record(4, RecordKind.CHANCE, -1, 3, 900),
        Record(5, RecordKind.UNDONE, 0, 0, 950, 2, "slip"),
    ]
    assert first_chain(b"header").hex() == KNOWN[0]
    link = first_chain(b"header")
    for record, known in zip(log, KNOWN[1:], strict=True):
        link = chain(link, record)
        assert link.hex() == known
    assert chain_all(first_chain(b"header"), log) == link


def test_chain_equals_an_independent_computation() -> None:
    rng = Rng(5)
    link = blake2b(b"h" * 300, digest_size=32).digest()
    assert first_chain(b"h" * 300) == link
    for seq in range(1, 200):
        text = "\u2660" * rng.below(5)
        seat, code, time_ms, to_seq = (
            rng.below(256) - 128,
            rng.below(2**32 - 1) - 2**31,
            rng.bits64() >> 1,
            rng.bits64() >> 1,
        )
        kind = rng.choice(list(RecordKind))
        expected = blake2b(digest_size=32)
        expected.update(link)
        for form, number in zip("qBbiqq", (seq, kind, seat, code, time_ms, to_seq), strict=True):
            expected.update(struct.pack("<" + form, number))
        expected.update(struct.pack("<I", len(text.encode())) + text.encode())
        link = chain(link, Record(seq, kind, seat, code, time_ms, to_seq, text))
        assert link == expected.digest()


@pytest.mark.parametrize(
    "record",
    [
        Record(2**63, RecordKind.ACTION),
        Record(1, RecordKind.ACTION, 128),
        Record(1, RecordKind.ACTION, -129),
        Record(1, RecordKind.ACTION, 0, 2**31),
        Record(1, RecordKind.ACTION, 0, 0, 2**63),
        Record(1, RecordKind.ACTION, 0, 0, 0, -(2**63) - 1),
    ],
)
def test_number_that_does_not_fit_is_a_value_error(record: Record) -> None:
    with pytest.raises(ValueError, match="out of range"):
        canonical(record)


def some_records(count: int) -> list[Record]:
    return [
        Record(seq, KINDS[1 + seq % 15], seq % 9 - 1, (-1) ** seq * seq, seq * 2**33, seq // 2, "x" * (seq % 4 == 0))
        for seq in range(1, count + 1)
    ]


def test_log_returns_its_records() -> None:
    records = some_records(50)
    log = RecordLog(records[:10])
    for record in records[10:20]:
        log.append(record)
    log.extend(records[20:])
    assert len(log) == log.last_seq == 50
    assert list(log) == records
    assert [log[seq] for seq in range(1, 51)] == records
    assert all(type(record.kind) is RecordKind for record in log)
    assert log.after(0) == records
    assert log.after(47) == records[47:]
    assert log.after(10, 5) == records[10:15]
    assert log.after(48, 5) == records[48:]
    assert log.after(50) == log.after(60) == log.after(3, 0) == []
    assert RecordLog().last_seq == 0
    assert list(RecordLog()) == []


def test_log_refuses_gaps_and_positions_beyond_its_ends() -> None:
    log = RecordLog(some_records(3))
    for seq in (0, 3, 5):
        with pytest.raises(ValueError, match="cannot follow"):
            log.append(Record(seq, RecordKind.ACTION))
    for seq in (0, -1, 4):
        with pytest.raises(IndexError):
            log[seq]
    with pytest.raises(IndexError):
        log.after(-1)
    assert len(log) == 3


def test_two_hundred_records_need_a_few_kilobytes() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        logs = [RecordLog(Record(seq, RecordKind.ACTION, 0, seq, seq) for seq in range(1, 201)) for _ in range(20)]
        each = (tracemalloc.get_traced_memory()[0] - before) / len(logs)
    finally:
        tracemalloc.stop()
    assert each < 6_500
