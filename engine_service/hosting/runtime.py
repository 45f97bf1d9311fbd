"""Runtime of matches: builds the parts of the service, and connects them by commit hooks.

After each write it updates clocks and notifies bots, invited players and observers. It also loads matches at the
start of the service and drains writes at its end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from hashlib import blake2b

from engine_service.errors import EngineError, PackFault, PlayerNameTaken, StaleSequence, StoreUnavailable
from engine_service.hosting.bots import ServiceBots
from engine_service.hosting.housekeeping import DeleteOld, Housekeeping
from engine_service.hosting.invitations import ConnectedPlayer, Invitee, PlayerRegistry, SeatGrant
from engine_service.hosting.match_cache import MatchCache
from engine_service.hosting.observers import Observers
from engine_service.hosting.replication import Replication
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.match_enums import MatchState, RecordKind, SeatKind
from engine_service.matches import absence
from engine_service.matches.clocks import NEVER, DeadlineScheduler
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer, RecentRequests
from engine_service.matches.match import LiveMatch
from engine_service.matches.scenes import SceneCache
from engine_service.matches.sealing import PositionSealer
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.matches.writer import WRITE_RETRY_MS, PlanWrite, Writer, ends_match
from engine_service.model import has_ended
from engine_service.observability.stats import Stats
from engine_service.pack_guard import PackRaised
from engine_service.store.base import MatchFilter, MatchRow, Store, find_all
from engine_service.timing import TimeSource
from gamepacks.api.registry import Registry

log = logging.getLogger(__name__)

AT_ONCE = 32
"""Matches that are handled concurrently when there are many, so that their writes share commits."""

_OBSERVED = {
    RecordKind.STARTED: "started",
    RecordKind.FINISHED: "finished",
    RecordKind.CANCELLED: "cancelled",
    RecordKind.FAULTED: "faulted",
}


class MatchRuntime:
    """Runs matches for :class:`engine_service.hosting.host.MatchHost`."""

    def __init__(
        self,
        registry: Registry,
        store: Store,
        secret: bytes,
        limits: Limits,
        time: TimeSource,
        keep_ended_days: int,
        delete_old: DeleteOld,
    ) -> None:
        self.registry = registry
        self.store = store
        self.secret = secret
        self.sealer = PositionSealer(secret)
        self.scenes = SceneCache()
        self.limits = limits
        self.time = time
        self.stats = Stats()
        self.recent = RecentRequests(limits.ephemeral_requests)
        self.bots = ServiceBots(registry, time, limits, self.stats, self._write_for_bot, self.has_claim)
        self.observers = Observers(registry, limits, self.stats)
        self.writer = Writer(store, time, limits, self.stats, self.recent, self.bots.decide, self)
        self._deadlines: DeadlineScheduler[LiveMatch] = DeadlineScheduler(time, self._time_out)
        self._housekeeping = Housekeeping(
            store, time, limits, self.writer.schedule, lambda: len(self._deadlines), keep_ended_days, delete_old
        )
        self.cache = MatchCache(registry, store, limits, self.stats, self)
        self.players = PlayerRegistry(limits, secret, time, self._player_connected, shared=store.replica is not None)
        self.replication: Replication | None = None
        """Set if other services can share the store."""
        if store.replica is not None:
            self.replication = Replication(
                store.replica,
                store,
                self.cache,
                self.players,
                self._housekeeping,
                time,
                self.load_tail,
                self._schedule_service_work,
                self._notify_connected,
            )
            self.cache.refresh = self.replication.refresh

    # -- start and shutdown --------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Load the unfinished matches that need the service, and note the seats reserved for invited players.

        If services share the store, follow them instead, and take over the matches of those that have ended."""
        await self._housekeeping.start()
        if self.replication is not None:
            await self.replication.start()
        else:
            await self._load_all_unfinished()
        self.cache.start_sweeping(self._abandon)

    async def _load_all_unfinished(self) -> None:
        unfinished = MatchFilter(states=(int(MatchState.WAITING), int(MatchState.ACTIVE)))
        async for row in find_all(self.store, unfinished):
            await self._load_unfinished(row)

    async def _load_unfinished(self, row: MatchRow) -> None:
        try:
            header = Header.decode(row.header)
            self.players.reserve(header, row.seats)
            served = any(seat.kind == SeatKind.BOT or seat.out for seat in row.seats)
            if row.state == MatchState.ACTIVE and (served or header.time_control is not None):
                await self.cache.get_or_load(row.name)
        except StoreUnavailable:
            raise
        except EngineError as error:
            log.warning("%s cannot be loaded: %s", row.name, error.reason)

    async def drain(self, timeout_s: float | None) -> None:
        """Refuse writes from now on, stop clocks and bots, and wait for the writes under way, at most ``timeout_s``."""
        drained, self.writer.closing = self.writer.closing, True
        self._deadlines.close()
        self.cache.stop_sweeping()
        self._housekeeping.stop()
        await self.bots.close()
        try:
            await asyncio.wait_for(self.writer.wait_idle(), timeout_s)
        except TimeoutError:
            log.warning("writes were still under way %s s after the shutdown began", timeout_s)
        await self.observers.close(timeout_s)
        if not drained:
            await self._housekeeping.save_uptime()
            if self.replication is not None:
                await self.replication.stop()

    # -- after writes --------------------------------------------------------------------------------------------------

    def committed(self, live: LiveMatch, before: MatchSnapshot, draft: Draft) -> None:
        """Called after a write: update the counters, notify listeners and observers, and schedule what follows."""
        now = draft.after
        live.touched_ms = live.epoch_ms + draft.time_ms
        if self.replication is not None and not live.ephemeral:
            needed = absence.needs_service(live.header, now)
            if needed != absence.needs_service(live.header, before):
                self.replication.claim(live, needed)
        stats = self.stats
        for record in draft.records:
            if record.kind is RecordKind.ACTION:
                stats.actions += not live.numbering.is_private(record.seq)
            elif record.kind is RecordKind.CHANCE or record.kind is RecordKind.OUTCOME_PROVIDED:
                stats.chance_outcomes += 1
        if live.header.time_control is not None:
            self._watch_clocks(live)
        if before.state is not now.state and has_ended(now.state):
            stats.matches_ended += 1
            self._on_ended(live)
        self._notify_listeners(live)
        if before.state is not now.state:
            for record in draft.records:
                self.notify(live.name, live.game_id, record.kind)
        if now.seats_to_act & now.service_seats:
            self.bots.schedule_decisions(live)

    def notify(self, name: str, game: str, kind: RecordKind) -> None:
        """Notify the packs' observers of a match's start or end."""
        if kind in _OBSERVED:
            self.observers.notify(name, game, _OBSERVED[kind])

    def fast_move_committed(self, live: LiveMatch, before: MatchSnapshot) -> None:
        """Called after an action on the fast path (:mod:`engine_service.matches.fast_path`)."""
        now = live.snapshot
        live.touched_ms = live.epoch_ms + now.time_ms
        stats = self.stats
        stats.actions += 1
        stats.chance_outcomes += now.plies - before.plies - 1
        self._notify_listeners(live)

    def _notify_listeners(self, live: LiveMatch) -> None:
        for listener in live.listeners:
            try:
                listener.on_change(live)
            except Exception:
                log.exception("a listener of %s failed", live.name)

    def created(self, live: LiveMatch, before: MatchSnapshot, draft: Draft, taken: Sequence[SeatGrant]) -> None:
        """Called after a new match was created."""
        self.cache.add(live)
        self.stats.matches_created += 1
        if self.replication is None or live.ephemeral:
            self.players.reserve(live.header, live.snapshot.seats)
        self.committed(live, before, draft)
        self.players.notify(live, taken)
        if self.players.has_player_to_seat(live):
            # A player who connected while the match was being stored has not been seated with the others.
            self.writer.schedule(partial(self.invite, live))
        if self.replication is not None and live.ephemeral and live.state is MatchState.WAITING:
            self.replication.refer_to(live)

    def _on_ended(self, live: LiveMatch) -> None:
        self.bots.forget(live.name)
        self._deadlines.remove(live)
        self.players.release(live.name, live.header.seats)
        if live.ephemeral:
            self.cache.expire_later(live)

    def loaded(self, live: LiveMatch) -> None:
        """Called after a stored match was loaded."""
        if self.replication is not None:
            self.replication.check(live)  # it may have been written to while it was loaded
        if live.state is MatchState.ACTIVE and any(seat.out for seat in live.snapshot.seats):
            # A seat may have resigned while the rules were not loaded to say what follows.
            self.writer.schedule(partial(self.writer.write, live, self._continue, internal=True))
        self._schedule_service_work(live)

    def has_claim(self, live: LiveMatch) -> bool:
        """Returns whether this service handles the match's clocks and bots."""
        return self.replication is None or self.replication.has_claim(live)

    def _schedule_service_work(self, live: LiveMatch) -> None:
        """Schedule the clocks and bots of a match, if this service has the claim on it."""
        if live.header.time_control is not None and live.state is MatchState.ACTIVE:
            self._watch_clocks(live)
        self.bots.schedule_decisions(live)

    def _continue(self, draft: Draft) -> Answer:
        if draft.after.state is MatchState.ACTIVE:
            absence.continue_after_seat_out(draft, self.bots.decide)
        return ()

    def uptime_at(self, monotonic_ms: int) -> int:
        """Returns the total uptime of services on this store at a time of the monotonic clock."""
        return self._housekeeping.uptime_at(monotonic_ms)

    def _watch_clocks(self, live: LiveMatch) -> None:
        if not self.has_claim(live):
            self._deadlines.remove(live)
            return
        deadline = live.deadline_ms()
        self._deadlines.set(live, deadline)
        if deadline < NEVER and not live.ephemeral:
            self._housekeeping.clock_running()

    # -- writes of other services --------------------------------------------------------------------------------------

    async def load_tail(self, live: LiveMatch) -> bool:
        """Load what other services have written to a match; the caller holds the write lock.

        Returns whether there was anything. Raises UnknownMatch, StoreUnavailable, PackFault.
        """
        ended = has_ended(live.state)
        try:
            if not await self.cache.load_tail(live):
                return False
        except PackRaised as raised:
            raise self.fault(live, raised.error) from None
        if self.replication is not None and not absence.needs_service(live.header, live.snapshot):
            self.replication.claim(live, False)
        if has_ended(live.state) and not ended:
            self._on_ended(live)
        self._schedule_service_work(live)
        self._notify_listeners(live)
        return True

    async def is_behind(self, live: LiveMatch) -> bool:
        """Returns whether another service has written newer records. Raises UnknownMatch, StoreUnavailable."""
        return self.replication is not None and await self.replication.is_behind(live)

    def check(self, live: LiveMatch) -> None:
        """Look in the background for records of the match that were stored although the store did not answer."""
        if self.replication is not None:
            self.replication.check(live)

    def fault(self, live: LiveMatch, error: BaseException) -> PackFault:
        """Schedule the end of a match whose pack has failed outside a write; returns the error for the caller."""
        error_for_caller = self.writer.fault(live, error)
        if not has_ended(live.state) and ends_match(live, error):
            self.end_soon(live, RecordKind.FAULTED, error_for_caller.incident)
        return error_for_caller

    def end_soon(self, live: LiveMatch, kind: RecordKind, text: str) -> None:
        """Schedule a record that ends a match on the service's own behalf."""

        def plan(draft: Draft) -> Answer:
            if not has_ended(draft.after.state):
                draft.record(kind, text=text)
            return ()

        self.writer.schedule(partial(self.writer.write, live, plan, internal=True))

    def _abandon(self, live: LiveMatch) -> None:
        self.end_soon(live, RecordKind.CANCELLED, "nobody has played for too long")

    def _time_out(self, live: LiveMatch) -> None:
        async def late() -> None:
            try:
                await self.writer.write(live, lambda draft: (), internal=True)
            except (StoreUnavailable, StaleSequence):
                self._deadlines.set(live, self.time.monotonic_ms() + WRITE_RETRY_MS)

        self.writer.schedule(late)

    async def _write_for_bot(self, live: LiveMatch, plan: PlanWrite) -> Answer:
        return await self.writer.write(live, plan, internal=True)

    # -- invited players -----------------------------------------------------------------------------------------------

    async def connect_player(
        self, name: str, key: str, games: frozenset[str], invitee: Invitee, *, additional: bool = False
    ) -> None:
        """Connect a player; ``additional``: its own connection is at another service.

        Raises PlayerNameTaken, InvalidField, StoreUnavailable.
        """
        additional = additional and self.replication is not None
        if self.replication is not None:
            await self.replication.reserve(name)
            self.players.check(name, key)
            replica = self.replication.replica
            digest = blake2b(key.encode(), digest_size=32, key=self.secret).digest()
            free, kept_s = not self.players.has_reserved(name), self.limits.player_name_retention_s
            if additional:
                has_name = name not in self.players.names and await replica.has_name(name, digest)
            else:
                has_name = await replica.take_name(name, digest, free=free, kept_s=kept_s)
            if not has_name:
                raise PlayerNameTaken(name)
        self.players.connect(name, key, games, invitee, additional=additional)

    def disconnect_player(self, name: str, invitee: Invitee) -> None:
        """Disconnect a player; nothing happens if another connection has the name."""
        if self.players.disconnect(name, invitee) and self.replication is not None:
            self.replication.disconnected(name)

    async def _notify_connected(self, player: str, match: str) -> None:
        connection = self.players.connection(player)
        if connection is not None:
            await self._notify_player(connection, match)

    def _player_connected(self, connection: ConnectedPlayer, matches: Sequence[str]) -> None:
        async def notify_all() -> None:
            for start in range(0, len(matches), AT_ONCE):
                await asyncio.gather(
                    *(self._notify_player(connection, name) for name in matches[start : start + AT_ONCE])
                )

        self.writer.schedule(notify_all)

    async def _notify_player(self, connection: ConnectedPlayer, name: str) -> None:
        """Notify a player who has connected of its seats in a match, and seat it if one is reserved for it."""
        try:
            live = await self.cache.get_or_load(name)
            self.players.notify(live, self.players.held_seats(live, connection))
            if self.players.has_player_to_seat(live):
                await self.invite(live)
        except EngineError as error:
            log.info("a player could not be invited to %s: %s", name, error.reason)

    async def invite(self, live: LiveMatch) -> None:
        """Seat every connected player for whom a free seat is reserved."""
        taken: list[SeatGrant] = []

        def plan(draft: Draft) -> Answer:
            taken[:] = self.players.seat_connected(draft, self.bots.decide)
            return ()

        await self.writer.write(live, plan, internal=True)
        if live.evicted:
            live = await self.cache.get_or_load(live.name)
        self.players.notify(live, taken)
