"""Tables of the store, and the conversion of rows to values and back.

Records are clustered by match, so reading a log reads one stretch of the table. Keys within the database are small
numbers, which are two to three times faster than the names of matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from struct import pack, unpack
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    literal_column,
)

from engine_service.log.records import KINDS, Record
from engine_service.store.base import MatchRow, RowUpdate, SeatRow, StoredRequest

VERSION = 1
"""Version of the schema. A database of another version is refused."""

ORDERED_TEXT = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is ordered by its bytes in every database."""

metadata = MetaData()

schema_version = Table("omnilude_schema", metadata, Column("version", Integer, nullable=False))

service = Table(
    "service",
    metadata,
    Column("uptime_ms", BigInteger, nullable=False),
    Column("store_id", Text, nullable=False),
    Column("commits", BigInteger, nullable=False),
)
"""One row: how long services have run on this database, all together; its id, made with it; how many transactions have
been committed."""

matches = Table(
    "matches",
    metadata,
    Column("key", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("name", ORDERED_TEXT, nullable=False, unique=True),
    Column("uid", LargeBinary(16), nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("state", SmallInteger, nullable=False),
    Column("header", LargeBinary, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("host_nonce", LargeBinary(16), nullable=False),
    Column("host_digest", LargeBinary(32), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("chain", LargeBinary(32), nullable=False),
    Column("result", LargeBinary, nullable=False),
    Column("queued_outcomes", LargeBinary, nullable=False),
    Column("uptime_ms", BigInteger, nullable=False),
    Column("to_act", Text, nullable=False),
    Column("imported", Boolean, nullable=False),
    Column("signature", LargeBinary(64), nullable=False),
    Column("signing_key", LargeBinary(32), nullable=False),
    Column("private_records", BigInteger, nullable=False),
    Column("newest_withheld", Boolean, nullable=False),
    Column("ended_uptime_ms", BigInteger),
    postgresql_with={"fillfactor": 70},
)
"""``ended_uptime_ms``: uptime at the end of the match, NULL before it.

A move changes no column that an index covers, and PostgreSQL keeps room for another version of a row on its page; so a
move writes to one page of this table and to none of its indexes, however many matches there are.
"""
Index("matches_by_age", matches.c.created_ms, matches.c.name)
going_on = matches.c.ended_ms == literal_column("0")
"""Written out, not a parameter, so that the index of such matches alone serves the question for them."""
Index("matches_going_on", matches.c.created_ms, matches.c.name, sqlite_where=going_on, postgresql_where=going_on)
ended = matches.c.ended_uptime_ms.is_not(None)
Index("matches_ended", matches.c.ended_uptime_ms, matches.c.name, sqlite_where=ended, postgresql_where=ended)


def _match_key() -> Column[int]:
    return Column("match_key", BigInteger, ForeignKey("matches.key"), primary_key=True, autoincrement=False)


seats = Table(
    "seats",
    metadata,
    _match_key(),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("kind", SmallInteger, nullable=False),
    Column("player", Text, nullable=False),
    Column("taken", Boolean, nullable=False),
    Column("out", Boolean, nullable=False),
    Column("nonce", LargeBinary(16), nullable=False),
    Column("digest", LargeBinary(32), nullable=False),
    sqlite_with_rowid=False,
)
Index("seats_by_player", seats.c.player, seats.c.match_key)

labels = Table(
    "labels",
    metadata,
    _match_key(),
    Column("label", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_with_rowid=False,
)
Index("labels_by_value", labels.c.label, labels.c.value, labels.c.match_key)

records = Table(
    "records",
    metadata,
    _match_key(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", SmallInteger, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("code", Integer, nullable=False),
    Column("time_ms", BigInteger, nullable=False),
    Column("to_seq", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

requests = Table(
    "requests",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("request_id", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("uptime_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("requests_by_age", requests.c.uptime_ms)


of_matches = (records, labels, seats)
"""Tables of what belongs to a match, by ``match_key``."""


# -- values to rows ------------------------------------------------------------------------------------------------


def match_values(row: MatchRow) -> dict[str, Any]:
    """The columns of ``matches`` of a new match; its key is the database's to give."""
    return {
        "name": row.name,
        "uid": row.uid,
        "game": row.game,
        "state": row.state,
        "header": row.header,
        "seed": row.seed,
        "host_nonce": row.host_nonce,
        "host_digest": row.host_digest,
        "created_ms": row.created_ms,
        "started_ms": row.started_ms,
        "ended_ms": row.ended_ms,
        "last_seq": row.last_seq,
        "chain": row.chain,
        "result": row.result,
        "queued_outcomes": pack_codes(row.queued_outcomes),
        "uptime_ms": row.uptime_ms,
        "to_act": pack_seats(row.to_act),
        "imported": row.imported,
        "signature": row.signature,
        "signing_key": row.signing_key,
        "private_records": row.private_records,
        "newest_withheld": row.newest_withheld,
        "ended_uptime_ms": row.uptime_ms if row.ended_ms else None,
    }


def update_values(update: RowUpdate, uptime_ms: int) -> dict[str, Any]:
    """The columns of ``matches`` that an update changes, made at that uptime."""
    values: dict[str, Any] = {
        "state": update.state,
        "started_ms": update.started_ms,
        "ended_ms": update.ended_ms,
        "result": update.result,
        "queued_outcomes": None if update.queued_outcomes is None else pack_codes(update.queued_outcomes),
        "private_records": update.private_records,
        "newest_withheld": update.newest_withheld,
        "ended_uptime_ms": uptime_ms if update.ended_ms else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def seat_values(key: int, rows: Sequence[SeatRow]) -> list[dict[str, Any]]:
    """The rows of ``seats`` of a match."""
    return [
        {
            "match_key": key,
            "seat": seat,
            "kind": row.kind,
            "player": row.player,
            "taken": row.taken,
            "out": row.out,
            "nonce": row.nonce,
            "digest": row.digest,
        }
        for seat, row in enumerate(rows)
    ]


def label_values(key: int, given: Mapping[str, str]) -> list[dict[str, Any]]:
    """The rows of ``labels`` of a match."""
    return [{"match_key": key, "label": label, "value": value} for label, value in given.items()]


def record_values(key: int, given: Iterable[Record]) -> list[tuple[Any, ...]]:
    """The rows of ``records`` of a match, as tuples in the order of the columns."""
    return [
        (key, seq, int(kind), seat, code, time_ms, to_seq, text)
        for seq, kind, seat, code, time_ms, to_seq, text in given
    ]


def request_values(request: StoredRequest) -> dict[str, Any]:
    """The row of ``requests`` of an answer."""
    return {
        "scope": request.scope,
        "request_id": request.request_id,
        "fingerprint": request.fingerprint,
        "answer": request.answer,
        "uptime_ms": request.uptime_ms,
    }


def pack_seats(mask: int) -> str:
    """A bit mask of seats as a text of 0 and 1, seat 0 first: SQL looks at the place of a seat in it."""
    return f"{mask:b}"[::-1] if mask else ""


def pack_codes(codes: Sequence[int]) -> bytes:
    """Codes as little-endian 32-bit numbers."""
    return pack(f"<{len(codes)}i", *codes)


def unpack_codes(packed: bytes) -> tuple[int, ...]:
    """The codes that :func:`pack_codes` has packed."""
    return unpack(f"<{len(packed) // 4}i", packed)


# -- rows to values: tuples in the order of the table's columns ----------------------------------------------------


def match_row(row: Sequence[Any], seat_rows: Iterable[Sequence[Any]], label_rows: Iterable[Sequence[Any]]) -> MatchRow:
    """A match from its row of ``matches`` and those of ``seats`` (by seat) and ``labels``."""
    values = dict(zip(matches.c.keys(), row, strict=True))
    values["queued_outcomes"] = unpack_codes(values["queued_outcomes"])
    values["to_act"] = int(values["to_act"][::-1] or "0", 2)
    values["imported"] = bool(values["imported"])
    del values["ended_uptime_ms"]
    return MatchRow(
        **values,
        seats=tuple(
            SeatRow(kind, player, bool(taken), bool(out), nonce, digest)
            for _, _, kind, player, taken, out, nonce, digest in seat_rows
        ),
        labels={label: value for _, label, value in label_rows},
    )


def record_of(row: Sequence[Any]) -> Record:
    """A record from its row of ``records``."""
    _, seq, kind, seat, code, time_ms, to_seq, text = row
    return Record(seq, KINDS[kind], seat, code, time_ms, to_seq, text)


def request_of(row: Sequence[Any]) -> StoredRequest:
    """An answer from its row of ``requests``."""
    return StoredRequest(*row)
