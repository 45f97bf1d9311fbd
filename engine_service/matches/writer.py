"""How a write becomes true: one at a time for each match, planned on a copy, stored, and only then taken over.

An ephemeral match has nothing to wait for, so its writes are plain calls. A stored match's write runs in a task of its
own: a caller that goes away does not stop it half-way.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Protocol, TypeVar

from engine_service.errors import EngineError, LimitReached, PackFault, ShuttingDown, StaleSequence, StoreUnavailable
from engine_service.guard import PackRaised, report
from engine_service.limits import Limits
from engine_service.log.records import RecordKind, chain_all
from engine_service.matches import absence
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import Decider
from engine_service.matches.progress import Progress, to_act
from engine_service.matches.requests import Answer, RecentRequests, Request
from engine_service.matches.rows import update_of
from engine_service.stats import Stats
from engine_service.store.base import RequestConflict, SequenceConflict, Store
from engine_service.telemetry import new_incident
from engine_service.throttle import ThrottledLog
from engine_service.timing import TimeSource

log = logging.getLogger(__name__)
_refusals = ThrottledLog(log)

T = TypeVar("T")
RETRY_MS = 1_000
"""When a write may be tried again for which there were too many others."""
Plan = Callable[[Draft], Answer]
"""Adds records to a draft and returns the answer. It may raise an EngineError: nothing is written then."""


class Aftermath(Protocol):
    """What has to happen once a write is true."""

    def committed(self, live: LiveMatch, before: Progress, draft: Draft) -> None:
        """Called at once, before anyone else can write to the match."""

    async def reload(self, live: LiveMatch) -> None:
        """Somebody else has written to the match: make it what the store says."""


class Writer:
    """Writes to matches that are in memory."""

    def __init__(
        self,
        store: Store,
        time: TimeSource,
        limits: Limits,
        stats: Stats,
        recent: RecentRequests,
        decide: Decider,
        aftermath: Aftermath,
    ) -> None:
        self._store = store
        self._time = time
        self._limits = limits
        self._stats = stats
        self._decide = decide
        self._aftermath = aftermath
        self._tasks: set[asyncio.Task[object]] = set()
        self._recent = recent
        self.closing = False

    # -- the two ways ------------------------------------------------------------------------------------------------

    def write_now(self, live: LiveMatch, plan: Plan, request: Request | None = None) -> Answer:
        """Write to an ephemeral match."""
        if self.closing:
            raise ShuttingDown()
        known = self._recent.find(request)
        if known is not None:
            return known
        if live.header.time_control is not None and self._is_late(live):
            self._take_over(live, *self._plan(live, self._time_out))
        draft, answer, error = self._plan(live, plan)
        self._take_over(live, draft, answer, error)
        self._recent.keep(request, answer)
        return answer

    async def write(self, live: LiveMatch, plan: Plan, request: Request | None = None, *, own: bool = False) -> Answer:
        """Write to any match. Raises what the plan raises, StoreUnavailable, ShuttingDown, PackFault.

        ``own``: on the service's own behalf. Others are refused (LimitReached) where too many wait already.
        """
        if live.ephemeral:
            return self.write_now(live, plan, request)
        if self.closing:
            raise ShuttingDown()
        most = None if own else self._limits.waiting_writes
        return await self.finish(self._write_stored(live, plan, request, most))

    async def finish(self, write: Coroutine[object, object, T]) -> T:
        """Run it to its end, even where the caller is cancelled."""
        task = asyncio.ensure_future(write)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def settled(self) -> None:
        """Wait for all writes under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited has it; nobody may be waiting any more

    # -- stored matches ----------------------------------------------------------------------------------------------

    async def _write_stored(
        self, live: LiveMatch, plan: Plan, request: Request | None, most_waiting: int | None
    ) -> Answer:
        await _take_turn(live, most_waiting)
        try:
            known = await self.known_answer(request)
            if known is not None:
                return known
            if self._is_late(live):
                await self._store_draft(live, *self._plan(live, self._time_out))
            return await self._store_draft(live, *self._plan(live, plan), request)
        finally:
            _end_turn(live)

    async def _store_draft(
        self, live: LiveMatch, draft: Draft, answer: Answer, error: EngineError | None, request: Request | None = None
    ) -> Answer:
        """Put a draft on disk and take it over."""
        before, after = live.now, draft.after
        # A fault is not the answer to the request: it is told, and asked for again it is told again.
        stored = None
        if request is not None and error is None:
            stored = request.stored(answer, live.keeper.uptime_at(self._time.monotonic_ms()))
        if draft.records or stored is not None or after.waiting is not before.waiting:
            chain = chain_all(live.chain, draft.records)
            try:
                await self._store.append(
                    live.key,
                    before.seq,
                    draft.records,
                    chain,
                    update_of(before, after),
                    stored,
                    live.uptime_of(after),
                    to_act(after),
                )
            except StoreUnavailable:
                self._stats.store_failures += 1
                raise
            except RequestConflict:
                return await self.first_answer(request)
            except SequenceConflict:
                await self._aftermath.reload(live)
                raise StaleSequence(live.seq) from None
            live.chain = chain
        self._take_over(live, draft, answer, error)
        return answer

    async def known_answer(self, request: Request | None) -> Answer | None:
        """The answer that the store has for a request. Raises RequestIdReused, StoreUnavailable."""
        if request is None:
            return None
        stored = await self._store.find_request(request.scope, request.request_id)
        return None if stored is None else request.answer_of(stored)

    async def answered(self, live: LiveMatch, request: Request | None) -> bool:
        """Has the request come before? Raises as :meth:`known_answer`."""
        known = self._recent.find(request) if live.ephemeral else await self.known_answer(request)
        return known is not None

    async def first_answer(self, request: Request | None) -> Answer:
        """The answer of a request that the store has just been found to have. Raises as :meth:`known_answer`."""
        known = await self.known_answer(request)
        if known is None:
            raise StoreUnavailable()
        return known

    # -- both ----------------------------------------------------------------------------------------------------------

    def _take_over(self, live: LiveMatch, draft: Draft, answer: Answer, error: EngineError | None) -> None:
        before = live.now
        if draft.records or draft.after.waiting is not before.waiting:
            live.adopt(draft)
            self._aftermath.committed(live, before, draft)
        if error is not None:
            raise error

    def _plan(self, live: LiveMatch, plan: Plan) -> tuple[Draft, Answer, EngineError | None]:
        """The draft of a plan, its answer, and what to raise once the draft is true."""
        draft = live.draft()
        limit = self._limits.log_records
        if live.seq >= limit and not live.state.ended:
            draft.record(RecordKind.CANCELLED, text="its log has become too long")
            return draft, (), LimitReached("log_records", limit, f"a match may have {limit} records")
        try:
            return draft, plan(draft), None
        except PackRaised as raised:
            error = self.fault(live, raised.error)
            draft = live.draft()
            if not live.state.ended:
                draft.record(RecordKind.FAULTED, text=error.incident)
            return draft, (), error

    def _is_late(self, live: LiveMatch) -> bool:
        return live.header.time_control is not None and live.deadline_ms() <= self._time.monotonic_ms()

    def _time_out(self, draft: Draft) -> Answer:
        self._stats.time_outs += absence.time_out(draft, self._decide)
        return ()

    # -- what goes wrong, and what comes of itself ---------------------------------------------------------------------

    def fault(self, live: LiveMatch, error: BaseException) -> PackFault:
        """Log a pack's fault, once for each match."""
        if not live.incident:
            live.incident = new_incident()
            self._stats.pack_faults += 1
            report(log, live.incident, f"pack of {live.game_id} failed in {live.name}", error)
        return PackFault(live.incident)

    def soon(self, write: Callable[[], Awaitable[object]]) -> None:
        """Write on the service's own behalf, when the loop comes to it; a refusal is logged at most."""

        async def run() -> None:
            try:
                await write()
            except EngineError as error:
                _refusals.write(logging.INFO, f"a write of the service's own was refused: {error.reason}")

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._done)


async def _take_turn(live: LiveMatch, most: int | None) -> None:
    """Until nobody else writes to the match; whoever came first has the turn first.

    Raises LimitReached where ``most`` wait already.
    """
    if live.turn is None:
        live.turn = deque()
        return
    if most is not None and len(live.turn) >= most:
        message = f"{most} writes wait for their turn on this match already"
        raise LimitReached("waiting_writes", most, message, RETRY_MS)
    called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    live.turn.append(called)
    try:
        await called
    except asyncio.CancelledError:
        if called.done() and not called.cancelled():
            _end_turn(live)
        raise


def _end_turn(live: LiveMatch) -> None:
    """Call whoever has waited longest."""
    waiting = live.turn
    while waiting:
        called = waiting.popleft()
        if not called.done():
            called.set_result(None)
            return
    live.turn = None
