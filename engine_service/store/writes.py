"""Writes to the database, and the thread that commits them in groups.

While the disk confirms one transaction, the next writes gather in a queue; so the more writes there are, the less each
costs, and a single one waits for no other.

Whether a write may be made (its match is at the expected record, its names and its request id are free) is looked up
before anything of it is written. The answer holds until the commit, because the transaction has the database's write
lock from its beginning.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Generic, TypeVar

from engine_service.log.records import Record
from engine_service.store import schema
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
class DeleteRequests:
    """Delete the oldest answers to requests that were given before that uptime, at most ``most``."""

    before_uptime_ms: int
    most: int


@dataclass(frozen=True, slots=True)
class SaveUptime:
    """Save the uptime of the service."""

    uptime_ms: int


Write = Create | Append | Delete | DeleteRequests | SaveUptime
Outcome = MatchRow | int | None | Exception
"""The stored row for Create, the number of deleted answers for DeleteRequests, None for the others; or the error."""

_change_match = lru_cache(maxsize=64)(schema.change_match)


def write(connection: sqlite3.Connection, wanted: Write) -> Outcome:
    """Execute one write. A conflict is returned, and nothing is written; an error of the database is raised."""
    if isinstance(wanted, DeleteRequests):
        oldest = {"before_uptime_ms": wanted.before_uptime_ms, "most": wanted.most}
        return connection.execute(schema.FORGET_REQUESTS, oldest).rowcount
    if isinstance(wanted, SaveUptime):
        connection.execute(schema.KEEP_UPTIME, {"uptime": wanted.uptime_ms})
        return None
    request = wanted.request
    if request is not None:
        same = {"scope": request.scope, "request_id": request.request_id}
        if connection.execute(schema.SELECT_REQUEST, same).fetchone():
            return RequestConflict(request.scope, request.request_id)
    if isinstance(wanted, Create):
        outcome = _create(connection, wanted)
    elif isinstance(wanted, Append):
        outcome = _append(connection, wanted)
    else:
        outcome = None
        for statement in schema.DELETE_MATCH:
            connection.execute(statement, {"match_key": wanted.key})
    if request is not None and not isinstance(outcome, Exception):
        connection.execute(schema.INSERT_REQUEST, schema.request_values(request))
    return outcome


def _create(connection: sqlite3.Connection, wanted: Create) -> Outcome:
    row = wanted.row
    same = connection.execute(schema.SELECT_SAME_MATCH, {"name": row.name, "uid": row.uid}).fetchone()
    if same is not None:
        return MatchExists(same[0])
    key = connection.execute(schema.INSERT_MATCH, schema.match_values(row)).lastrowid
    assert key is not None
    _insert_seats(connection, key, row.seats)
    connection.executemany(schema.INSERT_LABEL, schema.label_values(key, row.labels))
    connection.executemany(schema.INSERT_RECORD, schema.record_values(key, wanted.records))
    return replace(row, key=key)


def _append(connection: sqlite3.Connection, wanted: Append) -> Outcome:
    key = wanted.key
    found = connection.execute(schema.SELECT_LAST_SEQ, {"match_key": key}).fetchone()
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
        connection.execute(schema.ADVANCE, advance)
        connection.executemany(schema.INSERT_RECORD, schema.record_values(key, wanted.records))
    if wanted.update is not None:
        if values := schema.update_values(wanted.update):
            connection.execute(_change_match(tuple(values)), {**values, "match_key": key})
        if wanted.update.seats is not None:
            connection.execute(schema.DELETE_SEATS, {"match_key": key})
            _insert_seats(connection, key, wanted.update.seats)
    return None


def _insert_seats(connection: sqlite3.Connection, key: int, seats: Sequence[SeatRow]) -> None:
    connection.executemany(schema.INSERT_SEAT, schema.seat_values(key, seats))


WriteT = TypeVar("WriteT")
OutcomeT = TypeVar("OutcomeT")

MAX_GROUP = 256
"""Largest number of writes in one transaction."""


class GroupWriter(Generic[WriteT, OutcomeT]):
    """Passes groups of writes to ``commit``, in the order of their arrival, on its own thread.

    ``commit`` answers with one outcome for each write: an exception is raised at its caller, anything else returned.
    ``on_group`` is called on the event loop for each group, with its outcomes and its seconds.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[WriteT]], Sequence[OutcomeT | Exception]],
        on_group: Callable[[Sequence[OutcomeT | Exception], float], None],
    ) -> None:
        self._commit = commit
        self._on_group = on_group
        self._queue: SimpleQueue[tuple[WriteT, asyncio.Future[OutcomeT]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, write: WriteT) -> asyncio.Future[OutcomeT]:
        """Queue a write; the future is done when it is on disk or refused."""
        future: asyncio.Future[OutcomeT] = self._loop.create_future()
        self._queue.put((write, future))
        return future

    async def close(self) -> None:
        """Write what is queued and end the thread. Nothing may be queued any more."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while group := self._next_group():
            start = perf_counter()
            outcomes = self._commit([write for write, _ in group])
            seconds = perf_counter() - start
            # A loop that is closed has nobody left to tell.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._deliver, [future for _, future in group], outcomes, seconds)

    def _next_group(self) -> list[tuple[WriteT, asyncio.Future[OutcomeT]]]:
        """What is queued, once something is; empty at the end, which stays in the queue until all before it is done."""
        first = self._queue.get()
        if first is None:
            return []
        group = [first]
        with contextlib.suppress(Empty):
            while len(group) < MAX_GROUP:
                item = self._queue.get_nowait()
                if item is None:
                    self._queue.put(None)
                    break
                group.append(item)
        return group

    def _deliver(
        self,
        futures: Sequence[asyncio.Future[OutcomeT]],
        outcomes: Sequence[OutcomeT | Exception],
        seconds: float,
    ) -> None:
        self._on_group(outcomes, seconds)
        for future, outcome in zip(futures, outcomes, strict=True):
            if future.done():
                continue  # its caller was cancelled
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
