"""The asyncio client: :class:`AsyncClient`, and handles to matches and seats.

The build generates the synchronous client, :mod:`omnilude.client`, from this module.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from omnilude import operations
from omnilude.connection import Endpoint, Tls, WatchStream
from omnilude.errors import InvalidPageToken
from omnilude.models import (
    Catalog,
    LegalActionPages,
    LegalActions,
    MatchUpdate,
    Observation,
    SeatSpec,
    match_update,
    observation,
    seat_setups,
)
from omnilude.operations import Operation
from omnilude.packs import GameInfo, PackMessages, game_info
from omnilude.simulation import PlayOuts, SearchResult, SimulationRequest, StateSummary
from omnilude.transport import AsyncTransport
from omnilude.v1.match_pb2 import Match, MatchPolicy, MatchState, TimeControl
from omnilude.v1.match_service_pb2 import (
    AnswerUndoResponse,
    ProvideOutcomesResponse,
    RequestUndoResponse,
    SubmitActionResponse,
    WithdrawUndoResponse,
)
from omnilude.v1.simulation_service_pb2 import OpenedState

T = TypeVar("T")


class AsyncClient:
    """Client of a service. Connects on the first call. Close it, or use it with ``async with``.

    It belongs to the event loop in which it was created. Calls raise the errors of :mod:`omnilude.errors`. While the
    service cannot be reached, the client retries idempotent calls for up to ``timeout`` seconds. Nearly all calls are
    idempotent: those that write carry a request_id.
    """

    def __init__(
        self, target: str, *, tls: Tls | None = None, api_token: str | None = None, timeout: float = 10.0
    ) -> None:
        self.transport = AsyncTransport(Endpoint(target, tls, api_token, timeout))
        self._games: dict[str, GameInfo] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection; calls and streams in progress end."""
        await self.transport.close()

    async def call(self, operation: Operation[T]) -> T:
        """Make one call of :mod:`omnilude.operations`."""
        return await self.transport.call(operation)

    # -- games ---------------------------------------------------------------------------------------------------------

    async def catalog(self) -> Catalog:
        """List the games of the service, and the packs that it could not load."""
        page = await self.call(operations.list_games())
        games, broken, version = list(page.games), list(page.broken_packs), page.engine_version
        while page.next_page_token:
            page = await self.call(operations.list_games(page_token=page.next_page_token))
            games += page.games
        return Catalog(games, broken, version)

    async def game(self, game: str) -> GameInfo:
        """Get a game with its message classes; the client requests it once and caches it."""
        name = operations.game_name(game)
        info = self._games.get(name)
        if info is None:
            info = self._games[name] = game_info(await self.call(operations.get_game(name)))
        return info

    # -- matches -------------------------------------------------------------------------------------------------------

    async def create(
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
    ) -> AsyncMatchHandle:
        """Create a match and return its host's handle: ``create("ominoes", [Open(), ServiceBot("greedy")])``.

        ``options`` are given by name (``{"target": 13}``) or as the pack's options message. ``position`` is the
        position to start from, as the pack's position message. ``seed`` (unsigned, 64 bits) determines all outcomes of
        chance, and the match is marked as seeded. An ``ephemeral`` match is kept in memory only.
        """
        created = await self.call(
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
        return AsyncMatchHandle(self, created.match, created.host_token)

    async def match(self, name: str, token: str = "") -> AsyncMatchHandle:
        """Returns a handle to an existing match: the host's with the host's token, otherwise a spectator's."""
        return AsyncMatchHandle(self, (await self.call(operations.get_match(name))).match, token)

    def seat(self, match: str, seat: int, token: str) -> AsyncSeatHandle:
        """Returns a handle to a taken seat, from its token."""
        return AsyncSeatHandle(self, operations.match_name(match), seat, token)

    async def matches(
        self,
        *,
        game: str = "",
        states: Iterable[MatchState] = (),
        labels: Mapping[str, str] | None = None,
        player: str = "",
        to_act: bool = False,
        imported: bool | None = None,
    ) -> AsyncIterator[Match]:
        """Yield all matches, newest first; with ``to_act`` only those in which ``player`` is to act."""
        token, states = "", list(states)
        while True:
            page = await self.call(
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
            for match in page.matches:
                yield match
            token = page.next_page_token
            if not token:
                return

    async def cancel_match(self, match: str, reason: str = "") -> Match:
        """End any match without a result, as the operator of the service, with its API token."""
        return await self.call(operations.cancel_match(match, "", reason))

    async def delete_match(self, match: str) -> None:
        """Delete a match that has ended, as the operator of the service, with its API token."""
        await self.call(operations.delete_match(match))

    async def signing_key(self) -> bytes:
        """Get the public key (Ed25519, 32 bytes) with which the service signs replays of matches played there."""
        return (await self.call(operations.list_games(page_size=1))).signing_key

    def simulation(self) -> AsyncSimulation:
        """Open a stream of simulations: ``async with client.simulation() as simulation``."""
        return AsyncSimulation(self)

    async def import_replay(self, replay: bytes) -> Match:
        """Import the bytes of a replay file: the service verifies them and stores the match."""
        return await self.call(operations.import_replay(replay))


class _Handle:
    """Calls that a host, a seat and a spectator can make."""

    def __init__(self, client: AsyncClient, name: str, token: str) -> None:
        self._client = client
        self.name = name
        """``matches/{id}``."""
        self.token = token
        """Secret that authenticates the calls of this handle; empty for a spectator."""
        self._game = ""

    async def _messages(self) -> PackMessages:
        """Returns the message classes of the match's game."""
        self._game = self._game or (await self.get()).game
        return (await self._client.game(self._game)).messages

    async def get(self) -> Match:
        """Get the current state of the match."""
        return (await self._client.call(operations.get_match(self.name))).match

    async def disconnected_seats(self) -> list[int]:
        """Get the seats of invited players who have no open play stream at the moment."""
        return list((await self._client.call(operations.get_match(self.name))).disconnected_seats)

    async def observation(self, *, seq: int | None = None, scene: bool = False) -> Observation:
        """Get the view of this token's holder, now or after record ``seq``; with ``scene`` also as an SVG document."""
        response = await self._client.call(operations.observe_match(self.name, self.token, seq=seq, scene=scene))
        observed = response.observation if response.HasField("observation") else None
        return observation(response.match, observed, await self._messages())

    async def call_pack(self, method: str, /, **fields: Any) -> Message:
        """Call one of the pack's own services and return the response.

        Example: ``call_pack("MeasureDistances", element=3)``. Raises WrongMessage if there is no such call or field.
        """
        self._game = self._game or (await self.get()).game
        game = await self._client.game(self._game)
        return await self._client.call(operations.pack_call(game, method, self.name, self.token, fields))

    async def watch(
        self,
        *,
        after_seq: int = 0,
        views: bool = False,
        labels: bool = False,
        sentences: bool = False,
        reconnect_timeout: float = 60.0,
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yield updates of the match, after record ``after_seq`` and until the match ends.

        Reconnects after a lost connection and yields every event once; raises the error after ``reconnect_timeout``
        seconds without a connection. To end the stream early, close the generator, with :func:`contextlib.aclosing`.
        """
        request = operations.watch_match(
            self.name, self.token, after_seq=after_seq, views=views, labels=labels, sentences=sentences
        )
        match: Match | None = None
        messages = await self._messages()
        async with aclosing(self._client.transport.watch(WatchStream(request, reconnect_timeout))) as responses:
            async for response in responses:
                match = response.match if response.HasField("match") else match or await self.get()
                yield match_update(response, match, messages)

    async def replay(self) -> bytes:
        """Get the whole log as the bytes of a replay file. Host only, until the match has ended."""
        return await self._client.call(operations.get_replay(self.name, self.token))

    async def fork(
        self,
        seq: int = 0,
        *,
        seats: Iterable[SeatSpec] = (),
        time_control: TimeControl | None = None,
        policy: MatchPolicy | None = None,
        ephemeral: bool = False,
        labels: Mapping[str, str] | None = None,
    ) -> AsyncMatchHandle:
        """Copy the match up to record ``seq`` (0: the start of play) into a new one; returns its host's handle."""
        forked = await self._client.call(
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
        return AsyncMatchHandle(self._client, forked.match, forked.host_token)


class AsyncMatchHandle(_Handle):
    """Handle to a match: of its host, with the host's token, or of a spectator."""

    def __init__(self, client: AsyncClient, match: Match, token: str = "") -> None:
        super().__init__(client, match.name, token)
        self.created = match
        """The match when this handle was created."""
        self._game = match.game

    async def join(self, player: str, seat: int | None = None) -> AsyncSeatHandle:
        """Take a seat, by default the first free one, under the name of ``player``."""
        joined = await self._client.call(operations.join_match(self.name, player, seat=seat, token=self.token))
        return AsyncSeatHandle(self._client, self.name, joined.seat, joined.token)

    async def start(self) -> Match:
        """Start a match whose policy says ``manual_start``. Host only."""
        return await self._client.call(operations.start_match(self.name, self.token))

    async def cancel(self, reason: str = "") -> Match:
        """End the match without a result. Host only."""
        return await self._client.call(operations.cancel_match(self.name, self.token, reason))

    async def provide_outcomes(self, *codes: int) -> ProvideOutcomesResponse:
        """Provide the outcomes of the next chance nodes, in a match whose host provides them. Host only."""
        return await self._client.call(operations.provide_outcomes(self.name, self.token, codes))


class AsyncSeatHandle(_Handle):
    """Handle to a taken seat of a match."""

    def __init__(self, client: AsyncClient, match: str, seat: int, token: str) -> None:
        super().__init__(client, match, token)
        self.seat = seat
        """Index of the seat, from 0."""

    async def legal_actions(self, *, typed: bool = False) -> LegalActions:
        """Get the legal actions, with labels and messages if ``typed``; none if the seat has no decision to make."""
        messages = await self._messages() if typed else None
        while True:
            pages = LegalActionPages(messages)
            try:
                while pages.token is not None:
                    pages.add(
                        await self._client.call(
                            operations.list_legal_actions(self.name, self.token, typed=typed, page_token=pages.token)
                        )
                    )
                return pages.collected()
            except InvalidPageToken:
                # The decision was made between two pages: list the actions of the next one.
                continue

    async def submit_action(
        self, action: int | Message, *, expected_seq: int | None = None, validate_only: bool = False
    ) -> SubmitActionResponse:
        """Take an action: a code of :meth:`legal_actions`, or the pack's action message.

        With ``expected_seq`` (``legal_actions().seq``) the service refuses the action if another record came first.
        With ``validate_only`` it only checks the action.
        """
        return await self._client.call(
            operations.submit_action(
                self.name, self.token, action, expected_seq=expected_seq, validate_only=validate_only
            )
        )

    async def resign(self) -> Match:
        """Resign the match."""
        return await self._client.call(operations.resign_match(self.name, self.token))

    async def leave(self) -> Match:
        """Leave the seat before the match starts."""
        return await self._client.call(operations.leave_match(self.name, self.token))

    async def request_undo(self, to_seq: int | None = None, reason: str = "") -> RequestUndoResponse:
        """Request an undo to the state after record ``to_seq``, by default before this seat's last action."""
        return await self._client.call(operations.request_undo(self.name, self.token, to_seq=to_seq, reason=reason))

    async def answer_undo(self, request_seq: int, accept: bool, reason: str = "") -> AnswerUndoResponse:
        """Accept or decline another seat's undo request; ``request_seq`` is the seq of its event."""
        return await self._client.call(operations.answer_undo(self.name, self.token, request_seq, accept, reason))

    async def withdraw_undo(self) -> WithdrawUndoResponse:
        """Withdraw this seat's own undo request."""
        return await self._client.call(operations.withdraw_undo(self.name, self.token))


class AsyncSimulation:
    """Simulation stream: the service holds states for this client until they are released or the stream is closed.

    States are named by their handles. Each method makes one round trip. If the service refuses it, the method raises
    the error, and no state has changed. To make several operations in one round trip, collect them in a
    :meth:`request`.
    """

    def __init__(self, client: AsyncClient) -> None:
        self._stream = client.transport.simulate()
        self._handles = itertools.count(1)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the leases of all states."""
        await self._stream.close()

    def request(self) -> SimulationRequest:
        """Returns an empty request, for :meth:`run`."""
        return SimulationRequest(self._handles)

    async def run(self, request: SimulationRequest) -> Sequence[OpenedState]:
        """Run the operations of a request; returns the properties of the states that it opens.

        Its results are in the :class:`PendingResult` objects that its methods have returned.
        """
        await self.send(request)
        return await self.receive(request)

    async def send(self, request: SimulationRequest) -> None:
        """Send a request without waiting for its response; :meth:`receive` reads it."""
        await self._stream.send(request.message)

    async def receive(self, request: SimulationRequest) -> Sequence[OpenedState]:
        """Wait for the response to ``request``, the oldest request whose response has not been received yet."""
        return request.receive(await self._stream.receive())

    async def open_game(
        self,
        game: str,
        players: int,
        *,
        options: Mapping[str, object] | Message | None = None,
        position: Message | None = None,
    ) -> int:
        """Open the initial state of a game, or a position; returns the handle."""
        request = self.request()
        handle = request.open_game(game, players, options=options, position=position)
        await self.run(request)
        return handle

    async def open_match(self, match: str, token: str, *, seed: int = 0) -> int:
        """Open a random state of a live match, consistent with the view of the token's seat; returns the handle."""
        request = self.request()
        handle = request.open_match(match, token, seed=seed)
        await self.run(request)
        return handle

    async def open_replay(self, replay: str | bytes, seq: int) -> int:
        """Open the state after a record of an ended match (by its name) or of a replay file; returns the handle."""
        request = self.request()
        handle = request.open_replay(replay, seq)
        await self.run(request)
        return handle

    async def clone(self, states: Sequence[int], *, viewer: int | None = None, seed: int = 0) -> list[int]:
        """Copy states, with ``viewer`` resampled consistently with its view; returns the handles of the copies."""
        request = self.request()
        copies = request.clone(states, viewer=viewer, seed=seed)
        await self.run(request)
        return copies

    async def apply(self, states: Sequence[int], codes: Sequence[int], seats: Sequence[int] = ()) -> None:
        """Apply an action or an outcome of chance in each state; a state may be listed several times."""
        request = self.request()
        request.apply(states, codes, seats)
        await self.run(request)

    async def draw(self, states: Sequence[int], *, seed: int) -> list[Sequence[int]]:
        """Draw and apply outcomes of chance until a decision is pending or the game has ended; returns their codes."""
        request = self.request()
        drawn = request.draw(states, seed=seed)
        await self.run(request)
        return drawn.value

    async def legal(self, states: Sequence[int], seats: Sequence[int] = ()) -> list[Sequence[int]]:
        """List the legal actions of the seat to act, or of given seats."""
        request = self.request()
        legal = request.legal(states, seats)
        await self.run(request)
        return legal.value

    async def outcomes(self, states: Sequence[int]) -> list[Sequence[tuple[int, int]]]:
        """List the outcomes of chance as (code, weight); empty at other nodes."""
        request = self.request()
        outcomes = request.outcomes(states)
        await self.run(request)
        return outcomes.value

    async def summarize(self, states: Sequence[int]) -> list[StateSummary]:
        """Returns the seats to act and the returns of each state."""
        request = self.request()
        summaries = request.summarize(states)
        await self.run(request)
        return summaries.value

    async def observe(self, states: Sequence[int], viewers: Sequence[int]) -> list[AnyMessage]:
        """Returns the pack's views for viewers; ``client.game(...).messages.unpack`` decodes one."""
        request = self.request()
        views = request.observe(states, viewers)
        await self.run(request)
        return views.value

    async def play_out(self, states: Sequence[int], *, count: int, seed: int) -> list[PlayOuts]:
        """Play copies of each state to the end at random, ``count`` times."""
        request = self.request()
        results = request.play_out(states, count=count, seed=seed)
        await self.run(request)
        return results.value

    async def search(
        self,
        states: Sequence[int],
        seats: Sequence[int] = (),
        *,
        iterations: int = 0,
        milliseconds: int = 0,
        seed: int = 0,
        flat: bool = False,
    ) -> list[SearchResult]:
        """Search for the best action from each state, by tree search or flat Monte Carlo."""
        request = self.request()
        results = request.search(states, seats, iterations=iterations, milliseconds=milliseconds, seed=seed, flat=flat)
        await self.run(request)
        return results.value

    async def release(self, states: Sequence[int]) -> None:
        """End the leases of states."""
        request = self.request()
        request.release(states)
        await self.run(request)
