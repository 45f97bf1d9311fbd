"""PlayService: a stream on which a client plays many matches, with batched requests and responses.

Each stream has a session, which reads requests in one task and sends responses from another. Moves of ephemeral matches
are answered while their request is read; moves that wait for the store are answered by a task each. Everything that is
ready when the sending task wakes is sent in one message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias, cast

import grpc
from google.protobuf.message import Message

from cext.wire import read_moves
from engine_service.errors import (
    EngineError,
    InternalFault,
    InvalidField,
    LimitReached,
    NotAllowed,
    PlayerNameTaken,
    ShuttingDown,
    TokenMissing,
)
from engine_service.hosting.host import MatchHost
from engine_service.match_enums import MatchState
from engine_service.matches.events import EventCursor
from engine_service.matches.match import LiveMatch
from engine_service.matches.tokens import viewer_of
from engine_service.model import Submitted
from engine_service.observability.logs import get_logger, new_incident_id
from engine_service.pack_guard import DEFERRAL, PackPending
from engine_service.rpc import requests, responses
from engine_service.rpc.auth import ApiToken
from engine_service.rpc.connections import Call, current_call
from engine_service.rpc.errors import reason_number
from engine_service.rpc.interceptor import check_entries, check_request, packed_fields, too_many_entries
from engine_service.rpc.play.channels import Channel, Reporter, ResponseBuilder
from engine_service.rpc.streams import OpenStreams, StreamSender, StreamSettings, retrieve_error, start_reading
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Code, Seat, Viewer
from omnilude.v1 import play_service_pb2 as pb

BYTES_PER_MESSAGE = 1 << 20
"""Approximate maximum size of one message; clients accept 4 MiB by default."""
COSTLY_BYTES = 1 << 15
"""The same for streams that ask for more than codes: a byte takes about a microsecond, and other streams wait."""
BYTES_OF_MATCH = 500
ANSWERS_PER_MESSAGE = 2000
"""Number of answers waiting to be sent at which reading stops."""
HEARTBEAT = pb.PlayResponse().SerializeToString()
RETIRED_CHANNELS = 1000
"""Number of closed channels that are remembered for moves that were sent before the client knew of the end."""
HELLO_SECONDS = 10
"""Time after which a stream without a hello is ended."""
TOKEN_SECONDS = 10
"""Time after the hello in which a stream must send a token if it was admitted beyond the limit of anonymous calls."""
MAX_GAMES = 100
"""Maximum number of games that a hello may name."""
FIRST_OWN_CHANNEL = 1 << 31
"""First of the channel numbers that the service assigns, for invitations."""
ATTACHES_AT_ONCE = 25
"""Number of seats that are attached before the event loop runs other tasks: each reads its match's history."""
MOVES_AT_ONCE = 250
"""Number of moves, or other entries, that are taken before the event loop runs other tasks."""

SERVICE = pb.DESCRIPTOR.services_by_name["PlayService"].full_name
HELLO = pb.PlayRequest.HELLO_FIELD_NUMBER
PACKED = packed_fields(pb.PlayRequest)

Context = grpc.aio.ServicerContext[Any, Any]

log = get_logger("engine_service.rpc.play")


ReceivedMove: TypeAlias = tuple[int, int, Code | Message | None]
"""A move: channel, seq and action (None if it has none)."""


def read_request(data: bytes, max_entries: int) -> pb.PlayRequest | list[tuple[int, int, int]]:
    """Returns the request, or only its moves if it contains nothing but moves by code.

    Raises DecodeError, LimitReached.
    """
    check_entries(data, max_entries, HELLO, PACKED)
    moves = read_moves(data)
    return pb.PlayRequest.FromString(data) if moves is None else moves


class PlayService:
    """Opens a session for each stream. Requests and responses are read and written by the codec of ``cext.wire``."""

    def __init__(self, host: MatchHost, api_token: ApiToken, settings: StreamSettings, engine_version: str) -> None:
        self.host = host
        self.api_token = api_token
        self.settings = settings
        self.engine_version = engine_version
        self.streams = OpenStreams()

    def add_to(self, server: grpc.aio.Server) -> None:
        """Register the service with a server. Sessions write serialised responses."""
        read = partial(read_request, max_entries=self.settings.max_entries)
        play = grpc.stream_stream_rpc_method_handler(self.play, read, bytes)
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, {"Play": play})])

    async def play(self, requests: Any, context: Context) -> None:
        """Serve one stream until its client or the service closes it."""
        session = Session(self, context)
        await session.run()


