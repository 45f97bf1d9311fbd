"""Store of matches in a PostgreSQL database, which any number of services share.

All writes go through one thread, which commits in groups (:mod:`engine_service.store.writes`): a group takes a fixed
number of round trips, whatever its size. Reads run on other threads, quick ones apart from long ones.

A write is accepted only if the newest record of the match is the expected one, and the primary key of the records
allows each number of a match only once; so concurrent writers cannot corrupt a log. After each commit the store
notifies the other services of the changed matches (:mod:`engine_service.store.postgres_replica`).

With ``durability="full"`` a commit is on the server's disk before it is acknowledged. With ``"normal"``
(``synchronous_commit = off``) a crash of the server may lose the newest commits, but never part of one.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from typing import Any, Self, TypeVar

import psycopg
from psycopg import IsolationLevel
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from engine_service.observability.logs import ThrottledLog
from engine_service.store import schema
from engine_service.store.base import (
    CannotOpen,
    Durability,
    MatchRow,
    NotAStore,
    OnCommit,
    OtherSchema,
    StoreUnavailable,
)
from engine_service.store.postgres_replica import (
    CHANNEL,
    CREATE_REPLICA_TABLES,
    NEXT_REPLICA,
    NOTIFY,
    Replica,
    notices_of,
)
from engine_service.store.postgres_writes import SQL, Connection, execute, write_all
from engine_service.store.sql_store import SqlStore
from engine_service.store.writes import Execute, Outcome, Write

log = logging.getLogger(__name__)
_failures = ThrottledLog(log)

T = TypeVar("T")

CREATE_SECRETS = "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTEA NOT NULL)"
INSERT_SECRET = "INSERT INTO secrets VALUES (%(name)s, %(value)s) ON CONFLICT DO NOTHING"
SELECT_SECRET = "SELECT value FROM secrets WHERE name = %(name)s"
FIND_TABLE = "SELECT to_regclass(quote_ident(current_schema()) || '.' || %(table)s)"
LOCK_FOR_SETUP = "SELECT pg_advisory_xact_lock(%(lock)s)"
TRANSACTION_STATUS = "SELECT pg_xact_status(%(id)s::xid8)"
SETUP_LOCK = int.from_bytes(b"omnilude", "big")
"""Advisory lock held while the tables are created."""
READERS = 2
"""Number of connections for quick reads, and of those for long ones (logs, listings)."""
CONNECT_SECONDS = 5
"""Time limit for connecting."""
RESOLVE_SECONDS = 3.0
"""Time for which a commit whose connection was lost waits for the server, to find out whether it succeeded."""
RETRIES = 3
"""Number of attempts at a write that fails because of a concurrent transaction."""
PLANS_KEPT_S = 10.0
"""Time for which the server keeps the plans of writing statements. A plan made for a small table may scan the whole
table, and the server would keep it until the table is analyzed, which can be many thousand rows later."""


class PostgresStore(SqlStore):
    """A :class:`engine_service.store.base.Store` in a PostgreSQL database. Create it with :meth:`open`."""

    sql = SQL

    def __init__(
        self,
        url: str,
        durability: Durability,
        writing: Connection,
        number: int,
        on_commit: OnCommit | None,
    ) -> None:
        self._url = url
        self._durability = durability
        self._writing: Connection | None = writing
        self._plans_made_at = time.monotonic()
        quick = _ReadThreads(url, "quick")
        super().__init__(quick, _ReadThreads(url, "long"), on_commit, None)
        self.replica: Replica = Replica(url, number, quick.fetch, self._execute)

    @classmethod
    async def open(
        cls,
        url: str,
        durability: Durability = "full",
        *,
        on_commit: OnCommit | None = None,
    ) -> Self:
        """Open the database at a ``postgresql://`` address; create its tables if there are none.

        Raises CannotOpen.
        """

        def connect() -> tuple[Connection, int]:
            try:
                writing = _connect(url, durability)
                try:
                    _prepare(writing, url)
                    ((number,),) = execute(writing, NEXT_REPLICA).fetchall()
                except BaseException:
                    writing.close()
                    raise
                return writing, int(number)
            except psycopg.Error as error:
                raise CannotOpen(f"{database_name(url)} cannot be opened: {_text(error)}") from error

        writing, number = await asyncio.to_thread(connect)
        return cls(url, durability, writing, number, on_commit)

    async def secret(self, name: str, size: int) -> bytes:
        """Returns the secret of that name from the database; creates and stores it if there is none."""

        def keep() -> bytes:
            with _connect(self._url, "full") as connection:
                execute(connection, INSERT_SECRET, {"name": name, "value": secrets.token_bytes(size)})
                found = execute(connection, SELECT_SECRET, {"name": name}).fetchone()
                assert found is not None
                return bytes(found[0])

        try:
            return await asyncio.to_thread(keep)
        except psycopg.Error as error:
            raise _refusal(error) from error

    def _match(self, reader: Connection, found: Sequence[Any]) -> MatchRow:
        of_it = {"match_key": found[0]}
        with reader.pipeline():  # one round trip for both
            seats, labels = execute(reader, SQL.select_seats, of_it), execute(reader, SQL.select_labels, of_it)
            return schema.match_row(found, seats.fetchall(), labels.fetchall())

    async def _execute(self, sql: str, values: dict[str, Any]) -> list[Any]:
        rows = await self._write(Execute(sql, values))
        assert isinstance(rows, list)
        return rows

    def _disconnect(self) -> None:
        if self._writing is not None:
            self._writing.close()

    # -- on the writer's thread ----------------------------------------------------------------------------------------

    def _commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit all writes in one transaction; if that fails, each in its own, so that only the faulty ones fail."""
        error: Exception = StoreUnavailable()
        for _ in range(1 if len(writes) > 1 else RETRIES):
            try:
                return self._try(writes)
            except psycopg.OperationalError as failure:
                error = _refusal(failure)
                if not isinstance(failure, psycopg.errors.SerializationFailure | psycopg.errors.DeadlockDetected):
                    break
            except psycopg.IntegrityError as failure:
                # Another transaction was the first to use its name, request id or record; the retry will find it.
                error = failure
            except (psycopg.Error, StoreUnavailable) as failure:
                error = failure
                break
        if len(writes) > 1 and not isinstance(error, StoreUnavailable):
            return [outcome for write in writes for outcome in self._commit([write])]
        return [error for _ in writes]

    def _try(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit all writes in one transaction. Raises StoreUnavailable, psycopg.Error."""
        connection = self._connected()
        transaction = ""
        try:
            if time.monotonic() - self._plans_made_at >= PLANS_KEPT_S:
                execute(connection, "DISCARD PLANS")
                self._plans_made_at = time.monotonic()
            outcomes, transaction = write_all(connection, writes, self.replica.number)
            execute(connection, "COMMIT")
        except BaseException as error:
            if not connection.closed and connection.info.transaction_status is not TransactionStatus.IDLE:
                with suppress(psycopg.Error):
                    execute(connection, "ROLLBACK")
            if not connection.closed:
                raise
            self._writing = None
            if not transaction or not isinstance(error, psycopg.Error):
                raise
            log.warning("the connection to the database was lost in a commit")
            if not self._was_committed(transaction):
                raise
        self._notify(writes, outcomes)
        return outcomes

    def _notify(self, writes: Sequence[Write], outcomes: Sequence[Outcome]) -> None:
        """Notify the other services of the committed writes. A lost notice only delays them.

        The notices are a separate transaction, because PostgreSQL serialises the commits of transactions with notices,
        and this one does not wait for the disk.
        """
        notices = notices_of(writes, outcomes, self.replica.number)
        connection = self._writing
        if not notices or connection is None:
            return
        with suppress(psycopg.Error), connection.pipeline():
            execute(connection, "BEGIN")
            execute(connection, "SET LOCAL synchronous_commit = off")
            for notice in notices:
                execute(connection, NOTIFY, {"channel": CHANNEL, "notice": notice})
            execute(connection, "COMMIT")

    def _was_committed(self, transaction: str) -> bool:
        """Returns whether the server committed a transaction whose connection was lost. Raises StoreUnavailable.

        If the server does not come back in time, this stays unknown, and the next write to each match finds out.
        """
        end = time.monotonic() + RESOLVE_SECONDS
        while True:
            with suppress(psycopg.Error, StoreUnavailable):
                found = execute(self._connected(), TRANSACTION_STATUS, {"id": transaction}).fetchone()
                if found is not None and found[0] != "in progress":
                    return bool(found[0] == "committed")
            if time.monotonic() > end:
                raise StoreUnavailable
            time.sleep(0.1)

    def _connected(self) -> Connection:
        """Returns the connection for writing; reconnects if it was lost. Raises StoreUnavailable."""
        if self._writing is None or self._writing.closed:
            try:
                self._writing = _connect(self._url, self._durability)
            except psycopg.Error as error:
                raise _refusal(error) from error
        return self._writing


# -- reads, connections ------------------------------------------------------------------------------------------------


class _ReadThreads:
    """Threads for reading, each with its own connection."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix=f"store-reader-{name}")
        self._own = threading.local()
        self._connections: set[Connection] = set()
        self._open = True

    async def read(self, read: Callable[[Connection], T]) -> T:
        """Returns the result of ``read``, within one transaction. Raises StoreUnavailable."""
        if not self._open:
            raise StoreUnavailable
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, read, True)

    async def fetch(self, sql: str, values: dict[str, Any]) -> list[Any]:
        """Returns all rows of one statement, run in its own transaction. Raises StoreUnavailable."""
        if not self._open:
            raise StoreUnavailable

        def read(connection: Connection) -> list[Any]:
            return execute(connection, sql, values).fetchall()

        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, read, False)

    def _run(self, read: Callable[[Connection], T], in_transaction: bool) -> T:
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is not None:
            try:
                with connection.transaction() if in_transaction else nullcontext():
                    return read(connection)
            except (psycopg.OperationalError, psycopg.InterfaceError):
                # Most likely the server has closed the idle connection.
                connection.close()
                self._connections.discard(connection)
                self._own.connection = None
        try:
            connection = _connect(self._url, "full")
            connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
            execute(connection, "SET plan_cache_mode = force_custom_plan")  # see PLANS_KEPT_S
            self._connections.add(connection)
            self._own.connection = connection
            with connection.transaction() if in_transaction else nullcontext():
                return read(connection)
        except psycopg.Error as error:
            refusal = _refusal(error)
            if refusal is error:
                raise
            raise refusal from error

    async def close(self) -> None:
        """Finish the reads under way, and close the connections."""
        self._open = False
        await asyncio.to_thread(self._threads.shutdown)
        for connection in self._connections:
            connection.close()


