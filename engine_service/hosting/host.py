"""The application service: all operations on matches, for every RPC interface.

It takes and returns the values of :mod:`engine_service.model` and messages of packs, and raises
:class:`engine_service.errors.EngineError`. It does not depend on gRPC.

All methods belong to the event loop that :meth:`MatchHost.start` was awaited on. Every write is planned on a copy of
the match, stored, and only then made visible, so a write that fails has changed nothing. A write that is sent again
with the same ``request_id`` returns the first answer, with the current state of the match. A ``request_id`` belongs to
its caller: to the token, or to the ``client_key`` if the answer contains a new token.

Each method documents only its own errors. Besides these, a method that takes a token raises TokenInvalid if the token
is not one of the match, before it waits for anything that others wait for; one that names a match raises
UnknownMatch (RulesNotLoaded or CardSetNotLoaded if the match was stored with rules or cards that are not loaded); one
that writes raises StoreUnavailable, ShuttingDown, RequestIdReused and InvalidField (request_id); one that calls the
pack, PackFault.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import cast

from google.protobuf.message import Message

from engine_service.errors import CardSetNotLoaded, EngineError, MatchNotStarted, RulesNotLoaded
from engine_service.hosting.creation import MatchCreator
from engine_service.hosting.endings import OPERATOR, Endings
from engine_service.hosting.headers import ConfiguredGame, HeaderBuilder
from engine_service.hosting.invitations import Invitee
from engine_service.hosting.listing import legal_page, list_matches
from engine_service.hosting.replays import ReplayExporter, ReplayImporter
from engine_service.hosting.runtime import MatchRuntime
from engine_service.limits import Limits
from engine_service.log.replay import SigningKey
from engine_service.match_enums import MatchState, SeatKind
from engine_service.matches import fast_path, tokens, undo
from engine_service.matches import seats as seating
from engine_service.matches.absence import resign
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer, Request
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import ActionPlanner, provide_outcomes, submitted
from engine_service.matches.rows import info_of_row
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.matches.tokens import TokenCheck
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
    Observed,
    Submitted,
    UndoAnswer,
)
from engine_service.pack_guard import PackRaised, ProcessLost, await_pack
from engine_service.store.base import Store
from engine_service.timing import SystemTime, TimeSource
from gamepacks.api.registry import Registry
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Code, Seat, Viewer
from omnilude.v1.replay_pb2 import Replay


class MatchHost:
    """Hosts matches. The module's docstring has the rules that all methods follow."""

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
        """``secret`` (32 bytes) is the key of all tokens, ``signing_key`` signs the replays of matches played here.
        Ended matches are deleted after ``keep_ended_days`` (0: never). Only tests replace ``time``."""
        runtime = MatchRuntime(registry, store, secret, limits, time or SystemTime(), keep_ended_days, self._delete_old)
        self._runtime = runtime
        self._cache = runtime.cache
        self._writer = runtime.writer
        self._decide = runtime.bots.decide
        self._secret = secret
        self._store = store
        self._endings = Endings(runtime)
        number = 0 if store.replica is None else store.replica.number
        self._creator = MatchCreator(runtime, HeaderBuilder(registry, limits, engine_version, runtime.sealer, number))
        self._actions = ActionPlanner(runtime.stats, self._decide)
        self._exporter = ReplayExporter(runtime, signing_key)
        self._importer = ReplayImporter(runtime)
        self.limits = limits
        self.stats = runtime.stats
        """Counters since the start."""
        self.players = runtime.players
        """The connected players, who can be invited to seats."""
        self.signing_key = signing_key.public
        """The public key that verifies the signatures of replays."""

    async def connect_player(
        self, name: str, key: str, games: frozenset[str], invitee: Invitee, *, additional: bool = False
    ) -> None:
        """Connect a player, who can be invited to seats of these games (none: of all) from now on.

        ``additional``: the player's own connection is at another service, which keeps the name. Raises PlayerNameTaken,
        InvalidField, StoreUnavailable.
        """
        await self._runtime.connect_player(name, key, games, invitee, additional=additional)

    def disconnect_player(self, name: str, invitee: Invitee) -> None:
        """Disconnect a player; nothing happens if another connection has the name."""
        self._runtime.disconnect_player(name, invitee)

    def set_own_addresses(self, address: str, url: str) -> None:
        """Set the addresses at which clients reach this service and none of the others that share its store.

        ``address`` is for gRPC and ``url`` for HTTP; empty if there is none.
        """
        if self._store.replica is not None:
            self._store.replica.address, self._store.replica.own_url = address, url

    @property
    def live_count(self) -> int:
        """Number of matches in memory."""
        return len(self._cache)

    async def start(self) -> None:
        """Load the unfinished matches with running clocks or service seats to act."""
        await self._runtime.start()

    async def drain(self, timeout_s: float) -> None:
        """Refuse new writes (ShuttingDown), stop clocks and bots, and wait for the writes under way."""
        await self._runtime.drain(timeout_s)

    async def close(self) -> None:
        """Drain without a time limit, and close the store."""
        await self._runtime.drain(None)
        await self._store.close()

    # -- matches ---------------------------------------------------------------------------------------------------

    async def create(self, setup: MatchSetup, request_id: str = "", client_key: str = "") -> Created:
        """Create a match; it starts at once if all seats are taken (by bots and connected invited players).

        Raises UnknownGame, UnknownBot, InvalidPlayerCount, InvalidOption, InvalidPosition, InvalidField,
        MalformedMessage, LimitReached.
        """
        request = Request.of_client(self.limits, "create", "", client_key, request_id, setup)
        return await self._creator.create(setup, request)

    def configure(self, setup: MatchSetup) -> ConfiguredGame:
        """Returns the configured game of a request; it uses only the game, the number of seats, options and position.

        Raises UnknownGame, InvalidPlayerCount, InvalidOption, InvalidPosition, InvalidField, MalformedMessage,
        PackFault.
        """
        return self._creator.configure(setup)

    async def configure_replay(self, data: bytes) -> ConfiguredGame:
        """Returns the configured game that a replay file was played with; nothing else of the replay is verified.

        Raises ReplayMalformed, ReplayInvalid, RulesNotLoaded, CardSetNotLoaded, InvalidPosition, PackFault.
        """
        return await self._creator.configure_replay(data)

    async def get(self, name: str) -> MatchInfo:
        """Returns one match. ``name`` is ``matches/{id}`` in all methods."""
        live = await self._cache.get_fresh(name)
        if live is None:
            info = info_of_row(await self._cache.row(name))
            clocks_run = info.state is MatchState.ACTIVE and info.time_control is not None
            if self._runtime.replication is None or not clocks_run:
                return info
            try:
                live = await self.live_match(name)  # another service has it in memory, with its clocks
            except (RulesNotLoaded, CardSetNotLoaded):
                return info
        return live.info()

    async def disconnected_seats(self, match: MatchInfo) -> list[Seat]:
        """Returns the seats of a match whose players were invited and have no play stream open now."""
        taken = [] if match.imported else [seat for seat in match.seats if seat.kind is SeatKind.INVITED and seat.taken]
        away = {seat.player for seat in taken} - self._runtime.players.names
        if away and self._runtime.replication is not None:
            away -= set(await self._runtime.replication.replica.connected_names(away))
        return [seat.index for seat in taken if seat.player in away]

    async def list(self, query: MatchQuery) -> MatchPage:
        """Returns a page of matches, newest first. Raises InvalidField, InvalidPageToken."""
        return await list_matches(query, self._cache, self._store, self.limits)

    async def join(
        self,
        name: str,
        player: str,
        seat: Seat | None = None,
        token: str = "",
        request_id: str = "",
        client_key: str = "",
    ) -> Joined:
        """Take a seat (None: the first free one). The host's token also opens a seat reserved for an invited player.

        Raises SeatTaken, UnknownSeat, MatchStarted, MatchEnded, NotAllowed, InvalidField.
        """
        seating.check_name(player, "player", self.limits)
        live = await self.live_match(name, token, tokens.viewer_of)

        def free_seat(now: MatchSnapshot) -> Seat:
            viewer = tokens.viewer_of(token, now.seats, live.host_digest)
            seating.check_waiting(now)
            return seating.free_seat(now, seat, viewer == OMNISCIENT)

        def plan(draft: Draft) -> Answer:
            free = free_seat(draft.after)
            nonce = tokens.new_nonce()
            seating.take_seat(draft, free, player, nonce, self._secret)
            seating.start_if_full(draft, self._decide)
            return free, int.from_bytes(nonce)

        request = Request.of_client(self.limits, "join", name, client_key, request_id, player, seat, token)
        if not await self._writer.answered(live, request):
            live = await self._current(live)
            free_seat(live.snapshot)  # without waiting in the queue of those who play
        taken, nonce = await self._writer.write(live, plan, request)
        # The nonce is part of the answer, because the seat may be another player's by now.
        minted = tokens.mint(self._secret, live.header.uid, taken, nonce.to_bytes(tokens.NONCE_BYTES))
        return Joined(live.info(Viewer(taken)), Seat(taken), minted)

    async def leave(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Leave the token's seat before the start. Raises TokenMissing, NotAllowed, MatchStarted, MatchEnded."""
        return await self._endings.leave(name, token, self._request("leave", name, request_id, token))

    async def start_match(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Start a match with manual_start. Raises TokenMissing, NotAllowed, SeatsOpen, MatchStarted, MatchEnded."""
        live = await self.live_match(name, token, tokens.require_host)
        viewer = live.viewer_of(token) if len(live.numbering) else SPECTATOR

        def plan(draft: Draft) -> Answer:
            tokens.require_host(token, draft.after.seats, live.host_digest)
            seating.start_by_host(draft, self._decide)
            return ()

        await self._writer.write(live, plan, self._request("start", name, request_id, token))
        return live.info(viewer)

    async def cancel(self, name: str, token: str | None, reason: str = "", request_id: str = "") -> MatchInfo:
        """End the match without a result. ``token`` OPERATOR (None): on behalf of the operator.

        Raises TokenMissing, NotAllowed, MatchEnded, InvalidField; never RulesNotLoaded or CardSetNotLoaded.
        """
        undo.check_reason(reason, self.limits)
        request = self._request("cancel", name, request_id, token, reason)
        return await self._endings.cancel(name, token, reason, request)

    async def delete(self, name: str, request_id: str = "") -> None:
        """Delete an ended match on behalf of the operator. Raises MatchNotEnded; never RulesNotLoaded or
        CardSetNotLoaded."""
        await self._endings.delete(name, self._request("delete", name, request_id, OPERATOR))

    async def observe_match(
        self, name: str, token: str = "", seq: int | None = None, scene: bool = False, seat: Seat | None = None
    ) -> Observed:
        """Returns the match and the caller's view of the game, now or after record ``seq``; no view before the start.

        ``scene``: also draw the view. ``seat``: return the view of that seat instead, which is open to everyone when
        the match has ended, and to the host always.

        Raises InvalidField if there is no such record, UnknownSeat, MatchNotEnded.
        """
        live = await self.live_match(name, token, tokens.viewer_of)
        viewer = live.viewer_of(token)
        if seat is not None:
            live.require_open_view(seat, viewer)

        def observed() -> Observed:
            if seq is not None:
                return Observed(live.info(viewer), live.past_observation(viewer, seq, scene, seat))
            shown = viewer if seat is None else Viewer(seat)
            return Observed(live.info(viewer), live.observation(shown, scene) if live.in_play else None)

        return await await_pack(observed)

    # -- play ------------------------------------------------------------------------------------------------------

    async def legal_actions(
        self,
        name: str,
        token: str,
        *,
        typed: bool = False,
        targets: bool = False,
        page_size: int = 0,
        page_token: str = "",
    ) -> LegalPage:
        """Returns the legal actions of the token's seat; none if it is not to act. ``targets`` implies ``typed``.

        Raises TokenMissing, NotAllowed, MatchNotStarted, InvalidField, InvalidPageToken.
        """
        live = await self.live_match(name, token, tokens.seat_of)
        seat = live.seat_of(token)
        if not live.in_play:
            raise MatchNotStarted()
        return await await_pack(lambda: legal_page(live, seat, typed, targets, page_size, page_token, self.limits))

    async def submit_action(
        self,
        name: str,
        token: str,
        action: Code | Message,
        *,
        expected_seq: int | None = None,
        validate_only: bool = False,
        request_id: str = "",
    ) -> Submitted:
        """Take an action: a code, the pack's action message, or an Any that holds one.

        Raises TokenMissing, NotAllowed, NotYourTurn, StaleSequence, ActionRefused, MalformedMessage, MatchNotStarted,
        MatchEnded.
        """
        live = await self.live_match(name, token, tokens.seat_of)
        if live.loaded.executor is not None:
            await self._precompute(live.loaded.executor, live, live.seat_of(token), action)
            live = await self._current(live)

        def plan(draft: Draft) -> Answer:
            seat = _seat(draft, live, token)
            return self._actions.plan(draft, live, seat, action, expected_seq, validate_only)

        request = self._request("submit", name, request_id, token, action, expected_seq, validate_only)
        answer = await self._writer.write(live, plan, request)
        return submitted(live, live.viewer_of(token), answer)

    async def resign(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Resign for the token's seat. Raises TokenMissing, NotAllowed, MatchNotStarted, MatchEnded."""
        return await self._endings.resign(name, token, self._request("resign", name, request_id, token))

    async def request_undo(
        self, name: str, token: str, to_seq: int | None = None, reason: str = "", request_id: str = ""
    ) -> UndoAnswer:
        """Request to go back to the state after ``to_seq`` (None: before the seat's last action).

        Raises TokenMissing, NotAllowed, UndoNotAllowed, MatchNotStarted, MatchEnded, InvalidField.
        """
        undo.check_reason(reason, self.limits)
        live = await self.live_match(name, token, tokens.seat_of)

        def plan(draft: Draft) -> Answer:
            seat = _seat(draft, live, token)
            undone = undo.request(draft, live, seat, to_seq, reason, self._decide)
            return int(undone), draft.after.seq

        request = self._request("request_undo", name, request_id, token, to_seq, reason)
        undone, seq = await self._writer.write(live, plan, request)
        return UndoAnswer(bool(undone), live.numbering.viewer_seq(live.viewer_of(token), seq))

    async def answer_undo(
        self, name: str, token: str, request_seq: int, accept: bool, reason: str = "", request_id: str = ""
    ) -> UndoAnswer:
        """Accept or decline the undo request that record ``request_seq`` made.

        Raises TokenMissing, NotAllowed, NoUndoPending, InvalidField.
        """
        live = await self.live_match(name, token, tokens.seat_of)
        request = self._request("answer_undo", name, request_id, token, request_seq, accept, reason)
        seat_of = partial(_seat, live=live, token=token)
        answer = await self._answer_undo(live, seat_of, request_seq, accept, reason, request)
        return UndoAnswer(answer.undone, live.numbering.viewer_seq(live.viewer_of(token), answer.seq))

    async def _answer_undo(
        self,
        live: LiveMatch,
        seat_of: Callable[[Draft], Seat],
        request_seq: int,
        accept: bool,
        reason: str,
        request: Request | None = None,
    ) -> UndoAnswer:
        undo.check_answer(request_seq, reason, self.limits)

        def plan(draft: Draft) -> Answer:
            undone = undo.answer(draft, live, seat_of(draft), request_seq, accept, reason, self._decide)
            return int(undone), draft.after.seq

        undone, seq = await self._writer.write(live, plan, request)
        return UndoAnswer(bool(undone), seq)

    async def withdraw_undo(self, name: str, token: str, request_id: str = "") -> int:
        """Withdraw the seat's own undo request; returns the newest record's seq.

        Raises TokenMissing, NotAllowed, NoUndoPending.
        """
        live = await self.live_match(name, token, tokens.seat_of)

        def plan(draft: Draft) -> Answer:
            undo.withdraw(draft, _seat(draft, live, token))
            return (draft.after.seq,)

        (seq,) = await self._writer.write(live, plan, self._request("withdraw_undo", name, request_id, token))
        return live.numbering.viewer_seq(live.viewer_of(token), seq)

    async def provide_outcomes(
        self, name: str, token: str, codes: Sequence[Code], request_id: str = ""
    ) -> ChanceAnswer:
        """Provide outcomes for the chance nodes to come, in order; each is checked when its node is reached.

        An impossible outcome is dropped with all behind it; if its node is reached at once, the whole call is refused.
        Raises TokenMissing, NotAllowed, ChanceNotAwaited, ActionRefused, MatchEnded, InvalidField, LimitReached.
        """
        live = await self.live_match(name, token, tokens.require_host)

        def plan(draft: Draft) -> Answer:
            tokens.require_host(token, draft.after.seats, live.host_digest)
            return provide_outcomes(draft, codes, self._decide, self.limits), draft.after.seq

        request = self._request("provide_outcomes", name, request_id, token, tuple(codes))
        return ChanceAnswer(*await self._writer.write(live, plan, request))

    # -- forks and replays -----------------------------------------------------------------------------------------

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

        The caller must have checked the permission to create matches. Raises MatchNotEnded (the game has hidden
        information and the token is not the host's), InvalidField (no decision was pending after ``seq``), and as
        :meth:`create`.
        """
        request = Request.of_client(self.limits, "fork", name, client_key, request_id, setup, seq, token)
        return await self._creator.fork(name, setup, seq, token, request)

    async def get_replay(self, name: str, token: str = "") -> Replay:
        """Returns the whole log; before the end to the host only. Raises MatchNotEnded."""
        return await self._exporter.export(name, token)

    async def import_replay(self, data: bytes) -> MatchInfo:
        """Verify the replay of an ended match, and store the match under its own name, marked as imported.

        Raises ReplayMalformed, ReplayInvalid, RulesNotLoaded, CardSetNotLoaded, MatchExists, LimitReached.
        """
        return await self._importer.import_replay(data)

    # -- streams, which authenticate once and then act on the live match -------------------------------------------

    async def live_match(self, name: str, token: str = "", check: TokenCheck | None = None) -> LiveMatch:
        """Returns the match, loaded from the store if need be, after ``check`` has accepted the token.

        Raises LimitReached.
        """
        live = await self._cache.get_or_load(name, token, check)
        self._cache.touch(live)
        return live

    def submit_for_seat(
        self, live: LiveMatch, seat: Seat, action: Code | Message, expected_seq: int
    ) -> Submitted | Awaitable[Submitted]:
        """:meth:`submit_action` for a stream that was opened with the seat's token.

        An ephemeral match answers at once, after its listeners were notified; otherwise, and if the pack is isolated,
        the awaitable gives the answer or raises. Raises as :meth:`submit_action`.
        """
        if live.loaded.executor is not None:
            return self._submit_isolated(live.loaded.executor, live, seat, action, expected_seq)
        return self._submit_for_seat(live, seat, action, expected_seq)

    def _submit_for_seat(
        self, live: LiveMatch, seat: Seat, action: Code | Message, expected_seq: int
    ) -> Submitted | Awaitable[Submitted]:
        if live.ephemeral and not live.evicted:
            if not self._writer.closing:
                numbering = live.numbering
                expected = numbering.match_seq(seat, expected_seq)
                before = fast_path.apply_move(live, seat, action, expected, self.limits.log_records)
                if before is not None:
                    self._runtime.fast_move_committed(live, before)
                    taken = numbering.viewer_seq(seat, before.seq + 1)
                    newest = numbering.viewer_seq(seat, live.snapshot.seq)
                    return Submitted(taken, newest, MatchState.ACTIVE, cast(Code, action))
            plan = partial(self._actions.plan, live=live, seat=seat, action=action, expected_seq=expected_seq)
            return submitted(live, seat, self._writer.write_now(live, plan))
        return self._submit_stored(live, seat, action, expected_seq)

    async def _submit_isolated(
        self, executor: Executor, live: LiveMatch, seat: Seat, action: Code | Message, expected_seq: int
    ) -> Submitted:
        current = await self._current(live)
        await self._precompute(executor, current, seat, action)
        done = self._submit_for_seat(await self._current(current), seat, action, expected_seq)
        return done if isinstance(done, Submitted) else await done

    async def _precompute(self, executor: Executor, live: LiveMatch, seat: Seat, action: Code | Message) -> None:
        """Let an isolated pack take an action before it is planned. Raises PackFault if that ends the pack's process;
        every other error is left to the plan."""
        if not live.must_act(seat):
            return
        try:
            await asyncio.get_running_loop().run_in_executor(executor, fast_path.precompute_move, live, seat, action)
        except PackRaised as raised:
            if isinstance(raised.error, ProcessLost):
                raise live.context.fault(live, raised.error) from None
        except EngineError:
            return

    async def _submit_stored(self, live: LiveMatch, seat: Seat, action: Code | Message, expected_seq: int) -> Submitted:
        current = await self._current(live)
        plan = partial(self._actions.plan, live=current, seat=seat, action=action, expected_seq=expected_seq)
        return submitted(current, seat, await self._writer.write(current, plan))

    async def resign_seat(self, live: LiveMatch, seat: Seat) -> None:
        """:meth:`resign` for a stream. Raises MatchNotStarted, MatchEnded."""

        def plan(draft: Draft) -> Answer:
            resign(draft, seat, self._decide)
            return ()

        await self._writer.write(await self._current(live), plan)

    async def answer_undo_for_seat(
        self, live: LiveMatch, seat: Seat, request_seq: int, accept: bool, reason: str = ""
    ) -> UndoAnswer:
        """:meth:`answer_undo` for a stream, with the match's own seq. Raises NoUndoPending, InvalidField."""
        current = await self._current(live)
        return await self._answer_undo(current, lambda draft: seat, request_seq, accept, reason)

    async def withdraw_undo_for_seat(self, live: LiveMatch, seat: Seat) -> int:
        """:meth:`withdraw_undo` for a stream, with the match's own seq. Raises NoUndoPending."""

        def plan(draft: Draft) -> Answer:
            undo.withdraw(draft, seat)
            return (draft.after.seq,)

        (seq,) = await self._writer.write(await self._current(live), plan)
        return seq

    async def _current(self, live: LiveMatch) -> LiveMatch:
        """Returns the object that represents the match now, which is another one if ``live`` was evicted."""
        return await self.live_match(live.name) if live.evicted else live

    # -- helpers ---------------------------------------------------------------------------------------------------

    async def _delete_old(self, before_uptime_ms: int, limit: int) -> int:
        return await self._endings.delete_old(before_uptime_ms, limit)

    def _request(
        self, method: str, name: str, request_id: str, token: str | None, *parameters: object
    ) -> Request | None:
        return Request.of(self.limits, method, name, token or "", request_id, *parameters)


def _seat(draft: Draft, live: LiveMatch, token: str) -> Seat:
    """Returns the seat of a token at the time of the write. Raises TokenMissing, TokenInvalid, NotAllowed."""
    return tokens.seat_of(token, draft.after.seats, live.host_digest)
