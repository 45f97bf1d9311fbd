"""The embedded store: one SQLite file, for one service at a time (see :mod:`engine_service.store.lock`).

Write-ahead log, so that readers and the writer do not wait for each other. All writes go through one thread, which
commits what is queued together; reads run on two others, quick ones apart from long ones. With ``durability="full"``
each commit is flushed to the disk before anyone is told of it; with ``"normal"`` it is handed to the operating system:
it survives the end of the process, and of the last moments before a power cut it may lose some, whole and in order.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from engine_service.log.records import Record
from engine_service.store import schema, sqlite_file
from engine_service.store import sqlite_sql as sql
from engine_service.store.base import (
    Cursor,
    MatchFilter,
    MatchRow,
    MatchUpdate,
    OnCommit,
    StoredRequest,
    StoreUnavailable,
    check_new,
    check_sequence,
)
from engine_service.store.lock import DatabaseLock
from engine_service.store.sqlite_file import Durability, transaction
from engine_service.store.writer import GroupWriter
from engine_service.store.writes import Append, Create, Forget, Keep, Outcome, Write, write

log = logging.getLogger(__name__)

T = TypeVar("T")

PART = 1_000
"""Records that are read at a time: some milliseconds."""
LOCK_WAIT_SECONDS = 1.0
"""How long an access waits for another process that holds the database locked."""


class SqliteStore:
    """A :class:`engine_service.store.base.Store` in a SQLite file. Made by :meth:`open`."""

    def __init__(
        self,
        lock: DatabaseLock,
        writing: sqlite3.Connection,
        reading: Sequence[sqlite3.Connection],
        on_commit: OnCommit | None,
    ) -> None:
        self._lock = lock
        self._on_commit = on_commit
        self._writing = writing
        # What takes long (logs, listings) is read apart from what does not, and holds none of it up.
        self._quick, self._long = _Reader(reading[0], "quick"), _Reader(reading[1], "long")
        self._writer = GroupWriter(self._commit, self._tell)
        self._open = True

    @classmethod
    async def open(
        cls,
        path: Path,
        durability: Durability = "full",
        *,
        lock_wait_seconds: float = LOCK_WAIT_SECONDS,
        on_commit: OnCommit | None = None,
    ) -> Self:
        """Open the database at ``path``, which is made where there is none. Raises CannotOpen."""

        def connect() -> tuple[DatabaseLock, list[sqlite3.Connection]]:
            with sqlite_file.opening(path):
                lock = DatabaseLock(path)
            try:
                sqlite_file.prepare(path, lock_wait_seconds)
                return lock, [sqlite_file.connect(path, durability, lock_wait_seconds) for _ in range(3)]
            except BaseException:
                lock.release()
                raise

        lock, (writing, *reading) = await asyncio.to_thread(connect)
        return cls(lock, writing, reading, on_commit)

    async def create(self, row: MatchRow, records: Sequence[Record], request: StoredRequest | None = None) -> MatchRow:
        """See Store."""
        check_new(row, records)
        stored = await self._write(Create(row, records, request))
        assert isinstance(stored, MatchRow)
        return stored

    async def append(
        self,
        key: int,
        expected_last_seq: int,
        records: Sequence[Record],
        chain: bytes,
        update: MatchUpdate | None = None,
        request: StoredRequest | None = None,
        uptime_ms: int = 0,
    ) -> None:
        """See Store."""
        check_sequence(records, expected_last_seq)
        await self._write(Append(key, expected_last_seq, records, chain, update, request, uptime_ms))

    async def row(self, name: str) -> MatchRow | None:
        """See Store."""

        def read(connection: sqlite3.Connection) -> MatchRow | None:
            found = connection.execute(sql.SELECT_MATCH, {"name": name}).fetchone()
            return None if found is None else _match(connection, found)

        return await self._quick.read(read)

    async def load(self, name: str) -> tuple[MatchRow, list[Record]] | None:
        """See Store."""
        row = await self.row(name)
        # Records are only ever added, so those up to the row's last one are a whole log, whenever they are read.
        return None if row is None else (row, await self.records(row.key, 0, row.last_seq))

    async def records(self, key: int, after_seq: int, limit: int) -> list[Record]:
        """See Store."""
        found: list[Record] = []
        while limit > 0:
            # In parts, so that nobody waits for the whole of a long log.
            part = await self._long.read(partial(_records, key=key, after_seq=after_seq, limit=min(limit, PART)))
            found += part
            if len(part) < min(limit, PART):
                break
            after_seq, limit = part[-1].seq, limit - len(part)
        return found

    async def find_request(self, scope: str, request_id: str) -> StoredRequest | None:
        """See Store."""
        wanted = {"scope": scope, "request_id": request_id}
        row = await self._quick.read(lambda connection: connection.execute(sql.SELECT_REQUEST, wanted).fetchone())
        return None if row is None else schema.request_of(row)

    async def find(self, wanted: MatchFilter, after: Cursor | None, limit: int) -> list[MatchRow]:
        """See Store."""
        query, values = sql.find_matches(wanted, after, limit)
        return await self._long.read(
            lambda connection: [_match(connection, found) for found in connection.execute(query, values).fetchall()]
        )

    async def active(self) -> list[str]:
        """See Store."""
        return await self._quick.read(lambda connection: [name for (name,) in connection.execute(sql.SELECT_ACTIVE)])

    async def forget_requests(self, before_ms: int, most: int) -> int:
        """See Store."""
        forgotten = await self._write(Forget(before_ms, most))
        assert isinstance(forgotten, int)
        return forgotten

    async def uptime(self) -> int:
        """See Store."""
        (uptime_ms,) = await self._quick.read(lambda connection: connection.execute(sql.READ_UPTIME).fetchone())
        return int(uptime_ms)

    async def keep_uptime(self, uptime_ms: int) -> None:
        """See Store."""
        await self._write(Keep(uptime_ms))

    async def close(self) -> None:
        """See Store."""
        if not self._open:
            return
        self._open = False
        await self._writer.close()
        await asyncio.gather(self._quick.close(), self._long.close())
        self._writing.close()
        self._lock.release()

    async def _write(self, wanted: Write) -> MatchRow | int | None:
        if not self._open:
            raise StoreUnavailable
        return await self._writer.write(wanted)

    def _commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """On the writer's thread: all in one transaction or, where that fails, each in its own, so that only those
        fail that are to blame."""
        try:
            with transaction(self._writing, "BEGIN IMMEDIATE"):
                return [write(self._writing, wanted) for wanted in writes]
        except Exception as error:
            if len(writes) > 1 and not sqlite_file.is_locked(error):
                return [outcome for wanted in writes for outcome in self._commit([wanted])]
            return [_refusal(error) for _ in writes]

    def _tell(self, outcomes: Sequence[Outcome], seconds: float) -> None:
        written = sum(not isinstance(outcome, Exception) for outcome in outcomes)
        if self._on_commit is not None and written:
            self._on_commit(written, seconds)


class _Reader:
    """A connection for reading, with a thread of its own."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"store-reader-{name}")
        self._open = True

    async def read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """What ``read`` finds, within one transaction. Raises StoreUnavailable."""

        def run() -> T:
            try:
                with transaction(self._connection, "BEGIN"):
                    return read(self._connection)
            except sqlite3.Error as error:
                refusal = _refusal(error)
                if refusal is error:
                    raise
                raise refusal from error

        if not self._open:
            raise StoreUnavailable
        return await asyncio.get_running_loop().run_in_executor(self._thread, run)

    async def close(self) -> None:
        """Finish what is being read, and let go."""
        self._open = False
        await asyncio.to_thread(self._thread.shutdown)
        self._connection.close()


def _refusal(error: Exception) -> Exception:
    """StoreUnavailable for what may pass by (locked, disk full, I/O); a defect of ours stays what it is."""
    if not isinstance(error, sqlite3.OperationalError) and type(error) is not sqlite3.DatabaseError:
        return error
    log.error("the store cannot be used: %s", error)
    return StoreUnavailable()


def _match(connection: sqlite3.Connection, found: Sequence[Any]) -> MatchRow:
    """A match from its row of ``matches``, with what other tables hold of it."""
    of_it = {"match_key": found[0]}
    seats = connection.execute(sql.SELECT_SEATS, of_it).fetchall()
    return schema.match_row(found, seats, connection.execute(sql.SELECT_LABELS, of_it).fetchall())


def _records(connection: sqlite3.Connection, key: int, after_seq: int, limit: int) -> list[Record]:
    wanted = {"match_key": key, "after_seq": after_seq, "most": limit}
    return [schema.record_of(row) for row in connection.execute(sql.SELECT_RECORDS, wanted)]
