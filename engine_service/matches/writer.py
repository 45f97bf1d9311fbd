"""Writes to matches: one at a time for each match, planned on a draft, stored, and then committed in memory.

A write to an ephemeral match is a plain call. A write to a stored match runs in a task of its own, so a caller that
leaves does not stop it half-way.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Protocol, TypeVar

from engine_service.errors import (
    RETRY_MS,
    EngineError,
    LimitReached,
    PackFault,
    ShuttingDown,
    StaleSequence,
    StoreUnavailable,
)
from engine_service.limits import Limits
from engine_service.log.records import chain_all
from engine_service.match_enums import RecordKind
from engine_service.matches import absence
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer, RecentRequests, Request
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import BotDecider
from engine_service.matches.rows import update_of
from engine_service.matches.snapshot import MatchSnapshot, to_act
from engine_service.model import has_ended
from engine_service.observability.logs import ThrottledLog, new_incident_id
from engine_service.observability.stats import Stats
from engine_service.observability.traces import span
from engine_service.pack_guard import PackRaised, ProcessLost, await_pack, log_pack_error
from engine_service.store.base import Append, RequestConflict, SequenceConflict, Store
from engine_service.timing import TimeSource

log = logging.getLogger(__name__)
_refusals = ThrottledLog(log)

T = TypeVar("T")
PROCESS_LOSSES = 3
"""Number of calls for one match that may end the process of an isolated pack before the match is ended."""
ATTEMPTS = 8
"""Number of attempts at a write that conflicts with writes of other services."""
WRITE_RETRY_MS = 1_000
"""Delay after which the service repeats a write of its own that failed, say because the store is unavailable."""
PlanWrite = Callable[[Draft], Answer]
"""Adds records to a draft and returns the answer. If it raises an EngineError, nothing is written."""


class CommitHooks(Protocol):
    """Hooks that the writer calls after a write."""

    def committed(self, live: LiveMatch, before: MatchSnapshot, draft: Draft) -> None:
        """Called at once after a write, before anyone else can write to the match."""

    async def load_tail(self, live: LiveMatch) -> bool:
        """Load the records that another service has written; returns whether there were any. The caller holds the
        write lock. Raises UnknownMatch, StoreUnavailable, PackFault."""

    async def is_behind(self, live: LiveMatch) -> bool:
        """Returns whether another service has written newer records. Raises UnknownMatch, StoreUnavailable."""

    def check(self, live: LiveMatch) -> None:
        """Look in the background for records of the match that were stored although the store did not answer."""


class Writer:
    """Writes to matches that are in memory."""

    def __init__(
        self,
        store: Store,
        time: TimeSource,
        limits: Limits,
        stats: Stats,
        recent: RecentRequests,
        decide: BotDecider,
        hooks: CommitHooks,
    ) -> None:
        self._store = store
        self._time = time
        self._limits = limits
        self._stats = stats
        self._decide = decide
        self._hooks = hooks
        self._tasks: set[asyncio.Task[object]] = set()
        self._recent = recent
        self._shared = store.replica is not None
        self.closing = False

    # -- entry points ------------------------------------------------------------------------------------------------

    def write_now(
        self, live: LiveMatch, plan: PlanWrite, request: Request | None = None, *, internal: bool = False
    ) -> Answer:
        """Write to an ephemeral match."""
        if self.closing:
            raise ShuttingDown()
        known = self._recent.find(request)
        if known is not None:
            return known
        with span("write", match=live.name, game=live.game_id, ephemeral=True):
            return self._write_now(live, plan, request, internal)

    async def _write_isolated(
        self, live: LiveMatch, plan: PlanWrite, request: Request | None, internal: bool
    ) -> Answer:
        """Write to an ephemeral match of an isolated pack; the event loop stays free while the pack works."""

        def planned() -> tuple[Draft | None, Answer, EngineError | None]:
            # The same request may come again while the pack works.
            known = self._recent.find(request)
            return self._plan(live, plan, internal=internal) if known is None else (None, known, None)

        if self.closing:
            raise ShuttingDown()
        if live.header.time_control is not None and self._is_late(live):
            self._take_over(live, *await self._await_plan(live, self._time_out, internal=True))
        draft, answer, error = await await_pack(planned)
        if draft is not None:  # nothing else has run since the plan was made
            self._take_over(live, draft, answer, error)
            self._recent.keep(request, answer)
        return answer

    def _write_now(self, live: LiveMatch, plan: PlanWrite, request: Request | None, internal: bool) -> Answer:
        if live.header.time_control is not None and self._is_late(live):
            self._take_over(live, *self._plan(live, self._time_out, internal=True))
        draft, answer, error = self._plan(live, plan, internal=internal)
        self._take_over(live, draft, answer, error)
        self._recent.keep(request, answer)
        return answer

    async def write(
        self, live: LiveMatch, plan: PlanWrite, request: Request | None = None, *, internal: bool = False
    ) -> Answer:
        """Write to any match. Raises what the plan raises, StoreUnavailable, ShuttingDown, PackFault.

        With ``internal``, the write is the service's own; others are refused (LimitReached) if too many are queued
        already.
        """
        if live.ephemeral:
            if live.loaded.executor is not None:
                return await self._write_isolated(live, plan, request, internal)
            return self.write_now(live, plan, request, internal=internal)
        if self.closing:
            raise ShuttingDown()
        with span("write", match=live.name, game=live.game_id):
            # From here on, before anything else runs, the match cannot be evicted.
            waiter = queue_for_write_lock(live, None if internal else self._limits.queued_writes)
            return await self.run_to_end(self._write_stored(live, waiter, plan, request, internal))

    async def run_to_end(self, write: Coroutine[object, object, T]) -> T:
        """Run a write to its end, even if the caller is cancelled."""
        task = asyncio.ensure_future(write)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def wait_idle(self) -> None:
        """Wait for all writes under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved: the caller may have left

    # -- stored matches ----------------------------------------------------------------------------------------------

    async def _write_stored(
        self,
        live: LiveMatch,
        waiter: asyncio.Future[None] | None,
        plan: PlanWrite,
        request: Request | None,
        internal: bool,
    ) -> Answer:
        await wait_for_write_lock(live, waiter)
        try:
            known = await self.stored_answer(request)
            if known is not None:
                if self._shared:
                    await self._hooks.load_tail(live)
                return known
            for _ in range(ATTEMPTS):
                try:
                    if self._is_late(live):
                        await self._store_draft(live, *await self._await_plan(live, self._time_out, internal=True))
                    return await self._store_draft(live, *await self._plan_on_newest(live, plan, internal), request)
                except SequenceConflict:
                    await self._hooks.load_tail(live)
            raise StaleSequence(live.seq)
        finally:
            release_write_lock(live)

    async def _plan_on_newest(
        self, live: LiveMatch, plan: PlanWrite, internal: bool
    ) -> tuple[Draft, Answer, EngineError | None]:
        """Run a plan; if it raises and another service has written to the match meanwhile, run it again."""
        try:
            return await self._await_plan(live, plan, internal=internal)
        except EngineError:
            if not (self._shared and await self._hooks.is_behind(live)):
                raise
        await self._hooks.load_tail(live)
        return await self._await_plan(live, plan, internal=internal)

    async def _store_draft(
        self, live: LiveMatch, draft: Draft, answer: Answer, error: EngineError | None, request: Request | None = None
    ) -> Answer:
        """Store a draft and commit it."""
        before, after = live.snapshot, draft.after
        # A fault is not stored as the answer to the request: asked again, the request meets it again.
        stored = None
        if request is not None and error is None:
            stored = request.stored(answer, live.context.uptime_at(self._time.monotonic_ms()))
        if draft.records or stored is not None or after.queued_outcomes is not before.queued_outcomes:
            chain = chain_all(live.chain, draft.records)
            try:
                with span("store"):
                    await self._store.append(
                        Append(
                            live.key,
                            before.seq,
                            draft.records,
                            chain,
                            update_of(before, after, live.header if self._shared else None),
                            stored,
                            uptime_ms=live.uptime_of(after),
                            to_act=to_act(after),
                            expected_outcomes=before.queued_outcomes,
                        )
                    )
            except StoreUnavailable:
                self._stats.store_failures += 1
                if self._shared:
                    self._hooks.check(live)
                raise
            except RequestConflict:
                if self._shared:
                    await self._hooks.load_tail(live)
                return await self.first_answer(request)
            live.chain = chain
        self._take_over(live, draft, answer, error)
        return answer

    async def stored_answer(self, request: Request | None) -> Answer | None:
        """Returns the answer that the store has for a request. Raises RequestIdReused, StoreUnavailable."""
        if request is None:
            return None
        stored = await self._store.find_request(request.scope, request.request_id)
        return None if stored is None else request.answer_of(stored)

    async def answered(self, live: LiveMatch, request: Request | None) -> bool:
        """Returns whether the request has come before. Raises as :meth:`stored_answer`."""
        known = self._recent.find(request) if live.ephemeral else await self.stored_answer(request)
        return known is not None

    async def first_answer(self, request: Request | None) -> Answer:
        """Returns the answer to a request that the store was just found to have. Raises as :meth:`stored_answer`."""
        known = await self.stored_answer(request)
        if known is None:
            raise StoreUnavailable()
        return known

    # -- planning
    # -------------------------------------------------------------------------------------------------------

    def _take_over(self, live: LiveMatch, draft: Draft, answer: Answer, error: EngineError | None) -> None:
        before = live.snapshot
        if draft.records or draft.after.queued_outcomes is not before.queued_outcomes:
            live.commit(draft)
            with span("notify"):
                self._hooks.committed(live, before, draft)
        if error is not None:
            raise error

    async def _await_plan(
        self, live: LiveMatch, plan: PlanWrite, *, internal: bool
    ) -> tuple[Draft, Answer, EngineError | None]:
        """Run a plan, as :meth:`_plan`; the event loop stays free while an isolated pack works."""
        if live.loaded.executor is None:
            return self._plan(live, plan, internal=internal)
        return await await_pack(partial(self._plan, live, plan, internal=internal))

    def _plan(self, live: LiveMatch, plan: PlanWrite, *, internal: bool) -> tuple[Draft, Answer, EngineError | None]:
        """Run a plan; returns the draft, its answer, and the error to raise after the draft is committed.

        A caller whose action has ended the process of an isolated pack can choose another one; an ``internal`` write
        has no alternative, so it ends the match.
        """
        draft = live.draft()
        limit = self._limits.log_records
        if live.seq >= limit and not has_ended(live.state):
            draft.record(RecordKind.CANCELLED, text="its log has become too long")
            return draft, (), LimitReached("log_records", limit, f"a match may have at most {limit} records")
        try:
            with span("plan"):
                return draft, plan(draft), None
        except PackRaised as raised:
            error = self.fault(live, raised.error)
            draft = live.draft()
            if not has_ended(live.state) and (internal or ends_match(live, raised.error)):
                draft.record(RecordKind.FAULTED, text=error.incident)
            return draft, (), error

    def _is_late(self, live: LiveMatch) -> bool:
        return live.header.time_control is not None and live.deadline_ms() <= self._time.monotonic_ms()

    def _time_out(self, draft: Draft) -> Answer:
        self._stats.time_outs += absence.time_out(draft, self._decide)
        return ()

    # -- faults and background writes ---------------------------------------------------------------------------------

    def fault(self, live: LiveMatch, error: BaseException) -> PackFault:
        """Log a pack's fault, once for each match that it ends, and return the error for the caller."""
        if isinstance(error, ProcessLost):
            live.process_losses += 1
            incident = new_incident_id()
            log.error("isolated pack of %s failed in %s: %s (incident %s)", live.game_id, live.name, error, incident)
            ends = live.process_losses >= PROCESS_LOSSES
            return PackFault(incident) if ends else PackFault(incident, "the request has changed nothing")
        if not live.incident:
            live.incident = new_incident_id()
            self._stats.pack_faults += 1
            log_pack_error(log, live.incident, f"pack of {live.game_id} failed in {live.name}", error)
        return PackFault(live.incident)

    def schedule(self, write: Callable[[], Awaitable[object]]) -> None:
        """Schedule a write of the service's own on the event loop; if it is refused, that is logged."""

        async def run() -> None:
            try:
                await write()
            except EngineError as error:
                _refusals.write(logging.INFO, f"a write of the service's own was refused: {error.reason}")

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._done)


