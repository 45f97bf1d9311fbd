"""Tables of the store, and the conversion between rows and values.

Records are clustered by match, so a log is one range of the table. Keys within the database are small integers, which
are two to three times faster than the names of matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
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
"""One row: the total uptime of services on this database, its id, and the number of committed transactions."""

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
unfinished = matches.c.ended_ms == literal_column("0")
"""A literal, not a parameter, so that the partial index serves queries for unfinished matches."""
Index("matches_unfinished", matches.c.created_ms, matches.c.name, sqlite_where=unfinished, postgresql_where=unfinished)
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


match_tables = (records, labels, seats)
"""Tables whose rows belong to a match, by ``match_key``."""


_ROW_FIELDS = [field.name for field in fields(MatchRow) if field.name in matches.c and field.name != "key"]
_UPDATE_FIELDS = [field.name for field in fields(RowUpdate) if field.name in matches.c]
"""The fields of a row, and of an update, that are columns of ``matches``."""


# -- values to rows ------------------------------------------------------------------------------------------------


def match_values(row: MatchRow) -> dict[str, Any]:
    """Returns the columns of ``matches`` of a new match, without the key, which the database assigns."""
    return {
        **{name: getattr(row, name) for name in _ROW_FIELDS},
        "queued_outcomes": pack_codes(row.queued_outcomes),
        "to_act": pack_seats(row.to_act),
        "ended_uptime_ms": row.uptime_ms if row.ended_ms else None,
    }


def update_values(update: RowUpdate, uptime_ms: int) -> dict[str, Any]:
    """Returns the columns of ``matches`` that an update changes, made at that uptime."""
    values = {name: getattr(update, name) for name in _UPDATE_FIELDS}
    if update.queued_outcomes is not None:
        values["queued_outcomes"] = pack_codes(update.queued_outcomes)
    values["ended_uptime_ms"] = uptime_ms if update.ended_ms else None
    return {name: value for name, value in values.items() if value is not None}


def seat_values(key: int, rows: Sequence[SeatRow]) -> list[dict[str, Any]]:
    """Returns the rows of ``seats`` of a match."""
    return [
        {"match_key": key, "seat": seat, **{field.name: getattr(row, field.name) for field in fields(SeatRow)}}
        for seat, row in enumerate(rows)
    ]


def label_values(key: int, given: Mapping[str, str]) -> list[dict[str, Any]]:
    """Returns the rows of ``labels`` of a match."""
    return [{"match_key": key, "label": label, "value": value} for label, value in given.items()]


def record_values(key: int, given: Iterable[Record]) -> list[tuple[Any, ...]]:
    """Returns the rows of ``records`` of a match, as tuples in the order of the columns."""
    return [
        (key, seq, int(kind), seat, code, time_ms, to_seq, text)
        for seq, kind, seat, code, time_ms, to_seq, text in given
    ]


def request_values(request: StoredRequest) -> dict[str, Any]:
    """Returns the row of ``requests`` of an answer."""
    return {field.name: getattr(request, field.name) for field in fields(StoredRequest)}


def pack_seats(mask: int) -> str:
    """Returns a bit mask of seats as a string of 0 and 1, seat 0 first, in which SQL finds a seat by its index."""
    return f"{mask:b}"[::-1] if mask else ""


def pack_codes(codes: Sequence[int]) -> bytes:
    """Returns codes as little-endian 32-bit numbers."""
    return pack(f"<{len(codes)}i", *codes)


def unpack_codes(packed: bytes) -> tuple[int, ...]:
    """Returns the codes that :func:`pack_codes` has packed."""
    return unpack(f"<{len(packed) // 4}i", packed)


# -- rows to values: tuples in the order of the table's columns ----------------------------------------------------


def match_row(row: Sequence[Any], seat_rows: Iterable[Sequence[Any]], label_rows: Iterable[Sequence[Any]]) -> MatchRow:
    """Returns a match from its row of ``matches`` and those of ``seats`` (by seat) and ``labels``."""
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
    """Returns a record from its row of ``records``."""
    _, seq, kind, seat, code, time_ms, to_seq, text = row
    return Record(seq, KINDS[kind], seat, code, time_ms, to_seq, text)


def request_of(row: Sequence[Any]) -> StoredRequest:
    """Returns an answer from its row of ``requests``."""
    return StoredRequest(*row)
