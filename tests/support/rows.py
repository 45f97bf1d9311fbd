"""Rows and records for tests of the store: small and distinct."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from engine_service.log.records import Record, chain_all, first_chain
from engine_service.match_enums import RecordKind
from engine_service.store.base import MatchRow, SeatRow


def noise(of: str, size: int) -> bytes:
    """Returns bytes that depend only on ``of``."""
    return blake2b(of.encode(), digest_size=size).digest()


def row(name: str, records: list[Record] | None = None, **changed: Any) -> MatchRow:
    """Returns the row of a running match with ``records``."""
    header = noise(name + "header", 64)
    given: dict[str, Any] = {
        "name": f"matches/{name}",
        "uid": noise(name + "uid", 16),
        "game": "nim",
        "state": 2,
        "header": header,
        "seed": noise(name + "seed", 32),
        "created_ms": 1_000,
        "chain": chain_all(first_chain(header), records or []),
        "seats": (
            SeatRow(1, "Ada", True, False, noise(name + "n0", 16), noise(name + "d0", 32)),
            SeatRow(3, "greedy", True),
        ),
        "host_nonce": noise(name + "hn", 16),
        "host_digest": noise(name + "hd", 32),
        "last_seq": len(records or []),
    }
    return MatchRow(**{**given, **changed})


def actions(first: int, count: int = 1) -> list[Record]:
    """Returns ``count`` records, starting with seq ``first``."""
    return [
        Record(seq, RecordKind.ACTION, seq % 2, seq * 1_000_003 - 2**31 // 2, seq * 10)
        for seq in range(first, first + count)
    ]
