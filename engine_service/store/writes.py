"""Writing to the tables: one write of many in a transaction, which may be refused without harm to the others.

Whether a write may go on (its match at the expected record, its names and request id free) is looked up before
anything of it is written. That holds to the end, because nobody else writes meanwhile: the transaction has the
database's write lock from its beginning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine_service.log.records import Record
from engine_service.store import schema
from engine_service.store import sqlite_sql as sql
from engine_service.store.base import (
    MatchExists,
    MatchRow,
    MatchUpdate,
    RequestConflict,
    SeatRow,
    SequenceConflict,
    StoredRequest,
)


@dataclass(frozen=True, slots=True)
class Create:
    """Store a new match."""

    row: MatchRow
    records: Sequence[Record]
    request: StoredRequest | None


@dataclass(frozen=True, slots=True)
class Append:
    """Add records to a match."""

    key: int
    expected_last_seq: int
    records: Sequence[Record]
    chain: bytes
    update: MatchUpdate | None
    request: StoredRequest | None
    uptime_ms: int
    to_act: int


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete a match."""

    key: int
    request: StoredRequest | None


@dataclass(frozen=True, slots=True)
class Forget:
    """Forget the oldest answers to requests, ``most`` at most, of those given before that uptime."""

    before_uptime_ms: int
    most: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the service's uptime."""

    uptime_ms: int


Write = Create | Append | Delete | Forget | Keep
Outcome = MatchRow | int | None | Exception
"""The stored row of a Create, how many a Forget has forgotten, None for the others; or why it was refused."""

_change_match = lru_cache(maxsize=64)(sql.change_match)


def write(connection: sqlite3.Connection, wanted: Write) -> Outcome:
    """Carry out one write. A refusal is returned, and has written nothing; an error of the database is raised."""
    if isinstance(wanted, Forget):
        oldest = {"before_uptime_ms": wanted.before_uptime_ms, "most": wanted.most}
        return connection.execute(sql.FORGET_REQUESTS, oldest).rowcount
    if isinstance(wanted, Keep):
        connection.execute(sql.KEEP_UPTIME, {"uptime": wanted.uptime_ms})
        return None
    request = wanted.request
    if request is not None:
        same = {"scope": request.scope, "request_id": request.request_id}
        if connection.execute(sql.SELECT_REQUEST, same).fetchone():
            return RequestConflict(request.scope, request.request_id)
    if isinstance(wanted, Create):
        outcome = _create(connection, wanted)
    elif isinstance(wanted, Append):
        outcome = _append(connection, wanted)
    else:
        outcome = None
        for statement in sql.DELETE_MATCH:
            connection.execute(statement, {"match_key": wanted.key})
    if request is not None and not isinstance(outcome, Exception):
        connection.execute(sql.INSERT_REQUEST, schema.request_values(request))
    return outcome


def _create(connection: sqlite3.Connection, wanted: Create) -> Outcome:
    row = wanted.row
    same = connection.execute(sql.SELECT_SAME_MATCH, {"name": row.name, "uid": row.uid}).fetchone()
    if same is not None:
        return MatchExists(same[0])
    key = connection.execute(sql.INSERT_MATCH, schema.match_values(row)).lastrowid
    assert key is not None
    _insert_seats(connection, key, row.seats)
    connection.executemany(sql.INSERT_LABEL, schema.label_values(key, row.labels))
    connection.executemany(sql.INSERT_RECORD, schema.record_values(key, wanted.records))
    return replace(row, key=key)


def _append(connection: sqlite3.Connection, wanted: Append) -> Outcome:
    key = wanted.key
    found = connection.execute(sql.SELECT_LAST_SEQ, {"match_key": key}).fetchone()
    last_seq = None if found is None else found[0]
    if last_seq != wanted.expected_last_seq:
        return SequenceConflict(wanted.expected_last_seq, last_seq)
    if wanted.records:
        advance = {
            "match_key": key,
            "to_seq": wanted.records[-1].seq,
            "new_chain": wanted.chain,
            "uptime": wanted.uptime_ms,
            "seats_to_act": schema.pack_seats(wanted.to_act),
        }
        connection.execute(sql.ADVANCE, advance)
        connection.executemany(sql.INSERT_RECORD, schema.record_values(key, wanted.records))
    if wanted.update is not None:
        if values := schema.update_values(wanted.update):
            connection.execute(_change_match(tuple(values)), {**values, "match_key": key})
        if wanted.update.seats is not None:
            connection.execute(sql.DELETE_SEATS, {"match_key": key})
            _insert_seats(connection, key, wanted.update.seats)
    return None


def _insert_seats(connection: sqlite3.Connection, key: int, seats: Sequence[SeatRow]) -> None:
    connection.executemany(sql.INSERT_SEAT, schema.seat_values(key, seats))
