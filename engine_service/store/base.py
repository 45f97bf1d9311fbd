"""Interface of the stores of matches: the :class:`Store`, its values and its errors.

A store holds, for each match, one :class:`MatchRow` (what is known of it without reading its log), its records, and
the answers to requests that carried a ``request_id``. All of one call is written together or not at all. When a
writing call returns, what it wrote is as durable as the store can make it.

::

    StoreError
    ├── SequenceConflict     another writer has written to the match: load it again
    ├── RequestConflict      a request of that scope and id has an answer already: look it up
    └── CannotOpen           the database cannot be used at all; only when it is opened
        ├── InUse            another service has it open
        ├── OtherSchema      it has the schema of another version of this program
        ├── NotAStore        another program's database, no database, or a damaged one
        ├── Damaged          a database of ours, parts of which cannot be read
        └── DataLost         commits that were acknowledged are missing
    engine_service.errors.StoreUnavailable   cannot be used now; nothing was changed
    engine_service.errors.MatchExists        a match of that name or uid is here already
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from cext.errors import PicklableError
from engine_service.errors import MatchExists, StoreUnavailable
from engine_service.log.records import Record
from engine_service.match_enums import SeatKind

if TYPE_CHECKING:
    from engine_service.store.postgres_replica import Replica

__all__ = [
    "DELETED",
    "Append",
    "CannotOpen",
    "Damaged",
    "DataLost",
    "Durability",
    "InUse",
    "MatchExists",
    "MatchFilter",
    "MatchRow",
    "NotAStore",
    "OnCommit",
    "OtherSchema",
    "PageCursor",
    "RequestConflict",
    "RowUpdate",
    "SeatRow",
    "SequenceConflict",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "StoredRequest",
    "check_new",
    "check_sequence",
    "find_all",
]


class StoreError(PicklableError, Exception):
    """Error between the service and its store; never shown to a caller of the service."""


class SequenceConflict(StoreError):
    """The newest record of the match is not the expected one but ``actual``; None if there is no such match."""

    def __init__(self, expected: int, actual: int | None) -> None:
        super().__init__(f"expected record {expected} to be the newest one of the match, found {actual}")
        self.expected = expected
        self.actual = actual


class RequestConflict(StoreError):
    """A request of that scope and id has been answered already; nothing was written."""

    def __init__(self, scope: str, request_id: str) -> None:
        super().__init__(f"request {request_id!r} of {scope!r} has an answer already")


class CannotOpen(StoreError):
    """The database cannot be used at all; the message says why, for the operator."""


class InUse(CannotOpen):
    """Another service has the database open: each would miss what the other has in memory."""

    def __init__(self, database: Path | str, process: int | None) -> None:
        holder = "" if process is None else f" (process {process})"
        super().__init__(
            f"{database} is in use by another service{holder}: only one service at a time can use a database"
        )


class OtherSchema(CannotOpen):
    """The database has the schema of another version of this program."""

    def __init__(self, database: Path | str, found: int, known: int) -> None:
        super().__init__(
            f"{database} has schema {found}, and this version has schema {known}: open it with the version of "
            "omnilude that wrote it"
        )


class NotAStore(CannotOpen):
    """The file is no database, the database of another program, or damaged."""


class Damaged(CannotOpen):
    """Parts of the database cannot be read."""

    def __init__(self, path: Path, findings: Sequence[str]) -> None:
        super().__init__(
            f"{path} is damaged: {'; '.join(findings)}. Put a back-up in its place, or start once with --accept-loss "
            "to serve what can be read; `omnilude store check` names the matches that cannot be read"
        )


class DataLost(CannotOpen):
    """Commits that were acknowledged are missing."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            f"{path} has lost data: {what}. Restore the database file together with its -wal file. If they are lost, "
            "put a back-up in their place, if there is one, and start once with --accept-loss"
        )


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a match. ``nonce`` and ``digest`` are of its token; empty where it has none."""

    kind: int
    """SeatKind of match.proto."""
    player: str = ""
    taken: bool = False
    out: bool = False
    nonce: bytes = b""
    digest: bytes = b""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match without its log. ``key`` is its number in the store, 0 before it is stored."""

    name: str
    """"matches/{id}"; unique."""
    uid: bytes
    """16 bytes; unique."""
    game: str
    """The game's id, without "games/"."""
    state: int
    """MatchState of match.proto."""
    header: bytes
    """The serialised ReplayHeader."""
    seed: bytes
    """32 bytes; secret until the match has ended."""
    created_ms: int
    """Since 1970, as are started_ms and ended_ms. Of an imported match: when it came. Listings are ordered by it."""
    chain: bytes
    """Of the newest record; of the header where there is none."""
    seats: tuple[SeatRow, ...] = ()
    host_nonce: bytes = b""
    host_digest: bytes = b""
    labels: Mapping[str, str] = field(default_factory=dict)
    last_seq: int = 0
    started_ms: int = 0
    """0 before the start."""
    ended_ms: int = 0
    """0 before the end."""
    result: bytes = b""
    """A serialised MatchResult; empty before the end."""
    queued_outcomes: tuple[int, ...] = ()
    """Outcomes of chance that the host has provided and no node has taken yet, in order."""
    private_records: int = 0
    """Number of its records that a spectator may not know of."""
    newest_withheld: bool = False
    """Whether spectators are not sent the newest record yet, because a private decision stands."""
    uptime_ms: int = 0
    """Uptime of the service at the newest record, as :meth:`Store.uptime` counts it."""
    to_act: int = 0
    """Bit mask of the seats whose players are to act, as far as everyone may know."""
    imported: bool = False
    """Whether it came as a replay and was not played here."""
    signature: bytes = b""
    """Signature of the replay of an imported match; empty if it had none."""
    signing_key: bytes = b""
    """Public key that the signature is checked with."""
    needs_service: bool = False
    """Whether the service itself has something to do in a new match: a clock runs, or a bot is to move. The service
    that writes it claims it then. Not stored in the row, so False in every row that is read."""
    key: int = 0


