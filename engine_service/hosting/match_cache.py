"""The cache of live matches: loads them from the store on demand, and evicts those that nobody needs."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from engine_service.errors import LimitReached, MatchElsewhere, PackFault, ReplayInvalid, UnknownMatch
from engine_service.limits import Limits
from engine_service.log.header import Header, configure, state_at_start
from engine_service.log.history import KEEP_EVERY
from engine_service.log.records import Record, chain_all
from engine_service.match_enums import EndReason, MatchState, RecordKind
from engine_service.matches.clocks import NEVER
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch, MatchContext
from engine_service.matches.rows import end_update, import_of_row
from engine_service.matches.snapshot import MatchSnapshot, empty_seats
from engine_service.matches.tokens import TokenCheck
from engine_service.model import has_ended
from engine_service.observability.logs import new_incident_id
from engine_service.observability.stats import Stats
from engine_service.pack_guard import PACK_GUARD, PackRaised, ProcessLost, log_pack_error
from engine_service.store.base import Append, MatchRow, SequenceConflict, Store
from engine_service.timing import Cancellable
from gamepacks.api.game import Game
from gamepacks.api.registry import Registry

if TYPE_CHECKING:
    from engine_service.store.postgres_replica import Tail

log = logging.getLogger(__name__)

IN_USE_MS = 1_000
"""Time after its last use during which a match is evicted only if no other is found that can be."""
CANDIDATES = 64
"""Number of matches to examine for one that is not in use, before one that is in use is evicted."""
SWEEP_SLICE = 256
"""Matches that a sweep examines before the event loop runs other tasks."""


_SEAT_CHANGES = (RecordKind.JOINED, RecordKind.LEFT)
RECORDS_AT_ONCE = KEEP_EVERY
"""Records that are replayed before the event loop runs other tasks: some milliseconds."""


async def replay_log(draft: Draft, records: Sequence[Record]) -> None:
    """Replay a whole log on an empty draft, yielding to the event loop between slices.

    Raises PackRaised if the rules do not allow a step.
    """
    for _ in draft.replay(records, RECORDS_AT_ONCE):
        await asyncio.sleep(0)
    draft.history.thin_out()


def replica_of(name: str) -> int | None:
    """Returns the number of the service that has an ephemeral match, with which its name ends; None for other names."""
    _, _, number = name.partition("-")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 19 else None


class GameCache:
    """Configured games; matches with equal options share one."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._games: WeakValueDictionary[tuple[str, str, int, bytes, bytes], Game[Any]] = WeakValueDictionary()

    def game(self, header: Header) -> Game[Any]:
        """Returns the game of a header. Raises RulesNotLoaded, CardSetNotLoaded, ReplayInvalid, PackRaised."""
        key = (header.game, header.rules_version, header.players, header.options.value, header.card_set_digest)
        known = self._games.get(key)
        if known is not None:
            return known
        with PACK_GUARD:
            game = configure(header, self._registry)
        return self._games.setdefault(key, game)


