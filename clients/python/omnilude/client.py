"""The synchronous client: :class:`Client`, and handles to matches and seats."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from google.protobuf.message import Message

from omnilude import operations
from omnilude.connection import Attempts, Endpoint, Tls, Watching
from omnilude.errors import InvalidPageToken, from_call
from omnilude.operations import Operation
from omnilude.packs import GameInfo, PackMessages, game_info
from omnilude.questions import ask
from omnilude.sights import (
    Catalog,
    Legal,
    LegalPages,
    Observed,
    Progress,
    SeatSpec,
    observed,
    progress,
    seat_setups,
)
from omnilude.v1.match_pb2 import Match, MatchPolicy, MatchState, TimeControl
from omnilude.v1.match_service_pb2 import (
    AnswerUndoResponse,
    ProvideOutcomesResponse,
    RequestUndoResponse,
    SubmitActionResponse,
    WatchMatchResponse,
    WithdrawUndoResponse,
)

T = TypeVar("T")


class Client:
    """A connection to a service, made when it is first needed. Threads may share it. Close it, or use ``with``.

    Calls raise the errors of :mod:`omnilude.errors`. A call that can do no harm twice is repeated, within ``timeout``,
    while the service cannot be reached; all calls that write carry a request_id, so that is nearly every call.
    """

    def __init__(
        self, target: str, *, tls: Tls | None = None, api_token: str | None = None, timeout: float = 10.0
    ) -> None:
        self.endpoint = Endpoint(target, tls, api_token, timeout)
        options = self.endpoint.options()
        self._channel = (
            grpc.insecure_channel(target, options)
            if tls is None
            else grpc.secure_channel(target, tls.credentials(), options)
        )
        self._stubs: dict[str, Callable[..., Any]] = {}
        self._games: dict[str, GameInfo] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; calls and streams under way end."""
        self._channel.close()

    def run(self, operation: Operation[T]) -> T:
        """Make one call of :mod:`omnilude.operations`."""
        stub = self._stubs.get(operation.path)
        if stub is None:
            stub = self._stubs[operation.path] = getattr(self._channel, operation.kind)(
                operation.path,
                request_serializer=lambda request: request.SerializeToString(),
                response_deserializer=operation.response_type.FromString,
            )
        attempts = Attempts(self.endpoint.timeout, operation.repeatable)
        while True:
            request = operation.request if isinstance(operation.request, Message) else iter(operation.request)
            try:
                response = stub(request, timeout=attempts.remaining(), metadata=self.endpoint.metadata())
                return operation.read(list(response) if operation.kind == "unary_stream" else response)
            except grpc.RpcError as error:
                failure = from_call(error)
            time.sleep(attempts.pause(failure))

    def watch_messages(self, watching: Watching, path: str) -> Iterator[WatchMatchResponse]:
        """The answers of a followed match over any number of connections; heartbeats are left out."""
        open_stream = self._channel.unary_stream(
            path,
            request_serializer=type(watching.request).SerializeToString,
            response_deserializer=WatchMatchResponse.FromString,
        )
        while True:
            call = open_stream(watching.request, metadata=self.endpoint.metadata())
            try:
                for response in call:
                    if watching.take(response):
                        yield response
                return
            except grpc.RpcError as error:
                failure = from_call(error)
            finally:
                call.cancel()
            time.sleep(watching.pause(failure))

    # -- what there is to play -----------------------------------------------------------------------------------------

    def catalog(self) -> Catalog:
        """All games of the service, and the packs that it could not load."""
        page = self.run(operations.list_games())
        games, broken, version = list(page.games), list(page.broken_packs), page.engine_version
        while page.next_page_token:
            page = self.run(operations.list_games(page_token=page.next_page_token))
            games += page.games
        return Catalog(games, broken, version)

    def game(self, game: str) -> GameInfo:
        """One game with its message classes; asked for once and kept."""
        name = operations.game_name(game)
        info = self._games.get(name)
        if info is None:
            info = self._games[name] = game_info(self.run(operations.get_game(name)))
        return info

    # -- matches -------------------------------------------------------------------------------------------------------

    def create(
        self,
        game: str,
        seats: Iterable[SeatSpec],
        *,
        options: Mapping[str, object] | Message | None = None,
        time_control: TimeControl | None = None,
        policy: MatchPolicy | None = None,
        position: Message | None = None,
        seed: int | None = None,
        ephemeral: bool = False,
        labels: Mapping[str, str] | None = None,
    ) -> MatchHandle:
        """Create a match and get its host's handle: ``create("ominoes", [Open(), ServiceBot("greedy")])``.

        ``options`` are given by name (``{"target": 13}``) or as the pack's options message; ``position`` is the pack's
        position message to begin from; with a ``seed`` (from 0, 64 bits) all outcomes of chance follow from it, and the
        match says so; an ``ephemeral`` match is kept in memory only.
        """
        created = self.run(
            operations.create_match(
                game,
                seat_setups(seats),
                options=options,
                time_control=time_control,
                policy=policy,
                position=position,
                seed=seed,
                ephemeral=ephemeral,
                labels=labels,
            )
        )
        return MatchHandle(self, created.match, created.host_token)

    def match(self, name: str, token: str = "") -> MatchHandle:
        """A handle to a match that is there: as its host with the host's token, else as a spectator."""
        return MatchHandle(self, self.run(operations.get_match(name)), token)

    def seat(self, match: str, seat: int, token: str) -> SeatHandle:
        """A handle to a seat that was taken before, from its token."""
        return SeatHandle(self, operations.match_name(match), seat, token)

    def matches(
        self,
        *,
        game: str = "",
        states: Iterable[MatchState] = (),
        labels: Mapping[str, str] | None = None,
        player: str = "",
        to_act: bool = False,
        imported: bool | None = None,
    ) -> Iterator[Match]:
        """All matches, newest first, fetched page by page; ``to_act``: those in which it is the turn of ``player``."""
        token, states = "", list(states)
        while True:
            page = self.run(
                operations.list_matches(
                    game=game,
                    states=states,
                    labels=labels,
                    player=player,
                    to_act=to_act,
                    imported=imported,
                    page_token=token,
                )
            )
            yield from page.matches
            token = page.next_page_token
            if not token:
                return

    def cancel_match(self, match: str, reason: str = "") -> Match:
        """End any match without a result, as the operator of the service, whose API token this client has."""
        return self.run(operations.cancel_match(match, "", reason))

    def delete_match(self, match: str) -> None:
        """Delete a match that has ended, as the operator of the service, whose API token this client has."""
        self.run(operations.delete_match(match))

    def signing_key(self) -> bytes:
        """The public key (Ed25519, 32 bytes) by which the service signs replays of matches played there."""
        return self.run(operations.list_games(page_size=1)).signing_key

    def import_replay(self, replay: bytes) -> Match:
        """Have the service verify the bytes of a replay file and keep it as a match of its own."""
        return self.run(operations.import_replay(replay))


