"""Lets a bot think about the decisions that it owes: in the event loop, in threads, or as coroutines of its own."""

from __future__ import annotations

import asyncio
import inspect
import operator
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from google.protobuf.message import Message

from omnilude.bots import Bot, Choice, Turn
from omnilude.errors import OmniludeError
from omnilude.happenings import SeatState
from omnilude.packs import pack
from omnilude.session import Answer
from omnilude.v1.play_service_pb2 import Turn as TurnMessage

_SLICE = 0.005
"""Seconds for which turns are answered before what is ready is sent and what has come is read."""


class IllegalChoice(OmniludeError):
    """A bot chose what is not among its turn's legal codes."""


class _Raised:
    """What the bot raised in a thread. A future cannot hold each error (StopIteration), or not as one of the bot."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Thinker:
    """Asks the bot at each turn, in the order in which they came, and passes its answers on.

    ``answer`` takes an answer to a decision (which may have gone away meanwhile), ``fail`` what the bot raised;
    ``flush`` is called when answers have come together.
    """

    def __init__(
        self,
        bot: Bot,
        answer: Callable[[SeatState, TurnMessage, Answer], object],
        fail: Callable[[SeatState, BaseException], None],
        flush: Callable[[], None],
    ) -> None:
        self._bot = bot
        self._take = answer
        self._fail = fail
        self._flush = flush
        self._turns: asyncio.Queue[tuple[SeatState, Turn, TurnMessage]] = asyncio.Queue()
        self._thoughts: dict[SeatState, asyncio.Future[Choice]] = {}
        self._threads = ThreadPoolExecutor(bot.threads, "omnilude-bot") if bot.threads else None

    def ask(self, seat: SeatState, turn: Turn, owed: TurnMessage) -> None:
        """A decision is owed; it takes the place of the one that the seat was thinking about."""
        self.stop(seat)
        self._turns.put_nowait((seat, turn, owed))

    def stop(self, seat: SeatState) -> None:
        """Whatever the seat was thinking about is not asked any more."""
        thought = self._thoughts.pop(seat, None)
        if thought is not None:
            thought.cancel()

    async def run(self) -> None:
        """Think, until cancelled."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while True:
            if self._turns.empty() or loop.time() - since > _SLICE:
                self._flush()
                # Lets the answers out and new messages in, also where there are always more turns.
                await asyncio.sleep(0)
                since = loop.time()
            seat, turn, owed = await self._turns.get()
            if seat.turn is owed:
                self._decide(seat, turn, owed)

    async def close(self) -> None:
        """Stop all thoughts. A thread that is in the middle of one is left to end it, unheard."""
        thoughts = list(self._thoughts.values())
        self._thoughts.clear()
        for thought in thoughts:
            thought.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _decide(self, seat: SeatState, turn: Turn, owed: TurnMessage) -> None:
        # Nothing is awaited here, so a CancelledError too is the bot's own.
        try:
            if self._threads is not None:
                choice: Any = asyncio.get_running_loop().run_in_executor(self._threads, self._choose, turn)
            else:
                choice = self._bot.choose(turn)
            if inspect.isawaitable(choice):
                self._thoughts[seat] = thought = asyncio.ensure_future(_settled(choice))
                thought.add_done_callback(lambda done: self._thought(seat, turn, owed, done))
            else:
                self._answer(seat, turn, owed, choice)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self._fail(seat, error)

    def _choose(self, turn: Turn) -> Any:
        """In a thread: the bot's choice, or what it raised."""
        try:
            return self._bot.choose(turn)
        except BaseException as error:
            return _Raised(error)

    def _thought(self, seat: SeatState, turn: Turn, owed: TurnMessage, done: asyncio.Future[Choice]) -> None:
        stopped = self._thoughts.get(seat) is not done
        if not stopped:
            del self._thoughts[seat]
        elif done.cancelled():
            return
        try:
            self._answer(seat, turn, owed, done.result())
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a CancelledError of the bot's own: nobody has stopped it
            if seat.turn is owed:
                self._fail(seat, error)
        self._flush()

    def _answer(self, seat: SeatState, turn: Turn, owed: TurnMessage, choice: Choice) -> None:
        if isinstance(choice, Message):
            self._take(seat, owed, pack(choice))
            return
        try:
            code = operator.index(choice)
        except TypeError:
            what = "nothing" if choice is None else f"a {type(choice).__name__}"
            raise IllegalChoice(
                f"choose() returned {what}: wanted is one of turn.codes, or an action message"
            ) from None
        if code not in turn.codes and not turn.sampled:
            raise IllegalChoice(f"{code} is not among the {len(turn.codes)} legal codes of this turn")
        self._take(seat, owed, code)


async def _settled(choice: Awaitable[Any]) -> Any:
    """A choice that may be awaited once or, from ``async def`` in a thread, twice."""
    result = await choice
    if isinstance(result, _Raised):
        raise result.error
    return await result if inspect.isawaitable(result) else result
