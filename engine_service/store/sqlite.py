"""Store of matches in one SQLite file, for one service at a time.

The file has a write-ahead log, so that readers and the writer do not wait for each other. All writes go through one
thread, which commits in groups (:mod:`engine_service.store.writes`); reads run on two others, quick reads apart from
long ones. A commit is acknowledged only if the files are still those that were opened, and its number is written to a
file next to the database, so that the next start can detect missing commits (:mod:`engine_service.store.protection`).

With ``durability="full"`` each commit is flushed to the disk before it is acknowledged. With ``"normal"`` it is handed
to the operating system: it survives a crash of the process, but a power failure may lose the newest commits, though
never part of one.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from engine_service.observability.logs import ThrottledLog
from engine_service.store import sqlite_file
from engine_service.store.base import (
    DataLost,
    Durability,
    OnCommit,
    StoreUnavailable,
)
from engine_service.store.protection import DatabaseLock, Mark, MarkFile, OpenedFiles, boot_id, files_of, read_mark
from engine_service.store.sql_store import SqlStore
from engine_service.store.sqlite_file import SQL, transaction
from engine_service.store.sqlite_writes import execute_write
from engine_service.store.writes import (
    Outcome,
    Write,
)

log = logging.getLogger(__name__)
_failures = ThrottledLog(log)

T = TypeVar("T")

LOCK_WAIT_SECONDS = 1.0
"""Time for which an access waits for another process that holds a lock on the database."""


class SqliteStore(SqlStore):
    """A :class:`engine_service.store.base.Store` in a SQLite file. Create it with :meth:`open`."""

    sql = SQL

    def __init__(
        self,
        lock: DatabaseLock,
        mark: MarkFile,
        files: OpenedFiles,
        commits: int,
        writing: sqlite3.Connection,
        reading: Sequence[sqlite3.Connection],
        on_commit: OnCommit | None,
        on_loss: Callable[[], None] | None,
    ) -> None:
        self._lock = lock
        self._mark = mark
        self._files = files
        self._commits = commits
        self._writing = writing
        super().__init__(_ReadThread(reading[0], "quick"), _ReadThread(reading[1], "long"), on_commit, on_loss)

    @classmethod
    async def open(
        cls,
        path: Path,
        durability: Durability = "full",
        *,
        lock_wait_seconds: float = LOCK_WAIT_SECONDS,
        accept_loss: bool = False,
        on_commit: OnCommit | None = None,
        on_loss: Callable[[], None] | None = None,
    ) -> Self:
        """Open the database at ``path``; create it if there is none. Raises CannotOpen.

        ``accept_loss``: open it even if it is damaged or has lost acknowledged commits. ``on_loss`` is called once, on
        the event loop, when the files are no longer those that were opened.
        """

        def connect() -> Callable[[], Self]:
            with sqlite_file.convert_open_errors(path):
                lock = DatabaseLock(path)
            connections: list[sqlite3.Connection] = []
            try:
                with sqlite_file.convert_open_errors(path):
                    known = _known_mark(path, accept_loss)
                    sqlite_file.create(path)
                    lock.lock_database()
                if path.stat().st_nlink > 1:
                    log.warning("%s has another name as well (a hard link): use only one of them", path)
                sqlite_file.prepare(path, lock_wait_seconds, known, accept_loss=accept_loss)
                for _ in range(3):
                    connections.append(sqlite_file.connect(path, durability, lock_wait_seconds))
                writing, *reading = connections
                with sqlite_file.convert_open_errors(path):
                    # With the first commit of this service, SQLite creates the files that it keeps next to the
                    # database.
                    with transaction(writing, "BEGIN IMMEDIATE"):
                        store_id, commits = sqlite_file.identity(writing)
                        writing.execute(SQL.count_commit, {"commit": commits + 1})
                    files = OpenedFiles(files_of(path))
                    mark = MarkFile.write(path, Mark(store_id, commits + 1, durability, boot_id()))
            except BaseException:
                for connection in connections:
                    connection.close()
                lock.release()
                raise
            return lambda: cls(lock, mark, files, commits + 1, writing, reading, on_commit, on_loss)

        return (await asyncio.to_thread(connect))()

    def _disconnect(self) -> None:
        self._writing.close()
        self._mark.close()
        self._lock.release()

    def _commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit all writes in one transaction; if that fails, each in its own, so that only the faulty ones fail."""
        if self._lost:
            return [StoreUnavailable() for _ in writes]
        commits = self._commits
        try:
            with transaction(self._writing, "BEGIN IMMEDIATE"):
                outcomes = [execute_write(self._writing, write) for write in writes]
                if not all(isinstance(outcome, Exception) for outcome in outcomes):
                    commits += 1
                    self._writing.execute(SQL.count_commit, {"commit": commits})
        except Exception as error:
            if len(writes) > 1 and not sqlite_file.is_locked(error):
                return [outcome for write in writes for outcome in self._commit([write])]
            return [_refusal(error) for _ in writes]
        if problem := self._files.problem():
            self._lost = problem
            log.critical("%s: the service accepts no more writes. Stop it and check its database", problem)
            return [StoreUnavailable() for _ in writes]
        if commits != self._commits:
            self._commits = commits
            self._mark.advance(commits)
        return outcomes


class _ReadThread:
    """A connection for reading, with its own thread."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"store-reader-{name}")
        self._open = True

    async def read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Returns the result of ``read``, within one transaction. Raises StoreUnavailable."""

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
        """Finish the read under way, and close the connection."""
        self._open = False
        await asyncio.to_thread(self._thread.shutdown)
        self._connection.close()


def _refusal(error: Exception) -> Exception:
    """Returns StoreUnavailable for a temporary failure (locked, disk full, I/O), else the error itself."""
    if not isinstance(error, sqlite3.OperationalError) and type(error) is not sqlite3.DatabaseError:
        return error
    _failures.write(logging.ERROR, f"the store cannot be used: {error}")
    return StoreUnavailable()


def _known_mark(path: Path, accept_loss: bool) -> Mark | None:
    """Returns the mark of a database, to compare it with. Raises DataLost, OSError."""
    try:
        mark = read_mark(path)
    except DataLost as loss:
        if not accept_loss:
            raise
        log.warning("continuing despite the loss, as requested: %s", loss)
        return None
    if mark is not None and sqlite_file.is_missing(path):
        missing = DataLost(path, f"there is no database, and {mark.commit} commits were acknowledged")
        if not accept_loss:
            raise missing
        log.warning("continuing despite the loss, as requested: %s", missing)
        return None
    return mark
