"""The matches in memory: loaded from the store when asked for, and gone again when nobody needs them there."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from weakref import WeakValueDictionary

from engine_service.errors import LimitReached, PackFault, ReplayInvalid, UnknownMatch
from engine_service.guard import RULES, PackRaised, report
from engine_service.limits import Limits
from engine_service.log.header import Header, configure, opening
from engine_service.log.records import Record, RecordKind, RecordLog, chain_all
from engine_service.matches.clocks import NEVER
from engine_service.matches.draft import Draft
from engine_service.matches.info import import_of_row
from engine_service.matches.match import Keeper, LiveMatch
from engine_service.matches.past import KEEP_EVERY, Past
from engine_service.matches.progress import Progress
from engine_service.matches.rows import ended_without_play
from engine_service.matches.seats import empty_seats
from engine_service.model import EndReason, MatchState
from engine_service.stats import Stats
from engine_service.store.base import MatchRow, SeatRow, SequenceConflict, Store
from engine_service.telemetry import new_incident
from engine_service.timing import Cancellable
from gamepacks.api.game import Game
from gamepacks.api.registry import Registry

log = logging.getLogger(__name__)

SLICE = 256
"""Matches that a sweep looks at before others have their turn on the event loop."""


TokenCheck = Callable[[str, Sequence[SeatRow], bytes], object]
"""Given a token, the seats of a match and the digest of its host's token, raises where the token does not fit."""

RECORDS_AT_ONCE = KEEP_EVERY
"""Records of a log that are read before others have their turn: some milliseconds."""


async def fold_in(draft: Draft, records: Sequence[Record]) -> tuple[RecordLog, Past]:
    """Fold a whole log into an empty draft, and pack it, while others on the event loop have their turn.

    Raises PackRaised where the rules do not allow a step.
    """
    log, past, told = RecordLog(), Past(), 0
    for done in draft.replaying(records, RECORDS_AT_ONCE):
        log.extend(records[len(log) : done])
        for back in draft.went_back[told:]:
            past.went_back(*back, log, draft.header, draft.game)
        told = len(draft.went_back)
        past.reached(draft.after, log, own=False)
        await asyncio.sleep(0)
    log.extend(records[len(log) :])
    for back in draft.went_back[told:]:
        past.went_back(*back, log, draft.header, draft.game)
    return log, past


