"""Replicas, which are services that share a PostgreSQL database: leases, claims, and notices of writes.

Each service has a number and a lease, a row that it renews at intervals. Work that must be done once is claimed: a
match whose clock runs or whose bot is to act has a row that names the service that does this work. When a lease
expires, the other services take over its claims. Nothing depends on a claim being exclusive: if two services make the
same write, the second one is refused, because the log of the match has grown meanwhile.

Notices (LISTEN, NOTIFY) name the changed matches. They can be lost with the connection, so after each new connection
the observer must compare all cached matches with the database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg
from psycopg.rows import TupleRow

from engine_service.log.records import Record
from engine_service.match_enums import SeatKind
from engine_service.observability.logs import ThrottledLog
from engine_service.store import schema
from engine_service.store.base import DELETED, Append, SeatRow
from engine_service.store.writes import Create, Delete, Outcome, Write

log = logging.getLogger(__name__)
_failures = ThrottledLog(log)

LEASE_MS = 1_200
"""Time after its last renewal at which a service counts as dead."""
RENEWAL_MS = 400
"""Interval at which the lease is renewed, and the leases of the others are checked."""
RENEWAL_TIMEOUT_S = 3.0
"""Time after which a connection that does not answer is closed."""
RECONNECT_S = 0.2
COUNT_S = 10.0
"""Interval at which a service lists some of its claims, to find those that it does not know of."""
CLAIMS_PER_COUNT = 1_000
CLAIMS_AT_ONCE = 200
"""Number of claims of a dead service that another takes over at once, so that they spread over all live services."""
FORGET_REPLICA_S = 3_600
"""Time after which the row of a dead service is deleted."""
NOTICE_BYTES = 7_000
"""Maximum size of a notice; PostgreSQL allows 8,000 bytes."""

CHANNEL = "omnilude"
NOTIFY = "SELECT pg_notify(%(channel)s, %(notice)s)"
NEXT_REPLICA = "SELECT nextval('replica_numbers')"
CREATE_REPLICA_TABLES = (
    "CREATE SEQUENCE replica_numbers",
    """CREATE TABLE replicas (
        number BIGINT PRIMARY KEY, address TEXT NOT NULL, url TEXT NOT NULL, expires_at TIMESTAMPTZ NOT NULL
    )""",
    "CREATE TABLE claims (match_key BIGINT PRIMARY KEY, replica BIGINT NOT NULL)",
    "CREATE INDEX claims_by_replica ON claims (replica, match_key)",
    """CREATE TABLE players (
        name TEXT PRIMARY KEY, key_digest BYTEA NOT NULL, replica BIGINT, left_at TIMESTAMPTZ
    )""",
    "CREATE INDEX players_by_replica ON players (replica) WHERE replica IS NOT NULL",
    f"CREATE INDEX seats_reserved ON seats (player, match_key) WHERE kind = {SeatKind.INVITED:d} AND NOT taken",
    "CREATE TABLE jobs (name TEXT PRIMARY KEY, free_at TIMESTAMPTZ NOT NULL)",
    "ALTER TABLE service ADD COLUMN saved_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity'",
)
RENEW_LEASE = f"""
WITH renewed AS (
    INSERT INTO replicas (number, address, url, expires_at)
    VALUES (%(number)s, %(address)s, %(url)s, clock_timestamp() + interval '{LEASE_MS} milliseconds')
    ON CONFLICT (number) DO UPDATE
    SET expires_at = EXCLUDED.expires_at, address = EXCLUDED.address, url = EXCLUDED.url
), counted AS (
    UPDATE service
    SET saved_at = clock_timestamp(), uptime_ms = GREATEST(%(uptime)s, uptime_ms + CASE
        WHEN saved_at > clock_timestamp() - interval '{2 * LEASE_MS} milliseconds'
        THEN (extract(epoch FROM clock_timestamp() - saved_at) * 1000)::bigint
        ELSE 0
    END)
    RETURNING uptime_ms
)
SELECT
    (SELECT uptime_ms FROM counted),
    ARRAY(SELECT number FROM replicas WHERE expires_at < clock_timestamp() AND number <> %(number)s)
