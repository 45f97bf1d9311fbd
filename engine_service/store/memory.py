"""Store of matches in memory, for tests and trials. Its content is lost when the process ends."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import fields, replace

from engine_service.log.records import Record, RecordLog
from engine_service.store.base import (
    Append,
    MatchExists,
    MatchFilter,
    MatchRow,
    PageCursor,
    RequestConflict,
    SequenceConflict,
    StoredRequest,
    StoreUnavailable,
    check_new,
    check_sequence,
)


class MemoryStore:
    """A :class:`engine_service.store.base.Store` in memory."""

    replica = None

    def __init__(self) -> None:
        self._rows: dict[int, MatchRow] = {}
        self._newest_key = 0
        self._logs: dict[int, RecordLog] = {}
        self._keys: dict[str, int] = {}
        self._names: dict[bytes, str] = {}  # by uid
        self._requests: dict[tuple[str, str], StoredRequest] = {}
        self._uptime_ms = 0
        self._open = True

    async def create(self, row: MatchRow, records: Sequence[Record], request: StoredRequest | None = None) -> MatchRow:
        """See Store."""
        self._check_open()
        check_new(row, records)
        self._check_request(request)
        same = row.name if row.name in self._keys else self._names.get(row.uid)
        if same is not None:
            raise MatchExists(same)
        self._newest_key += 1
        stored = replace(row, key=self._newest_key)
        self._rows[stored.key] = stored
        self._logs[stored.key] = RecordLog(records)
        self._keys[row.name] = stored.key
        self._names[row.uid] = row.name
        self._store_request(request)
        return stored

    async def append(self, write: Append) -> None:
        """See Store."""
        self._check_open()
        check_sequence(write.records, write.expected_last_seq)
        self._check_request(write.request)
        row = self._rows.get(write.key)
        expected = write.expected_last_seq, tuple(write.expected_outcomes)
        if row is None or (row.last_seq, row.queued_outcomes) != expected:
            raise SequenceConflict(write.expected_last_seq, None if row is None else row.last_seq)
        if write.records:
            self._logs[row.key].extend(write.records)
            row = replace(
                row,
                last_seq=write.records[-1].seq,
                chain=write.chain,
                uptime_ms=write.uptime_ms,
                to_act=write.to_act,
            )
        if write.update is not None:
            changed = {each.name: getattr(write.update, each.name) for each in fields(write.update)}
            row = replace(row, **{name: value for name, value in changed.items() if value is not None})
        self._rows[row.key] = row
        self._store_request(write.request)

    async def row(self, name: str) -> MatchRow | None:
        """See Store."""
        self._check_open()
        key = self._keys.get(name)
        return None if key is None else self._rows[key]

    async def delete(self, key: int, request: StoredRequest | None = None) -> None:
        """See Store."""
        self._check_open()
        self._check_request(request)
        row = self._rows.pop(key, None)
        if row is not None:
            del self._logs[key], self._keys[row.name], self._names[row.uid]
        self._store_request(request)

    async def ended_before(self, uptime_ms: int, limit: int) -> list[str]:
        """See Store."""
        self._check_open()
        ended = ((row.uptime_ms, row.name) for row in self._rows.values() if row.ended_ms and row.uptime_ms < uptime_ms)
        return [name for _, name in heapq.nsmallest(limit, ended)]

    async def load(self, name: str) -> tuple[MatchRow, list[Record]] | None:
        """See Store."""
        self._check_open()
        key = self._keys.get(name)
        return None if key is None else (self._rows[key], self._logs[key].after(0))

    async def records(self, key: int, after_seq: int, limit: int) -> list[Record]:
        """See Store."""
        self._check_open()
        return self._logs[key].after(after_seq, limit) if key in self._logs else []

    async def find_request(self, scope: str, request_id: str) -> StoredRequest | None:
        """See Store."""
        self._check_open()
        return self._requests.get((scope, request_id))

    async def find(self, wanted: MatchFilter, after: PageCursor | None, limit: int) -> list[MatchRow]:
        """See Store."""
        self._check_open()
        found = [
            row
            for row in self._rows.values()
            if (after is None or _cursor(row) < after)
            and wanted.accepts(row.game, row.state, row.labels, row.seats, row.to_act, imported=row.imported)
        ]
        return sorted(found, key=_cursor, reverse=True)[:limit]

    async def delete_requests(self, before_uptime_ms: int, limit: int) -> int:
        """See Store."""
        self._check_open()
        ages = (
            (request.uptime_ms, key) for key, request in self._requests.items() if request.uptime_ms < before_uptime_ms
        )
        old = heapq.nsmallest(limit, ages)
        for _, key in old:
            del self._requests[key]
        return len(old)

    async def uptime(self) -> int:
        """See Store."""
        self._check_open()
        return self._uptime_ms

    async def save_uptime(self, uptime_ms: int) -> None:
        """See Store."""
        self._check_open()
        self._uptime_ms = max(self._uptime_ms, uptime_ms)

    async def close(self) -> None:
        """See Store."""
        self._open = False

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailable

    def _check_request(self, request: StoredRequest | None) -> None:
        if request is not None and (request.scope, request.request_id) in self._requests:
            raise RequestConflict(request.scope, request.request_id)

    def _store_request(self, request: StoredRequest | None) -> None:
        if request is not None:
            self._requests[request.scope, request.request_id] = request


def _cursor(row: MatchRow) -> PageCursor:
    return row.created_ms, row.name