def _connect(url: str, durability: Durability) -> Connection:
    """Connect in autocommit mode. Raises psycopg.Error."""
    connection = psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="omnilude")
    if durability == "normal":
        execute(connection, "SET synchronous_commit = off")
    return connection


def _prepare(connection: Connection, url: str) -> None:
    """Create the tables if there are none, otherwise check their version.

    Raises NotAStore, OtherSchema, psycopg.Error.
    """
    with connection.transaction():
        execute(connection, LOCK_FOR_SETUP, {"lock": SETUP_LOCK})
        if not _has_table(connection, schema.schema_version.name):
            if _has_table(connection, schema.matches.name):
                raise NotAStore(f"{database_name(url)} is the database of another program")
            for statement in (*SQL.create_tables, CREATE_SECRETS, *CREATE_REPLICA_TABLES):
                execute(connection, statement)
            execute(connection, SQL.write_version, {"version": schema.VERSION})
            return
        versions = execute(connection, SQL.read_version).fetchall()
        if len(versions) != 1:
            raise NotAStore(f"{database_name(url)} does not say which schema it has")
        if versions[0][0] != schema.VERSION:
            raise OtherSchema(database_name(url), versions[0][0], schema.VERSION)


def _has_table(connection: Connection, name: str) -> bool:
    found = execute(connection, FIND_TABLE, {"table": name}).fetchone()
    return found is not None and found[0] is not None


def database_name(url: str) -> str:
    """Returns the name and host of the database at an address, without user and password. Raises CannotOpen."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise CannotOpen(
            "this is not the address of a PostgreSQL database; write it as postgresql://user@host/database"
        ) from None
    host = f"{parts.get('host') or 'localhost'}:{parts['port']}" if parts.get("port") else parts.get("host") or ""
    return f"database {parts.get('dbname') or parts.get('user') or ''} at {host or 'localhost'}"


def _refusal(error: Exception) -> Exception:
    """Returns StoreUnavailable for a temporary failure (no connection, disk full, too many clients), else the error."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return error
    _failures.write(logging.ERROR, f"the store cannot be used: {_text(error)}")
    return StoreUnavailable()


def _text(error: psycopg.Error) -> str:
    return " ".join(str(error).split())