"""
"""Renews the lease, and advances the uptime that all services share."""
OWN_CLAIMS = f"""
SELECT matches.key, matches.name FROM claims JOIN matches ON matches.key = claims.match_key
WHERE claims.replica = %(number)s AND claims.match_key > %(after)s
ORDER BY claims.match_key LIMIT {CLAIMS_PER_COUNT}
"""
OWN_NAMES = "UPDATE players SET left_at = NULL WHERE replica = %(number)s AND left_at IS NOT NULL"
TAKE_CLAIMS = f"""
WITH taken AS (
    UPDATE claims SET replica = %(number)s
    WHERE match_key IN (
        SELECT match_key FROM claims WHERE replica = ANY(%(dead)s)
        ORDER BY match_key LIMIT {CLAIMS_AT_ONCE} FOR UPDATE SKIP LOCKED
    )
    RETURNING match_key
)
SELECT matches.key, matches.name FROM taken JOIN matches ON matches.key = taken.match_key
"""
MARK_LEFT = "UPDATE players SET left_at = clock_timestamp() WHERE replica = ANY(%(dead)s) AND left_at IS NULL"
END_LEASE = "UPDATE replicas SET expires_at = clock_timestamp() WHERE number = %(number)s"
FORGET_REPLICAS = f"""
DELETE FROM replicas
WHERE expires_at < clock_timestamp() - interval '{FORGET_REPLICA_S} seconds'
    AND NOT EXISTS (SELECT FROM claims WHERE claims.replica = replicas.number)
"""
OTHERS = "SELECT count(*) FROM replicas WHERE expires_at > clock_timestamp() AND number <> %(number)s"
ADDRESSES = "SELECT address, url FROM replicas WHERE number = %(number)s AND expires_at > clock_timestamp()"
NEWEST = "SELECT key, last_seq FROM matches WHERE key = ANY(%(keys)s)"
TAIL = """
SELECT
    matches.last_seq, matches.chain, matches.queued_outcomes, matches.started_ms, matches.ended_ms, matches.uptime_ms,
    records.*
FROM matches LEFT JOIN records ON records.match_key = matches.key AND records.seq > %(after_seq)s
WHERE matches.key = %(key)s
ORDER BY records.seq
LIMIT %(limit)s
"""
NEWEST_AND_CLAIM = """
SELECT matches.key, matches.last_seq, claims.replica
FROM matches LEFT JOIN claims ON claims.match_key = matches.key
WHERE matches.key = ANY(%(keys)s)
"""
TAKE_NAME = """
INSERT INTO players AS known (name, key_digest, replica) VALUES (%(name)s, %(digest)s, %(number)s)
ON CONFLICT (name) DO UPDATE SET key_digest = EXCLUDED.key_digest, replica = EXCLUDED.replica, left_at = NULL
WHERE known.key_digest = EXCLUDED.key_digest
    OR (%(free)s AND known.left_at < clock_timestamp() - %(kept_s)s * interval '1 second')
RETURNING name
"""
HAS_NAME = "SELECT name FROM players WHERE name = %(name)s AND key_digest = %(digest)s"
LEAVE_NAME = """
UPDATE players SET replica = NULL, left_at = clock_timestamp() WHERE name = %(name)s AND replica = %(number)s
"""
LOST_NAMES = "SELECT name FROM players WHERE name = ANY(%(names)s) AND replica IS DISTINCT FROM %(number)s"
CONNECTED_NAMES = "SELECT name FROM players WHERE name = ANY(%(names)s) AND left_at IS NULL"
FORGET_NAMES = """
DELETE FROM players
WHERE left_at < clock_timestamp() - %(kept_s)s * interval '1 second'
    AND NOT EXISTS (
        SELECT FROM seats JOIN matches ON matches.key = seats.match_key
        WHERE seats.player = players.name AND matches.ended_ms = 0
    )
