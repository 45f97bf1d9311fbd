"""The application service: everything that can be done with matches, whatever lane of the wire asks for it.

Values of :mod:`engine_service.model` and messages of packs go in and come out; refusals are raised as
:class:`engine_service.errors.EngineError`. Nothing here knows gRPC.

One event loop: all methods belong to the loop that :meth:`MatchHost.start` was awaited on. Every write follows one
rule: plan on a copy, put it on disk, only then change what others see. A write that fails has changed nothing. A write
with a ``request_id`` that comes again gets its first answer; a match told along with it is told as it stands then.

A ``request_id`` belongs to who calls: to the token, or where the answer brings one, to the ``client_key``.

Any call that takes a token raises TokenInvalid for one that is not of the match, before it waits for anything that
others wait for too; any that names a match
UnknownMatch (or RulesNotLoaded or CardSetNotLoaded, for one stored under others), any that writes StoreUnavailable,
ShuttingDown, RequestIdReused or InvalidField (request_id), any that asks the pack PackFault. Methods list only what
else they raise.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import cast

from google.protobuf.message import Message

from engine_service.errors import (
    MatchNotStarted,
)
from engine_service.hosting.admission import Admission
from engine_service.hosting.core import Core
from engine_service.hosting.creation import Creation
from engine_service.hosting.endings import OPERATOR, Endings
from engine_service.hosting.invitations import Players
from engine_service.hosting.listing import legal_page, list_matches
from engine_service.hosting.replays import ReplayReader
from engine_service.hosting.shelf import TokenCheck
from engine_service.hosting.undoing import Undoing
from engine_service.limits import Limits
from engine_service.log.signing import SigningKey
from engine_service.matches import express, tokens, undo
from engine_service.matches import seats as seating
from engine_service.matches.absence import resign
from engine_service.matches.draft import Draft
from engine_service.matches.info import info_of_row
from engine_service.matches.match import LiveMatch
from engine_service.matches.moves import Moves, submitted
from engine_service.matches.progress import Progress
from engine_service.matches.requests import Answer, Request
from engine_service.matches.supply import supply
from engine_service.model import (
    ChanceAnswer,
    Created,
    ForkSetup,
    Joined,
    LegalPage,
    MatchInfo,
    MatchPage,
    MatchQuery,
    MatchSetup,
    MatchState,
    Observed,
    Submitted,
    UndoAnswer,
)
from engine_service.stats import Stats
from engine_service.store.base import Store
from engine_service.timing import SystemTime, TimeSource
from gamepacks.api.registry import Registry
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Code, Seat, Viewer
from omnilude.v1.replay_pb2 import Replay


class MatchHost:
    """Hosts matches. See the module for the rules that all methods follow."""

    def __init__(
        self,
        registry: Registry,
        store: Store,
        *,
        secret: bytes,
        limits: Limits,
        signing_key: SigningKey,
        engine_version: str,
        keep_ended_days: int = 0,
        time: TimeSource | None = None,
    ) -> None:
        """``secret`` (32 bytes) keys all tokens, ``signing_key`` signs the replays of matches played here;
        ``keep_ended_days`` is how long matches that have ended are kept (0: for ever); ``time`` is replaced in tests
        only."""
        self._core = Core(registry, store, secret, limits, time or SystemTime(), keep_ended_days, self._delete_old)
        self._endings = Endings(self._core)
        self._admission = Admission(self._core, Creation(registry, limits, engine_version))
        self._undoing = Undoing(self._core)
        self._moves = Moves(self._core.stats, self._core.bots.decide)
        self._replays = ReplayReader(self._core.shelf, store, signing_key)
        self.signing_key = signing_key.public
        """What the signatures of replays are checked with."""

    @property
    def stats(self) -> Stats:
        """Counters since the start."""
        return self._core.stats

    @property
    def players(self) -> Players:
        """Who is connected under a name, and can be invited to seats."""
        return self._core.players

    @property
    def limits(self) -> Limits:
        """What is configured."""
        return self._core.limits

    @property
    def live_count(self) -> int:
        """Matches in memory."""
        return len(self._core.shelf)

    async def start(self) -> None:
        """Take up unfinished matches that need the service itself: running clocks, service bots to move."""
        await self._core.start()

    async def drain(self, timeout_s: float) -> None:
        """Refuse writes from now on (ShuttingDown), stop clocks and bots, wait for the writes under way."""
        await self._core.drain(timeout_s)

    async def close(self) -> None:
        """drain() without a limit of time, and close the store."""
        await self._core.drain(None)
        await self._core.store.close()

    # -- matches ---------------------------------------------------------------------------------------------------

    async def create(self, setup: MatchSetup, request_id: str = "", client_key: str = "") -> Created:
        """A new match; it starts at once where all seats are taken (bots, invited players who are connected).

        Raises UnknownGame, UnknownBot, InvalidPlayerCount, InvalidOption, InvalidPosition, InvalidField,
        MalformedMessage, LimitReached.
        """
        request = Request.of_client(self.limits, "create", "", client_key, request_id, setup)
        return await self._admission.create(setup, request)

    async def get(self, name: str) -> MatchInfo:
        """One match. ``name`` is ``matches/{id}`` everywhere."""
        live = self.peek(name)
        return live.info() if live is not None else info_of_row(await self._core.shelf.row(name))

    async def list(self, query: MatchQuery) -> MatchPage:
        """Matches, newest first. Raises InvalidField, InvalidPageToken."""
        core = self._core
        return await list_matches(query, core.shelf, core.store, core.limits)

    async def join(
        self,
        name: str,
        player: str,
        seat: Seat | None = None,
        token: str = "",
        request_id: str = "",
        client_key: str = "",
    ) -> Joined:
        """Take a seat (None: the first free one); the host's token opens one that is kept for an invited player.

        Raises SeatTaken, UnknownSeat, MatchStarted, MatchEnded, NotAllowed, InvalidField.
        """
        core = self._core
        seating.check_name(player, "player", core.limits)
        live = await self.find(name, token, seating.viewer_of)

        def free_seat(now: Progress) -> Seat:
            viewer = seating.viewer_of(token, now.seats, live.host_digest)
            seating.check_waiting(now)
            return seating.free_seat(now, seat, viewer == OMNISCIENT)

        def plan(draft: Draft) -> Answer:
            free = free_seat(draft.after)
            nonce = tokens.new_nonce()
            seating.sit(draft, free, player, nonce, core.secret)
            seating.start_if_full(draft, core.bots.decide)
            return free, int.from_bytes(nonce)

        request = Request.of_client(self.limits, "join", name, client_key, request_id, player, seat, token)
        if not await core.writer.answered(live, request):
            free_seat(live.now)  # whoever cannot have one does not wait with those who play
        taken, nonce = await core.writer.write(live, plan, request)
        # The nonce is the answer's own: by now the seat may be another player's.
        minted = tokens.mint(core.secret, live.header.uid, taken, nonce.to_bytes(tokens.NONCE_BYTES))
        return Joined(live.info(Viewer(taken)), Seat(taken), minted)

    async def leave(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Give the token's seat back before the start. Raises TokenMissing, NotAllowed, MatchStarted, MatchEnded."""
        return await self._endings.leave(name, token, self._request("leave", name, request_id, token))

    async def start_match(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Start a match with manual_start. Raises TokenMissing, NotAllowed, SeatsOpen, MatchStarted, MatchEnded."""

        def plan(draft: Draft, live: LiveMatch) -> Answer:
            seating.require_host(token, draft.after.seats, live.host_digest)
            seating.start_by_host(draft, self._core.bots.decide)
            return ()

        return await self._change(
            name, token, seating.require_host, plan, self._request("start", name, request_id, token)
        )

    async def cancel(self, name: str, token: str | None, reason: str = "", request_id: str = "") -> MatchInfo:
        """End the match without a result; no token (OPERATOR): on behalf of the operator.

        Raises TokenMissing, NotAllowed, MatchEnded, InvalidField; not RulesNotLoaded or CardSetNotLoaded.
        """
        undo.check_reason(reason, self.limits)
        request = self._request("cancel", name, request_id, token, reason)
        return await self._endings.cancel(name, token, reason, request)

    async def delete(self, name: str, request_id: str = "") -> None:
        """Delete a match that has ended, on behalf of the operator. Raises MatchNotEnded; not RulesNotLoaded or
        CardSetNotLoaded."""
        await self._endings.delete(name, self._request("delete", name, request_id, OPERATOR))

    async def observe(self, name: str, token: str = "", seq: int | None = None) -> Observed:
        """The match and what the caller sees of the game, or saw after record ``seq`` (None before the start).

        Raises InvalidField where there is no such record.
        """
        live = await self.find(name, token, seating.viewer_of)
        viewer = live.viewer_of(token)
        if seq is not None:
            return Observed(live.info(viewer), live.observe_past(viewer, seq))
        return Observed(live.info(viewer), live.observe(viewer) if live.in_play else None)

    # -- play ------------------------------------------------------------------------------------------------------

    async def legal_actions(
        self, name: str, token: str, *, typed: bool = False, page_size: int = 0, page_token: str = ""
    ) -> LegalPage:
        """The legal actions of the token's seat, none where it owes no decision.

        Raises TokenMissing, NotAllowed, MatchNotStarted, InvalidField, InvalidPageToken.
        """
        live = await self.find(name, token, seating.seat_of)
        seat = live.seat_of(token)
        if not live.in_play:
            raise MatchNotStarted()
        return legal_page(live, seat, typed, page_size, page_token, self.limits)

    async def submit(
        self,
        name: str,
        token: str,
        move: Code | Message,
        *,
        expected_seq: int | None = None,
        validate_only: bool = False,
        request_id: str = "",
    ) -> Submitted:
        """Take an action: a code, the pack's action message, or an Any that holds one.

        Raises TokenMissing, NotAllowed, NotYourTurn, StaleSequence, ActionRefused, MalformedMessage, MatchNotStarted,
        MatchEnded.
        """
        live = await self.find(name, token, seating.seat_of)

        def plan(draft: Draft) -> Answer:
            seat = self._seat(draft, live, token)
            return self._moves.plan(draft, live, seat, move, expected_seq, validate_only)

        request = self._request("submit", name, request_id, token, move, expected_seq, validate_only)
        answer = await self._core.writer.write(live, plan, request)
        return submitted(live, live.viewer_of(token), answer)

    async def resign(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Give the match up for the token's seat. Raises TokenMissing, NotAllowed, MatchNotStarted, MatchEnded."""
        return await self._endings.resign(name, token, self._request("resign", name, request_id, token))

    async def request_undo(
        self, name: str, token: str, to_seq: int | None = None, reason: str = "", request_id: str = ""
    ) -> UndoAnswer:
        """Ask to go back to the state after ``to_seq`` (None: before the seat's last action).

        Raises TokenMissing, NotAllowed, UndoNotAllowed, MatchNotStarted, MatchEnded, InvalidField.
        """
        undo.check_reason(reason, self.limits)
        live = await self.find(name, token, seating.seat_of)
        request = self._request("request_undo", name, request_id, token, to_seq, reason)
        seat_of = partial(self._seat, live=live, token=token)
        answer = await self._undoing.request(live, seat_of, to_seq, reason, request)
        return UndoAnswer(answer.undone, live.numbering.told(live.viewer_of(token), answer.seq))

    async def answer_undo(
        self, name: str, token: str, request_seq: int, accept: bool, reason: str = "", request_id: str = ""
    ) -> UndoAnswer:
        """Agree to the request that record ``request_seq`` made, or refuse it.

        Raises TokenMissing, NotAllowed, NoUndoPending, InvalidField.
        """
        live = await self.find(name, token, seating.seat_of)
        request = self._request("answer_undo", name, request_id, token, request_seq, accept, reason)
        seat_of = partial(self._seat, live=live, token=token)
        answer = await self._undoing.answer(live, seat_of, request_seq, accept, reason, request)
        return UndoAnswer(answer.undone, live.numbering.told(live.viewer_of(token), answer.seq))

    async def withdraw_undo(self, name: str, token: str, request_id: str = "") -> int:
        """Withdraw the seat's own request; returns the newest record's seq.

        Raises TokenMissing, NotAllowed, NoUndoPending.
        """
        live = await self.find(name, token, seating.seat_of)
        request = self._request("withdraw_undo", name, request_id, token)
        seq = await self._undoing.withdraw(live, partial(self._seat, live=live, token=token), request)
        return live.numbering.told(live.viewer_of(token), seq)

    async def provide_outcomes(
        self, name: str, token: str, codes: Sequence[Code], request_id: str = ""
    ) -> ChanceAnswer:
        """Outcomes for the chance nodes to come, in order; each is checked when its node comes.

        An impossible one is dropped with all behind it; where its node is reached at once, the whole call is refused.
        Raises TokenMissing, NotAllowed, ChanceNotAwaited, ActionRefused, MatchEnded, InvalidField, LimitReached.
        """
        live = await self.find(name, token, seating.require_host)

        def plan(draft: Draft) -> Answer:
            seating.require_host(token, draft.after.seats, live.host_digest)
            return supply(draft, codes, self._core.bots.decide, self.limits), draft.after.seq

        request = self._request("provide_outcomes", name, request_id, token, tuple(codes))
        return ChanceAnswer(*await self._core.writer.write(live, plan, request))

    # -- copies ----------------------------------------------------------------------------------------------------

    async def fork(
        self,
        name: str,
        setup: ForkSetup,
        seq: int = 0,
        token: str = "",
        request_id: str = "",
        client_key: str = "",
    ) -> Created:
        """Copy a match up to record ``seq`` (0: from the start of play) into a new one.

        The caller has been found to be one who may create matches. Raises MatchNotEnded (secrets, and not the host's
        token), InvalidField (no decision stands after ``seq``), and as :meth:`create`.
        """
        request = Request.of_client(self.limits, "fork", name, client_key, request_id, setup, seq, token)
        return await self._admission.fork(name, setup, seq, token, request)

    async def get_replay(self, name: str, token: str = "") -> Replay:
        """The whole log; before the end for the host only. Raises MatchNotEnded."""
        return await self._replays.read(name, token)

    async def import_replay(self, data: bytes) -> MatchInfo:
        """Verify the replay of an ended match and keep it under its own name, as one that was imported.

        Raises ReplayTorn, ReplayInvalid, RulesNotLoaded, CardSetNotLoaded, MatchExists, LimitReached.
        """
        return await self._admission.take_in_replay(data)

    # -- streams: authenticate once, then act on the match itself ----------------------------------------------------

    async def find(self, name: str, token: str = "", check: TokenCheck | None = None) -> LiveMatch:
        """The match, loaded from the store where it is not in memory, once ``check`` has let the token pass.

        Raises LimitReached.
        """
        live = await self._core.shelf.find(name, token, check)
        self._core.shelf.touch(live)
        return live

    def peek(self, name: str) -> LiveMatch | None:
        """The match, if it is in memory."""
        return self._core.shelf.peek(name)

    def play(
        self, live: LiveMatch, seat: Seat, move: Code | Message, expected_seq: int
    ) -> Submitted | Awaitable[Submitted]:
        """:meth:`submit` for a stream that has shown the seat's token: at once where nothing has to be waited for.

        An ephemeral match answers at once, after its listeners were told; else the answer (or the error) comes from the
        awaitable. Raises as :meth:`submit`.
        """
        if live.ephemeral and not live.gone:
            core = self._core
            if not core.writer.closing:
                numbering = live.numbering
                expected = numbering.last(seat, expected_seq)
                before = express.move(live, seat, move, expected, core.limits.log_records)
                if before is not None:
                    core.moved(live, before)
                    taken, newest = numbering.told(seat, before.seq + 1), numbering.told(seat, live.now.seq)
                    return Submitted(taken, newest, MatchState.ACTIVE, cast(Code, move))
            plan = partial(self._moves.plan, live=live, seat=seat, move=move, expected_seq=expected_seq)
            return submitted(live, seat, self._core.writer.write_now(live, plan))
        return self._play(live, seat, move, expected_seq)

    async def _play(self, live: LiveMatch, seat: Seat, move: Code | Message, expected_seq: int) -> Submitted:
        here = await self._here(live)
        plan = partial(self._moves.plan, live=here, seat=seat, move=move, expected_seq=expected_seq)
        return submitted(here, seat, await self._core.writer.write(here, plan))

    async def resign_seat(self, live: LiveMatch, seat: Seat) -> None:
        """:meth:`resign` for a stream. Raises MatchNotStarted, MatchEnded."""

        def plan(draft: Draft) -> Answer:
            resign(draft, seat, self._core.bots.decide)
            return ()

        await self._core.writer.write(await self._here(live), plan)

    async def answer_undo_for(
        self, live: LiveMatch, seat: Seat, request_seq: int, accept: bool, reason: str = ""
    ) -> UndoAnswer:
        """:meth:`answer_undo` for a stream, but with the match's own seq. Raises NoUndoPending, InvalidField."""
        here = await self._here(live)
        return await self._undoing.answer(here, lambda draft: seat, request_seq, accept, reason)

    async def withdraw_undo_for(self, live: LiveMatch, seat: Seat) -> int:
        """:meth:`withdraw_undo` for a stream, but with the match's own seq. Raises NoUndoPending."""
        return await self._undoing.withdraw(await self._here(live), lambda draft: seat, None)

    async def _delete_old(self, before_uptime_ms: int, most: int) -> int:
        return await self._endings.delete_old(before_uptime_ms, most)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _request(self, method: str, name: str, request_id: str, token: str | None, *asked: object) -> Request | None:
        return Request.of(self.limits, method, name, token or "", request_id, *asked)

    async def _here(self, live: LiveMatch) -> LiveMatch:
        """The object that stands for the match now."""
        return await self.find(live.name) if live.gone else live

    @staticmethod
    def _seat(draft: Draft, live: LiveMatch, token: str) -> Seat:
        return seating.seat_of(token, draft.after.seats, live.host_digest)

    async def _change(
        self,
        name: str,
        token: str,
        check: TokenCheck,
        plan: Callable[[Draft, LiveMatch], Answer],
        request: Request | None,
    ) -> MatchInfo:
        live = await self.find(name, token, check)
        viewer = live.viewer_of(token) if len(live.numbering) else SPECTATOR
        await self._core.writer.write(live, lambda draft: plan(draft, live), request)
        return live.info(viewer)
