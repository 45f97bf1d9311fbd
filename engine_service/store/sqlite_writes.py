"""Writes to a SQLite database.

The conditions of a write (the match is at the expected record, its names and its request id are free) are checked
before anything is written. They hold until the commit, because the transaction has the database's write lock from its
start.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from engine_service.store import schema
from engine_service.store.base import Append, MatchExists, RequestConflict, SeatRow, SequenceConflict
from engine_service.store.sqlite_file import SQL
from engine_service.store.writes import Create, DeleteRequests, Execute, Outcome, SaveUptime, Write

INSERT_RECORD = f"INSERT INTO records VALUES ({', '.join('?' * len(schema.records.c))})"
"""Positional parameters are faster than named ones, and records are numerous."""


def execute_write(connection: sqlite3.Connection, write: Write) -> Outcome:
    """Execute one write. A conflict is returned, and nothing is written; an error of the database is raised."""
    if isinstance(write, DeleteRequests):
        oldest = {"before_uptime_ms": write.before_uptime_ms, "limit": write.limit}
        return connection.execute(SQL.delete_requests, oldest).rowcount
    if isinstance(write, Execute):
        return connection.execute(write.sql, write.values).fetchall()
    if isinstance(write, SaveUptime):
        connection.execute(SQL.save_uptime, {"uptime": write.uptime_ms})
        return None
    request = write.request
    if request is not None:
        same = {"scope": request.scope, "request_id": request.request_id}
        if connection.execute(SQL.select_request, same).fetchone():
            return RequestConflict(request.scope, request.request_id)
    if isinstance(write, Create):
        outcome = _create(connection, write)
    elif isinstance(write, Append):
        outcome = _append(connection, write)
    else:
        outcome = None
        for statement in SQL.delete_match:
            connection.execute(statement, {"match_key": write.key})
    if request is not None and not isinstance(outcome, Exception):
        connection.execute(SQL.insert_request, schema.request_values(request))
    return outcome


def _create(connection: sqlite3.Connection, write: Create) -> Outcome:
    row = write.row
    same = connection.execute(SQL.select_same_match, {"name": row.name, "uid": row.uid}).fetchone()
    if same is not None:
        return MatchExists(same[0])
    key = connection.execute(SQL.insert_match, schema.match_values(row)).lastrowid
    assert key is not None
    _insert_seats(connection, key, row.seats)
    connection.executemany(SQL.insert_label, schema.label_values(key, row.labels))
    connection.executemany(INSERT_RECORD, schema.record_values(key, write.records))
    return replace(row, key=key)


def _append(connection: sqlite3.Connection, write: Append) -> Outcome:
    key = write.key
    found = connection.execute(SQL.select_newest, {"match_key": key}).fetchone()
    last_seq, outcomes = found or (None, b"")
    if last_seq != write.expected_last_seq or outcomes != schema.pack_codes(write.expected_outcomes):
        return SequenceConflict(write.expected_last_seq, last_seq)
    if write.records:
        advance = {
            "match_key": key,
            "to_seq": write.records[-1].seq,
            "new_chain": write.chain,
            "uptime": write.uptime_ms,
            "seats_to_act": schema.pack_seats(write.to_act),
        }
        connection.execute(SQL.advance, advance)
        connection.executemany(INSERT_RECORD, schema.record_values(key, write.records))
    if write.update is not None:
        if values := schema.update_values(write.update, write.uptime_ms):
            connection.execute(SQL.change_match(tuple(values)), {**values, "match_key": key})
        if write.update.seats is not None:
            connection.execute(SQL.delete_seats, {"match_key": key})
            _insert_seats(connection, key, write.update.seats)
    return None


def _insert_seats(connection: sqlite3.Connection, key: int, seats: Sequence[SeatRow]) -> None:
    connection.executemany(SQL.insert_seat, schema.seat_values(key, seats))
