"""Base class of the stores in SQL databases, which implements a store by the statements of a dialect.

All writes go through one thread, which commits in groups (:mod:`engine_service.store.writes`). Reads run on other
threads, quick reads apart from long ones (logs, listings), so that long reads do not delay quick ones.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from engine_service.log.records import Record
from engine_service.store import schema
from engine_service.store.base import (
    Append,
    MatchFilter,
    MatchRow,
    OnCommit,
    PageCursor,
    StoredRequest,
    StoreUnavailable,
    check_new,
    check_sequence,
)
from engine_service.store.statements import Statements
from engine_service.store.writes import Create, Delete, DeleteRequests, GroupWriter, Outcome, SaveUptime, Write

if TYPE_CHECKING:
    from engine_service.store.postgres_replica import Replica

T = TypeVar("T")

RECORDS_PER_READ = 1_000
"""Number of records that are read at a time, which takes some milliseconds."""


class ReadThreads(Protocol):
    """Threads for reading, each with a connection."""

    async def read(self, read: Callable[[Any], T]) -> T:
        """Returns the result of ``read`` on a connection, within one transaction. Raises StoreUnavailable."""
        ...

    async def close(self) -> None:
        """Finish the reads under way, and close the connections."""
        ...


class SqlStore(ABC):
    """A :class:`engine_service.store.base.Store` in an SQL database. Subclasses open it and commit to it."""

    sql: ClassVar[Statements]
    replica: Replica | None = None

    def __init__(
        self, quick: ReadThreads, long: ReadThreads, on_commit: OnCommit | None, on_loss: Callable[[], None] | None
    ) -> None:
        self._quick_reads, self._long_reads = quick, long
        self._on_commit = on_commit
        self._on_loss = on_loss
        self._lost = ""
        """Reason why writes are no longer acknowledged; empty while they are."""
        self._writer = GroupWriter(self._commit, self._report)
        self._open = True

    @abstractmethod
    def _commit(self, writes: Sequence[Write]) -> list[Outcome]:
        """Commit a group of writes, on the writer's thread; returns the outcome of each."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Close the connection of the writer's thread, and release the locks on the database."""

    async def create(self, row: MatchRow, records: Sequence[Record], request: StoredRequest | None = None) -> MatchRow:
        """See Store."""
        check_new(row, records)
        stored = await self._write(Create(row, records, request))
        assert isinstance(stored, MatchRow)
        return stored

    async def append(self, write: Append) -> None:
        """See Store."""
        check_sequence(write.records, write.expected_last_seq)
        await self._write(write)

    async def delete(self, key: int, request: StoredRequest | None = None) -> None:
        """See Store."""
        await self._write(Delete(key, request))

    async def ended_before(self, uptime_ms: int, limit: int) -> list[str]:
        """See Store."""
        wanted = {"before_uptime_ms": uptime_ms, "limit": limit}
        return [name for (name,) in await _fetch(self._long_reads, self.sql.select_ended, wanted)]

    async def row(self, name: str) -> MatchRow | None:
        """See Store."""

        def read(connection: Any) -> MatchRow | None:
            found = fetch_all(connection, self.sql.select_match, {"name": name})
            return self._match(connection, found[0]) if found else None

        return await self._quick_reads.read(read)

    async def load(self, name: str) -> tuple[MatchRow, list[Record]] | None:
        """See Store."""
        row = await self.row(name)
        # Records are only added, so the records up to the row's last one are a complete log whenever they are read.
        return None if row is None else (row, await self.records(row.key, 0, row.last_seq))

    async def records(self, key: int, after_seq: int, limit: int) -> list[Record]:
        """See Store."""
        found: list[Record] = []
        while limit > 0:
            part = min(limit, RECORDS_PER_READ)
            wanted = {"match_key": key, "after_seq": after_seq, "limit": part}
            rows = await _fetch(self._long_reads, self.sql.select_records, wanted)
            found += map(schema.record_of, rows)
            if len(rows) < part:
                break
            after_seq, limit = found[-1].seq, limit - len(rows)
        return found

    async def find_request(self, scope: str, request_id: str) -> StoredRequest | None:
        """See Store."""
        wanted = {"scope": scope, "request_id": request_id}
        rows = await _fetch(self._quick_reads, self.sql.select_request, wanted)
        return schema.request_of(rows[0]) if rows else None

    async def find(self, wanted: MatchFilter, after: PageCursor | None, limit: int) -> list[MatchRow]:
        """See Store."""
        query, values = self.sql.find_matches(wanted, after, limit)
        return await self._long_reads.read(
            lambda connection: [self._match(connection, found) for found in fetch_all(connection, query, values)]
        )

    async def delete_requests(self, before_uptime_ms: int, limit: int) -> int:
        """See Store."""
        deleted = await self._write(DeleteRequests(before_uptime_ms, limit))
        assert isinstance(deleted, int)
        return deleted

    async def uptime(self) -> int:
        """See Store."""
        ((uptime_ms,),) = await _fetch(self._quick_reads, self.sql.read_uptime)
        return int(uptime_ms)

    async def save_uptime(self, uptime_ms: int) -> None:
        """See Store."""
        await self._write(SaveUptime(uptime_ms))

    async def close(self) -> None:
        """See Store."""
        if not self._open:
            return
        self._open = False
        await self._writer.close()
        await asyncio.gather(self._quick_reads.close(), self._long_reads.close())
        self._disconnect()

    async def _write(self, write: Write) -> MatchRow | int | list[Any] | None:
        if not self._open:
            raise StoreUnavailable
        return await self._writer.write(write)

    def _match(self, connection: Any, found: Sequence[Any]) -> MatchRow:
        """Returns a match from its row of ``matches`` and its rows in other tables."""
        of_it = {"match_key": found[0]}
        seats = fetch_all(connection, self.sql.select_seats, of_it)
        return schema.match_row(found, seats, fetch_all(connection, self.sql.select_labels, of_it))

    def _report(self, outcomes: Sequence[Outcome], seconds: float) -> None:
        """Report a group of writes to the callbacks, on the event loop."""
        if self._lost and self._on_loss is not None:
            self._on_loss()
            self._on_loss = None
        written = sum(not isinstance(outcome, Exception) for outcome in outcomes)
        if self._on_commit is not None and written:
            self._on_commit(written, seconds)


async def _fetch(threads: ReadThreads, sql: str, values: dict[str, Any] | None = None) -> list[Any]:
    """Returns all rows of a query, run in its own transaction."""
    return await threads.read(lambda connection: fetch_all(connection, sql, values))


def fetch_all(connection: Any, sql: str, values: dict[str, Any] | None = None) -> list[Any]:
    """Returns all rows of a query; works with the connections of all drivers."""
    return list(connection.execute(sql, values or {}).fetchall())
