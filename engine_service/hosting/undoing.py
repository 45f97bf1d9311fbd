"""Going back, as writes to a match: the plans of :mod:`engine_service.matches.undo`, and what then comes of itself."""

from __future__ import annotations

from collections.abc import Callable

from engine_service.hosting.core import Core
from engine_service.matches import undo
from engine_service.matches.absence import check_active
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import settle
from engine_service.matches.requests import Answer, Request
from engine_service.model import UndoAnswer
from gamepacks.api.types import Seat

SeatOf = Callable[[Draft], Seat]
"""The seat of who calls. Raises TokenMissing, TokenInvalid, NotAllowed."""


class Undoing:
    """Requests to go back, and answers to them. See the methods of MatchHost that are named alike.

    ``to_seq`` and ``request_seq`` are the seat's numbers, as they come from it; what is returned has the match's own.
    """

    def __init__(self, core: Core) -> None:
        self._core = core

    async def request(
        self, live: LiveMatch, seat_of: SeatOf, to_seq: int | None, reason: str, request: Request | None
    ) -> UndoAnswer:
        """Ask to go back."""

        def plan(draft: Draft) -> Answer:
            seat = seat_of(draft)
            check_active(draft.after)
            undone = undo.request(draft, live, seat, to_seq, reason)
            settle(draft, self._core.bots.decide)
            return int(undone), draft.after.seq

        undone, seq = await self._core.writer.write(live, plan, request)
        return UndoAnswer(bool(undone), seq)

    async def answer(
        self,
        live: LiveMatch,
        seat_of: SeatOf,
        request_seq: int,
        accept: bool,
        reason: str,
        request: Request | None = None,
    ) -> UndoAnswer:
        """Agree to the request that record ``request_seq`` made, or refuse it."""
        undo.check_answer(request_seq, reason, self._core.limits)

        def plan(draft: Draft) -> Answer:
            undone = undo.answer(draft, live, seat_of(draft), request_seq, accept, reason)
            settle(draft, self._core.bots.decide)
            return int(undone), draft.after.seq

        undone, seq = await self._core.writer.write(live, plan, request)
        return UndoAnswer(bool(undone), seq)

    async def withdraw(self, live: LiveMatch, seat_of: SeatOf, request: Request | None) -> int:
        """Withdraw a request; returns the newest record's seq."""

        def plan(draft: Draft) -> Answer:
            undo.withdraw(draft, seat_of(draft))
            return (draft.after.seq,)

        (seq,) = await self._core.writer.write(live, plan, request)
        return seq
