"""Writes to a PostgreSQL database: a group of them in one transaction, in a fixed number of round trips.

The conditions of all writes of a group are looked up first, in one go. An append names the expected newest record of
its match and advances the match only from there; so a concurrent write of another service makes it a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import psycopg
from sqlalchemy.dialects import postgresql

from engine_service.log.records import Record
from engine_service.store import schema
from engine_service.store.base import (
    Append,
    MatchExists,
    MatchRow,
    RequestConflict,
    RowUpdate,
    SeatRow,
    SequenceConflict,
)
from engine_service.store.statements import Statements
from engine_service.store.writes import Create, Delete, DeleteRequests, Execute, Outcome, Write

Connection = psycopg.Connection[tuple[Any, ...]]
Cursor = psycopg.Cursor[tuple[Any, ...]]

SQL = Statements(postgresql.dialect(paramstyle="pyformat"), "gen_random_uuid()::text")  # type: ignore[no-untyped-call]

NEXT_KEY = "SELECT nextval(pg_get_serial_sequence('matches', 'key'))"
TRANSACTION_ID = "SELECT pg_current_xact_id()::text"
INSERT_MATCH = SQL.insert_match.replace("(name,", "(key, name,", 1).replace("(%(name)s", "(%(match_key)s, %(name)s", 1)
"""Inserts a match with a key drawn in advance, so that all rows of the match can be sent at once."""
RECORDS = """unnest(
    %(match_keys)s::bigint[], %(seq)s::bigint[], %(kind)s::smallint[], %(seat)s::smallint[], %(code)s::integer[],
    %(time_ms)s::bigint[], %(to_seq_of)s::bigint[], %(text)s::text[]
) AS record (match_key, seq, kind, seat, code, time_ms, to_seq, text)"""
"""New records, given as an array for each column."""
APPEND = f"""
WITH locked AS MATERIALIZED (
    SELECT matches.key, wanted.to_seq, wanted.chain, wanted.uptime_ms, wanted.to_act
    FROM matches JOIN unnest(
        %(keys)s::bigint[], %(expected_seqs)s::bigint[], %(expected_outcomes)s::bytea[], %(to_seqs)s::bigint[],
        %(chains)s::bytea[], %(uptimes)s::bigint[], %(seats_to_act)s::text[]
    ) AS wanted (key, expected_seq, expected_outcomes, to_seq, chain, uptime_ms, to_act) ON wanted.key = matches.key
    WHERE matches.last_seq = wanted.expected_seq AND matches.queued_outcomes = wanted.expected_outcomes
    ORDER BY matches.key FOR UPDATE OF matches
), advanced AS (
    UPDATE matches
    SET last_seq = locked.to_seq, chain = locked.chain, uptime_ms = locked.uptime_ms, to_act = locked.to_act
    FROM locked WHERE matches.key = locked.key
    RETURNING matches.key
), added AS (
    INSERT INTO records (match_key, seq, kind, seat, code, time_ms, to_seq, text)
    SELECT record.* FROM {RECORDS} JOIN advanced ON advanced.key = record.match_key
)
SELECT key FROM advanced
"""
"""Advances the matches that are at the expected records, inserts the new records, and returns the keys of those
matches.

