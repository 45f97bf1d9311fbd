"""Let a bot play: :func:`run`, and :func:`play` for programs that have an event loop of their own."""

from __future__ import annotations

import asyncio
import atexit
import logging
import math
import threading
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from google.protobuf.message import Message

from omnilude.async_client import AsyncClient, AsyncMatchHandle
from omnilude.bots import Bot, Played
from omnilude.connection import Tls
from omnilude.player import Player
from omnilude.sights import Invited, Open, SeatSpec, ServiceBot
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import TimeControl

log = logging.getLogger("omnilude")

DEFAULT_TARGET = "localhost:7878"


def run(
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
    tls: Tls | None = None,
    api_token: str | None = None,
    patience: float | None = None,
) -> list[Played]:
    """Connect a bot and let it play, in one of two ways.

    Without ``game`` it waits under its ``name`` (by default that of its class) for invitations to seats, of all games
    or of ``games``, and plays every match that it is invited to, until Ctrl-C. With the same ``key`` (any text of its
    own, kept secret) a bot that was stopped gets its seats back.

    With ``game`` it creates ``matches`` matches, ``at_once`` at a time, sits down at each seat in turn, and plays
    ``against`` the named bots of the service (or remote players: ``Invited("alice")``); returns how they ended.

    A lost connection is made again by itself; ``patience`` is for how many seconds it tries before it raises the error
    (by default for ever while it waits for invitations, a minute where it plays a number of matches). So long it also
    waits for the invited opponents of a match; then it cancels the match and raises TimeoutError. ``seed`` makes
    ``turn.rng`` the same in each run.

    Where an event loop runs already, as in a notebook, write ``await play(...)`` instead.
    """
    if _loop_runs():
        raise RuntimeError("an event loop runs already, as in a notebook: write `await play(...)` instead of run(...)")
    try:
        return _to_the_end(
            play(
                bot,
                target,
                name=name,
                key=key,
                games=games,
                game=game,
                against=against,
                matches=matches,
                at_once=at_once,
                options=options,
                time_control=time_control,
                seed=seed,
                tls=tls,
                api_token=api_token,
                patience=patience,
            )
        )
    except KeyboardInterrupt:
        if game is None:
            return []
        raise


def _loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _to_the_end(playing: Coroutine[Any, Any, list[Played]]) -> list[Played]:
    """Run it. The main thread keeps its event loop between runs, for what gRPC still has to tell of the connections of
    an earlier run; other threads come and go, and their loops with them."""
    if threading.current_thread() is threading.main_thread():
        return _kept().run(playing)
    with _runner() as runner:
        return runner.run(playing)


@cache
def _kept() -> asyncio.Runner:
    runner = _runner()
    atexit.register(runner.close)
    return runner


def _runner() -> asyncio.Runner:
    runner = asyncio.Runner()
    runner.get_loop().set_exception_handler(_report)
    return runner


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """As usual, but for news of a connection whose loop has ended: any loop of the process may get them from gRPC."""
    late = isinstance(context.get("exception"), RuntimeError) and "PollerCompletionQueue" in repr(context.get("handle"))
    if not late:
        loop.default_exception_handler(context)


async def play(
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
    tls: Tls | None = None,
    api_token: str | None = None,
    patience: float | None = None,
) -> list[Played]:
    """:func:`run` as a coroutine."""
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
                patience=math.inf if patience is None else patience,
            ) as player:
                await player.wait()
            return []
        others: list[SeatSpec] = [ServiceBot(other) if isinstance(other, str) else other for other in against]
        turnstile = asyncio.Semaphore(at_once)
        patience = 60.0 if patience is None else patience
        async with Player(bot, client, seed=seed, patience=patience) as player:

            async def one(number: int) -> Played:
                own = number % (len(others) + 1)
                async with turnstile:
                    match = await client.create(
                        game, [*others[:own], Open(), *others[own:]], options=options, time_control=time_control
                    )
                    seat = await match.join(name, own)
                    playing = player.play(match.name, seat.token)
                    await _all_there(match, playing, others, patience)
                    return await playing

            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(one(number)) for number in range(matches)]
            except ExceptionGroup as failed:
                # They fail alike (no such bot, nobody there); the caller wants to catch the error itself.
                raise failed.exceptions[0] from None
            return [task.result() for task in tasks]


async def _all_there(
    match: AsyncMatchHandle, playing: asyncio.Future[Played], others: Sequence[SeatSpec], patience: float
) -> None:
    """Wait until the invited opponents have come. Raises TimeoutError, and cancels the match, where they do not."""
    awaited = [other.player for other in others if isinstance(other, Invited)]
    if not awaited or (await match.get()).state != match_pb2.MATCH_STATE_WAITING:
        return
    log.warning("%s waits for %s", match.name, ", ".join(awaited))
    begun: asyncio.Future[Any] = asyncio.ensure_future(_begun(match))
    waited: set[asyncio.Future[Any]] = {begun, playing}
    try:
        await asyncio.wait(waited, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if begun.done() or playing.done():
            return
    finally:
        begun.cancel()
        await asyncio.gather(begun, return_exceptions=True)
    last = await match.cancel("the invited players have not come")
    missing = [seat.player for seat in last.seats if not seat.taken]
    raise TimeoutError(f"{match.name} has not begun: {', '.join(missing)} did not come within {patience:g} s")


async def _begun(match: AsyncMatchHandle) -> None:
    """Until the match is no longer waiting for players."""
    async for progress in match.watch():
        if progress.match.state != match_pb2.MATCH_STATE_WAITING:
            return
