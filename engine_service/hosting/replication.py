"""Replication: keeps this service consistent with others that share its store (caches, claims, connected players).

A cached match lags behind the log while the notice of another service's write is on its way. So a reader first asks the
store for the newest record (:meth:`Replication.refresh`; concurrent questions share one query). Writes are planned on
the cached match: the store refuses a write that was planned on an old log, and the service then loads the missing
records and plans it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from engine_service.errors import EngineError, StoreUnavailable, UnknownMatch
from engine_service.hosting.housekeeping import Housekeeping
from engine_service.hosting.invitations import PlayerRegistry
from engine_service.hosting.match_cache import MatchCache
from engine_service.log.header import Header
from engine_service.match_enums import MatchState
from engine_service.matches.match import LiveMatch
from engine_service.matches.writer import acquire_write_lock, release_write_lock
from engine_service.model import has_ended
from engine_service.store.base import DELETED, MatchFilter, Store, find_all
from engine_service.timing import TimeSource

if TYPE_CHECKING:
    from engine_service.store.postgres_replica import Replica

log = logging.getLogger(__name__)

T = TypeVar("T")

CHECK_MS = 1_000
"""Interval at which cached matches and connected players are compared with the store, in case a notice was lost."""
CHECKED_AT_ONCE = 1_000
"""Number of matches or players that are compared at once; if there are more, they take turns."""
AT_ONCE = 32
"""Matches that are loaded concurrently."""
RETRY_S = 0.2
UNKNOWN = 0
"""Placeholder for the newest record of a match if no notice has named it."""


class _Batches(Generic[T]):
    """Iterates over a changing collection repeatedly, a bounded number of members at a time."""

    def __init__(self, members: Callable[[], Iterable[T]]) -> None:
        self._members = members
        self._left: list[T] = []

    def next_batch(self) -> list[T]:
        """Returns the next members; some may have left the collection meanwhile."""
        left = self._left or list(self._members())
        part, self._left = left[:CHECKED_AT_ONCE], left[CHECKED_AT_ONCE:]
        return part


class Replication:
    """Follows the services that share the store; a :class:`engine_service.store.postgres_replica.ReplicaObserver`."""

    def __init__(
        self,
        replica: Replica,
        store: Store,
        cache: MatchCache,
        players: PlayerRegistry,
        housekeeping: Housekeeping,
        time: TimeSource,
        load_tail: Callable[[LiveMatch], Awaitable[bool]],
        schedule_service_work: Callable[[LiveMatch], None],
        notify_player: Callable[[str, str], Awaitable[None]],
    ) -> None:
        """``load_tail`` loads the missing records of a match whose turn to write is held; ``schedule_service_work``
        schedules its clocks and bots; ``notify_player`` seats a connected player in a match."""
        self.replica = replica
        self._store = store
        self._cache = cache
        self._players = players
        self._housekeeping = housekeeping
        self._time = time
        self._load_tail = load_tail
        self._schedule_service_work = schedule_service_work
        self._notify_player = notify_player
        self._claims: set[int] = set()
        self._queries: dict[int, asyncio.Future[int | None]] = {}
        self._query_task: asyncio.Task[None] | None = None
        self._behind: dict[int, int] = {}
        """By key: the newest known record of each match whose missing records are being loaded."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._referred: set[LiveMatch] = set()
        """Ephemeral matches that wait for players who are not connected to this service."""
        self._check_at_ms = 0
        self._matches_to_check = _Batches(lambda: (live.key for live in self._cache if not live.ephemeral))
        self._players_to_check = _Batches(lambda: self._players.names)
        self._matches_to_refer = _Batches(lambda: self._referred)

    async def start(self) -> None:
        """Take a lease, and follow the other services."""
        await self.replica.start(self)

    async def stop(self) -> None:
        """Stop following, and end the lease."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.replica.stop()

    # -- claims ------------------------------------------------------------------------------------------------------

    def has_claim(self, live: LiveMatch) -> bool:
        """Returns whether this service handles the clocks and bots of a match."""
        return live.ephemeral or live.key in self._claims

    def claim(self, live: LiveMatch, needs_service: bool) -> None:
        """Note that this service has stored with a write whether the match needs the service from now on."""
        if needs_service:
            self._claims.add(live.key)
        else:
            self._claims.discard(live.key)

    def claimed(self, matches: Sequence[tuple[int, str]]) -> None:
        """See ReplicaObserver."""
        self._claims.update(key for key, _ in matches)
        self._start(self._load_all([name for _, name in matches]))

    def claims_counted(self, matches: Sequence[tuple[int, str]]) -> None:
        """See ReplicaObserver."""
        unknown = [(key, name) for key, name in matches if key not in self._claims or not self._cache.get_by_key(key)]
        if unknown:
            self.claimed(unknown)

    def connected(self) -> None:
        """See ReplicaObserver."""
        self._claims = {key for key in self._claims if self._cache.get_by_key(key) is not None}
        self._start(self._check([live.key for live in self._cache if not live.ephemeral]))

    async def _load_all(self, names: Sequence[str]) -> None:
        if names:
            log.info("taking over the clocks and bots of %s matches", len(names))
        for start in range(0, len(names), AT_ONCE):
            await asyncio.gather(*(self._load(name) for name in names[start : start + AT_ONCE]))

    async def _load(self, name: str) -> None:
        while True:
            try:
                self._schedule_service_work(await self._cache.get_or_load(name))
                return
            except StoreUnavailable:
                await asyncio.sleep(RETRY_S)
            except EngineError as error:
                log.warning("%s cannot be loaded: %s", name, error.reason)
                return

    # -- fresh caches ------------------------------------------------------------------------------------------------

    async def refresh(self, live: LiveMatch) -> None:
        """Load the records that a cached match is missing. Raises UnknownMatch, StoreUnavailable, PackFault."""
        if not await self.is_behind(live):
            return
        await acquire_write_lock(live)
        try:
            await self._load_tail(live)
        finally:
            release_write_lock(live)

    async def is_behind(self, live: LiveMatch) -> bool:
        """Returns whether the log has newer records. Raises UnknownMatch (it was deleted), StoreUnavailable."""
        newest = await self._newest(live.key)
        if newest is None:
            self._cache.remove(live.name)
            raise UnknownMatch(live.name)
        return newest > live.seq

    async def _newest(self, key: int) -> int | None:
        """Returns the newest record of a match, as of after this call; None if there is no such match."""
        asked = self._queries.get(key)
        if asked is None:
            asked = self._queries[key] = asyncio.get_running_loop().create_future()
        if self._query_task is None:
            self._query_task = asyncio.create_task(self._run_queries())
        return await asyncio.shield(asked)

    async def _run_queries(self) -> None:
        """Query the newest records of all matches in ``_queries`` together, until no query is left."""
        while self._queries:
            asked, self._queries = self._queries, {}
            try:
                newest = await self.replica.newest(list(asked))
            except Exception as error:
                for future in asked.values():
                    future.set_exception(error)
                    future.exception()  # marks it as retrieved: its callers may have left
            else:
                for key, future in asked.items():
                    future.set_result(newest.get(key))
        self._query_task = None

    def changed(self, key: int, newest_seq: int) -> None:
        """See ReplicaObserver."""
        live = self._cache.get_by_key(key)
        if live is None:
            return
        if newest_seq == DELETED:
            self._cache.remove(live.name)
        elif newest_seq > live.seq:
            self._catch_up(live, newest_seq)

    def check(self, live: LiveMatch) -> None:
        """Load missing records of a match in the background, in case a notice was lost."""
        self._catch_up(live, UNKNOWN)

    def _catch_up(self, live: LiveMatch, newest_seq: int) -> None:
        known = self._behind.get(live.key)
        self._behind[live.key] = max(newest_seq, known or UNKNOWN)
        if known is None:
            self._start(self._load_missing(live))

    async def _load_missing(self, live: LiveMatch) -> None:
        try:
            while not live.evicted:
                newest_seq = self._behind[live.key]
                try:
                    await self.refresh(live)
                except StoreUnavailable:
                    await asyncio.sleep(RETRY_S)
                    continue
                if self._behind[live.key] in (newest_seq, UNKNOWN):
                    return
        except EngineError as error:
            log.info("%s cannot be brought up to date: %s", live.name, error.reason)
        finally:
            del self._behind[live.key]

    async def _check(self, keys: Sequence[int]) -> None:
        """Compare cached matches and their claims with the store."""
        for start in range(0, len(keys), CHECKED_AT_ONCE):
            part = keys[start : start + CHECKED_AT_ONCE]
            with suppress(StoreUnavailable):
                found = await self.replica.newest_and_claim(part)
                for key in part:
                    newest_seq, claimed = found.get(key, (DELETED, False))
                    self.changed(key, newest_seq)
                    self._compare_claim(key, newest_seq, claimed)

    def _compare_claim(self, key: int, newest_seq: int, claimed: bool) -> None:
        live = self._cache.get_by_key(key)
        if live is None or live.write_queue is not None or live.seq != newest_seq or claimed == (key in self._claims):
            return  # a write under way may change it
        (self._claims.add if claimed else self._claims.discard)(key)
        self._schedule_service_work(live)

    def lease_renewed(self) -> None:
        """See ReplicaObserver."""
        now = self._time.monotonic_ms()
        if now < self._check_at_ms:
            return
        self._check_at_ms = now + CHECK_MS
        if keys := self._matches_to_check.next_batch():
            self._start(self._check(keys))
        if names := self._players_to_check.next_batch():
            self._start(self._check_players(names))
        if matches := self._matches_to_refer.next_batch():
            self._start(self._refer(matches))

    # -- the uptime --------------------------------------------------------------------------------------------------

    def uptime_ms(self) -> int:
        """See ReplicaObserver."""
        return self._housekeeping.uptime_at(self._time.monotonic_ms())

    def uptime_counted(self, uptime_ms: int) -> None:
        """See ReplicaObserver."""
        self._housekeeping.set_uptime(uptime_ms)

    # -- players -----------------------------------------------------------------------------------------------------

    async def reserve(self, player: str) -> None:
        """Load the seats that matches reserve for a player who is about to connect."""
        wanted = MatchFilter(player=player, states=(int(MatchState.WAITING), int(MatchState.ACTIVE)))
        self._players.forget_reserved(player)
        async for row in find_all(self._store, wanted):
            self._players.reserve(Header.decode(row.header), row.seats, player)
        for live in self._cache.ephemeral():
            if not has_ended(live.state):
                self._players.reserve(live.header, live.snapshot.seats, player)

    def invited(self, players: Sequence[str]) -> None:
        """See ReplicaObserver."""
        if here := self._players.names & set(players):
            self._start(self._invite(here))

    def name_taken(self, player: str) -> None:
        """See ReplicaObserver."""
        if player in self._players.names:
            self._players.replace(player)

    def referred(self, players: Sequence[tuple[str, str]], address: str) -> None:
        """See ReplicaObserver."""
        for player, game in players:
            connection = self._players.connection(player)
            if connection is not None and not connection.additional and connection.accepts(game):
                connection.invitee.on_referred(address)

    def refer_to(self, live: LiveMatch) -> None:
        """Have the other services refer invited players to this one until the seats of an ephemeral match are taken."""
        self._referred.add(live)
        self._start(self._refer([live]))

    async def _refer(self, matches: Iterable[LiveMatch]) -> None:
        players: set[tuple[str, str]] = set()
        for live in matches:
            if live.evicted or live.state is not MatchState.WAITING:
                self._referred.discard(live)
            else:
                players.update((player, live.game_id) for player in self._players.absent(live))
        if players:
            with suppress(StoreUnavailable):
                await self.replica.refer(sorted(players))

    async def _invite(self, players: Iterable[str]) -> None:
        with suppress(StoreUnavailable):
            for player, match in await self.replica.free_seats(players):
                await self._notify_player(player, match)

    async def _check_players(self, names: Sequence[str]) -> None:
        with suppress(StoreUnavailable):
            for player in await self.replica.lost_names(names):
                self._players.replace(player)
        await self._invite(names)

    def disconnected(self, player: str) -> None:
        """Note in the background that a player has disconnected."""

        async def leave() -> None:
            with suppress(StoreUnavailable):
                await self.replica.leave_name(player)

        self._start(leave())

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("the exchange with other services failed", exc_info=task.exception())
