"""The asyncio driver of a bot: :class:`Player` keeps one play stream up and lets a bot play on it."""

from __future__ import annotations

import asyncio
import logging
import math
import random
import secrets
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self, cast

import grpc

from omnilude import happenings as on
from omnilude.async_client import AsyncClient
from omnilude.bots import WANTS, Bot, Played, Table, Turn
from omnilude.connection import Backoff, is_passing
from omnilude.errors import OmniludeError, ShuttingDown, Unreachable, from_call
from omnilude.happenings import SeatState
from omnilude.operations import game_name, match_name
from omnilude.packs import GameInfo
from omnilude.session import Session
from omnilude.thinking import Thinker
from omnilude.v1.play_service_pb2 import Hello, PlayRequest, PlayResponse

log = logging.getLogger("omnilude")

_PATH = "/omnilude.v1.PlayService/Play"
_HEARTBEAT = 15.0
"""Seconds between two heartbeats, until the service has said how many."""
_SILENT_HEARTBEATS = 3
_REPEAT_AFTER = 0.25
"""Seconds until an answer is sent again that was refused for a passing reason."""


class Player:
    """A bot on a play stream: it plays the seats it is given, and those it is invited to under its name.

    Use it with ``async with``. A lost connection is made again, and play goes on where it stood: no decision is lost,
    and none counts twice. ``patience`` is for how many seconds in a row it tries before it gives up: to connect, and to
    attach a seat that the service refuses for a passing reason (a limit, a store that cannot be reached).
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
        patience: float = math.inf,
    ) -> None:
        if isinstance(bot, type):
            raise TypeError(f"{bot.__name__} is a class: what plays is an object of it, {bot.__name__}()")
        unknown = [want for want in bot.wants if want not in WANTS]
        if unknown:
            raise ValueError(
                f"{type(bot).__name__}.wants: no such thing as {unknown[0]!r}; there are {', '.join(WANTS)}"
            )
        self._bot = bot
        self._client = client
        self._patience = patience
        self._seeds = random.Random(seed)
        self._session = Session(
            Hello(
                player=name,
                player_key=key or secrets.token_urlsafe(24),
                games=[game_name(game) for game in games],
                views="view" in bot.wants,
                typed_actions="actions" in bot.wants,
                positions="position" in bot.wants,
                events="events" in bot.wants,
                labels="events" in bot.wants,
            )
        )
        self._games: dict[str, GameInfo] = {}
        self._tables: dict[SeatState, Table] = {}
        self._waiting: dict[SeatState, asyncio.Future[Played]] = {}
        self._attaching: dict[SeatState, tuple[Backoff, float]] = {}
        """Seats whose attaching was refused: the pauses until the next try, and the time of the first refusal."""
        self._wake = asyncio.Event()
        self._thinker = Thinker(bot, self._session.answer, self._fail, self._wake.set)
        self._connected = asyncio.Event()
        self._heartbeat = _HEARTBEAT
        self._silence: asyncio.TimerHandle | None = None
        self._silent = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._connect()), asyncio.create_task(self._thinker.run())]
        for task in self._tasks:
            task.add_done_callback(self._ended)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._thinker.close()

    def play(self, match: str, token: str) -> asyncio.Future[Played]:
        """Play a seat that was taken by other means (``join``). The future is done when the match ends."""
        self._raise_if_failed()
        seat = self._session.attach(match_name(match), token)
        future = self._waiting.get(seat)
        if future is None:
            future = self._waiting[seat] = asyncio.get_running_loop().create_future()
        self._wake.set()
        return future

    async def connected(self) -> None:
        """Wait until the service has said welcome for the first time. Raises what made that impossible."""
        welcome = asyncio.create_task(self._connected.wait())
        try:
            await asyncio.wait([welcome, *self._tasks], return_when=asyncio.FIRST_COMPLETED)
        finally:
            welcome.cancel()
        self._raise_if_failed()

    async def wait(self) -> None:
        """Wait until playing is at an end because the service cannot be reached or refuses; raises the reason."""
        await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        self._raise_if_failed()

    def _raise_if_failed(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    # -- the connection --------------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        """Keep the stream up. Ends only by an error that trying again cannot mend."""
        loop = asyncio.get_running_loop()
        backoff, lost_at = Backoff(), None
        while True:
            try:
                await self._stream()
            except OmniludeError as error:
                if self._connected.is_set():
                    self._connected.clear()
                    backoff.reset()
                    lost_at = None
                if not is_passing(error):
                    raise
                if lost_at is None:
                    lost_at = loop.time()
                    log.warning("%s: %s; trying again", self._client.endpoint.target, error or type(error).__name__)
                if loop.time() - lost_at >= self._patience:
                    raise
            await asyncio.sleep(backoff.pause())

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Playing is at an end: whoever waits for a match must not wait for ever."""
        error = None if task.cancelled() else task.exception()
        for future in self._waiting.values():
            if not future.done() and error is not None:
                future.set_exception(error)

    async def _stream(self) -> None:
        """One connection, from hello to its end, which is always an error.

        It has a channel of its own: on another's, the next stream would be sent down the same connection, even if that
        is dead.
        """
        channel = self._client.new_channel()
        open_stream = channel.stream_stream(
            _PATH, request_serializer=PlayRequest.SerializeToString, response_deserializer=PlayResponse.FromString
        )
        self._call: Any = open_stream(metadata=self._client.endpoint.metadata())
        call = self._call
        self._session.open()
        self._wake.set()
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
                    if entry.match.game and entry.match.game not in self._games:
                        self._games[entry.match.game] = await self._client.game(entry.match.game)
                for happening in self._session.receive(response):
                    self._handle(happening)
                self._wake.set()
        except grpc.RpcError as error:
            raise from_call(cast(Any, error)) from None
        except asyncio.CancelledError:
            # grpc tells of its call's cancellation (by _on_silence) in the same way as asyncio of the task's.
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

    async def _write(self, call: Any) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            request = self._session.outgoing()
            if request is not None:
                await call.write(request)

    def _watch_silence(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
        self._silence = asyncio.get_running_loop().call_later(self._heartbeat, self._on_silence)

    def _on_silence(self) -> None:
        """Counts heartbeats instead of reading the clock: a bot that thinks long in the loop delays both alike."""
        self._silent += 1
        if self._silent >= _SILENT_HEARTBEATS:
            self._call.cancel()
        else:
            self._watch_silence()

    # -- what happens ----------------------------------------------------------------------------------------------

    def _handle(self, happening: on.Happening) -> None:
        match happening:
            case on.Opened(heartbeat):
                self._heartbeat = heartbeat or _HEARTBEAT
                self._watch_silence()
                self._connected.set()
                log.info("connected to %s", self._client.endpoint.target)
            case on.Seated(seat):
                assert seat.match is not None
                rng = random.Random(self._seeds.getrandbits(64))
                table = self._tables[seat] = Table(seat.match, seat.seat, self._games[seat.match.game], rng)
                self._tell(seat, lambda: self._bot.started(table))
            case on.AttachRefused(seat, error):
                self._attach_later(seat, error)
            case on.Owed(seat, turn):
                self._thinker.ask(seat, Turn(self._tables[seat], turn, self._bot.wants), turn)
            case on.Happened(seat, events):
                if "events" in self._bot.wants:
                    table = self._tables[seat]
                    self._tell(seat, lambda: self._bot.happened(table, events))
            case on.UndoAsked(seat, event):
                table = self._tables[seat]
                self._tell(
                    seat, lambda: self._session.answer_undo(seat, event.seq, self._bot.agrees_to_undo(table, event))
                )
            case on.Refused(seat, error, again):
                if again:
                    asyncio.get_running_loop().call_later(_REPEAT_AFTER, self._repeat, seat)
                else:
                    self._fail(seat, error)
            case on.Over(seat, ended):
                self._thinker.stop(seat)
                self._attaching.pop(seat, None)
                table = self._tables.pop(seat)
                played = Played(ended, table.seat, table.error)
                self._tell(seat, lambda: self._bot.ended(played))
                future = self._waiting.pop(seat, None)
                if future is not None and not future.done():
                    future.set_result(played)
            case on.Lost(seat, error):
                self._thinker.stop(seat)
                self._attaching.pop(seat, None)
                self._tables.pop(seat, None)
                log.warning("%s: the seat is lost: %s", seat.match_name, error)
                future = self._waiting.pop(seat, None)
                if future is not None and not future.done():
                    future.set_exception(error)

    def _attach_later(self, seat: SeatState, error: OmniludeError) -> None:
        """Try again, as for a lost connection: with growing pauses, for as long as patience lasts."""
        loop = asyncio.get_running_loop()
        if seat.attach_refusals == 1:
            log.warning("%s: the seat cannot be attached: %s; trying again", seat.match_name, error)
            self._attaching[seat] = (Backoff(), loop.time())
        backoff, since = self._attaching[seat]
        if loop.time() - since >= self._patience:
            self._session.detach(seat)
            self._handle(on.Lost(seat, error))
        else:
            loop.call_later(backoff.pause(), self._attach_again, seat)

    def _attach_again(self, seat: SeatState) -> None:
        self._session.attach_again(seat)
        self._wake.set()

    def _tell(self, seat: SeatState, call: Any) -> None:
        try:
            call()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # nothing is awaited here, so a CancelledError too is the bot's own
            self._fail(seat, error)

    def _fail(self, seat: SeatState, error: BaseException) -> None:
        """The bot failed at one table: it resigns there, and plays on everywhere else."""
        log.error("%s: the bot failed and resigns", seat.match_name, exc_info=error)
        table = self._tables.get(seat)
        if table is not None:
            table.error = error
            self._session.resign(seat)
            self._wake.set()

    def _repeat(self, seat: SeatState) -> None:
        self._session.repeat(seat)
        self._wake.set()
