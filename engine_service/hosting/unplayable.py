"""Matches whose rules or cards this service does not have: what can be done with one nevertheless.

A seat can be given back or given up, and the match can be cancelled: none of that needs the state of play. The record
is added by the row alone. What follows of it by the rules (play is over because one seat is left) follows when they are
here again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine_service.errors import EngineError, MatchEnded, MatchNotStarted, MatchStarted, ShuttingDown, StaleSequence
from engine_service.hosting.core import Core
from engine_service.log.header import Header
from engine_service.log.records import Record, RecordKind, chain_all
from engine_service.matches.info import info_of_row
from engine_service.matches.requests import Request
from engine_service.matches.rows import ended_without_play
from engine_service.model import AbsencePolicy, EndReason, MatchInfo, MatchState
from engine_service.store.base import MatchRow, MatchUpdate, RequestConflict, SeatRow, SequenceConflict

ATTEMPTS = 5
"""A write that somebody else's has overtaken is planned anew so often."""


@dataclass(frozen=True, slots=True)
class Step:
    """A record that is to be added, and what it changes of the row."""

    kind: RecordKind
    update: MatchUpdate
    seat: int = -1
    text: str = ""


SeatOf = Callable[[MatchRow], int]
"""The seat of whoever calls. Raises TokenMissing, TokenInvalid, NotAllowed."""


def leaving(seat_of: SeatOf) -> Callable[[MatchRow], Step]:
    """Give a seat back before the start. Raises MatchStarted, MatchEnded."""

    def plan(row: MatchRow) -> Step:
        if row.state != MatchState.WAITING:
            raise MatchEnded() if MatchState(row.state).ended else MatchStarted()
        seat = seat_of(row)
        meant = Header.decode(row.header).seats[seat]
        return Step(RecordKind.LEFT, _with_seat(row, seat, SeatRow(int(meant.kind), meant.player)), seat)

    return plan


def resigning(seat_of: SeatOf, missing: EngineError) -> Callable[[MatchRow], Step | None]:
    """Give a seat up.

    Raises MatchNotStarted, MatchEnded; ``missing`` where the seat is the only one left and has won, which the rules
    must say.
    """

    def plan(row: MatchRow) -> Step | None:
        if row.state != MatchState.ACTIVE:
            raise MatchEnded() if MatchState(row.state).ended else MatchNotStarted()
        seat = seat_of(row)
        if row.seats[seat].out:
            return None
        forfeit = Header.decode(row.header).policy.absence is AbsencePolicy.FORFEIT
        if forfeit and sum(not other.out for other in row.seats) == 1:
            raise missing
        return Step(RecordKind.RESIGNED, _with_seat(row, seat, replace(row.seats[seat], out=True)), seat)

    return plan


def cancelling(may_cancel: Callable[[MatchRow], object], reason: str, now_ms: int) -> Callable[[MatchRow], Step]:
    """End the match without a result. Raises MatchEnded, and what ``may_cancel`` raises."""

    def plan(row: MatchRow) -> Step:
        may_cancel(row)
        if MatchState(row.state).ended:
            raise MatchEnded()
        ended = ended_without_play(MatchState.CANCELLED, EndReason.CANCELLED, now_ms)
        return Step(RecordKind.CANCELLED, ended, text=reason)

    return plan


async def write(core: Core, name: str, plan: Callable[[MatchRow], Step | None], request: Request | None) -> MatchInfo:
    """Add the record of a plan to a match that is not in memory. Raises what the plan raises, UnknownMatch,
    StaleSequence, StoreUnavailable, ShuttingDown, RequestIdReused."""
    for _ in range(ATTEMPTS):
        if core.writer.closing:
            raise ShuttingDown()
        row = await core.shelf.row(name)
        if await core.writer.known_answer(request) is not None:
            return info_of_row(row)
        step = plan(row)
        if step is None:
            return info_of_row(row)
        try:
            await core.writer.finish(_append(core, row, step, request))
        except (RequestConflict, SequenceConflict):
            continue
        return info_of_row(await core.shelf.row(name))
    raise StaleSequence(row.last_seq)


async def _append(core: Core, row: MatchRow, step: Step, request: Request | None) -> None:
    header = Header.decode(row.header)
    newest = (await core.store.records(row.key, row.last_seq - 1, 1))[-1].time_ms if row.last_seq else 0
    # Clocks stand still, as while the service is down.
    now = 0 if header.time_control is not None else core.time.wall_ms() - header.create_ms
    record = Record(row.last_seq + 1, step.kind, step.seat, time_ms=max(newest, now), text=step.text)
    uptime_ms = core.uptime_at(core.time.monotonic_ms())
    stored = None if request is None else request.stored((), uptime_ms)
    ended = step.update.state is not None
    to_act = 0 if ended else row.to_act & ~(1 << step.seat)
    clock_ms = row.uptime_ms if header.time_control is not None and not ended else uptime_ms
    chain = chain_all(row.chain, [record])
    await core.store.append(row.key, row.last_seq, [record], chain, step.update, stored, clock_ms, to_act)
    if ended:
        core.stats.matches_ended += 1
        core.players.forget(row.name, header.seats)
        core.notify(row.name, row.game, step.kind)


def _with_seat(row: MatchRow, seat: int, changed: SeatRow) -> MatchUpdate:
    return MatchUpdate(seats=(*row.seats[:seat], changed, *row.seats[seat + 1 :]))
