"""Asyncio driver of a bot: :class:`Player` keeps a play stream open on which the bot plays."""

from __future__ import annotations

import asyncio
import logging
import math
import random
import secrets
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self, cast

import grpc

from omnilude.async_client import AsyncClient
from omnilude.bot_executor import BotExecutor
from omnilude.bots import WANTS, Bot
from omnilude.connection import Backoff, is_temporary
from omnilude.errors import OmniludeError, ShuttingDown, Unreachable, from_call
from omnilude.local import local_game
from omnilude.operations import game_name, match_name
from omnilude.packs import GameInfo
from omnilude.play_session import (
    Action,
    AttachRefused,
    EventsReceived,
    MatchOver,
    MoveRefused,
    PlaySession,
    Referred,
    SeatAttached,
    SeatLost,
    SeatRedirected,
    SeatState,
    SessionEvent,
    StreamOpened,
    TurnReceived,
    UndoRequested,
)
from omnilude.turns import BotSeat, PlayedMatch, Resign, Turn
from omnilude.v1.match_pb2 import MatchEvent
from omnilude.v1.play_service_pb2 import Hello, PlayRequest, PlayResponse
from omnilude.v1.play_service_pb2 import Turn as TurnMessage

log = logging.getLogger("omnilude")

_PATH = "/omnilude.v1.PlayService/Play"
_HEARTBEAT = 15.0
"""Seconds between two heartbeats, until the service has sent its own interval."""
_SILENT_HEARTBEATS = 3
_RESEND_AFTER = 0.25
"""Delay in seconds before a move is resent that was refused for a temporary reason."""
_ADDITIONAL_RECONNECT_TIMEOUT = 3.0
"""Seconds without a connection after which an additional stream ends."""


