"""The asyncio driver of a bot: :class:`Player` keeps one play stream up and lets a bot play on it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
import operator
import random
import secrets
from collections.abc import Awaitable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self, cast

import grpc
from google.protobuf.message import Message

from omnilude import session as protocol
from omnilude.async_client import AsyncClient
from omnilude.bots import WANTS, Bot, Choice, Played, Table, Turn
from omnilude.connection import Backoff, is_passing
from omnilude.errors import OmniludeError, ShuttingDown, Unreachable, from_call
from omnilude.operations import game_name, match_name
from omnilude.packs import GameInfo, pack
from omnilude.session import SeatState, Session
from omnilude.v1.play_service_pb2 import Hello, PlayRequest, PlayResponse

log = logging.getLogger("omnilude")

_PATH = "/omnilude.v1.PlayService/Play"
_HEARTBEAT = 15.0
"""Seconds between two heartbeats, until the service has said how many."""
_SILENT_HEARTBEATS = 3
_REPEAT_AFTER = 0.25
"""Seconds until an answer is sent again that was refused for a passing reason."""
_SLICE = 0.005
"""Seconds for which turns are answered before what is ready is sent and what has come is read."""


class IllegalChoice(OmniludeError):
    """A bot chose what is not among its turn's legal codes."""


class Player:
    """A bot on a play stream: it plays the seats it is given, and those it is invited to under its name.

    Use it with ``async with``. A lost connection is made again, and play goes on where it stood: no decision is lost,
    and none counts twice. ``patience`` is for how many seconds in a row it tries before it gives up.
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
        self._thinking: dict[SeatState, asyncio.Future[Choice]] = {}
        self._turns: asyncio.Queue[tuple[SeatState, Turn, Any]] = asyncio.Queue()
        self._wake = asyncio.Event()
        self._connected = asyncio.Event()
        self._heartbeat = _HEARTBEAT
        self._silence: asyncio.TimerHandle | None = None
        self._silent = 0
        self._executor = ThreadPoolExecutor(bot.threads, "omnilude-bot") if bot.threads else None
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._connect()), asyncio.create_task(self._think())]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        running: list[asyncio.Future[Any]] = [*self._tasks, *self._thinking.values()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)

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
        try:
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
        except OmniludeError as error:
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(error)
            raise

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

    def _handle(self, happening: protocol.Happening) -> None:
        match happening:
            case protocol.Opened(heartbeat):
                self._heartbeat = heartbeat or _HEARTBEAT
                self._watch_silence()
                self._connected.set()
                log.info("connected to %s", self._client.endpoint.target)
            case protocol.Seated(seat):
                assert seat.match is not None
                rng = random.Random(self._seeds.getrandbits(64))
                table = self._tables[seat] = Table(seat.match, seat.seat, self._games[seat.match.game], rng)
                self._tell(seat, lambda: self._bot.started(table))
            case protocol.Owed(seat, turn):
                self._stop_thinking(seat)
                self._turns.put_nowait((seat, Turn(self._tables[seat], turn, self._bot.wants), turn))
            case protocol.Happened(seat, events):
                if "events" in self._bot.wants:
                    table = self._tables[seat]
                    self._tell(seat, lambda: self._bot.happened(table, events))
            case protocol.UndoAsked(seat, event):
                table = self._tables[seat]
                self._tell(seat, lambda: self._session.answer_undo(seat, self._bot.agrees_to_undo(table, event)))
            case protocol.Refused(seat, error, again):
                if again:
                    asyncio.get_running_loop().call_later(_REPEAT_AFTER, self._repeat, seat)
                else:
                    self._fail(seat, error)
            case protocol.Over(seat, ended):
                self._stop_thinking(seat)
                table = self._tables.pop(seat)
                played = Played(ended, table.seat, table.error)
                self._tell(seat, lambda: self._bot.ended(played))
                future = self._waiting.pop(seat, None)
                if future is not None and not future.done():
                    future.set_result(played)
            case protocol.Lost(seat, error):
                self._stop_thinking(seat)
                self._tables.pop(seat, None)
                log.warning("%s: the seat is lost: %s", seat.match_name, error)
                future = self._waiting.pop(seat, None)
                if future is not None and not future.done():
                    future.set_exception(error)

    def _tell(self, seat: SeatState, call: Any) -> None:
        try:
            call()
        except Exception as error:
            self._fail(seat, error)

    def _fail(self, seat: SeatState, error: Exception) -> None:
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

    # -- thinking --------------------------------------------------------------------------------------------------

    async def _think(self) -> None:
        """Answer turns in the order in which they came."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while True:
            if self._turns.empty() or loop.time() - since > _SLICE:
                self._wake.set()
                # Lets the answers out and new messages in, also where there are always more turns.
                await asyncio.sleep(0)
                since = loop.time()
            seat, turn, owed = await self._turns.get()
            if seat.turn is owed:
                self._decide(seat, turn, owed)

    def _decide(self, seat: SeatState, turn: Turn, owed: Any) -> None:
        try:
            if self._executor is not None:
                choice: Any = asyncio.get_running_loop().run_in_executor(self._executor, self._bot.choose, turn)
            else:
                choice = self._bot.choose(turn)
            if inspect.isawaitable(choice):
                self._thinking[seat] = thought = asyncio.ensure_future(_settled(choice))
                thought.add_done_callback(lambda done: self._thought(seat, turn, owed, done))
            else:
                self._answer(seat, turn, owed, choice)
        except Exception as error:
            self._fail(seat, error)

    def _thought(self, seat: SeatState, turn: Turn, owed: Any, done: asyncio.Future[Choice]) -> None:
        if self._thinking.get(seat) is done:
            del self._thinking[seat]
        if done.cancelled():
            return
        try:
            self._answer(seat, turn, owed, done.result())
        except Exception as error:
            if seat.turn is owed:
                self._fail(seat, error)

    def _answer(self, seat: SeatState, turn: Turn, owed: Any, choice: Choice) -> None:
        if isinstance(choice, Message):
            self._session.answer(seat, owed, pack(choice))
        else:
            code = operator.index(choice)
            if code not in turn.codes and not turn.sampled:
                raise IllegalChoice(f"{code} is not among the {len(turn.codes)} legal codes of this turn")
            self._session.answer(seat, owed, code)
        self._wake.set()

    def _stop_thinking(self, seat: SeatState) -> None:
        thought = self._thinking.pop(seat, None)
        if thought is not None:
            thought.cancel()


async def _settled(choice: Awaitable[Any]) -> Any:
    """A choice that may be awaited once or, from ``async def`` in a thread, twice."""
    result = await choice
    return await result if inspect.isawaitable(result) else result