class Session:
    """Session of a play stream: its channels, its reading and its sending task."""

    def __init__(self, service: PlayService, context: Context) -> None:
        self._sender = StreamSender(context, service.settings)
        self._reporter = Reporter(pb.Hello())
        self._channels: dict[int, Channel] = {}
        self._retired: dict[int, tuple[str, Seat]] = {}
        self._marked: list[Channel] = []
        self._builder = ResponseBuilder()
        self._waiting_answers = 0
        self._room: asyncio.Future[None] | None = None
        self._in_flight: set[asyncio.Task[None]] = set()
        self._finishing = False
        self._closed = False
        self._service = service
        self._host = service.host
        self._context = context
        self._player = ""
        self._next_own = FIRST_OWN_CHANNEL
        self._call = current_call()
        self._token_timer: asyncio.TimerHandle | None = None
        service.streams.add(self._sender)

    async def run(self) -> None:
        """Serve the stream until its client closes it. Raises any other error that ends it."""
        try:
            first = check_request(await self._read_first())
            if not isinstance(first, pb.PlayRequest) or not first.HasField("hello"):
                raise InvalidField.one("hello", "must be set in the first message")
            self._check_hello(first.hello)
        except BaseException:
            self._close()
            raise
        self._reporter = Reporter(first.hello)
        heartbeat_ms = round(self._service.settings.heartbeat_seconds * 1000)
        welcome = self._builder.message.welcome
        welcome.engine_version = self._service.engine_version
        welcome.heartbeat_ms = heartbeat_ms
        self._count_answer()
        sending_task = asyncio.ensure_future(self._send())
        reading_task = asyncio.ensure_future(self._read(first))
        try:
            done, _ = await asyncio.wait({sending_task, reading_task}, return_when=asyncio.FIRST_COMPLETED)
            if sending_task not in done and not self._sender.stalled:
                await self._finish(sending_task)
                await sending_task
            for task in done:
                await task
        finally:
            self._close()
            sending_task.cancel()
            sending_task.add_done_callback(retrieve_error)
            # The reader's call into gRPC ends with the stream; cancelling it would leave its operation behind there.
            reading_task.add_done_callback(retrieve_error)

    async def _read_first(self) -> Any:
        """Read the first message. Raises InvalidField if it does not arrive in time, ShuttingDown."""
        first = start_reading(self._context)
        waited = {first, self._sender.ended}
        await asyncio.wait(waited, timeout=HELLO_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if first.done():
            return first.result()
        raise self._sender.ending or InvalidField.one("hello", f"must be sent within {HELLO_SECONDS} seconds")

    # -- reading -------------------------------------------------------------------------------------------------

    def _check_hello(self, hello: pb.Hello) -> None:
        faults = requests.Faults()
        limits = self._host.limits
        if len(hello.player) > limits.player_name_length:
            faults.add("hello.player", f"must have at most {limits.player_name_length} characters")
        if len(hello.player_key) > limits.request_id_length:
            faults.add("hello.player_key", f"must have at most {limits.request_id_length} characters")
        if len(hello.games) > MAX_GAMES:
            faults.add("hello.games", f"must have at most {MAX_GAMES} entries")
        for index, name in enumerate(hello.games[:MAX_GAMES]):
            faults.game_id(name, f"hello.games[{index}]")
        faults.raise_any()
        if hello.player:
            self._service.api_token.check(self._context)
        if self._call is not None and self._service.api_token.is_sent(self._context):
            self._call.confirm_token()

    async def _read(self, request: Any) -> None:
        hello = request.hello
        await self._handle(request)
        if self._call is not None and self._call.provisional:
            self._token_timer = asyncio.get_running_loop().call_later(TOKEN_SECONDS, self._end_provisional, self._call)
        if hello.player:
            games = frozenset(name.removeprefix("games/") for name in hello.games)
            # This comes after the seats of the first message are attached, so that no attached seat is offered again.
            await self._host.connect_player(hello.player, hello.player_key, games, self, additional=hello.additional)
            self._player = hello.player
            if self._closed:
                self._host.disconnect_player(hello.player, self)
        read = self._context.read
        while not self._closed:
            if self._call is not None:
                await self._call.wait_while_throttled()
            request = await read()
            if request is grpc.aio.EOF or self._closed:
                return
            if type(request) is not list:
                if check_request(request).HasField("hello"):
                    raise InvalidField.one("hello", "must be set in the first message only")
                await self._handle(request)
            else:
                await self._handle_in_parts(request, self._moves)
                await self._wait_for_room()

    async def _handle(self, request: pb.PlayRequest) -> None:
        others = len(request.attach) + len(request.resign) + len(request.detach)
        others += len(request.undo_answers) + len(request.withdraw_undo)
        entries, limit = others + len(request.moves), self._service.settings.max_entries
        if entries > limit:
            raise too_many_entries(entries, limit)
        for number, attach in enumerate(request.attach, 1):
            await self._attach(attach)
            if number % ATTACHES_AT_ONCE == 0:
                await asyncio.sleep(0)
        await self._handle_in_parts(request.moves, lambda moves: self._moves(_received_moves(moves)))
        await self._handle_in_parts(request.resign, self._resign)
        await self._handle_in_parts(request.detach, self._detach_all)
        await self._handle_in_parts(request.undo_answers, self._answer_undo)
        await self._handle_in_parts(request.withdraw_undo, self._withdraw_undo)
        await self._wait_for_room()

    async def _handle_in_parts(self, entries: Sequence[Any], handle: Callable[[Sequence[Any]], None]) -> None:
        """Pass the entries of a message to ``handle`` in parts, and let the event loop run other tasks in between."""
        for start in range(0, len(entries), MOVES_AT_ONCE):
            if start:
                await asyncio.sleep(0)
                await self._wait_for_room()
            handle(entries[start : start + MOVES_AT_ONCE])

    async def _attach(self, attach: pb.Attach) -> None:
        try:
            live, seat = await self._seat_of(attach)
            channel = self._open(attach.channel, live, seat, attach.after_seq)
        except EngineError as error:
            self._count_refusal(error)
            self._builder.message.attached.add(
                channel=attach.channel,
                error=reason_number(error),
                message=error.message,
                address=error.metadata.get("address", ""),
            )
        else:
            if self._call is not None:
                self._call.confirm_token()
            self._builder.message.attached.add(
                channel=attach.channel, match=responses.match(live.info(Viewer(seat))), seat=seat
            )
            channel.on_change(live)
        self._count_answer()
        await self._wait_for_room()

    async def _seat_of(self, attach: pb.Attach) -> tuple[LiveMatch, Seat]:
        if attach.channel in self._channels:
            raise InvalidField.one("channel", f"channel {attach.channel} is in use")
        if attach.channel >= FIRST_OWN_CHANNEL:
            raise InvalidField.one("channel", "must be below 2^31; the service assigns higher numbers")
        if not attach.token:
            raise TokenMissing("a seat's token")
        live = await self._host.live_match(requests.match_name(attach.match), attach.token, viewer_of)
        viewer = live.viewer_of(attach.token)
        if viewer in (SPECTATOR, OMNISCIENT):
            raise NotAllowed("this needs a seat's token, not the host's")
        return live, Seat(viewer)

    def _open(self, number: int, live: LiveMatch, seat: Seat, after_seq: int) -> Channel:
        if self._closed:
            raise ShuttingDown
        limit = self._service.settings.max_channels
        if len(self._channels) >= limit:
            raise LimitReached("server.max_stream_channels", limit, f"the stream plays {limit} seats already")
        cursor = EventCursor(live, Viewer(seat), after_seq) if self._reporter.events else None
        channel = Channel(number, live, seat, cursor, self)
        live.subscribe(channel)
        self._channels[number] = channel
        self._retired.pop(number, None)
        return channel

    def _moves(self, moves: Iterable[ReceivedMove]) -> None:
        channels, play, add_result = self._channels, self._host.submit_for_seat, self._builder.plain.add_result
        taken = 0
        for number, seq, action in moves:
            channel = channels.get(number)
            if channel is None:
                self._late_move(number, seq, action)
                continue
            try:
                done = play(channel.live, channel.seat, _require_action(action), seq)
                if type(done) is Submitted:
                    add_result(number, seq, done.action_seq)
                    taken += 1
                else:
                    self._answer_when_done(channel, seq, cast(Awaitable[Submitted], done))
            except Exception as error:
                self._refuse(number, seq, error)
        if taken and self._call is not None:
            self._call.accepted()
        self._waiting_answers += taken
        self._sender.wake()

    def _resign(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if channel := self._channel(number):
                self._answer_when_done(channel, 0, self._host.resign_seat(channel.live, channel.seat))

    def _detach_all(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if channel := self._channels.get(number):
                self._detach(channel)

    def _answer_undo(self, answers: Iterable[pb.UndoAnswer]) -> None:
        for answer in answers:
            if channel := self._channel(answer.channel):
                given = self._host.answer_undo_for_seat(
                    channel.live, channel.seat, answer.request_seq, answer.accept, answer.reason
                )
                self._answer_when_done(channel, 0, given)

    def _withdraw_undo(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if channel := self._channel(number):
                self._answer_when_done(channel, 0, self._host.withdraw_undo_for_seat(channel.live, channel.seat))

    def _late_move(self, number: int, seq: int, action: Code | Message | None) -> None:
        """Answer a move in a match that has ended: a repeated move gets its first answer, any other gets
        MATCH_ENDED."""
        retired = self._retired.get(number)
        if retired is None:
            self._refuse(number, seq, InvalidField.one("channel", f"there is no channel {number}"))
            return

        async def answer(name: str, seat: Seat) -> None:
            try:
                done = self._host.submit_for_seat(await self._host.live_match(name), seat, _require_action(action), seq)
                taken = done if isinstance(done, Submitted) else await done
            except Exception as error:
                self._refuse(number, seq, error)
            else:
                self._builder.plain.add_result(number, seq, taken.action_seq)
                self._count_answer()

        self._start_task(answer(*retired))

    def _channel(self, number: int) -> Channel | None:
        channel = self._channels.get(number)
        if channel is None:
            self._refuse(number, 0, InvalidField.one("channel", f"there is no channel {number}"))
        return channel

    # -- invitations: called by the host ---------------------------------------------------------------------------

    def on_invited(self, live: LiveMatch, seat: Seat, token: str) -> None:
        """Open a channel for a seat that the player was given, or held already when this stream was opened."""
        if any(isinstance(known, Channel) and known.stream is self and known.seat == seat for known in live.listeners):
            return
        number = self._next_own
        try:
            channel = self._open(number, live, seat, 0)
        except LimitReached:
            # The seat still belongs to the player, whose client finds it when it connects again.
            log.warning("no channel left for an invitation", match=live.name)
            return
        self._next_own += 1
        self._builder.message.invitations.add(
            channel=number, match=responses.match(live.info(Viewer(seat))), seat=seat, token=token
        )
        self._count_answer()
        channel.on_change(live)

    def on_referred(self, address: str) -> None:
        """Tell the client where another service has a seat for the player."""
        self._builder.message.referrals.add(address=address)
        self._count_answer()

    def on_replaced(self) -> None:
        """End the stream, because another stream has taken over the name with the same key."""
        name, self._player = self._player, ""
        self._sender.end(PlayerNameTaken(name, taken_over=True))

    def _end_provisional(self, call: Call) -> None:
        """End the stream if it was admitted beyond the limit of anonymous calls and has not sent a token."""
        try:
            call.end_provisional()
        except LimitReached as error:
            self._sender.end(error)

    # -- answers -------------------------------------------------------------------------------------------------

    def _answer_when_done(self, channel: Channel, seq: int, work: Awaitable[Any]) -> None:
        """Answer when ``work`` is done; until then nothing else is sent on the channel."""

        async def answer() -> None:
            try:
                done = await work
            except Exception as error:
                self._refuse(channel.number, seq, error)
            else:
                if self._call is not None:
                    self._call.accepted()
                if isinstance(done, Submitted):
                    self._builder.plain.add_result(channel.number, seq, done.action_seq)
                    self._count_answer()
            finally:
                channel.in_flight -= 1
                if not channel.in_flight:
                    channel.on_change(channel.live)

        channel.in_flight += 1
        self._start_task(answer())

    def _start_task(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._in_flight.add(task)
        task.add_done_callback(self._in_flight.discard)

    def _refuse(self, number: int, seq: int, error: Exception) -> None:
        if not isinstance(error, EngineError):
            fault = InternalFault(new_incident_id())
            log.error("internal fault", method="Play", incident=fault.incident, exc_info=error)
            error = fault
        self._count_refusal(error)
        self._builder.message.results.add(
            channel=number,
            seq=seq,
            error=reason_number(error),
            message=error.message,
            pack_reason=error.metadata.get("pack_reason", ""),
        )
        self._count_answer()

    def _count_refusal(self, error: EngineError) -> None:
        """Count an entry that was refused against the connection."""
        if self._call is not None:
            self._call.refused(error)

    def _count_answer(self) -> None:
        self._waiting_answers += 1
        self._sender.wake()

    async def _wait_for_room(self) -> None:
        while self._waiting_answers >= ANSWERS_PER_MESSAGE and not self._closed:
            self._room = asyncio.get_running_loop().create_future()
            await self._room

    # -- sending -------------------------------------------------------------------------------------------------

    def mark(self, channel: Channel) -> None:
        """Mark a channel that has something to send."""
        marked = self._marked
        if not marked:
            self._sender.wake()
        marked.append(channel)

    async def _send(self) -> None:
        sender = self._sender
        while True:
            woken = await sender.wait()
            response = self._collect()
            if response is not None:
                await sender.send(response)
            elif not woken:
                await sender.send(HEARTBEAT)
            if self._marked or self._waiting_answers:
                sender.wake()
            elif sender.ending is not None:
                raise sender.ending
            elif self._finishing:
                return

    def _collect(self) -> bytes | None:
        """Returns the next message: all answers, and as many reports of channels as fit. None if there is nothing."""
        builder, size = self._builder, self._waiting_answers
        self._waiting_answers = 0
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        marked, self._marked = self._marked, []
        size_limit = COSTLY_BYTES if self._reporter.costly else BYTES_PER_MESSAGE
        for index, channel in enumerate(marked):
            channel.marked = False
            if channel.in_flight or not channel.open:
                continue
            if channel.live.loaded.executor is None:
                size += self._reporter.report(channel, builder)
            else:
                try:
                    with DEFERRAL:
                        size += self._reporter.report(channel, builder)
                except PackPending as pending:
                    self._report_later(channel, pending)
                    size += 1  # events may have been added before
                    continue
            if channel.live.snapshot.state >= MatchState.FINISHED and not channel.marked:
                builder.message.ended.add(
                    channel=channel.number, match=responses.match(channel.live.info(channel.viewer))
                )
                size += BYTES_OF_MATCH
                self._retire(channel)
            if size > size_limit:
                self._marked += marked[index + 1 :]
                break
        return builder.take() if size else None

    def _report_later(self, channel: Channel, pending: PackPending) -> None:
        """Mark a channel again when an isolated pack has answered."""
        loop = asyncio.get_running_loop()

        def again(answer: Future[Any]) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(channel.on_change, channel.live)

        pending.answer.add_done_callback(again)

    # -- channels ------------------------------------------------------------------------------------------------

    def _detach(self, channel: Channel) -> None:
        channel.open = False
        channel.live.unsubscribe(channel)
        self._channels.pop(channel.number, None)

    def _retire(self, channel: Channel) -> None:
        self._detach(channel)
        self._retired[channel.number] = (channel.live.name, channel.seat)
        if len(self._retired) > RETIRED_CHANNELS:
            self._retired.pop(next(iter(self._retired)))

    # -- closing -------------------------------------------------------------------------------------------------

    async def _finish(self, sending_task: asyncio.Task[None]) -> None:
        """Send the outstanding answers after the client has closed its side.

        A status must not be sent while gRPC is still sending a message, so this always waits for the sending task.
        """
        while self._in_flight:
            await asyncio.wait(self._in_flight)
        self._finishing = True
        self._sender.wake()
        await asyncio.wait({sending_task})

    def _close(self) -> None:
        self._closed = True
        if self._token_timer is not None:
            self._token_timer.cancel()
        for channel in list(self._channels.values()):
            self._detach(channel)
        if self._player:
            self._host.disconnect_player(self._player, self)
        self._service.streams.remove(self._sender)
        if self._room is not None and not self._room.done():
            self._room.set_result(None)


def _received_moves(moves: Iterable[pb.Move]) -> list[ReceivedMove]:
    return [(move.channel, move.seq, _action(move)) for move in moves]


def _action(move: pb.Move) -> Code | Message | None:
    kind = move.WhichOneof("action")
    if kind == "code":
        return Code(move.code)
    return move.typed_action if kind == "typed_action" else None


def _require_action(action: Code | Message | None) -> Code | Message:
    if action is None:
        raise InvalidField.one("action", "code or typed_action must be set")
    return action