def ends_match(live: LiveMatch, error: BaseException) -> bool:
    """Returns whether an error of a match's pack, which :meth:`Writer.fault` has counted, ends the match."""
    return not isinstance(error, ProcessLost) or live.process_losses >= PROCESS_LOSSES


async def acquire_write_lock(live: LiveMatch) -> None:
    """Acquire the write lock of a match, which only one write of this service holds at a time, in order of arrival."""
    await wait_for_write_lock(live, queue_for_write_lock(live))


def queue_for_write_lock(live: LiveMatch, limit: int | None = None) -> asyncio.Future[None] | None:
    """Join the queue for the write lock, which keeps the match in memory; returns None if the lock was free.

    Raises LimitReached if ``limit`` writes wait already.
    """
    if live.write_queue is None:
        live.write_queue = deque()
        return None
    if limit is not None and len(live.write_queue) >= limit:
        message = f"{limit} writes to this match are queued already"
        raise LimitReached("queued_writes", limit, message, RETRY_MS)
    waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    live.write_queue.append(waiter)
    return waiter


async def wait_for_write_lock(live: LiveMatch, waiter: asyncio.Future[None] | None) -> None:
    """Wait for the write lock after :func:`queue_for_write_lock`, which returned ``waiter``."""
    if waiter is None:
        return
    try:
        await waiter
    except asyncio.CancelledError:
        if waiter.done() and not waiter.cancelled():
            release_write_lock(live)
        raise


def release_write_lock(live: LiveMatch) -> None:
    """Release the write lock, which the next write in the queue gets."""
    waiting = live.write_queue
    while waiting:
        next_writer = waiting.popleft()
        if not next_writer.done():
            next_writer.set_result(None)
            return
    live.write_queue = None