class _Handle:
    """What the host, a seat and a spectator can do alike."""

    def __init__(self, client: Client, name: str, token: str) -> None:
        self._client = client
        self.name = name
        """``matches/{id}``."""
        self.token = token
        """Whoever knows it is taken for the owner of this handle; empty for a spectator."""
        self._game = ""

    def _messages(self) -> PackMessages:
        """The message classes of the match's game."""
        self._game = self._game or self.get().game
        return self._client.game(self._game).messages

    def get(self) -> Match:
        """The match as it stands now."""
        return self._client.run(operations.get_match(self.name))

    def observe(self, *, seq: int | None = None) -> Observed:
        """What the holder of this token sees now, or as it was after record ``seq``."""
        response = self._client.run(operations.observe_match(self.name, self.token, seq=seq))
        observation = response.observation if response.HasField("observation") else None
        return observed(response.match, observation, self._messages())

    def ask(self, call: str, /, **fields: Any) -> Message:
        """Make a call of a service that the pack brings, ``ask("MeasureDistances", element=3)``; returns its response.

        Raises WrongMessage where the pack has no such call, or the call no such field.
        """
        self._game = self._game or (self.get()).game
        operation = ask(self._client.game(self._game), call, self.name, self.token, fields)
        return self._client.run(operation)

    def watch(
        self,
        *,
        after_seq: int = 0,
        views: bool = False,
        labels: bool = False,
        sentences: bool = False,
        patience: float = 60.0,
    ) -> Iterator[Progress]:
        """Follow the match from a record on until it ends.

        A lost connection is made again, and nothing is lost or told twice; after ``patience`` seconds without one the
        error is raised. Leaving the loop ends the stream.
        """
        stream = operations.watch_match(
            self.name, self.token, after_seq=after_seq, views=views, labels=labels, sentences=sentences
        )
        messages = self._messages()
        match: Match | None = None
        for response in self._client.watch_messages(Watching(stream, patience), stream.path):
            match = response.match if response.HasField("match") else match or self.get()
            yield progress(response, match, messages)

    def replay(self) -> bytes:
        """The whole log as the bytes of a replay file: of an ended match for everyone, before that for the host."""
        return self._client.run(operations.get_replay(self.name, self.token))

    def fork(
        self,
        seq: int = 0,
        *,
        seats: Iterable[SeatSpec] = (),
        time_control: TimeControl | None = None,
        policy: MatchPolicy | None = None,
        ephemeral: bool = False,
        labels: Mapping[str, str] | None = None,
    ) -> MatchHandle:
        """Copy the match up to a record (0: the start of play) into a new one, and get its host's handle."""
        forked = self._client.run(
            operations.fork_match(
                self.name,
                seq=seq,
                seats=seat_setups(seats),
                time_control=time_control,
                policy=policy,
                ephemeral=ephemeral,
                labels=labels,
                token=self.token,
            )
        )
        return MatchHandle(self._client, forked.match, forked.host_token)


