"""Ends of seats and matches for other reasons than the rules: leaving, resigning, cancelling, deleting.

A match in memory ends by a draft, like every write. A match whose rules or cards are not loaded here has no state, but
a seat can still leave or resign, and the match can be cancelled: the record is added from the stored row alone. If the
match is over then (one seat is left), the service records that as soon as the rules are loaded again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine_service.errors import (
    CardSetNotLoaded,
    EngineError,
    MatchEnded,
    MatchNotEnded,
    MatchNotStarted,
    MatchStarted,
    RulesNotLoaded,
    ShuttingDown,
    StaleSequence,
    TokenInvalid,
    UnknownMatch,
)
from engine_service.hosting.runtime import MatchRuntime
from engine_service.log.header import Header
from engine_service.log.records import Record, chain_all
from engine_service.match_enums import AbsencePolicy, EndReason, MatchState, RecordKind
from engine_service.matches import seats as seating
from engine_service.matches import tokens
from engine_service.matches.absence import resign
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer, Request
from engine_service.matches.match import LiveMatch
from engine_service.matches.rows import end_update, info_of_row
from engine_service.matches.tokens import TokenCheck
from engine_service.model import MatchInfo, has_ended
from engine_service.store.base import Append, MatchRow, RequestConflict, RowUpdate, SeatRow, SequenceConflict
from gamepacks.api.types import Seat

OPERATOR = None
"""Placeholder for the token in calls of the operator of the service."""


def _accept_any(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> None:
    """Accept any token: the operator was authenticated before."""


class Endings:
    """Ends matches by drafts, or by their rows if their rules are not loaded."""

    def __init__(self, runtime: MatchRuntime) -> None:
        self._runtime = runtime

    async def leave(self, name: str, token: str, request: Request | None) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.leave`."""

        def plan(draft: Draft, live: LiveMatch) -> Answer:
            seating.leave_seat(draft, tokens.seat_of(token, draft.after.seats, live.host_digest))
            return ()

        try:
            return await self._change(name, token, tokens.seat_of, plan, request)
        except TokenInvalid:
            # The first of two such calls has left the seat, and its token is void since.
            if request is None:
                raise
            live = await self._runtime.cache.get_or_load(name)
            if not seating.seat_was_left(live.log) or not await self._runtime.writer.answered(live, request):
                raise
            return live.info()
        except (RulesNotLoaded, CardSetNotLoaded):
            return await write_to_row(self._runtime, name, plan_leave(_seat_of(token)), request)

    async def resign(self, name: str, token: str, request: Request | None) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.resign`."""

        def plan(draft: Draft, live: LiveMatch) -> Answer:
            resign(draft, tokens.seat_of(token, draft.after.seats, live.host_digest), self._runtime.bots.decide)
            return ()

        try:
            return await self._change(name, token, tokens.seat_of, plan, request)
        except (RulesNotLoaded, CardSetNotLoaded) as missing:
            return await write_to_row(self._runtime, name, plan_resign(_seat_of(token), missing), request)

    async def cancel(self, name: str, token: str | None, reason: str, request: Request | None) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.cancel`."""
        check: TokenCheck = _accept_any if token is OPERATOR else tokens.require_host
        shown = token or ""

        def plan(draft: Draft, live: LiveMatch) -> Answer:
            check(shown, draft.after.seats, live.host_digest)
            if has_ended(draft.after.state):
                raise MatchEnded()
            draft.record(RecordKind.CANCELLED, text=reason)
            return ()

        try:
            return await self._change(name, shown, check, plan, request)
        except (RulesNotLoaded, CardSetNotLoaded):
            by_row = plan_cancel(
                lambda row: check(shown, row.seats, row.host_digest), reason, self._runtime.time.wall_ms()
            )
            return await write_to_row(self._runtime, name, by_row, request)

    async def delete(self, name: str, request: Request | None = None) -> None:
        """See :meth:`engine_service.hosting.host.MatchHost.delete`."""
        runtime = self._runtime
        if await runtime.writer.stored_answer(request) is not None:
            return
        live = runtime.cache.get_cached(name)
        if live is not None and live.ephemeral:
            if not has_ended(live.state):
                raise MatchNotEnded("deleting it", host_may=False)
            runtime.cache.remove(name)
        else:
            row = await runtime.cache.row(name)
            if not has_ended(row.state):
                raise MatchNotEnded("deleting it", host_may=False)
            uptime_ms = runtime.uptime_at(runtime.time.monotonic_ms())
            stored = None if request is None else request.stored((), uptime_ms)
            try:
                await runtime.writer.run_to_end(runtime.store.delete(row.key, stored))
            except RequestConflict:
                return
            runtime.cache.remove(name)
        runtime.stats.matches_deleted += 1

    async def delete_old(self, before_uptime_ms: int, limit: int) -> int:
        """Delete stored matches that had ended before that uptime of the service; returns their number."""
        names = await self._runtime.store.ended_before(before_uptime_ms, limit)
        for name in names:
            try:
                await self.delete(name)
            except UnknownMatch:
                continue  # the operator has deleted it meanwhile
        return len(names)

    async def _change(
        self,
        name: str,
        token: str,
        check: TokenCheck,
        plan: Callable[[Draft, LiveMatch], Answer],
        request: Request | None,
    ) -> MatchInfo:
        live = await self._runtime.cache.get_or_load(name, token, check)
        self._runtime.cache.touch(live)
        viewer = live.viewer_of(token)
        await self._runtime.writer.write(live, lambda draft: plan(draft, live), request)
        return live.info(viewer)


def _seat_of(token: str) -> Callable[[MatchRow], Seat]:
    return lambda row: tokens.seat_of(token, row.seats, row.host_digest)


ATTEMPTS = 5
"""Number of attempts at a write that conflicts with other writes."""


@dataclass(frozen=True, slots=True)
class RowWrite:
    """A record to add, and what it changes of the row."""

    kind: RecordKind
    update: RowUpdate
    seat: int = -1
    text: str = ""


SeatOf = Callable[[MatchRow], int]
"""Returns the caller's seat. Raises TokenMissing, TokenInvalid, NotAllowed."""