class Player:
    """A bot on a play stream: plays the seats passed to :meth:`play_seat`, and those to which it is invited by name.

    Use it with ``async with``. The player reconnects after a lost connection and resumes play: no decision is lost, and
    none counts twice. ``reconnect_timeout`` is the time in seconds after which it stops trying to connect, or to attach
    a seat that the service refuses for a temporary reason (a limit, an unavailable store). ``on_resign`` is called with
    the name of the match and the bot's exception before a resignation is sent.

    If several services share a database, only one of them holds a match that is not stored. The player plays such
    matches on additional streams, to the addresses that the services send.
    """

    def __init__(
        self,
        bot: Bot,
        client: AsyncClient,
        *,
        name: str = "",
        key: str | None = None,
        games: Iterable[str] = (),
        seed: int | None = None,
        reconnect_timeout: float = math.inf,
        on_resign: Callable[[str, BaseException], None] = lambda match, error: None,
    ) -> None:
        if not isinstance(bot, Bot):
            what = f"the class {bot.__name__}" if isinstance(bot, type) else f"a value of type {type(bot).__name__}"
            raise TypeError(f"a bot must be an object of a subclass of omnilude.Bot, not {what}")
        unknown = [want for want in bot.wants if want not in WANTS]
        if unknown:
            raise ValueError(f"{type(bot).__name__}.wants: unknown value {unknown[0]!r}; known are {', '.join(WANTS)}")
        self._bot = bot
        self.client = client
        self._reconnect_timeout = reconnect_timeout
        self._on_resign = on_resign
        self._seeds = random.Random(seed)
        session = PlaySession(
            Hello(
                player=name,
                player_key=key or secrets.token_urlsafe(24),
                games=[game_name(game) for game in games],
                views="view" in bot.wants,
                typed_actions="actions" in bot.wants,
                positions="position" in bot.wants or "rules" in bot.wants,
                events="events" in bot.wants,
                labels="events" in bot.wants,
            )
        )
        self._games: dict[str, GameInfo] = {}
        self._bot_seats: dict[SeatState, BotSeat] = {}
        self._results: dict[SeatState, asyncio.Future[PlayedMatch]] = {}
        self._attach_retries: dict[SeatState, tuple[Backoff, float]] = {}
        """Seats that could not be attached: the backoff, and the time of the first refusal."""
        self._main = _Stream(self, session, client.transport.endpoint.target, reconnect_timeout)
        self._additional: dict[str, tuple[_Stream, asyncio.Task[None]]] = {}
        """Additional streams and the tasks that keep them open, by address."""
        self._executor = BotExecutor(bot, _queue_move, self._fail, self._wake)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._main.keep_open()), asyncio.create_task(self._executor.run())]
        for task in self._tasks:
            task.add_done_callback(self._ended)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        tasks = [*self._tasks, *(task for _, task in self._additional.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._executor.close()

    def play_seat(self, match: str, token: str) -> asyncio.Future[PlayedMatch]:
        """Play a seat that was taken with ``join``; returns a future that is done when the match ends."""
        self._raise_if_failed()
        seat = self._main.session.attach(match_name(match), token)
        future = self._results.get(seat)
        if future is None:
            future = self._results[seat] = asyncio.get_running_loop().create_future()
        self._wake()
        return future

    async def connected(self) -> None:
        """Wait until the stream is open for the first time. Raises the error that makes it impossible."""
        welcome = asyncio.create_task(self._main.connected.wait())
        try:
            await asyncio.wait([welcome, *self._tasks], return_when=asyncio.FIRST_COMPLETED)
        finally:
            welcome.cancel()
        self._raise_if_failed()

    async def wait(self) -> None:
        """Wait until the service refuses the player or cannot be reached; raises that error."""
        await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        self._raise_if_failed()

    def _raise_if_failed(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    # -- the streams -----------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Wake the writers, which send the requests of their sessions."""
        self._main.wake.set()
        for stream, _ in self._additional.values():
            stream.wake.set()

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Pass the error that stopped the player to the futures of its matches."""
        error = None if task.cancelled() else task.exception()
        for future in self._results.values():
            if not future.done() and error is not None:
                future.set_exception(error)

    def _additional_to(self, address: str) -> _Stream:
        """Returns the additional stream to an address; opens it if there is none."""
        if address not in self._additional:
            reconnect_timeout = min(self._reconnect_timeout, _ADDITIONAL_RECONNECT_TIMEOUT)
            stream = _Stream(self, self._main.session.additional(), address, reconnect_timeout)
            task = asyncio.create_task(stream.keep_open())
            self._additional[address] = stream, task
            task.add_done_callback(lambda done: self._additional_ended(address, done))
        return self._additional[address][0]

    def _additional_ended(self, address: str, task: asyncio.Task[None]) -> None:
        """Play the seats of an additional stream on the main one, whose service knows their state."""
        if task.cancelled():
            return
        stream, _ = self._additional.pop(address)
        error = task.exception()
        if not isinstance(error, OmniludeError):
            log.error("%s: the additional stream has failed", address, exc_info=error)
        for seat in stream.session.seats:
            self._main.session.adopt(seat)
        self._wake()

    # -- events ----------------------------------------------------------------------------------------------------

    async def load_game(self, game: str) -> None:
        """Load a game; call it before handling events of its matches."""
        if game and game not in self._games:
            self._games[game] = await self.client.game(game)

    def handle(self, event: SessionEvent) -> None:
        """Handle an event of a session."""
        match event:
            case Referred(address):
                self._additional_to(address)
            case SeatRedirected(seat, address):
                self._additional_to(address).session.adopt(seat)
                self._wake()
            case SeatAttached(seat):
                assert seat.match is not None
                rng = random.Random(self._seeds.getrandbits(64))
                bot_seat = self._bot_seats[seat] = BotSeat(seat.match, seat.seat, self._games[seat.match.game], rng)
                self._notify(seat, lambda: self._start(bot_seat))
            case AttachRefused(seat, error):
                self._attach_later(seat, error)
            case TurnReceived(seat, turn):
                self._executor.schedule(seat, Turn(self._bot_seats[seat], turn, self._bot.wants), turn)
            case EventsReceived(seat, events):
                if "events" in self._bot.wants:
                    bot_seat = self._bot_seats[seat]
                    self._notify(seat, lambda: self._bot.on_events(bot_seat, events))
            case UndoRequested(seat, request):
                bot_seat = self._bot_seats[seat]
                self._notify(seat, lambda: self._answer_undo(seat, bot_seat, request))
            case MoveRefused(seat, error, retry):
                if retry:
                    asyncio.get_running_loop().call_later(_RESEND_AFTER, self._resend, seat)
                else:
                    self._fail(seat, error)
            case MatchOver(seat, ended):
                self._executor.cancel(seat)
                self._attach_retries.pop(seat, None)
                bot_seat = self._bot_seats.pop(seat)
                played = PlayedMatch(ended, bot_seat.seat, bot_seat.error)
                self._notify(seat, lambda: self._bot.on_end(played))
                future = self._results.pop(seat, None)
                if future is not None and not future.done():
                    future.set_result(played)
            case SeatLost(seat, error):
                self._executor.cancel(seat)
                self._attach_retries.pop(seat, None)
                self._bot_seats.pop(seat, None)
                log.warning("%s: the seat is lost: %s", seat.match_name, error)
                future = self._results.pop(seat, None)
                if future is not None and not future.done():
                    future.set_exception(error)

    def _start(self, bot_seat: BotSeat) -> None:
        self._bot.on_start(bot_seat)
        if "rules" in self._bot.wants:
            local_game(bot_seat)  # raises RulesNotInstalled before the first turn

    def _answer_undo(self, seat: SeatState, bot_seat: BotSeat, request: MatchEvent) -> None:
        seat.session.answer_undo(seat, request.seq, self._bot.accepts_undo(bot_seat, request))

    def _attach_later(self, seat: SeatState, error: OmniludeError) -> None:
        """Retry with backoff, as for a lost connection, until the reconnect timeout."""
        loop = asyncio.get_running_loop()
        if seat.attach_refusals == 1:
            log.warning("%s: the seat cannot be attached: %s; trying again", seat.match_name, error)
            self._attach_retries[seat] = (Backoff(), loop.time())
        backoff, since = self._attach_retries[seat]
        if loop.time() - since >= self._reconnect_timeout:
            seat.session.detach(seat)
            self.handle(SeatLost(seat, error))
        else:
            loop.call_later(backoff.pause(), self._reattach, seat)

    def _reattach(self, seat: SeatState) -> None:
        seat.session.reattach(seat)
        self._wake()

    def _notify(self, seat: SeatState, call: Any) -> None:
        try:
            call()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # nothing is awaited here, so a CancelledError is the bot's own too
            self._fail(seat, error)

    def _fail(self, seat: SeatState, error: BaseException) -> None:
        """Resign a seat at which the bot failed or raised Resign; its other matches continue."""
        bot_seat = self._bot_seats.get(seat)
        if isinstance(error, Resign):
            log.info("%s: the bot resigns", seat.match_name)
        else:
            log.error("%s: the bot failed and resigns", seat.match_name, exc_info=error)
            if bot_seat is not None:
                bot_seat.error = error
        if bot_seat is not None:
            self._on_resign(seat.match_name, error)
            seat.session.resign(seat)
            self._wake()

    def _resend(self, seat: SeatState) -> None:
        seat.session.resend(seat)
        self._wake()


def _queue_move(seat: SeatState, turn: TurnMessage, action: Action) -> None:
    seat.session.queue_move(seat, turn, action)


class _Stream:
    """A play stream of a player to one service."""

    def __init__(self, player: Player, session: PlaySession, target: str, reconnect_timeout: float) -> None:
        self._player = player
        self.session = session
        self._target = target
        self._reconnect_timeout = reconnect_timeout
        self.wake = asyncio.Event()
        """Set when the session has something to send."""
        self.connected = asyncio.Event()
        self._heartbeat = _HEARTBEAT
        self._silence: asyncio.TimerHandle | None = None
        self._silent = 0

    async def keep_open(self) -> None:
        """Open the stream and reopen it whenever it ends. Raises an error that is permanent or outlasts the timeout."""
        loop = asyncio.get_running_loop()
        backoff, lost_at = Backoff(), None
        while True:
            try:
                await self._run()
            except OmniludeError as error:
                if self.connected.is_set():
                    self.connected.clear()
                    backoff.reset()
                    lost_at = None
                if not is_temporary(error):
                    raise
                if lost_at is None:
                    lost_at = loop.time()
                    log.warning("%s: %s; reconnecting", self._target, error or type(error).__name__)
                if loop.time() - lost_at >= self._reconnect_timeout:
                    raise
            await asyncio.sleep(backoff.pause())

    async def _run(self) -> None:
        """Run one stream, from hello to the error that ends it.

        Each stream has its own channel: on a shared one, the next stream would reuse the connection, even a dead one.
        """
        transport = self._player.client.transport
        channel = transport.new_channel(self._target)
        open_stream = channel.stream_stream(
            _PATH, request_serializer=PlayRequest.SerializeToString, response_deserializer=PlayResponse.FromString
        )
        self._call: Any = open_stream(metadata=transport.endpoint.metadata())
        call = self._call
        self.session.open_stream()
        self.wake.set()
        self._silent = 0
        self._watch_silence()
        writer = asyncio.create_task(self._write(call))
        try:
            while True:
                response: Any = await call.read()
                if response is grpc.aio.EOF:
                    raise ShuttingDown("the service ended the stream")
                self._silent = 0
                for entry in (*response.invitations, *response.attached):
                    await self._player.load_game(entry.match.game)
                for event in self.session.receive(response):
                    if isinstance(event, StreamOpened):
                        self._opened(event)
                    else:
                        self._player.handle(event)
                self.wake.set()
        except grpc.RpcError as error:
            raise from_call(cast(Any, error)) from None
        except asyncio.CancelledError:
            # The cancellation of the call (by _on_silence) raises the same error as that of the task.
            if not call.cancelled() or cast(asyncio.Task[None], asyncio.current_task()).cancelling():
                raise
            raise Unreachable("the connection is silent") from None
        finally:
            call.cancel()
            writer.cancel()
            if self._silence is not None:
                self._silence.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            await channel.close()

    def _opened(self, opened: StreamOpened) -> None:
        self._heartbeat = opened.heartbeat or _HEARTBEAT
        self._watch_silence()
        self.connected.set()
        log.info("connected to %s", self._target)

    async def _write(self, call: Any) -> None:
        while True:
            await self.wake.wait()
            self.wake.clear()
            request = self.session.take_request()
            if request is not None:
                await call.write(request)

    def _watch_silence(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
        self._silence = asyncio.get_running_loop().call_later(self._heartbeat, self._on_silence)

    def _on_silence(self) -> None:
        """Count missed heartbeats. The clock cannot be used: a bot that blocks the event loop delays heartbeats too."""
        self._silent += 1
        if self._silent >= _SILENT_HEARTBEATS:
            self._call.cancel()
        else:
            self._watch_silence()
