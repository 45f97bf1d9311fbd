"""Writes to a SQLite database.

Whether a write may be made (its match is at the expected record, its names and its request id are free) is looked up
before anything of it is written. The answer holds until the commit, because the transaction has the database's write
lock from its beginning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from engine_service.store import schema
from engine_service.store.base import MatchExists, RequestConflict, SeatRow, SequenceConflict
from engine_service.store.sqlite_file import SQL
from engine_service.store.writes import Append, Create, DeleteRequests, Execute, Outcome, SaveUptime, Write

INSERT_RECORD = f"INSERT INTO records VALUES ({', '.join('?' * len(schema.records.c))})"
"""With places instead of names: there are so many records that it shows."""


def write(connection: sqlite3.Connection, wanted: Write) -> Outcome:
    """Execute one write. A conflict is returned, and nothing is written; an error of the database is raised."""
    if isinstance(wanted, DeleteRequests):
        oldest = {"before_uptime_ms": wanted.before_uptime_ms, "most": wanted.most}
        return connection.execute(SQL.forget_requests, oldest).rowcount
    if isinstance(wanted, Execute):
        return connection.execute(wanted.sql, wanted.values).fetchall()
    if isinstance(wanted, SaveUptime):
        connection.execute(SQL.keep_uptime, {"uptime": wanted.uptime_ms})
        return None
    request = wanted.request
    if request is not None:
        same = {"scope": request.scope, "request_id": request.request_id}
        if connection.execute(SQL.select_request, same).fetchone():
            return RequestConflict(request.scope, request.request_id)
    if isinstance(wanted, Create):
        outcome = _create(connection, wanted)
    elif isinstance(wanted, Append):
        outcome = _append(connection, wanted)
    else:
        outcome = None
        for statement in SQL.delete_match:
            connection.execute(statement, {"match_key": wanted.key})
    if request is not None and not isinstance(outcome, Exception):
        connection.execute(SQL.insert_request, schema.request_values(request))
    return outcome


def _create(connection: sqlite3.Connection, wanted: Create) -> Outcome:
    row = wanted.row
    same = connection.execute(SQL.select_same_match, {"name": row.name, "uid": row.uid}).fetchone()
    if same is not None:
        return MatchExists(same[0])
    key = connection.execute(SQL.insert_match, schema.match_values(row)).lastrowid
    assert key is not None
    _insert_seats(connection, key, row.seats)
    connection.executemany(SQL.insert_label, schema.label_values(key, row.labels))
    connection.executemany(INSERT_RECORD, schema.record_values(key, wanted.records))
    return replace(row, key=key)


def _append(connection: sqlite3.Connection, wanted: Append) -> Outcome:
    key = wanted.key
    found = connection.execute(SQL.select_place, {"match_key": key}).fetchone()
    last_seq, outcomes = found or (None, b"")
    if last_seq != wanted.expected_last_seq or outcomes != schema.pack_codes(wanted.expected_outcomes):
        return SequenceConflict(wanted.expected_last_seq, last_seq)
    if wanted.records:
        advance = {
            "match_key": key,
            "to_seq": wanted.records[-1].seq,
            "new_chain": wanted.chain,
            "uptime": wanted.uptime_ms,
            "seats_to_act": schema.pack_seats(wanted.to_act),
        }
        connection.execute(SQL.advance, advance)
        connection.executemany(INSERT_RECORD, schema.record_values(key, wanted.records))
    if wanted.update is not None:
        if values := schema.update_values(wanted.update, wanted.uptime_ms):
            connection.execute(SQL.change_match(tuple(values)), {**values, "match_key": key})
        if wanted.update.seats is not None:
            connection.execute(SQL.delete_seats, {"match_key": key})
            _insert_seats(connection, key, wanted.update.seats)
    return None


def _insert_seats(connection: sqlite3.Connection, key: int, seats: Sequence[SeatRow]) -> None:
    connection.executemany(SQL.insert_seat, schema.seat_values(key, seats))
