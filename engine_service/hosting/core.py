"""The parts of the service put together, and what happens around writes of itself.

Clocks, bots, invitations and observers hang on every write; so do recovery at the start and the end of the service.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from engine_service.errors import EngineError, PackFault, StoreUnavailable
from engine_service.guard import PackRaised
from engine_service.hosting.bots import ServiceBots
from engine_service.hosting.housekeeping import DeleteOld, Housekeeping
from engine_service.hosting.invitations import Connection, Players, Taken
from engine_service.hosting.observers import Observers
from engine_service.hosting.shelf import Shelf
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.log.records import RecordKind
from engine_service.matches import absence
from engine_service.matches.clocks import NEVER, Alarms
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.progress import Progress
from engine_service.matches.requests import Answer, RecentRequests
from engine_service.matches.writer import Plan, Writer
from engine_service.model import MatchState, SeatKind
from engine_service.stats import Stats
from engine_service.store.base import Cursor, MatchFilter, MatchRow, Store
from engine_service.timing import TimeSource
from gamepacks.api.registry import Registry

log = logging.getLogger(__name__)

RETRY_MS = 1_000
PAGE = 200
AT_ONCE = 32
"""Matches that are dealt with side by side where there are many: their writes then share commits."""

_TOLD = {
    RecordKind.STARTED: "started",
    RecordKind.FINISHED: "finished",
    RecordKind.CANCELLED: "cancelled",
    RecordKind.FAULTED: "faulted",
}


class Core:
    """Keeps matches going. :class:`engine_service.hosting.host.MatchHost` is its face."""

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
        self.limits = limits
        self.time = time
        self.stats = Stats()
        self.recent = RecentRequests(limits.ephemeral_requests)
        self.bots = ServiceBots(registry, time, limits, self.stats, self._write_for_bot)
        self.observers = Observers(registry, limits, self.stats)
        self.writer = Writer(store, time, limits, self.stats, self.recent, self.bots.decide, self)
        self._alarms: Alarms[LiveMatch] = Alarms(time, self._ring)
        self._housekeeping = Housekeeping(
            store, time, limits, self.writer.soon, lambda: len(self._alarms), keep_ended_days, delete_old
        )
        self.shelf = Shelf(registry, store, limits, self.stats, self)
        self.players = Players(limits, secret, time, self._connected)

    # -- the beginning and the end -------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Take up the unfinished matches that need the service itself, and know who is invited where."""
        await self._housekeeping.start()
        after: Cursor | None = None
        unfinished = (int(MatchState.WAITING), int(MatchState.ACTIVE))
        while rows := await self.store.find(MatchFilter(states=unfinished), after, PAGE):
            after = rows[-1].created_ms, rows[-1].name
            for row in rows:
                await self._take_up(row)
        self.shelf.start_sweeping(self._abandon)

    async def _take_up(self, row: MatchRow) -> None:
        try:
            header = Header.decode(row.header)
            self.players.expect(header, row.seats)
            served = any(seat.kind == SeatKind.BOT or seat.out for seat in row.seats)
            if row.state == MatchState.ACTIVE and (served or header.time_control is not None):
                await self.shelf.find(row.name)
        except StoreUnavailable:
            raise
        except EngineError as error:
            log.warning("%s cannot be taken up: %s", row.name, error.reason)

    async def drain(self, timeout_s: float | None) -> None:
        """Refuse writes from now on, stop clocks and bots, and wait for the writes under way.

        It waits so long at most; None: to their end.
        """
        drained, self.writer.closing = self.writer.closing, True
        self._alarms.close()
        self.shelf.stop_sweeping()
        self._housekeeping.stop()
        await self.bots.close()
        try:
            await asyncio.wait_for(self.writer.settled(), timeout_s)
        except TimeoutError:
            log.warning("writes were still under way after %s s", timeout_s)
        await self.observers.close(timeout_s)
        if not drained:
            await self._housekeeping.keep_uptime()

    # -- around writes -------------------------------------------------------------------------------------------------

    def committed(self, live: LiveMatch, before: Progress, draft: Draft) -> None:
        """A write has become true: tell whoever has to know, and see to what follows of itself."""
        now = draft.after
        live.touched_ms = live.epoch_ms + draft.time_ms
        stats = self.stats
        for record in draft.records:
            if record.kind is RecordKind.ACTION:
                stats.actions += not live.numbering.is_private(record.seq)
            elif record.kind is RecordKind.CHANCE or record.kind is RecordKind.OUTCOME_PROVIDED:
                stats.chance_outcomes += 1
        if live.header.time_control is not None:
            self._watch_clocks(live)
        if before.state is not now.state and now.state.ended:
            self._has_ended(live)
        self._tell(live)
        if before.state is not now.state:
            for record in draft.records:
                self.notify(live.name, live.game_id, record.kind)
        if now.seats_to_act & now.served:
            self.bots.wake(live)

    def notify(self, name: str, game: str, kind: RecordKind) -> None:
        """Tell the packs' observers of a match's start or end."""
        if kind in _TOLD:
            self.observers.notify(name, game, _TOLD[kind])

    def moved(self, live: LiveMatch, before: Progress) -> None:
        """A plain move has become true (:mod:`engine_service.matches.express`): the little that has to follow."""
        now = live.now
        live.touched_ms = live.epoch_ms + now.time_ms
        stats = self.stats
        stats.actions += 1
        stats.chance_outcomes += now.plies - before.plies - 1
        live.past.reached(now, live.log)
        self._tell(live)

    def _tell(self, live: LiveMatch) -> None:
        for listener in live.listeners:
            try:
                listener.on_change(live)
            except Exception:
                log.exception("a listener of %s failed", live.name)

    def arrived(self, live: LiveMatch, before: Progress, draft: Draft, taken: Sequence[Taken]) -> None:
        """A new match has become true."""
        self.shelf.add(live)
        self.stats.matches_created += 1
        self.players.expect(live.header, live.now.seats)
        self.committed(live, before, draft)
        self.players.tell(live, taken)
        if self.players.somebody_to_seat(live):
            # Who connected while the match was being stored has not been seated with the others.
            self.writer.soon(partial(self.invite, live))

    def _has_ended(self, live: LiveMatch) -> None:
        self.stats.matches_ended += 1
        self.bots.forget(live.name)
        self._alarms.drop(live)
        self.players.forget(live.name, live.header.seats)
        if live.ephemeral:
            self.shelf.retire(live)

    def loaded(self, live: LiveMatch) -> None:
        """A stored match has come into memory."""
        if live.header.time_control is not None and live.state is MatchState.ACTIVE:
            self._watch_clocks(live)
        if live.state is MatchState.ACTIVE and any(seat.out for seat in live.now.seats):
            # A seat may have been given up while the rules were not here to say what follows.
            self.writer.soon(partial(self.writer.write, live, self._go_on, own=True))
        self.bots.wake(live)

    def _go_on(self, draft: Draft) -> Answer:
        if draft.after.state is MatchState.ACTIVE:
            absence.go_on(draft, self.bots.decide)
        return ()

    def uptime_at(self, monotonic_ms: int) -> int:
        """How long services had run on this store, all together, at a moment of this one's life."""
        return self._housekeeping.uptime_at(monotonic_ms)

    def _watch_clocks(self, live: LiveMatch) -> None:
        deadline = live.deadline_ms()
        self._alarms.set(live, deadline)
        if deadline < NEVER and not live.ephemeral:
            self._housekeeping.clock_runs()

    async def reload(self, live: LiveMatch) -> None:
        """Somebody else has written to the match: take that in."""
        try:
            await self.shelf.reload(live)
        except PackRaised as raised:
            raise self.fault(live, raised.error) from None
        self.loaded(live)
        for listener in live.listeners:
            listener.on_change(live)

    def fault(self, live: LiveMatch, error: BaseException) -> PackFault:
        """The pack of a match has failed where nothing was being written: end the match soon."""
        told = self.writer.fault(live, error)
        if not live.state.ended:
            self.end_soon(live, RecordKind.FAULTED, told.incident)
        return told

    def end_soon(self, live: LiveMatch, kind: RecordKind, text: str) -> None:
        """End a match on the service's own behalf, when the loop comes to it."""

        def plan(draft: Draft) -> Answer:
            if not draft.after.state.ended:
                draft.record(kind, text=text)
            return ()

        self.writer.soon(partial(self.writer.write, live, plan, own=True))

    def _abandon(self, live: LiveMatch) -> None:
        self.end_soon(live, RecordKind.CANCELLED, "nobody has played on")

    def _ring(self, live: LiveMatch) -> None:
        async def late() -> None:
            try:
                await self.writer.write(live, lambda draft: (), own=True)
            except StoreUnavailable:
                self._alarms.set(live, self.time.monotonic_ms() + RETRY_MS)

        self.writer.soon(late)

    async def _write_for_bot(self, live: LiveMatch, plan: Plan) -> Answer:
        return await self.writer.write(live, plan, own=True)

    # -- invited players -----------------------------------------------------------------------------------------------

    def _connected(self, connection: Connection, matches: Sequence[str]) -> None:
        async def offer_all() -> None:
            for start in range(0, len(matches), AT_ONCE):
                await asyncio.gather(*(self._offer(connection, name) for name in matches[start : start + AT_ONCE]))

        self.writer.soon(offer_all)

    async def _offer(self, connection: Connection, name: str) -> None:
        """Tell a player who has connected of the seats it holds in a match, and seat it where one is kept for it."""
        try:
            live = await self.shelf.find(name)
            self.players.tell(live, self.players.held(live, connection))
            if self.players.somebody_to_seat(live):
                await self.invite(live)
        except EngineError as error:
            log.info("a player cannot be invited to %s now: %s", name, error.reason)

    async def invite(self, live: LiveMatch) -> None:
        """Seat every connected player for whom a free seat is kept."""
        taken: list[Taken] = []

        def plan(draft: Draft) -> Answer:
            taken.extend(self.players.seat_connected(draft, self.bots.decide))
            return ()

        await self.writer.write(live, plan, own=True)
        self.players.tell(live, taken)