def plan_leave(seat_of: SeatOf) -> Callable[[MatchRow], RowWrite]:
    """Returns a plan to leave a seat before the start. Raises MatchStarted, MatchEnded."""

    def plan(row: MatchRow) -> RowWrite:
        if row.state != MatchState.WAITING:
            raise MatchEnded() if has_ended(row.state) else MatchStarted()
        seat = seat_of(row)
        setup = Header.decode(row.header).seats[seat]
        return RowWrite(RecordKind.LEFT, _with_seat(row, seat, SeatRow(int(setup.kind), setup.player)), seat)

    return plan


def plan_resign(seat_of: SeatOf, missing: EngineError) -> Callable[[MatchRow], RowWrite | None]:
    """Returns a plan to resign.

    Raises MatchNotStarted, MatchEnded; ``missing`` if the seat is the only one left and has won, which only the rules
    can record.
    """

    def plan(row: MatchRow) -> RowWrite | None:
        if row.state != MatchState.ACTIVE:
            raise MatchEnded() if has_ended(row.state) else MatchNotStarted()
        seat = seat_of(row)
        if row.seats[seat].out:
            return None
        forfeit = Header.decode(row.header).policy.absence is AbsencePolicy.FORFEIT
        if forfeit and sum(not other.out for other in row.seats) == 1:
            raise missing
        return RowWrite(RecordKind.RESIGNED, _with_seat(row, seat, replace(row.seats[seat], out=True)), seat)

    return plan


def plan_cancel(may_cancel: Callable[[MatchRow], object], reason: str, now_ms: int) -> Callable[[MatchRow], RowWrite]:
    """Returns a plan to cancel the match. Raises MatchEnded, and what ``may_cancel`` raises."""

    def plan(row: MatchRow) -> RowWrite:
        may_cancel(row)
        if has_ended(row.state):
            raise MatchEnded()
        ended = end_update(MatchState.CANCELLED, EndReason.CANCELLED, now_ms)
        return RowWrite(RecordKind.CANCELLED, ended, text=reason)

    return plan


async def write_to_row(
    runtime: MatchRuntime, name: str, plan: Callable[[MatchRow], RowWrite | None], request: Request | None
) -> MatchInfo:
    """Write the record of a plan to a match that is not in memory.

    Raises what the plan raises, UnknownMatch, StaleSequence, StoreUnavailable, ShuttingDown, RequestIdReused.
    """
    for _ in range(ATTEMPTS):
        if runtime.writer.closing:
            raise ShuttingDown()
        row = await runtime.cache.row(name)
        if await runtime.writer.stored_answer(request) is not None:
            return info_of_row(row)
        step = plan(row)
        if step is None:
            return info_of_row(row)
        try:
            await runtime.writer.run_to_end(_append(runtime, row, step, request))
        except (RequestConflict, SequenceConflict):
            continue
        return info_of_row(await runtime.cache.row(name))
    raise StaleSequence(row.last_seq)


async def _append(runtime: MatchRuntime, row: MatchRow, step: RowWrite, request: Request | None) -> None:
    header = Header.decode(row.header)
    newest = (await runtime.store.records(row.key, row.last_seq - 1, 1))[-1].time_ms if row.last_seq else 0
    # Clocks do not run here, as while the service is down.
    now = 0 if header.time_control is not None else runtime.time.wall_ms() - header.create_ms
    record = Record(row.last_seq + 1, step.kind, step.seat, time_ms=max(newest, now), text=step.text)
    uptime_ms = runtime.uptime_at(runtime.time.monotonic_ms())
    stored = None if request is None else request.stored((), uptime_ms)
    ended = step.update.state is not None
    to_act = 0 if ended else row.to_act & ~(1 << step.seat)
    clock_ms = row.uptime_ms if header.time_control is not None and not ended else uptime_ms
    chain = chain_all(row.chain, [record])
    await runtime.store.append(
        Append(
            row.key,
            row.last_seq,
            [record],
            chain,
            step.update,
            stored,
            uptime_ms=clock_ms,
            to_act=to_act,
            expected_outcomes=row.queued_outcomes,
        )
    )
    if ended:
        runtime.stats.matches_ended += 1
        runtime.players.release(row.name, header.seats)
        runtime.notify(row.name, row.game, step.kind)


def _with_seat(row: MatchRow, seat: int, changed: SeatRow) -> RowUpdate:
    return RowUpdate(seats=(*row.seats[:seat], changed, *row.seats[seat + 1 :]))
