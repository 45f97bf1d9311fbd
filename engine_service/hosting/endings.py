"""How seats and matches end before play does: left, given up, cancelled, deleted; by players, host or operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine_service.errors import (
    CardSetNotLoaded,
    MatchEnded,
    MatchNotEnded,
    RulesNotLoaded,
    TokenInvalid,
    UnknownMatch,
)
from engine_service.hosting import unplayable
from engine_service.hosting.core import Core
from engine_service.hosting.shelf import TokenCheck
from engine_service.log.records import RecordKind
from engine_service.matches import seats as seating
from engine_service.matches.absence import resign
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.requests import Answer, Request
from engine_service.model import MatchInfo, MatchState
from engine_service.store.base import MatchRow, RequestConflict, SeatRow
from gamepacks.api.types import Seat

OPERATOR = None
"""In the place of a token: the caller is the operator of the service."""


def _anyone(token: str, seats: Sequence[SeatRow], host_digest: bytes) -> None:
    """For the operator, whose right was found before."""


class Endings:
    """Matches in memory end by a draft, like every write; those whose rules are not here, by their rows."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def leave(self, name: str, token: str, request: Request | None) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.leave`."""

        def plan(draft: Draft, live: LiveMatch) -> Answer:
            seating.get_up(draft, seating.seat_of(token, draft.after.seats, live.host_digest))
            return ()

        try:
            return await self._change(name, token, seating.seat_of, plan, request)
        except TokenInvalid:
            # The first of two such calls has given the seat back, and its token with it.
            if request is None:
                raise
            live = await self._core.shelf.find(name)
            if not seating.somebody_left(live.log) or not await self._core.writer.answered(live, request):
                raise
            return live.info()
        except (RulesNotLoaded, CardSetNotLoaded):
            return await unplayable.write(self._core, name, unplayable.leaving(_seat_of(token)), request)

    async def resign(self, name: str, token: str, request: Request | None) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.resign`."""

        def plan(draft: Draft, live: LiveMatch) -> Answer:
            resign(draft, seating.seat_of(token, draft.after.seats, live.host_digest), self._core.bots.decide)
            return ()

        try:
            return await self._change(name, token, seating.seat_of, plan, request)
        except (RulesNotLoaded, CardSetNotLoaded) as missing:
            return await unplayable.write(self._core, name, unplayable.resigning(_seat_of(token), missing), request)

    async def cancel(self, name: str, token: str | None, reason: str, request: Request | None) -> MatchInfo:
        """See :meth:`engine_service.hosting.host.MatchHost.cancel`."""
        check: TokenCheck = _anyone if token is OPERATOR else seating.require_host
        shown = token or ""

        def plan(draft: Draft, live: LiveMatch) -> Answer:
            check(shown, draft.after.seats, live.host_digest)
            if draft.after.state.ended:
                raise MatchEnded()
            draft.record(RecordKind.CANCELLED, text=reason)
            return ()

        try:
            return await self._change(name, shown, check, plan, request)
        except (RulesNotLoaded, CardSetNotLoaded):
            by_row = unplayable.cancelling(
                lambda row: check(shown, row.seats, row.host_digest), reason, self._core.time.wall_ms()
            )
            return await unplayable.write(self._core, name, by_row, request)

    async def delete(self, name: str, request: Request | None = None) -> None:
        """See :meth:`engine_service.hosting.host.MatchHost.delete`."""
        core = self._core
        if await core.writer.known_answer(request) is not None:
            return
        live = core.shelf.peek(name)
        if live is not None and live.ephemeral:
            if not live.state.ended:
                raise MatchNotEnded("its deletion", host_may=False)
            core.shelf.forget(name)
        else:
            row = await core.shelf.row(name)
            if not MatchState(row.state).ended:
                raise MatchNotEnded("its deletion", host_may=False)
            uptime_ms = core.uptime_at(core.time.monotonic_ms())
            stored = None if request is None else request.stored((), uptime_ms)
            try:
                await core.writer.finish(core.store.delete(row.key, stored))
            except RequestConflict:
                return
            core.shelf.forget(name)
        core.stats.matches_deleted += 1

    async def delete_old(self, before_uptime_ms: int, most: int) -> int:
        """Delete stored matches that had ended before that uptime of the service; returns how many there were."""
        names = await self._core.store.ended_before(before_uptime_ms, most)
        for name in names:
            try:
                await self.delete(name)
            except UnknownMatch:
                continue  # the operator was quicker
        return len(names)

    async def _change(
        self,
        name: str,
        token: str,
        check: TokenCheck,
        plan: Callable[[Draft, LiveMatch], Answer],
        request: Request | None,
    ) -> MatchInfo:
        live = await self._core.shelf.find(name, token, check)
        self._core.shelf.touch(live)
        viewer = live.viewer_of(token)
        await self._core.writer.write(live, lambda draft: plan(draft, live), request)
        return live.info(viewer)


def _seat_of(token: str) -> Callable[[MatchRow], Seat]:
    return lambda row: seating.seat_of(token, row.seats, row.host_digest)
