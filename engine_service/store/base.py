"""Interface of the stores of matches: the :class:`Store`, its values and its errors.

A store holds one :class:`MatchRow` for each match (a summary that needs no reading of the log), its records, and the
answers to requests with a ``request_id``. Each call writes everything or nothing. When a writing call returns, its data
is as durable as the store can make it.

::

    StoreError
    ├── SequenceConflict     another writer has written to the match: load it again
    ├── RequestConflict      a request with that scope and id has an answer already: look it up
    └── CannotOpen           the database cannot be opened
        ├── InUse            another service has it open
        ├── OtherSchema      it has the schema of another version of this program
        ├── NotAStore        the file is not a database, another program's, or damaged
        ├── Damaged          parts of the database cannot be read
        └── DataLost         commits that were acknowledged are missing
    engine_service.errors.StoreUnavailable   the store cannot be used now; nothing was changed
    engine_service.errors.MatchExists        a match with that name or uid exists already
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
    """Base of the errors between the service and its store, which callers of the service never see."""


class SequenceConflict(StoreError):
    """The newest record of the match is not the expected one but ``actual``; None if there is no such match."""

    def __init__(self, expected: int, actual: int | None) -> None:
        super().__init__(f"the newest record of the match is {actual}, not {expected}")
        self.expected = expected
        self.actual = actual


class RequestConflict(StoreError):
    """A request with that scope and id has been answered already; nothing was written."""

    def __init__(self, scope: str, request_id: str) -> None:
        super().__init__(f"request {request_id!r} of {scope!r} has an answer already")


class CannotOpen(StoreError):
    """The database cannot be opened; the message tells the operator why."""


class InUse(CannotOpen):
    """Another service has the database open; two services would not see each other's matches in memory."""

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
    """The file is not a database, the database of another program, or damaged."""


class Damaged(CannotOpen):
    """Parts of the database cannot be read."""

    def __init__(self, path: Path, findings: Sequence[str]) -> None:
        super().__init__(
            f"{path} is damaged: {'; '.join(findings)}. Replace it by a backup, or start once with --accept-loss to "
            "serve the matches that can be read; `omnilude store check` names those that cannot"
        )


class DataLost(CannotOpen):
    """Commits that were acknowledged are missing."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            f"{path} has lost data: {what}. Restore the database file together with its -wal file. If they are lost, "
            "replace them by a backup, if there is one, and start once with --accept-loss"
        )


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a match. ``nonce`` and ``digest`` are those of its token; empty if it has none."""

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
    """Milliseconds since 1970, like started_ms and ended_ms; for an imported match, the time of the import. Listings
    are ordered by it."""
    chain: bytes
    """Chain of the newest record, or of the header if there is no record."""
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
    """Number of records that a spectator may not know of."""
    newest_withheld: bool = False
    """Whether spectators are not sent the newest record yet, because a private decision is pending."""
    uptime_ms: int = 0
    """Uptime of the service at the newest record, as :meth:`Store.uptime` counts it."""
    to_act: int = 0
    """Bit mask of the seats whose players are to act, as far as everyone may know."""
    imported: bool = False
    """Whether it was imported as a replay, not played here."""
    signature: bytes = b""
    """Signature of the replay of an imported match; empty if it had none."""
    signing_key: bytes = b""
    """Public key that the signature is checked with."""
    needs_service: bool = False
    """Whether a new match needs the service: a clock runs, or a bot is to act. The service that stores the match claims
    it then. This is not a column, so it is False in every row that is read."""
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
    """See MatchRow; a store for a single service ignores it."""


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """Answer to a request that may be repeated. ``scope`` and ``request_id`` together are unique."""

    scope: str
    """The method and the match, if there is one: ids are compared only within one scope."""
    request_id: str
    fingerprint: bytes
    """Digest of the request; the same id with another fingerprint is refused."""
    answer: bytes
    """The encoded answer."""
    uptime_ms: int
    """Uptime of the service at the time of the answer, as :meth:`Store.uptime` counts it."""


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
    """Conditions of a listing: matches must meet all of them; an empty condition accepts every match."""

    game: str = ""
    """The game's id."""
    states: tuple[int, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    player: str = ""
    """A player of this name, who is not a service bot, has a seat or is invited to one; excludes imported matches."""
    to_act: bool = False
    """Whether the player must be to act."""
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
        """Returns whether a match with these properties, named as in MatchRow, meets every condition."""
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
"""Position after a page of a listing: created_ms and name of the last row, by which listings are ordered,
descending."""

Durability = Literal["full", "normal"]
"""full: a commit is on disk before it is acknowledged. normal: a power failure may lose the newest commits."""

DELETED = -1
"""Reported as the newest record of a match that was deleted."""

OnCommit = Callable[[int, float], None]
"""Callback on the event loop after each commit, with the number of its writes and its duration in seconds."""


def check_sequence(records: Sequence[Record], after: int) -> None:
    """Check that the records follow ``after`` without a gap. Raises ValueError, which is a defect of the caller."""
    if any(record.seq != seq for seq, record in enumerate(records, after + 1)):
        raise ValueError(f"records {[record.seq for record in records]} do not follow record {after}")


def check_new(row: MatchRow, records: Sequence[Record]) -> None:
    """Check that these are the first records of the row. Raises ValueError, which is a defect of the caller."""
    check_sequence(records, 0)
    if row.last_seq != len(records):
        raise ValueError(f"last_seq of the row is {row.last_seq}, but there are {len(records)} records")


class Store(Protocol):
    """Storage of matches. Every method may raise StoreUnavailable, and has then changed nothing.

    If the caller of a writing method is cancelled, the write may or may not have happened: load the match again.
    """

    @property
    def replica(self) -> Replica | None:
        """The replication client of this service; None if only one service at a time can use the store."""
        ...

    async def create(self, row: MatchRow, records: Sequence[Record], request: StoredRequest | None = None) -> MatchRow:
        """Store a new match with its first records (seq from 1; ``row.last_seq`` and ``row.chain`` are those after
        them); returns the row with its key. Raises MatchExists or RequestConflict."""
        ...

    async def append(self, write: Append) -> None:
        """Append records to a match. Raises SequenceConflict or RequestConflict."""
        ...

    async def delete(self, key: int, request: StoredRequest | None = None) -> None:
        """Delete an ended match with its log, if there is one. Raises RequestConflict."""
        ...

    async def ended_before(self, uptime_ms: int, limit: int) -> list[str]:
        """Returns the names of the matches that had ended before that uptime, the oldest first, at most ``limit``."""
        ...

    async def row(self, name: str) -> MatchRow | None:
        """Returns the row of a match; None if there is no match of that name."""
        ...

    async def load(self, name: str) -> tuple[MatchRow, list[Record]] | None:
        """Returns the row of a match and its whole log; None if there is no match of that name."""
        ...

    async def records(self, key: int, after_seq: int, limit: int) -> list[Record]:
        """Returns the records after ``after_seq``, at most ``limit``."""
        ...

    async def find_request(self, scope: str, request_id: str) -> StoredRequest | None:
        """Returns the answer to an earlier request with that scope and id; None if there was none."""
        ...

    async def find(self, wanted: MatchFilter, after: PageCursor | None, limit: int) -> list[MatchRow]:
        """Returns matches, newest first, after the cursor (None: from the first), at most ``limit``."""
        ...

    async def delete_requests(self, before_uptime_ms: int, limit: int) -> int:
        """Delete answers given before that uptime, the oldest first, at most ``limit``; returns their number."""
        ...

    async def uptime(self) -> int:
        """Returns the total uptime of services on this store in milliseconds, as last saved; 0 at first."""
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