@dataclass(frozen=True, slots=True)
class RowUpdate:
    """Changes that an append makes to the row, besides last_seq and chain; None leaves a column as it is."""

    state: int | None = None
    seats: tuple[SeatRow, ...] | None = None
    started_ms: int | None = None
    ended_ms: int | None = None
    result: bytes | None = None
    queued_outcomes: tuple[int, ...] | None = None
    private_records: int | None = None
    newest_withheld: bool | None = None
    needs_service: bool | None = None
    """See MatchRow; a store for one service keeps no claims."""


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """The answer to a request that may come again. ``scope`` and ``request_id`` together are unique."""

    scope: str
    """The method and, where it has one, the match: ids are compared within one scope only."""
    request_id: str
    fingerprint: bytes
    """Digest of the request: the same id with another fingerprint is refused."""
    answer: bytes
    """The encoded answer."""
    uptime_ms: int
    """Uptime of the service when it was given, as :meth:`Store.uptime` counts it; no change of the clock moves it."""


@dataclass(frozen=True, slots=True)
class Append:
    """Write that appends records to a match, or only changes its row.

    ``chain``, ``uptime_ms`` and ``to_act`` are stored with the last record; without records they are ignored.
    """

    key: int
    expected_last_seq: int
    """The newest record of the match before the write; any other is a conflict."""
    records: Sequence[Record]
    chain: bytes
    """Chain after the last record."""
    update: RowUpdate | None = None
    request: StoredRequest | None = None
    uptime_ms: int = 0
    """Uptime of the service at the last record."""
    to_act: int = 0
    """Bit mask of the seats whose players are to act after the last record, as far as everyone may know."""
    expected_outcomes: Sequence[int] = ()
    """The queued outcomes of the match before the write; any others are a conflict."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches to list: those that meet every condition; an empty condition is met by all."""

    game: str = ""
    """The game's id."""
    states: tuple[int, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    player: str = ""
    """Somebody of this name, who is no bot of the service, has a seat or is invited to one, in a match played here."""
    to_act: bool = False
    """The player is to act."""
    imported: bool | None = None
    """None: either."""

    def accepts(
        self,
        game: str,
        state: int,
        labels: Mapping[str, str],
        seats: Sequence[SeatRow],
        to_act: int,
        *,
        imported: bool = False,
    ) -> bool:
        """Whether a match with these properties, named as in MatchRow, meets every condition."""
        return (
            (not self.game or game == self.game)
            and (not self.states or state in self.states)
            and self.labels.items() <= labels.items()
            and self.imported in (None, imported)
            and (not self.player or (not imported and self._has_seat(seats, to_act)))
        )

    def _has_seat(self, seats: Sequence[SeatRow], to_act: int) -> bool:
        return any(
            seat.player == self.player and seat.kind != SeatKind.BOT and (not self.to_act or to_act >> number & 1)
            for number, seat in enumerate(seats)
        )


PageCursor = tuple[int, str]
"""End of a page of a listing: created_ms and name of its last row. Listings are ordered by both, descending."""

Durability = Literal["full", "normal"]
"""full: a commit is on the disk before it is acknowledged. normal: a power cut may take the newest commits."""

DELETED = -1
"""Reported as the newest record of a match that was deleted."""

OnCommit = Callable[[int, float], None]
"""Callback after each commit, on the event loop: number of its writes, and its seconds."""


def check_sequence(records: Sequence[Record], after: int) -> None:
    """Raises ValueError, a defect of the caller, if the records do not follow ``after`` without a gap."""
    if any(record.seq != seq for seq, record in enumerate(records, after + 1)):
        raise ValueError(f"records {[record.seq for record in records]} do not follow record {after}")


def check_new(row: MatchRow, records: Sequence[Record]) -> None:
    """Raises ValueError, a defect of the caller, if these are not the first records of that row."""
    check_sequence(records, 0)
    if row.last_seq != len(records):
        raise ValueError(f"a row at record {row.last_seq} with {len(records)} records")


class Store(Protocol):
    """Keeps matches. Every method may raise StoreUnavailable, and has then changed nothing.

    A writing call whose caller is cancelled while it waits may or may not have been written: load the match again.
    """

    @property
    def replica(self) -> Replica | None:
        """This service among those that share the store; None if only one service at a time can use it."""
        ...

    async def create(self, row: MatchRow, records: Sequence[Record], request: StoredRequest | None = None) -> MatchRow:
        """Store a new match with its first records (seq from 1; ``row.last_seq`` and ``row.chain`` are those after
        them); returns the row with its key. Raises MatchExists or RequestConflict."""
        ...

    async def append(self, write: Append) -> None:
        """Append records to a match. Raises SequenceConflict or RequestConflict."""
        ...

    async def delete(self, key: int, request: StoredRequest | None = None) -> None:
        """Delete a match that has ended, with its log; nothing happens where there is none. Raises RequestConflict."""
        ...

    async def ended_before(self, uptime_ms: int, most: int) -> list[str]:
        """Returns the names of the matches that ended first, before that uptime of the service, at most ``most``."""
        ...

    async def row(self, name: str) -> MatchRow | None:
        """Returns a match without reading its log; None if there is none of that name."""
        ...

    async def load(self, name: str) -> tuple[MatchRow, list[Record]] | None:
        """Returns a match and its whole log; None if there is none of that name."""
        ...

    async def records(self, key: int, after_seq: int, limit: int) -> list[Record]:
        """Returns the records after ``after_seq``, at most ``limit``."""
        ...

    async def find_request(self, scope: str, request_id: str) -> StoredRequest | None:
        """Returns the answer to an earlier request of that scope and id; None if there was none."""
        ...

    async def find(self, wanted: MatchFilter, after: PageCursor | None, limit: int) -> list[MatchRow]:
        """Returns matches, newest first, after the cursor (None: from the first), at most ``limit``."""
        ...

    async def active(self) -> list[str]:
        """Returns the names of the matches that have not ended, oldest first."""
        ...

    async def delete_requests(self, before_uptime_ms: int, most: int) -> int:
        """Delete answers given before that uptime, the oldest first, at most ``most``; returns their number."""
        ...

    async def uptime(self) -> int:
        """Returns how long services have run on this store in total, in milliseconds, as last saved; 0 at first."""
        ...

    async def save_uptime(self, uptime_ms: int) -> None:
        """Save the uptime, unless a longer one is saved."""
        ...

    async def close(self) -> None:
        """Finish the queued writes and close the store. Later calls raise StoreUnavailable."""
        ...


PAGE_SIZE = 200


async def find_all(store: Store, wanted: MatchFilter) -> AsyncIterator[MatchRow]:
    """Yield all matches that meet a filter, newest first, read page by page. Raises StoreUnavailable."""
    after: PageCursor | None = None
    while rows := await store.find(wanted, after, PAGE_SIZE):
        after = rows[-1].created_ms, rows[-1].name
        for row in rows:
            yield row