"""
FREE_SEATS = f"""
SELECT seats.player, matches.name FROM seats JOIN matches ON matches.key = seats.match_key
WHERE seats.player = ANY(%(names)s) AND seats.kind = {SeatKind.INVITED:d} AND NOT seats.taken AND matches.ended_ms = 0
ORDER BY matches.key
"""
TAKE_JOB = """
INSERT INTO jobs AS job (name, free_at) VALUES (%(job)s, clock_timestamp() + %(seconds)s * interval '1 second')
ON CONFLICT (name) DO UPDATE SET free_at = EXCLUDED.free_at WHERE job.free_at <= clock_timestamp()
RETURNING name
"""

NoticeConnection = psycopg.AsyncConnection[TupleRow]
RunStatement = Callable[[str, dict[str, Any]], Awaitable[list[Any]]]


@dataclass(frozen=True, slots=True)
class Tail:
    """The newest records of a match, and the columns of its row that change with them.

    The seats are left out, because only records of joining and leaving change them.
    """

    records: list[Record]
    last_seq: int
    chain: bytes
    queued_outcomes: tuple[int, ...]
    started_ms: int
    ended_ms: int
    uptime_ms: int
    seats: tuple[SeatRow, ...] = ()


class ReplicaObserver(Protocol):
    """Observer of the services that share the database. All methods are called on the event loop."""

    def uptime_ms(self) -> int:
        """Returns the uptime as this service counts it."""

    def uptime_counted(self, uptime_ms: int) -> None:
        """Called with the uptime as all services count it together."""

    def connected(self) -> None:
        """Called after a new connection: earlier notices may have been lost."""

    def claims_counted(self, matches: Sequence[tuple[int, str]]) -> None:
        """Called with matches (key and name) that this service has claimed; it may not know of all of them."""

    def changed(self, key: int, newest_seq: int) -> None:
        """Called when another service has written to a match or (DELETED) has deleted it."""

    def invited(self, players: Sequence[str]) -> None:
        """Called when another service has stored a match with free seats reserved for these players."""

    def referred(self, players: Sequence[tuple[str, str]], address: str) -> None:
        """Called when the service at this address has free seats for players, given with games, in its own matches."""

    def name_taken(self, player: str) -> None:
        """Called when a player has connected to another service with the same key."""

    def claimed(self, matches: Sequence[tuple[int, str]]) -> None:
        """Called when this service has taken over the claims on these matches (key and name)."""

    def lease_renewed(self) -> None:
        """Called after each renewal of the lease."""


class Replica:
    """Replication client of one service: its lease, its claims, and its exchange with the other services."""

    def __init__(self, url: str, number: int, query: RunStatement, execute: RunStatement) -> None:
        """``query`` runs a statement that reads, ``execute`` one in the next group of writes; both return its rows."""
        self.number = number
        self.address = ""
        """Address at which clients reach this service and no other; empty if there is none."""
        self.own_url = ""
        """The same for HTTP."""
        self._url = url
        self._query = query
        self._execute = execute
        self._task: asyncio.Task[None] | None = None

    # -- the lease and the notices ---------------------------------------------------------------------------------

    async def start(self, observer: ReplicaObserver) -> None:
        """Take a lease and listen to the others until :meth:`stop`; returns after the first renewal."""
        ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run(observer, ready))
        await asyncio.wait({self._task, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=RENEWAL_TIMEOUT_S)

    async def stop(self) -> None:
        """End the lease, so that the others take the claims over at once."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait({self._task})
        self._task = None
        with suppress(Exception):
            await asyncio.wait_for(self._execute(END_LEASE, {"number": self.number}), RENEWAL_TIMEOUT_S)

    async def _run(self, observer: ReplicaObserver, ready: asyncio.Future[None]) -> None:
        last_renewal = last_count = 0.0
        counted_to = 0
        while True:
            try:
                async with asyncio.timeout(RENEWAL_TIMEOUT_S):
                    connection = await psycopg.AsyncConnection.connect(
                        self._url, autocommit=True, application_name="omnilude-notices"
                    )
            except (psycopg.Error, TimeoutError, OSError) as error:
                _failures.write(logging.ERROR, f"no notices of other services: {type(error).__name__}")
                await asyncio.sleep(RECONNECT_S)
                continue
            try:
                # After an outage of the database all leases have expired; live services renew theirs first.
                may_take_at = time.monotonic() + LEASE_MS / 1000 if last_renewal else 0.0
                await connection.execute("SET synchronous_commit = off")
                await connection.execute(f"LISTEN {CHANNEL}")
                first = True
                while True:
                    now = time.monotonic()
                    lapsed, last_renewal = now - last_renewal > LEASE_MS / 1000, now
                    async with asyncio.timeout(RENEWAL_TIMEOUT_S):
                        dead = await self._renew(connection, observer)
                        count_all = first or lapsed
                        if count_all:
                            observer.connected()
                            await connection.execute(OWN_NAMES, {"number": self.number})
                            counted_to = 0
                        if count_all or now - last_count > COUNT_S:
                            last_count = now
                            counted_to = await self._count_claims(connection, observer, counted_to)
                            while count_all and counted_to:
                                counted_to = await self._count_claims(connection, observer, counted_to)
                        if dead and now >= may_take_at:
                            observer.claimed(await self._take_over(connection, dead))
                    first = False
                    observer.lease_renewed()
                    if not ready.done():
                        ready.set_result(None)
                    left = RENEWAL_MS / 1000 - (time.monotonic() - now)
                    async for notice in connection.notifies(timeout=max(0.0, left)):
                        self._read(notice.payload, observer)
            except (psycopg.Error, TimeoutError, OSError):
                log.warning("the connection for notices was lost")
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("the exchange with other services failed")
            finally:
                with suppress(Exception):
                    await connection.close()
            await asyncio.sleep(RECONNECT_S)

    async def _renew(self, connection: NoticeConnection, observer: ReplicaObserver) -> list[int]:
        """Renew the lease; returns the numbers of services whose leases have expired."""
        given = {
            "number": self.number,
            "address": self.address,
            "url": self.own_url,
            "uptime": observer.uptime_ms(),
        }
        found = await (await connection.execute(RENEW_LEASE, given)).fetchone()
        assert found is not None
        uptime_ms, dead = found
        observer.uptime_counted(int(uptime_ms))
        return list(dead)

    async def _count_claims(self, connection: NoticeConnection, observer: ReplicaObserver, after: int) -> int:
        """Report the next claims of this service; returns the key after which to continue, or 0 after the last ones."""
        given = {"number": self.number, "after": after}
        found = await (await connection.execute(OWN_CLAIMS, given)).fetchall()
        observer.claims_counted([(int(key), str(name)) for key, name in found])
        return int(found[-1][0]) if len(found) == CLAIMS_PER_COUNT else 0

    async def _take_over(self, connection: NoticeConnection, dead: Sequence[int]) -> list[tuple[int, str]]:
        given = {"number": self.number, "dead": list(dead)}
        await connection.execute(MARK_LEFT, given)
        found = await (await connection.execute(TAKE_CLAIMS, given)).fetchall()
        return [(int(key), str(name)) for key, name in found]

    def _read(self, payload: str, observer: ReplicaObserver) -> None:
        notice = json.loads(payload)
        if notice["from"] == self.number:
            return
        for key, seq in notice.get("matches", ()):
            observer.changed(key, seq)
        if players := notice.get("invited"):
            observer.invited(players)
        if players := notice.get("referred"):
            observer.referred([(player, game) for player, game in players], notice["address"])
        if player := notice.get("name"):
            observer.name_taken(player)

    # -- queries and claims: all raise StoreUnavailable ----------------------------------------------------------

    async def newest(self, keys: Sequence[int]) -> dict[int, int]:
        """Returns the newest record of each existing match of these keys."""
        return dict(await self._query(NEWEST, {"keys": list(keys)}))

    async def newest_and_claim(self, keys: Sequence[int]) -> dict[int, tuple[int, bool]]:
        """Returns the newest record of each match of these keys, and whether this service has the claim on it."""
        found = await self._query(NEWEST_AND_CLAIM, {"keys": list(keys)})
        return {key: (seq, replica == self.number) for key, seq, replica in found}

    async def tail(self, key: int, after_seq: int, limit: int) -> Tail | None:
        """Returns the records of a match after ``after_seq``, at most ``limit``; None if there is no such match."""
        rows = await self._query(TAIL, {"key": key, "after_seq": after_seq, "limit": limit})
        if not rows:
            return None
        last_seq, chain, outcomes, *times = rows[0][:6]
        records = [schema.record_of(row[6:]) for row in rows if row[6] is not None]
        return Tail(records, last_seq, chain, schema.unpack_codes(outcomes), *times)

    async def alone(self) -> bool:
        """Returns whether no other service uses the database now."""
        ((others,),) = await self._query(OTHERS, {"number": self.number})
        return not others

    async def addresses_of(self, number: int) -> tuple[str, str] | None:
        """Returns the own addresses of a service for gRPC and HTTP ("" if it has none); None if it does not run."""
        found = await self._query(ADDRESSES, {"number": number})
        return (str(found[0][0]), str(found[0][1])) if found else None

    async def free_seats(self, players: Iterable[str]) -> list[tuple[str, str]]:
        """Returns player and match of each free seat that is reserved for one of the players."""
        return await self._query(FREE_SEATS, {"names": list(players)})

    async def take_name(self, player: str, key_digest: bytes, *, free: bool, kept_s: int) -> bool:
        """Take a name for a player who connects; returns whether the player may have it.

        A name belongs to the key that took it first. If ``free`` (no seat is reserved for it), another key may take it
        once its player has been disconnected for ``kept_s`` seconds.
        """
        given = {"name": player, "digest": key_digest, "number": self.number, "free": free, "kept_s": kept_s}
        taken = await self._execute(TAKE_NAME, given)
        if taken:
            notice = json.dumps({"from": self.number, "name": player})
            await self._execute(NOTIFY, {"channel": CHANNEL, "notice": notice})
        return bool(taken)

    async def has_name(self, player: str, key_digest: bytes) -> bool:
        """Returns whether a name belongs to a key."""
        return bool(await self._query(HAS_NAME, {"name": player, "digest": key_digest}))

    async def refer(self, players: Sequence[tuple[str, str]]) -> None:
        """Notify the other services that this one has free seats for players, each given with a game."""
        for notice in _notices({"from": self.number, "address": self.address}, "referred", players):
            await self._execute(NOTIFY, {"channel": CHANNEL, "notice": notice})

    async def leave_name(self, player: str) -> None:
        """Note that a player has disconnected from this service."""
        await self._execute(LEAVE_NAME, {"name": player, "number": self.number})

    async def lost_names(self, players: Iterable[str]) -> list[str]:
        """Returns the players among those connected here who have since connected to another service."""
        found = await self._query(LOST_NAMES, {"names": list(players), "number": self.number})
        return [name for (name,) in found]

    async def connected_names(self, players: Iterable[str]) -> list[str]:
        """Returns the players among these who are connected to any service."""
        found = await self._query(CONNECTED_NAMES, {"names": list(players)})
        return [name for (name,) in found]

    async def take_job(self, job: str, seconds: int) -> bool:
        """Claim work that one service does for all; returns False if it was claimed in the last ``seconds``."""
        return bool(await self._execute(TAKE_JOB, {"job": job, "seconds": seconds}))

    async def forget(self, names_kept_s: int) -> None:
        """Delete the rows of services that ended long ago, and of long disconnected players without reserved seats."""
        await self._execute(FORGET_REPLICAS, {})
        await self._execute(FORGET_NAMES, {"kept_s": names_kept_s})


def notices_of(writes: Sequence[Write], outcomes: Sequence[Outcome], number: int) -> list[str]:
    """Returns the notices for a group of writes that the service of that number has committed."""
    changed: list[tuple[int, int]] = []
    invited: set[str] = set()
    for wanted, outcome in zip(writes, outcomes, strict=True):
        if isinstance(outcome, Exception):
            continue
        if isinstance(wanted, Append) and wanted.records:
            changed.append((wanted.key, wanted.records[-1].seq))
        elif isinstance(wanted, Delete):
            changed.append((wanted.key, DELETED))
        elif isinstance(wanted, Create):
            invited.update(s.player for s in wanted.row.seats if s.kind == SeatKind.INVITED and not s.taken)
    sender = {"from": number}
    return [*_notices(sender, "matches", changed), *_notices(sender, "invited", sorted(invited))]


def _notices(common: dict[str, Any], name: str, entries: Sequence[Any]) -> list[str]:
    """Returns notices with the entries under a name, split by size."""
    notices: list[str] = []
    while entries:
        size = len(entries)
        while len(text := json.dumps({**common, name: entries[:size]})) > NOTICE_BYTES and size > 1:
            size //= 2
        notices.append(text)
        entries = entries[size:]
    return notices
