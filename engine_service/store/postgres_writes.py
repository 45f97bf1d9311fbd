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
from engine_service.store.base import MatchExists, MatchRow, RequestConflict, RowUpdate, SeatRow, SequenceConflict
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
    %(match_keys)s::bigint[], %(seq)s::bigint[], %(kind)s::smallint[], %(seat)s::smallint[], %(code)s::integer[],
    %(time_ms)s::bigint[], %(to_seq_of)s::bigint[], %(text)s::text[]
) AS record (match_key, seq, kind, seat, code, time_ms, to_seq, text)"""
"""New records, from an array for each column."""
APPEND = f"""
WITH locked AS MATERIALIZED (
    SELECT matches.key, wanted.to_seq, wanted.chain, wanted.uptime_ms, wanted.to_act
    FROM matches JOIN unnest(
        %(keys)s::bigint[], %(expected_seqs)s::bigint[], %(expected_outcomes)s::bytea[], %(to_seqs)s::bigint[],
        %(chains)s::bytea[], %(uptimes)s::bigint[], %(seats_to_act)s::text[]
    ) AS wanted (key, expected_seq, expected_outcomes, to_seq, chain, uptime_ms, to_act) ON wanted.key = matches.key
    WHERE matches.last_seq = wanted.expected_seq AND matches.queued_outcomes = wanted.expected_outcomes
    ORDER BY matches.key FOR UPDATE OF matches
), moved AS (
    UPDATE matches
    SET last_seq = locked.to_seq, chain = locked.chain, uptime_ms = locked.uptime_ms, to_act = locked.to_act
    FROM locked WHERE matches.key = locked.key
    RETURNING matches.key
), added AS (
    INSERT INTO records (match_key, seq, kind, seat, code, time_ms, to_seq, text)
    SELECT record.* FROM {RECORDS} JOIN moved ON moved.key = record.match_key
)
SELECT key FROM moved
"""
"""Move matches that are at the expected records, insert the new records, and return the keys of those that moved.

The rows are locked in the order of their keys, so that two services do not wait for each other.
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
    together = _first_of_each_match(writes, going_on)
    with connection.pipeline():
        if together:
            appended = _append(connection, list(together.values()))
        # In the order of the matches: two writers that lock the same rows in the same order do not block each other.
        for number in sorted(going_on, key=lambda number: getattr(writes[number], "key", 0)):
            wanted = writes[number]
            if number in together:
                done[number] = appended
            elif isinstance(wanted, Append):
                done[number] = _append(connection, [wanted]) if wanted.records else _lock(connection, wanted)
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
    moved_keys = {key for (key,) in appended.fetchall()} if together else set()
    moved = [
        number
        for number in going_on
        if not isinstance(wanted := writes[number], Append)
        or (wanted.key in moved_keys if number in together else done[number].rowcount > 0)
    ]
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
                    _update(connection, wanted.key, wanted.update, wanted.uptime_ms)
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
        execute(connection, INSERT_RECORDS, _columns([(key, record) for record in wanted.records]))
    return replace(row, key=key)


def _first_of_each_match(writes: Sequence[Write], numbers: Sequence[int]) -> dict[int, Append]:
    """Returns the writes that add records and are the first ones to their match; they are made by one statement."""
    found: dict[int, Append] = {}
    keys: set[int] = set()
    for number in numbers:
        wanted = writes[number]
        if isinstance(wanted, Append) and wanted.records and wanted.key not in keys:
            found[number] = wanted
        if isinstance(wanted, Append | Delete):
            keys.add(wanted.key)
    return found


def _append(connection: Connection, appends: Sequence[Append]) -> Cursor:
    """Move the matches, one for each write, and insert the records; the rows are the keys of those that moved."""
    values = {
        "keys": [wanted.key for wanted in appends],
        "expected_seqs": [wanted.expected_last_seq for wanted in appends],
        "expected_outcomes": [schema.pack_codes(wanted.expected_outcomes) for wanted in appends],
        "to_seqs": [wanted.records[-1].seq for wanted in appends],
        "chains": [wanted.chain for wanted in appends],
        "uptimes": [wanted.uptime_ms for wanted in appends],
        "seats_to_act": [schema.pack_seats(wanted.to_act) for wanted in appends],
    }
    records = [(wanted.key, record) for wanted in appends for record in wanted.records]
    return execute(connection, APPEND, {**values, **_columns(records)})


def _lock(connection: Connection, wanted: Append) -> Cursor:
    """Lock the match of a write without records; the number of rows is 0 where it is not as expected."""
    place = {
        "match_key": wanted.key,
        "expected_seq": wanted.expected_last_seq,
        "expected_outcomes": schema.pack_codes(wanted.expected_outcomes),
    }
    return execute(connection, LOCK_MATCH, place)


def _columns(records: Sequence[tuple[int, Record]]) -> dict[str, list[Any]]:
    """The columns of records and the keys of their matches, each as an array."""
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
    """Execute one statement; within a pipeline its results come later."""
    return connection.execute(sql, values)