class MatchHandle(_Handle):
    """A match, seen by its host (with the host's token) or by a spectator."""

    def __init__(self, client: Client, match: Match, token: str = "") -> None:
        super().__init__(client, match.name, token)
        self.created = match
        """The match as it was when this handle was made."""
        self._game = match.game

    def join(self, player: str, seat: int | None = None) -> SeatHandle:
        """Take a seat (None: the first free one) under a name."""
        joined = self._client.run(operations.join_match(self.name, player, seat=seat, token=self.token))
        return SeatHandle(self._client, self.name, joined.seat, joined.token)

    def start(self) -> Match:
        """Start a match whose policy says ``manual_start``. Host only."""
        return self._client.run(operations.start_match(self.name, self.token))

    def cancel(self, reason: str = "") -> Match:
        """End the match without a result. Host only."""
        return self._client.run(operations.cancel_match(self.name, self.token, reason))

    def provide_outcomes(self, *codes: int) -> ProvideOutcomesResponse:
        """Give the outcomes of the chance nodes to come, in a match whose chance comes from its host. Host only."""
        return self._client.run(operations.provide_outcomes(self.name, self.token, codes))


class SeatHandle(_Handle):
    """A taken seat of a match."""

    def __init__(self, client: Client, match: str, seat: int, token: str) -> None:
        super().__init__(client, match, token)
        self.seat = seat
        """From 0."""

    def legal(self, *, typed: bool = False) -> Legal:
        """The legal actions now, with labels and messages if ``typed``; none where the seat owes no decision."""
        messages = self._messages() if typed else None
        while True:
            pages = LegalPages(messages)
            try:
                while pages.token is not None:
                    pages.add(
                        self._client.run(
                            operations.list_legal_actions(self.name, self.token, typed=typed, page_token=pages.token)
                        )
                    )
                return pages.legal()
            except InvalidPageToken:
                # The decision was taken between two pages: the newest one is asked for.
                continue

    def submit(
        self, action: int | Message, *, expected_seq: int | None = None, validate_only: bool = False
    ) -> SubmitActionResponse:
        """Take an action: a code of :meth:`legal`, or the pack's action message.

        With ``expected_seq`` (``legal().seq``) it is refused if something else came first. ``validate_only`` asks what
        would be answered, and does nothing.
        """
        return self._client.run(
            operations.submit_action(
                self.name, self.token, action, expected_seq=expected_seq, validate_only=validate_only
            )
        )

    def resign(self) -> Match:
        """Give the match up."""
        return self._client.run(operations.resign_match(self.name, self.token))

    def leave(self) -> Match:
        """Give the seat back before the start."""
        return self._client.run(operations.leave_match(self.name, self.token))

    def request_undo(self, to_seq: int | None = None, reason: str = "") -> RequestUndoResponse:
        """Ask the others to go back to a record; None: to before this seat's last action."""
        return self._client.run(operations.request_undo(self.name, self.token, to_seq=to_seq, reason=reason))

    def answer_undo(self, request_seq: int, accept: bool, reason: str = "") -> AnswerUndoResponse:
        """Agree to another's request to undo, or refuse it; ``request_seq`` is the seq of the request's event."""
        return self._client.run(operations.answer_undo(self.name, self.token, request_seq, accept, reason))

    def withdraw_undo(self) -> WithdrawUndoResponse:
        """Withdraw one's own request to undo."""
        return self._client.run(operations.withdraw_undo(self.name, self.token))
