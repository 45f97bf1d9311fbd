"""Calls a bot's ``choose`` for each of its turns: in the event loop, in threads, or as a coroutine."""

from __future__ import annotations

import asyncio
import inspect
import operator
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from google.protobuf.message import Message

from omnilude.bots import Bot, Choice
from omnilude.errors import OmniludeError
from omnilude.packs import pack
from omnilude.play_session import Action, SeatState
from omnilude.turns import Turn
from omnilude.v1.play_service_pb2 import Turn as TurnMessage

_SLICE = 0.005
"""Maximum time in seconds to answer turns before sending moves and reading messages."""


class IllegalChoice(OmniludeError):
    """A bot chose an action that is not legal at its turn."""


class _ThreadError:
    """An exception of the bot in a thread. A future cannot hold every exception (StopIteration)."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


class BotExecutor:
    """Calls the bot for each turn, in order of arrival.

    ``on_choice`` is called with the action for a turn, which may be obsolete by then; ``on_error`` with an exception of
    the bot; ``flush`` when actions are ready to be sent.
    """

    def __init__(
        self,
        bot: Bot,
        on_choice: Callable[[SeatState, TurnMessage, Action], object],
        on_error: Callable[[SeatState, BaseException], None],
        flush: Callable[[], None],
    ) -> None:
        self._bot = bot
        self._on_choice = on_choice
        self._on_error = on_error
        self._flush = flush
        self._turns: asyncio.Queue[tuple[SeatState, Turn, TurnMessage]] = asyncio.Queue()
        self._running: dict[SeatState, asyncio.Future[Choice]] = {}
        self._threads = ThreadPoolExecutor(bot.threads, "omnilude-bot") if bot.threads else None

    def schedule(self, seat: SeatState, turn: Turn, message: TurnMessage) -> None:
        """Schedule a decision of the bot, which replaces the seat's previous one."""
        self.cancel(seat)
        self._turns.put_nowait((seat, turn, message))

    def cancel(self, seat: SeatState) -> None:
        """Cancel the decision that is running for a seat, if any."""
        running = self._running.pop(seat, None)
        if running is not None:
            running.cancel()

    async def run(self) -> None:
        """Answer the scheduled turns, until cancelled."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while True:
            if self._turns.empty() or loop.time() - since > _SLICE:
                self._flush()
                # Lets moves be sent and messages be read, even if there are always more turns.
                await asyncio.sleep(0)
                since = loop.time()
            seat, turn, message = await self._turns.get()
            if seat.turn is message:
                self._decide(seat, turn, message)

    async def close(self) -> None:
        """Cancel all decisions. Threads that are running finish, and their choices are dropped."""
        running = list(self._running.values())
        self._running.clear()
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _decide(self, seat: SeatState, turn: Turn, message: TurnMessage) -> None:
        # Nothing is awaited here, so a CancelledError too is the bot's own.
        try:
            if self._threads is not None:
                choice: Any = asyncio.get_running_loop().run_in_executor(self._threads, self._choose, turn)
            else:
                choice = self._ask(turn)
            if inspect.isawaitable(choice):
                self._running[seat] = future = asyncio.ensure_future(_settled(choice))
                future.add_done_callback(lambda done: self._finish(seat, turn, message, done))
            else:
                self._submit(seat, turn, message, choice)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self._on_error(seat, error)

    def _ask(self, turn: Turn) -> Any:
        """Call the bot with the kind of turn that it wants."""
        return self._bot.choose(turn.local if "rules" in self._bot.wants else turn)

    def _choose(self, turn: Turn) -> Any:
        """Call the bot in a thread; returns its choice, or its exception."""
        try:
            return self._ask(turn)
        except BaseException as error:
            return _ThreadError(error)

    def _finish(self, seat: SeatState, turn: Turn, message: TurnMessage, done: asyncio.Future[Choice]) -> None:
        stopped = self._running.get(seat) is not done
        if not stopped:
            del self._running[seat]
        elif done.cancelled():
            return
        try:
            self._submit(seat, turn, message, done.result())
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # including a CancelledError of the bot: nobody cancelled it
            if seat.turn is message:
                self._on_error(seat, error)
        self._flush()

    def _submit(self, seat: SeatState, turn: Turn, message: TurnMessage, choice: Choice) -> None:
        if isinstance(choice, Message):
            self._on_choice(seat, message, pack(choice))
            return
        try:
            code = operator.index(choice)
        except TypeError:
            what = "nothing" if choice is None else f"a {type(choice).__name__}"
            raise IllegalChoice(
                f"choose() returned {what}; it must return one of turn.codes, or an action message"
            ) from None
        if code not in turn.codes and not turn.sampled:
            raise IllegalChoice(f"{code} is not among the {len(turn.codes)} legal codes of this turn")
        self._on_choice(seat, message, code)


async def _settled(choice: Awaitable[Any]) -> Any:
    """Await a choice: once or, if it comes from ``async def`` in a thread, twice."""
    result = await choice
    if isinstance(result, _ThreadError):
        raise result.error
    return await result if inspect.isawaitable(result) else result
