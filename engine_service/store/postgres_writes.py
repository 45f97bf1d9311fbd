"""Writes to a PostgreSQL database: a group of them in one transaction, in a fixed number of round trips.

Whether a write may be made is looked up first, for the whole group at once. An append states the record at which it
expects the match, and moves no other; so what another service writes at the same time makes it a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import psycopg
from sqlalchemy.dialects import postgresql

from engine_service.log.records import Record
from engine_service.store import schema
from engine_service.store.base import MatchExists, MatchRow, MatchUpdate, RequestConflict, SeatRow, SequenceConflict
from engine_service.store.statements import Statements
from engine_service.store.writes import Append, Create, Delete, DeleteRequests, Execute, Outcome, Write

Connection = psycopg.Connection[tuple[Any, ...]]
Cursor = psycopg.Cursor[tuple[Any, ...]]

SQL = Statements(postgresql.dialect(paramstyle="pyformat"), "gen_random_uuid()::text")  # type: ignore[no-untyped-call]

NEXT_KEY = "SELECT nextval(pg_get_serial_sequence('matches', 'key'))"
TRANSACTION_ID = "SELECT pg_current_xact_id()::text"
INSERT_MATCH = SQL.insert_match.replace("(name,", "(key, name,", 1).replace("(%(name)s", "(%(match_key)s, %(name)s", 1)
"""With a key that was drawn before, so that all of a match can be sent at once."""
RECORDS = """unnest(
    %(seq)s::bigint[], %(kind)s::smallint[], %(seat)s::smallint[], %(code)s::integer[],
    %(time_ms)s::bigint[], %(to_seq_of)s::bigint[], %(text)s::text[]
) AS record"""
"""New records of a match, from an array for each column."""
APPEND = f"""
WITH moved AS (
    UPDATE matches
    SET last_seq = %(to_seq)s, chain = %(new_chain)s, uptime_ms = %(uptime)s, to_act = %(seats_to_act)s
    WHERE key = %(match_key)s AND last_seq = %(expected_seq)s AND queued_outcomes = %(expected_outcomes)s
    RETURNING key
)
INSERT INTO records (match_key, seq, kind, seat, code, time_ms, to_seq, text)
SELECT moved.key, record.*
FROM moved, {RECORDS}
"""
"""Move a match that is at the expected record, and insert its new records; inserts none where it is not."""
LOCK_MATCH = """
SELECT key FROM matches
WHERE key = %(match_key)s AND last_seq = %(expected_seq)s AND queued_outcomes = %(expected_outcomes)s FOR UPDATE
"""
INSERT_RECORDS = f"""
INSERT INTO records (match_key, seq, kind, seat, code, time_ms, to_seq, text)
SELECT %(match_key)s, record.*
FROM {RECORDS}
"""


CLAIM = """
INSERT INTO claims (match_key, replica) VALUES (%(match_key)s, %(replica)s)
ON CONFLICT (match_key) DO UPDATE SET replica = EXCLUDED.replica
"""
END_CLAIM = "DELETE FROM claims WHERE match_key = %(match_key)s"


def write_all(connection: Connection, writes: Sequence[Write], replica: int = 0) -> tuple[list[Outcome], str]:
    """Execute writes in a new transaction, without its commit; returns their outcomes and the transaction's id.

    ``replica`` is the number of this service, by which it claims matches.
    A conflict is an outcome, and nothing of that write is done; an error of the database is raised.
    """
    outcomes: list[Outcome] = [None] * len(writes)
    with connection.pipeline():
        execute(connection, "BEGIN")
        identity = execute(connection, TRANSACTION_ID)
        looked_up = {number: _look_up(connection, wanted) for number, wanted in enumerate(writes)}
        keys = {number: execute(connection, NEXT_KEY) for number, w in enumerate(writes) if isinstance(w, Create)}
    going_on: list[int] = []
    for number, wanted in enumerate(writes):
        if conflict := _conflict(wanted, *looked_up[number]):
            outcomes[number] = conflict
        else:
            going_on.append(number)
    done: dict[int, Cursor] = {}
    with connection.pipeline():
        # In the order of the matches: two writers that lock the same rows in the same order do not block each other.
        for number in sorted(going_on, key=lambda number: getattr(writes[number], "key", 0)):
            wanted = writes[number]
            if isinstance(wanted, Append):
                done[number] = _append(connection, wanted)
            elif isinstance(wanted, Create):
                ((key,),) = keys[number].fetchall()
                outcomes[number] = _create(connection, wanted, key)
                if wanted.row.needs_service:
                    execute(connection, CLAIM, {"match_key": key, "replica": replica})
            elif isinstance(wanted, Delete):
                for statement in SQL.delete_match:
                    execute(connection, statement, {"match_key": wanted.key})
            elif isinstance(wanted, DeleteRequests):
                oldest = {"before_uptime_ms": wanted.before_uptime_ms, "most": wanted.most}
                done[number] = execute(connection, SQL.forget_requests, oldest)
            elif isinstance(wanted, Execute):
                done[number] = execute(connection, wanted.sql, wanted.values)
            else:
                execute(connection, SQL.keep_uptime, {"uptime": wanted.uptime_ms})
    moved = [number for number in going_on if not isinstance(writes[number], Append) or done[number].rowcount > 0]
    with connection.pipeline():
        for number in going_on:
            wanted = writes[number]
            if isinstance(wanted, DeleteRequests):
                outcomes[number] = done[number].rowcount
            elif isinstance(wanted, Execute):
                outcomes[number] = done[number].fetchall() if done[number].description else []
            elif isinstance(wanted, Append) and number not in moved:
                done[number] = execute(connection, SQL.select_place, {"match_key": wanted.key})
            elif isinstance(wanted, Create | Append | Delete):
                if isinstance(wanted, Append) and wanted.update is not None:
                    _update(connection, wanted.key, wanted.update)
                    if wanted.update.needs_service:
                        execute(connection, CLAIM, {"match_key": wanted.key, "replica": replica})
                    elif wanted.update.needs_service is False or wanted.update.ended_ms:
                        execute(connection, END_CLAIM, {"match_key": wanted.key})
                if wanted.request is not None:
                    execute(connection, SQL.insert_request, schema.request_values(wanted.request))
    for number in set(going_on) - set(moved):
        wanted = writes[number]
        if isinstance(wanted, Append):
            found = done[number].fetchone()
            outcomes[number] = SequenceConflict(wanted.expected_last_seq, None if found is None else found[0])
    ((transaction,),) = identity.fetchall()
    return outcomes, str(transaction)


def _look_up(connection: Connection, wanted: Write) -> list[Cursor | None]:
    """Ask for an earlier answer to the request, and for the same match; None where there is nothing to ask."""
    request = wanted.request if isinstance(wanted, Create | Append | Delete) else None
    answers: list[Cursor | None] = [None, None]
    if request is not None:
        same = {"scope": request.scope, "request_id": request.request_id}
        answers[0] = execute(connection, SQL.select_request, same)
    if isinstance(wanted, Create):
        same_match = {"name": wanted.row.name, "uid": wanted.row.uid}
        answers[1] = execute(connection, SQL.select_same_match, same_match)
    return answers


def _conflict(
    wanted: Write,
    same_request: Cursor | None,
    same_match: Cursor | None,
) -> Exception | None:
    request = wanted.request if isinstance(wanted, Create | Append | Delete) else None
    if request is not None and same_request is not None and same_request.fetchone():
        return RequestConflict(request.scope, request.request_id)
    if same_match is not None and (found := same_match.fetchone()):
        return MatchExists(found[0])
    return None


def _create(connection: Connection, wanted: Create, key: int) -> MatchRow:
    row = wanted.row
    values = {**schema.match_values(row), "match_key": key}
    execute(connection, INSERT_MATCH, values)
    _insert_seats(connection, key, row.seats)
    for label in schema.label_values(key, row.labels):
        execute(connection, SQL.insert_label, label)
    if wanted.records:
        execute(connection, INSERT_RECORDS, {"match_key": key, **_columns(wanted.records)})
    return replace(row, key=key)


def _append(connection: Connection, wanted: Append) -> Cursor:
    """Move the match and insert its records; the number of rows is 0 where it is not at the expected record."""
    place = {
        "match_key": wanted.key,
        "expected_seq": wanted.expected_last_seq,
        "expected_outcomes": schema.pack_codes(wanted.expected_outcomes),
    }
    if not wanted.records:
        return execute(connection, LOCK_MATCH, place)
    advance = {
        **place,
        "to_seq": wanted.records[-1].seq,
        "new_chain": wanted.chain,
        "uptime": wanted.uptime_ms,
        "seats_to_act": schema.pack_seats(wanted.to_act),
        **_columns(wanted.records),
    }
    return execute(connection, APPEND, advance)


def _columns(records: Sequence[Record]) -> dict[str, list[Any]]:
    """The columns of records, each as an array."""
    seqs, kinds, seats, codes, times, to_seqs, texts = zip(*records, strict=True)
    return {
        "seq": list(seqs),
        "kind": list(map(int, kinds)),
        "seat": list(seats),
        "code": list(codes),
        "time_ms": list(times),
        "to_seq_of": list(to_seqs),
        "text": list(texts),
    }


def _update(connection: Connection, key: int, update: MatchUpdate) -> None:
    if values := schema.update_values(update):
        execute(connection, SQL.change_match(tuple(values)), {**values, "match_key": key})
    if update.seats is not None:
        execute(connection, SQL.delete_seats, {"match_key": key})
        _insert_seats(connection, key, update.seats)


def _insert_seats(connection: Connection, key: int, seats: Sequence[SeatRow]) -> None:
    for seat in schema.seat_values(key, seats):
        execute(connection, SQL.insert_seat, seat)


def execute(connection: Connection, sql: str, values: dict[str, Any] | None = None) -> Cursor:
    """Execute one statement; within a pipeline its results come later."""
    return connection.execute(sql, values)