class Tables:
    """Games that are set up; matches at equal tables share one."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._games: WeakValueDictionary[tuple[str, str, int, bytes, bytes], Game[Any]] = WeakValueDictionary()

    def game(self, header: Header) -> Game[Any]:
        """The game of a header. Raises RulesNotLoaded, CardSetNotLoaded, ReplayInvalid, PackRaised."""
        key = (header.game, header.rules_version, header.players, header.options.value, header.card_set_digest)
        known = self._games.get(key)
        if known is not None:
            return known
        with RULES:
            game = configure(header, self._registry)
        return self._games.setdefault(key, game)


class Shelf:
    """The matches in memory, by name."""

    def __init__(self, registry: Registry, store: Store, limits: Limits, stats: Stats, keeper: Keeper) -> None:
        self._registry = registry
        self._store = store
        self._limits = limits
        self._stats = stats
        self._keeper = keeper
        self._live: dict[str, LiveMatch] = {}
        self._ended: OrderedDict[str, int] = OrderedDict()  # ephemeral ones, and when they are dropped
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._timer: Cancellable | None = None
        self.tables = Tables(registry)

    def __len__(self) -> int:
        return len(self._live)

    def __iter__(self) -> Iterator[LiveMatch]:
        return iter(list(self._live.values()))

    def ephemeral(self) -> Iterator[LiveMatch]:
        """The ephemeral matches."""
        return (live for live in self if live.ephemeral)

    # -- getting one -------------------------------------------------------------------------------------------------

    def peek(self, name: str) -> LiveMatch | None:
        """The match, if it is in memory."""
        return self._live.get(name)

    async def find(self, name: str, token: str = "", check: TokenCheck | None = None) -> LiveMatch:
        """The match. A ``check`` of the token comes before its log is read: to refuse a stranger costs little.

        Raises what ``check`` raises, UnknownMatch, RulesNotLoaded, CardSetNotLoaded, LimitReached, PackFault (it cannot
        be replayed).
        """
        live = self._live.get(name)
        if live is None:
            if check is not None:
                row = await self.row(name)
                check(token, row.seats, row.host_digest)
            task = self._loading.get(name)
            if task is None:
                task = self._loading[name] = asyncio.ensure_future(self._load(name))
                task.add_done_callback(lambda done: self._loaded(name, done))
            live = await asyncio.shield(task)
        if check is not None:
            check(token, live.now.seats, live.host_digest)
        return live

    async def row(self, name: str) -> MatchRow:
        """What is stored of a match besides its log. Raises UnknownMatch."""
        row = await self._store.row(name)
        if row is None:
            raise UnknownMatch(name)
        return row

    def _loaded(self, name: str, task: asyncio.Task[LiveMatch]) -> None:
        del self._loading[name]
        if not task.cancelled():
            task.exception()  # whoever waited has it; nobody may be waiting any more

    async def _load(self, name: str) -> LiveMatch:
        found = await self._store.load(name)
        if found is None:
            raise UnknownMatch(name)
        row, records = found
        header = Header.decode(row.header)
        try:
            live = self.set_up(header, row.header)
            await self._fill(live, row, records)
        except (PackRaised, ReplayInvalid) as error:
            raise await self._cannot_replay(row, error.error if isinstance(error, PackRaised) else error) from None
        self.make_room()
        self._stats.matches_loaded += 1
        self.add(live)
        self._keeper.loaded(live)
        return live

    async def _cannot_replay(self, row: MatchRow, error: BaseException) -> PackFault:
        """The pack fails on a log that it once made: end the match as its fault, if it has not ended."""
        incident = new_incident()
        self._stats.pack_faults += 1
        report(log, incident, f"pack of {row.game} cannot replay {row.name}", error)
        if not row.ended_ms:
            last = (await self._store.records(row.key, row.last_seq - 1, 1))[-1].time_ms if row.last_seq else 0
            record = Record(row.last_seq + 1, RecordKind.FAULTED, time_ms=last, text=incident)
            time = self._keeper.time
            update = ended_without_play(MatchState.FAULTED, EndReason.PACK_FAULT, time.wall_ms())
            uptime_ms = self._keeper.uptime_at(time.monotonic_ms())
            chain = chain_all(row.chain, [record])
            try:
                await self._store.append(row.key, row.last_seq, [record], chain, update, None, uptime_ms)
            except SequenceConflict:
                log.info("%s was written to by another", row.name)
        return PackFault(incident)

    def set_up(self, header: Header, header_bytes: bytes) -> LiveMatch:
        """A match of which nothing has been recorded.

        Raises RulesNotLoaded, CardSetNotLoaded, ReplayInvalid, PackRaised.
        """
        game = self.tables.game(header)
        with RULES:
            state = opening(header, game)
        now = Progress(state, empty_seats(header.seats))
        return LiveMatch(self._keeper, header, header_bytes, self._registry.games[header.game], game, now)

    async def _fill(self, live: LiveMatch, row: MatchRow, records: list[Record]) -> None:
        """Make a new match what its row and its log say."""
        time = self._keeper.time
        live.key, live.seed, live.chain = row.key, row.seed, row.chain
        live.host_nonce, live.host_digest = row.host_nonce, row.host_digest
        live.imported = import_of_row(row, live.header)
        live.epoch_ms = time.monotonic_ms() - max(0, time.wall_ms() - row.created_ms)
        draft = live.draft()
        log, past = await fold_in(draft, records)
        after = draft.after
        for seat, stored in enumerate(row.seats):
            if stored.digest:
                draft.change_seat(seat, nonce=stored.nonce, digest=stored.digest)
        after.started_ms, after.ended_ms, after.waiting = row.started_ms, row.ended_ms, row.waiting
        live.adopt_whole(draft, log, past)
        if live.header.time_control is not None and after.state is MatchState.ACTIVE:
            # Clocks stand still while the service is down: records go on from the last one's time, and from how long
            # the service had been running since.
            now = time.monotonic_ms()
            live.epoch_ms = now - after.time_ms - max(0, self._keeper.uptime_at(now) - row.uptime_ms)

    async def reload(self, live: LiveMatch) -> None:
        """Take in what somebody else has written to the match."""
        found = await self._store.load(live.name)
        if found is None:
            raise UnknownMatch(live.name)
        fresh = self.set_up(live.header, live.header_bytes)
        await self._fill(fresh, *found)
        live.now, live.log, live.past, live.points = fresh.now, fresh.log, fresh.past, fresh.points
        live.private_points, live.numbering = fresh.private_points, fresh.numbering
        live.chain, live.epoch_ms = fresh.chain, fresh.epoch_ms
        live.version += 1

    # -- keeping few -------------------------------------------------------------------------------------------------

    def add(self, live: LiveMatch) -> None:
        """Keep a match in memory; :meth:`make_room` comes before."""
        live.touched_ms = self._keeper.time.monotonic_ms()
        self._live[live.name] = live

    def make_room(self) -> None:
        """See to it that one more match may come. Raises LimitReached."""
        limit = self._limits.live_matches
        if len(self._live) - len(self._ended) < limit:
            return
        for live in self:
            if self._dispensable(live):
                self._unload(live)
                return
        raise LimitReached("live_matches", limit, f"at most {limit} matches may be in memory")

    def touch(self, live: LiveMatch) -> None:
        """Somebody needs it."""
        live.touched_ms = self._keeper.time.monotonic_ms()

    def retire(self, live: LiveMatch) -> None:
        """An ephemeral match has ended: keep it for a while yet."""
        self._ended[live.name] = self._keeper.time.monotonic_ms() + self._limits.ephemeral_retention_s * 1000
        while len(self._ended) > self._limits.ephemeral_retained:
            self._drop(next(iter(self._ended)))

    def forget(self, name: str) -> None:
        """A match was deleted: it stands in memory no longer."""
        self._ended.pop(name, None)
        live = self._live.pop(name, None)
        if live is not None:
            live.gone = True

    def _drop(self, name: str) -> None:
        del self._ended[name]
        self._live.pop(name).gone = True

    def _unload(self, live: LiveMatch) -> None:
        del self._live[live.name]
        live.gone = True
        self._stats.matches_unloaded += 1

    def _dispensable(self, live: LiveMatch) -> bool:
        """Can the store stand in for it: does nothing happen in it, and does nobody look?"""
        if live.ephemeral or live.listeners or live.turn is not None or live.thinking:
            return False
        return not live.now.seats_to_act & live.now.served and live.deadline_ms() >= NEVER

    # -- sweeping ------------------------------------------------------------------------------------------------------

    def start_sweeping(self, abandon: Callable[[LiveMatch], None]) -> None:
        """Look after idle matches from now on; ``abandon`` ends an ephemeral one that nobody plays on."""
        every_ms = max(1_000, min(self._limits.idle_unload_s, self._limits.ephemeral_retention_s + 1) * 250)

        def sweep(names: list[str]) -> None:
            self._sweep(names[:SLICE], abandon)
            rest = names[SLICE:]
            delay = 1 if rest else every_ms
            time = self._keeper.time
            self._timer = time.call_at(time.monotonic_ms() + delay, lambda: sweep(rest or list(self._live)))

        self._timer = self._keeper.time.call_at(
            self._keeper.time.monotonic_ms() + every_ms, lambda: sweep(list(self._live))
        )

    def stop_sweeping(self) -> None:
        """Leave all matches where they are."""
        if self._timer is not None:
            self._timer.cancel()

    def _sweep(self, names: list[str], abandon: Callable[[LiveMatch], None]) -> None:
        now = self._keeper.time.monotonic_ms()
        for name in list(itertools.islice(self._ended, SLICE)):
            if self._ended[name] <= now:
                self._drop(name)
        for name in names:
            live = self._live.get(name)
            if live is None or live.listeners:
                continue
            idle_ms = now - live.touched_ms
            if live.ephemeral:
                if not live.state.ended and idle_ms >= self._limits.ephemeral_idle_s * 1000:
                    abandon(live)
            elif idle_ms >= self._limits.idle_unload_s * 1000 and self._dispensable(live):
                self._unload(live)