class MatchCache:
    """The live matches, by name."""

    def __init__(self, registry: Registry, store: Store, limits: Limits, stats: Stats, context: MatchContext) -> None:
        self._registry = registry
        self._store = store
        self._limits = limits
        self._stats = stats
        self._context = context
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._by_key: dict[int, LiveMatch] = {}
        self._ended: OrderedDict[str, int] = OrderedDict()  # ended ephemeral ones, and when they are removed
        self._pending: dict[str, asyncio.Future[Any]] = {}
        """By name: the pending load or creation of a match. At most one object represents a match, because listeners of
        another one would miss its writes."""
        self._timer: Cancellable | None = None
        self.games = GameCache(registry)
        self.refresh: Callable[[LiveMatch], Awaitable[None]] | None = None
        """Loads what other services have written to a cached match; None if no other service shares the store."""

    def __len__(self) -> int:
        return len(self._live)

    def __iter__(self) -> Iterator[LiveMatch]:
        return iter(list(self._live.values()))

    def ephemeral(self) -> Iterator[LiveMatch]:
        """Iterate over the ephemeral matches."""
        return (live for live in self if live.ephemeral)

    # -- getting one -------------------------------------------------------------------------------------------------

    def get_cached(self, name: str) -> LiveMatch | None:
        """Returns the match if it is in memory."""
        return self._live.get(name)

    def get_by_key(self, key: int) -> LiveMatch | None:
        """Returns the stored match of that key if it is in memory."""
        return self._by_key.get(key)

    async def get_fresh(self, name: str) -> LiveMatch | None:
        """Returns the match, up to date, if it is in memory. Raises UnknownMatch, StoreUnavailable, PackFault."""
        live = self._live.get(name)
        if live is not None and self.refresh is not None and not live.ephemeral:
            await self.refresh(live)
            live = self._live.get(name)
        return live

    async def get_or_load(self, name: str, token: str = "", check: TokenCheck | None = None) -> LiveMatch:
        """Returns the match, loaded from the store if need be.

        ``check`` is applied to the token before the log is read, so that refusing a wrong token costs little. Raises
        what ``check`` raises, UnknownMatch, RulesNotLoaded, CardSetNotLoaded, LimitReached, PackFault (it cannot be
        replayed).
        """
        checked = False
        while True:
            live = await self.get_fresh(name)
            if live is None and check is not None and not checked:
                row = await self.row(name)
                check(token, row.seats, row.host_digest)
                checked = True
                continue  # it may have been loaded while its row was read
            if live is None:
                live = await self._load_once(name)
            if live is not None and not live.evicted:
                break
        if check is not None:
            check(token, live.snapshot.seats, live.host_digest)
        return live

    async def _load_once(self, name: str) -> LiveMatch | None:
        """Load a match that is not in memory; returns None after waiting for another caller who does so, because its
        result may be older than this call."""
        pending = self._pending.get(name)
        if pending is not None:
            await asyncio.shield(pending)
            return None
        task = asyncio.ensure_future(self._load(name))
        self._pending[name] = task
        task.add_done_callback(lambda done: self._load_done(name, done))
        return await asyncio.shield(task)

    @contextmanager
    def creating(self, name: str) -> Iterator[None]:
        """Let callers who ask for a new match wait until the creator has stored and cached it, or has failed to."""
        pending = self._pending[name] = asyncio.get_running_loop().create_future()
        try:
            yield
        finally:
            del self._pending[name]
            pending.set_result(None)

    async def row(self, name: str) -> MatchRow:
        """Returns the stored row of a match. Raises UnknownMatch, MatchElsewhere (it is an ephemeral one of another
        service)."""
        row = await self._store.row(name)
        if row is None:
            replica, number = self._store.replica, replica_of(name)
            if replica is not None and number not in (None, replica.number):
                addresses = await replica.addresses_of(number)
                if addresses is not None:
                    raise MatchElsewhere(name, *addresses)
            raise UnknownMatch(name)
        return row

    def _load_done(self, name: str, task: asyncio.Task[LiveMatch]) -> None:
        del self._pending[name]
        if not task.cancelled():
            task.exception()  # marks it as retrieved: the caller may have left

    async def _load(self, name: str) -> LiveMatch:
        found = await self._store.load(name)
        if found is None:
            raise UnknownMatch(name)
        row, records = found
        header = Header.decode(row.header)
        try:
            live = self.new_match(header, row.header)
            await self._fill(live, row, records)
        except (PackRaised, ReplayInvalid) as error:
            raise await self._cannot_replay(row, error.error if isinstance(error, PackRaised) else error) from None
        self.make_room()
        self._stats.matches_loaded += 1
        self.add(live)
        self._context.loaded(live)
        return live

    async def _cannot_replay(self, row: MatchRow, error: BaseException) -> PackFault:
        """Handle a pack that cannot replay a stored log: end the match as faulted.

        A match that has ended stays as it is, and so does one whose isolated pack has lost its process, because another
        match may have caused that."""
        incident = new_incident_id()
        self._stats.pack_faults += 1
        log_pack_error(log, incident, f"pack of {row.game} cannot replay {row.name}", error)
        if not row.ended_ms and not isinstance(error, ProcessLost):
            last = (await self._store.records(row.key, row.last_seq - 1, 1))[-1].time_ms if row.last_seq else 0
            record = Record(row.last_seq + 1, RecordKind.FAULTED, time_ms=last, text=incident)
            time = self._context.time
            update = end_update(MatchState.FAULTED, EndReason.PACK_FAULT, time.wall_ms())
            uptime_ms = self._context.uptime_at(time.monotonic_ms())
            chain = chain_all(row.chain, [record])
            try:
                await self._store.append(
                    Append(
                        row.key,
                        row.last_seq,
                        [record],
                        chain,
                        update,
                        uptime_ms=uptime_ms,
                        expected_outcomes=row.queued_outcomes,
                    )
                )
            except SequenceConflict:
                log.info("%s was written to by another service", row.name)
        return PackFault(incident)

    def new_match(self, header: Header, header_bytes: bytes) -> LiveMatch:
        """Returns a match without any record.

        Raises RulesNotLoaded, CardSetNotLoaded, ReplayInvalid, PackRaised.
        """
        game = self.games.game(header)
        with PACK_GUARD:
            state = state_at_start(header, game)
        now = MatchSnapshot(state, empty_seats(header.seats))
        return LiveMatch(self._context, header, header_bytes, self._registry.games[header.game], game, now)

    async def _fill(self, live: LiveMatch, row: MatchRow, records: list[Record]) -> None:
        """Fill a new match from its row and its log."""
        time = self._context.time
        live.key, live.seed, live.chain = row.key, row.seed, row.chain
        live.host_nonce, live.host_digest = row.host_nonce, row.host_digest
        live.imported = import_of_row(row, live.header)
        live.epoch_ms = time.monotonic_ms() - max(0, time.wall_ms() - row.created_ms)
        draft = live.replay_draft()
        await replay_log(draft, records)
        self._set_from_row(draft, row)
        live.load(draft)
        self._set_epoch(live, row)

    @staticmethod
    def _set_from_row(draft: Draft, row: MatchRow | Tail) -> None:
        """Set what is in the row and not in the records."""
        after = draft.after
        for seat, stored in enumerate(row.seats):
            if stored.digest != after.seats[seat].digest:
                draft.change_seat(seat, nonce=stored.nonce, digest=stored.digest)
        after.started_ms, after.ended_ms, after.queued_outcomes = row.started_ms, row.ended_ms, row.queued_outcomes

    def _set_epoch(self, live: LiveMatch, row: MatchRow | Tail) -> None:
        """Set the moment from which record times count, if clocks run."""
        after, time = live.snapshot, self._context.time
        if live.header.time_control is not None and after.state is MatchState.ACTIVE:
            # Clocks do not run while the service is down: record times continue from the last record's, and from how
            # long the service had been running since.
            now = time.monotonic_ms()
            live.epoch_ms = now - after.time_ms - max(0, self._context.uptime_at(now) - row.uptime_ms)

    async def load_tail(self, live: LiveMatch) -> bool:
        """Load the records that a match is missing because another service has written them; returns whether it has
        changed.

        The caller holds the write lock. Raises UnknownMatch, StoreUnavailable, PackRaised.
        """
        row, records = await self._tail(live)
        if len(records) != row.last_seq - live.seq or chain_all(live.chain, records) != row.chain:
            # Many are missing; or the database has lost records that were acknowledged without being on its disk.
            await self._replace(live)
            return True
        if not records and row.queued_outcomes == live.snapshot.queued_outcomes:
            return False
        draft = live.draft()
        for record in records:
            if draft.records:
                live.commit(draft)
                draft = live.draft()
            draft.apply(record)
        self._set_from_row(draft, row)
        live.commit(draft)
        live.chain = row.chain
        self._set_epoch(live, row)
        return True

    async def _tail(self, live: LiveMatch) -> tuple[MatchRow | Tail, Sequence[Record]]:
        """Returns the row of a match, or what of it has changed, and the records that are missing, if they are few.

        Raises UnknownMatch, StoreUnavailable.
        """
        replica = self._store.replica
        if replica is not None:
            tail = await replica.tail(live.key, live.seq, RECORDS_AT_ONCE)
            if tail is None:
                raise UnknownMatch(live.name)
            if not any(record.kind in _SEAT_CHANGES for record in tail.records):
                return tail, tail.records
        row = await self.row(live.name)
        missing = row.last_seq - live.seq
        records = await self._store.records(row.key, live.seq, missing) if 0 < missing <= RECORDS_AT_ONCE else []
        return row, records

    async def _replace(self, live: LiveMatch) -> None:
        """Load a whole match again."""
        row = await self.row(live.name)
        fresh = self.new_match(live.header, live.header_bytes)
        await self._fill(fresh, row, await self._store.records(row.key, 0, row.last_seq))
        live.snapshot, live.history, live.decision_points = fresh.snapshot, fresh.history, fresh.decision_points
        live.private_decision_points, live.numbering = fresh.private_decision_points, fresh.numbering
        live.chain, live.epoch_ms = fresh.chain, fresh.epoch_ms
        live.version += 1

    # -- capacity ----------------------------------------------------------------------------------------------------

    def add(self, live: LiveMatch) -> None:
        """Add a match to the cache; call :meth:`make_room` before."""
        assert live.name not in self._live
        live.touched_ms = self._context.time.monotonic_ms()
        self._live[live.name] = live
        if not live.ephemeral:
            self._by_key[live.key] = live

    def make_room(self) -> None:
        """Make room for one more match. Raises LimitReached."""
        limit = self._limits.live_matches
        if len(self._live) - len(self._ended) < limit:
            return
        idle_since = self._context.time.monotonic_ms() - IN_USE_MS
        in_use = None
        for number in range(len(self._live)):
            name, live = next(iter(self._live.items()))
            self._live.move_to_end(name)  # so that the next call goes on behind those that cannot be evicted
            if self._can_evict(live):
                if live.touched_ms <= idle_since:
                    self._evict(live)
                    return
                in_use = in_use or live
            if in_use is not None and number >= CANDIDATES:
                break
        if in_use is None:
            raise LimitReached("live_matches", limit, f"at most {limit} matches may be in memory")
        self._evict(in_use)

    def touch(self, live: LiveMatch) -> None:
        """Note that a match was used."""
        live.touched_ms = self._context.time.monotonic_ms()

    def expire_later(self, live: LiveMatch) -> None:
        """Remove an ended ephemeral match after its retention time."""
        self._ended[live.name] = self._context.time.monotonic_ms() + self._limits.ephemeral_retention_s * 1000
        while len(self._ended) > self._limits.ephemeral_retained:
            self._remove_ended(next(iter(self._ended)))

    def remove(self, name: str) -> None:
        """Remove a deleted match."""
        self._ended.pop(name, None)
        live = self._live.get(name)
        if live is not None:
            self._drop(live)

    def _remove_ended(self, name: str) -> None:
        del self._ended[name]
        self._drop(self._live[name])

    def _evict(self, live: LiveMatch) -> None:
        self._drop(live)
        self._stats.matches_unloaded += 1

    def _drop(self, live: LiveMatch) -> None:
        del self._live[live.name]
        self._by_key.pop(live.key, None)
        live.evicted = True

    def _can_evict(self, live: LiveMatch) -> bool:
        """Returns whether the match can be evicted: it is stored, has no listener, and nothing is going on in it."""
        if live.ephemeral or live.listeners or live.write_queue is not None or live.bots_deciding:
            return False
        if not self._context.has_claim(live):
            return True
        return not live.snapshot.seats_to_act & live.snapshot.service_seats and live.deadline_ms() >= NEVER

    # -- sweeping ------------------------------------------------------------------------------------------------------

    def start_sweeping(self, abandon: Callable[[LiveMatch], None]) -> None:
        """Start sweeping idle matches; ``abandon`` ends an ephemeral match that nobody plays."""
        every_ms = max(1_000, min(self._limits.idle_unload_s, self._limits.ephemeral_retention_s + 1) * 250)

        def sweep(names: list[str]) -> None:
            self._sweep(names[:SWEEP_SLICE], abandon)
            rest = names[SWEEP_SLICE:]
            delay = 1 if rest else every_ms
            time = self._context.time
            self._timer = time.call_at(time.monotonic_ms() + delay, lambda: sweep(rest or list(self._live)))

        self._timer = self._context.time.call_at(
            self._context.time.monotonic_ms() + every_ms, lambda: sweep(list(self._live))
        )

    def stop_sweeping(self) -> None:
        """Stop sweeping."""
        if self._timer is not None:
            self._timer.cancel()

    def _sweep(self, names: list[str], abandon: Callable[[LiveMatch], None]) -> None:
        now = self._context.time.monotonic_ms()
        for name in list(itertools.islice(self._ended, SWEEP_SLICE)):
            if self._ended[name] <= now:
                self._remove_ended(name)
        for name in names:
            live = self._live.get(name)
            if live is None or live.listeners:
                continue
            idle_ms = now - live.touched_ms
            if live.ephemeral:
                if not has_ended(live.state) and idle_ms >= self._limits.ephemeral_idle_s * 1000:
                    abandon(live)
            elif idle_ms >= self._limits.idle_unload_s * 1000 and self._can_evict(live):
                self._evict(live)