The rows are locked in the order of their keys, so that two services do not deadlock.
"""
LOCK_MATCH = """
SELECT key FROM matches
WHERE key = %(match_key)s AND last_seq = %(expected_seq)s AND queued_outcomes = %(expected_outcomes)s FOR UPDATE
"""
INSERT_RECORDS = f"""
INSERT INTO records (match_key, seq, kind, seat, code, time_ms, to_seq, text) SELECT record.* FROM {RECORDS}
"""


CLAIM = """
INSERT INTO claims (match_key, replica) VALUES (%(match_key)s, %(replica)s)
ON CONFLICT (match_key) DO UPDATE SET replica = EXCLUDED.replica
"""
END_CLAIM = "DELETE FROM claims WHERE match_key = %(match_key)s"


def write_all(connection: Connection, writes: Sequence[Write], replica: int = 0) -> tuple[list[Outcome], str]:
    """Execute writes in a new transaction, without committing it; returns their outcomes and the transaction's id.

    ``replica`` is the number of this service, by which it claims matches. A conflict is an outcome, and nothing of that
    write is executed; an error of the database is raised.
    """
    outcomes: list[Outcome] = [None] * len(writes)
    with connection.pipeline():
        execute(connection, "BEGIN")
        identity = execute(connection, TRANSACTION_ID)
        looked_up = {number: _look_up(connection, write) for number, write in enumerate(writes)}
        keys = {
            number: execute(connection, NEXT_KEY) for number, write in enumerate(writes) if isinstance(write, Create)
        }
    accepted: list[int] = []
    for number, write in enumerate(writes):
        if conflict := _conflict(write, *looked_up[number]):
            outcomes[number] = conflict
        else:
            accepted.append(number)
    done: dict[int, Cursor] = {}
    together = _first_of_each_match(writes, accepted)
    with connection.pipeline():
        if together:
            appended = _append(connection, list(together.values()))
        # In the order of the matches: two writers that lock the same rows in the same order do not deadlock.
        for number in sorted(accepted, key=lambda number: getattr(writes[number], "key", 0)):
            write = writes[number]
            if number in together:
                done[number] = appended
            elif isinstance(write, Append):
                done[number] = _append(connection, [write]) if write.records else _lock(connection, write)
            elif isinstance(write, Create):
                ((key,),) = keys[number].fetchall()
                outcomes[number] = _create(connection, write, key)
                if write.row.needs_service:
                    execute(connection, CLAIM, {"match_key": key, "replica": replica})
            elif isinstance(write, Delete):
                for statement in SQL.delete_match:
                    execute(connection, statement, {"match_key": write.key})
            elif isinstance(write, DeleteRequests):
                oldest = {"before_uptime_ms": write.before_uptime_ms, "limit": write.limit}
                done[number] = execute(connection, SQL.delete_requests, oldest)
            elif isinstance(write, Execute):
                done[number] = execute(connection, write.sql, write.values)
            else:
                execute(connection, SQL.save_uptime, {"uptime": write.uptime_ms})
    advanced_keys = {key for (key,) in appended.fetchall()} if together else set()
    advanced = [
        number
        for number in accepted
        if not isinstance(write := writes[number], Append)
        or (write.key in advanced_keys if number in together else done[number].rowcount > 0)
    ]
    with connection.pipeline():
        for number in accepted:
            write = writes[number]
            if isinstance(write, DeleteRequests):
                outcomes[number] = done[number].rowcount
            elif isinstance(write, Execute):
                outcomes[number] = done[number].fetchall() if done[number].description else []
            elif isinstance(write, Append) and number not in advanced:
                done[number] = execute(connection, SQL.select_newest, {"match_key": write.key})
            elif isinstance(write, Create | Append | Delete):
                if isinstance(write, Append) and write.update is not None:
                    _update(connection, write.key, write.update, write.uptime_ms)
                    if write.update.needs_service:
                        execute(connection, CLAIM, {"match_key": write.key, "replica": replica})
                    elif write.update.needs_service is False or write.update.ended_ms:
                        execute(connection, END_CLAIM, {"match_key": write.key})
                if write.request is not None:
                    execute(connection, SQL.insert_request, schema.request_values(write.request))
    for number in set(accepted) - set(advanced):
        write = writes[number]
        if isinstance(write, Append):
            found = done[number].fetchone()
            outcomes[number] = SequenceConflict(write.expected_last_seq, None if found is None else found[0])
    ((transaction,),) = identity.fetchall()
    return outcomes, str(transaction)


def _look_up(connection: Connection, write: Write) -> list[Cursor | None]:
    """Returns cursors for an earlier answer to the request and for a match of that name or uid; None for a query that
    the write does not need."""
    request = write.request if isinstance(write, Create | Append | Delete) else None
    answers: list[Cursor | None] = [None, None]
    if request is not None:
        same = {"scope": request.scope, "request_id": request.request_id}
        answers[0] = execute(connection, SQL.select_request, same)
    if isinstance(write, Create):
        same_match = {"name": write.row.name, "uid": write.row.uid}
        answers[1] = execute(connection, SQL.select_same_match, same_match)
    return answers


def _conflict(
    write: Write,
    same_request: Cursor | None,
    same_match: Cursor | None,
) -> Exception | None:
    request = write.request if isinstance(write, Create | Append | Delete) else None
    if request is not None and same_request is not None and same_request.fetchone():
        return RequestConflict(request.scope, request.request_id)
    if same_match is not None and (found := same_match.fetchone()):
        return MatchExists(found[0])
    return None


def _create(connection: Connection, write: Create, key: int) -> MatchRow:
    row = write.row
    values = {**schema.match_values(row), "match_key": key}
    execute(connection, INSERT_MATCH, values)
    _insert_seats(connection, key, row.seats)
    for label in schema.label_values(key, row.labels):
        execute(connection, SQL.insert_label, label)
    if write.records:
        execute(connection, INSERT_RECORDS, _columns([(key, record) for record in write.records]))
    return replace(row, key=key)


def _first_of_each_match(writes: Sequence[Write], numbers: Sequence[int]) -> dict[int, Append]:
    """Returns the appends with records that are the first write to their match; one statement executes all of them."""
    found: dict[int, Append] = {}
    keys: set[int] = set()
    for number in numbers:
        write = writes[number]
        if isinstance(write, Append) and write.records and write.key not in keys:
            found[number] = write
        if isinstance(write, Append | Delete):
            keys.add(write.key)
    return found


def _append(connection: Connection, appends: Sequence[Append]) -> Cursor:
    """Advance the match of each write and insert its records; the cursor returns the keys of advanced matches."""
    values = {
        "keys": [write.key for write in appends],
        "expected_seqs": [write.expected_last_seq for write in appends],
        "expected_outcomes": [schema.pack_codes(write.expected_outcomes) for write in appends],
        "to_seqs": [write.records[-1].seq for write in appends],
        "chains": [write.chain for write in appends],
        "uptimes": [write.uptime_ms for write in appends],
        "seats_to_act": [schema.pack_seats(write.to_act) for write in appends],
    }
    records = [(write.key, record) for write in appends for record in write.records]
    return execute(connection, APPEND, {**values, **_columns(records)})


def _lock(connection: Connection, write: Append) -> Cursor:
    """Lock the match of a write without records; the cursor has no rows if the match is not as expected."""
    expected = {
        "match_key": write.key,
        "expected_seq": write.expected_last_seq,
        "expected_outcomes": schema.pack_codes(write.expected_outcomes),
    }
    return execute(connection, LOCK_MATCH, expected)


def _columns(records: Sequence[tuple[int, Record]]) -> dict[str, list[Any]]:
    """Returns the keys of the matches and the columns of the records, each as an array."""
    keys, entries = zip(*records, strict=True)
    seqs, kinds, seats, codes, times, to_seqs, texts = zip(*entries, strict=True)
    return {
        "match_keys": list(keys),
        "seq": list(seqs),
        "kind": list(map(int, kinds)),
        "seat": list(seats),
        "code": list(codes),
        "time_ms": list(times),
        "to_seq_of": list(to_seqs),
        "text": list(texts),
    }


def _update(connection: Connection, key: int, update: RowUpdate, uptime_ms: int) -> None:
    if values := schema.update_values(update, uptime_ms):
        execute(connection, SQL.change_match(tuple(values)), {**values, "match_key": key})
    if update.seats is not None:
        execute(connection, SQL.delete_seats, {"match_key": key})
        _insert_seats(connection, key, update.seats)


def _insert_seats(connection: Connection, key: int, seats: Sequence[SeatRow]) -> None:
    for seat in schema.seat_values(key, seats):
        execute(connection, SQL.insert_seat, seat)


def execute(connection: Connection, sql: str, values: dict[str, Any] | None = None) -> Cursor:
    """Execute one statement; within a pipeline its results arrive later."""
    return connection.execute(sql, values)
