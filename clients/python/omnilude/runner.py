"""Runs a bot: :func:`run_async`, and its blocking form :func:`run`."""

from __future__ import annotations

import asyncio
import atexit
import logging
import math
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, ParamSpec

from google.protobuf.message import Message

from omnilude.async_client import AsyncClient, AsyncMatchHandle
from omnilude.bots import Bot
from omnilude.connection import Tls
from omnilude.models import Invited, Open, SeatSpec, ServiceBot
from omnilude.player import Player
from omnilude.turns import PlayedMatch
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import TimeControl

P = ParamSpec("P")
log = logging.getLogger("omnilude")

DEFAULT_TARGET = "localhost:7878"


async def run_async(
    bot: Bot,
    target: str = DEFAULT_TARGET,
    *,
    name: str | None = None,
    key: str | None = None,
    games: Iterable[str] = (),
    game: str | None = None,
    against: Sequence[str | Invited] = (),
    matches: int = 1,
    at_once: int = 8,
    options: Mapping[str, object] | Message | None = None,
    time_control: TimeControl | None = None,
    seed: int | None = None,
    ephemeral: bool = False,
    labels: Mapping[str, str] | None = None,
    tls: Tls | None = None,
    api_token: str | None = None,
    reconnect_timeout: float | None = None,
    join_timeout: float = 60.0,
) -> list[PlayedMatch]:
    """Connect a bot and let it play, in one of two ways.

    Without ``game`` the bot waits under its ``name`` (by default the name of its class) for invitations to all games,
    or to ``games``, and plays every match to which it is invited, until Ctrl-C. A bot that is restarted with the same
    ``key`` (a secret text) gets its seats back.

    With ``game`` it creates ``matches`` matches, ``at_once`` at a time, and takes each seat in turn. It plays
    ``against`` bots of the service (``"greedy"``; with a budget ``"mcts:500"``, ``"mcts:2s"``) or remote players
    (``Invited("alice")``), and returns the played matches. ``options``, ``time_control``, ``ephemeral`` and ``labels``
    are those of the created matches. If an invited opponent has not joined after ``join_timeout`` seconds, the bot
    cancels the match and raises TimeoutError.

    After a lost connection the bot reconnects; it raises the error after ``reconnect_timeout`` seconds without success
    (by default never while it waits for invitations, and after a minute if it creates matches). With a ``seed``,
    ``turn.rng`` yields the same numbers in each run, and the created matches have the same outcomes of chance.
    """
    name = name or type(bot).__name__
    async with AsyncClient(target, tls=tls, api_token=api_token) as client:
        if game is None:
            async with Player(
                bot,
                client,
                name=name,
                key=key,
                games=games,
                seed=seed,
                reconnect_timeout=math.inf if reconnect_timeout is None else reconnect_timeout,
            ) as player:
                await player.wait()
            return []
        others: list[SeatSpec] = [ServiceBot.parse(other) if isinstance(other, str) else other for other in against]
        slots = asyncio.Semaphore(at_once)
        limit = 60.0 if reconnect_timeout is None else reconnect_timeout
        async with Player(bot, client, seed=seed, reconnect_timeout=limit) as player:

            async def play_match(number: int) -> PlayedMatch:
                own = number % (len(others) + 1)
                async with slots:
                    match = await client.create(
                        game,
                        [*others[:own], Open(), *others[own:]],
                        options=options,
                        time_control=time_control,
                        seed=None if seed is None else (seed + number) % (1 << 64),
                        ephemeral=ephemeral,
                        labels=labels,
                    )
                    seat = await match.join(name, own)
                    playing = player.play_seat(match.name, seat.token)
                    await _wait_for_opponents(match, playing, others, join_timeout)
                    return await playing

            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(play_match(number)) for number in range(matches)]
            except ExceptionGroup as failed:
                # All fail for the same reason (no such bot, service unreachable): raise the error itself, not a group.
                raise failed.exceptions[0] from None
            return [task.result() for task in tasks]


def _blocking(run_async: Callable[P, Coroutine[Any, Any, list[PlayedMatch]]]) -> Callable[P, list[PlayedMatch]]:
    @wraps(run_async)
    def run(*args: P.args, **kwargs: P.kwargs) -> list[PlayedMatch]:
        if _is_loop_running():
            raise RuntimeError(
                "an event loop is running already, as in a notebook: use `await run_async(...)` instead of run(...)"
            )
        try:
            return _run_in_new_loop(run_async(*args, **kwargs))
        except KeyboardInterrupt:
            if kwargs.get("game") is None:
                return []
            raise

    run.__name__ = run.__qualname__ = "run"
    return run


run = _blocking(run_async)
"""Call :func:`run_async` and block until it returns. Ctrl-C ends a bot that waits for invitations."""


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run_in_new_loop(matches: Coroutine[Any, Any, list[PlayedMatch]]) -> list[PlayedMatch]:
    """Run a coroutine to its end. The main thread keeps its event loop between runs, because gRPC may still report on
    connections of an earlier run; other threads use a loop of their own."""
    if threading.current_thread() is threading.main_thread():
        return _main_runner().run(matches)
    with _new_runner() as runner:
        return runner.run(matches)


@cache
def _main_runner() -> asyncio.Runner:
    runner = _new_runner()
    atexit.register(runner.close)
    return runner


def _new_runner() -> asyncio.Runner:
    runner = asyncio.Runner()
    runner.get_loop().set_exception_handler(_handle_exception)
    return runner


def _handle_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Handle an exception as usual, but ignore events of a connection whose loop has ended: gRPC may send them to any
    loop of the process."""
    late = isinstance(context.get("exception"), RuntimeError) and "PollerCompletionQueue" in repr(context.get("handle"))
    if not late:
        loop.default_exception_handler(context)


async def _wait_for_opponents(
    match: AsyncMatchHandle, playing: asyncio.Future[PlayedMatch], others: Sequence[SeatSpec], join_timeout: float
) -> None:
    """Wait until the invited opponents have joined. Cancel the match and raise TimeoutError if they do not."""
    awaited = [other.player for other in others if isinstance(other, Invited)]
    if not awaited or (await match.get()).state != match_pb2.MATCH_STATE_WAITING:
        return
    log.warning("%s waits for %s", match.name, ", ".join(awaited))
    started: asyncio.Future[Any] = asyncio.ensure_future(_wait_for_start(match))
    waited: set[asyncio.Future[Any]] = {started, playing}
    try:
        await asyncio.wait(waited, timeout=join_timeout, return_when=asyncio.FIRST_COMPLETED)
        if started.done() or playing.done():
            return
    finally:
        started.cancel()
        await asyncio.gather(started, return_exceptions=True)
    last = await match.cancel("the invited players did not join")
    missing = [seat.player for seat in last.seats if not seat.taken]
    raise TimeoutError(f"{match.name} has not started: {', '.join(missing)} did not join within {join_timeout:g} s")


async def _wait_for_start(match: AsyncMatchHandle) -> None:
    """Wait until the match no longer waits for players."""
    async for update in match.watch():
        if update.match.state != match_pb2.MATCH_STATE_WAITING:
            return
