"""Hosts a bot as the main task of a process, until a signal or the end of standard input: :func:`host_bot`."""

from __future__ import annotations

import asyncio
import math
import os
import signal
from collections.abc import Callable, Coroutine, Iterable

from omnilude.async_client import AsyncClient
from omnilude.bots import Bot
from omnilude.connection import Tls
from omnilude.player import Player


async def host_bot(
    bot: Bot,
    target: str,
    *,
    name: str,
    key: str | None = None,
    games: Iterable[str] = (),
    seed: int | None = None,
    tls: Tls | None = None,
    api_token: str | None = None,
    until_eof: bool = False,
    on_resign: Callable[[str, BaseException], None] = lambda match, error: None,
) -> None:
    """Play all matches to which the bot is invited, until SIGTERM, SIGINT or, with ``until_eof``, the end of stdin.

    Prints ``ready`` to standard output when the bot is connected. ``on_resign`` is passed to the player. Raises the
    error if the connection fails permanently.
    """
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    if until_eof:
        loop.add_reader(0, _stop_at_eof, stopped)
    async with (
        AsyncClient(target, tls=tls, api_token=api_token) as client,
        Player(
            bot, client, name=name, key=key, games=games, seed=seed, reconnect_timeout=math.inf, on_resign=on_resign
        ) as player,
    ):
        stopping = asyncio.create_task(stopped.wait())
        if await _is_first(stopping, player.connected()):
            return
        print("ready", flush=True)
        await _is_first(stopping, player.wait())


def _stop_at_eof(stopped: asyncio.Event) -> None:
    if not os.read(0, 4096):
        asyncio.get_running_loop().remove_reader(0)
        stopped.set()


async def _is_first(stopping: asyncio.Task[bool], other: Coroutine[None, None, None]) -> bool:
    """Wait for either; returns whether ``stopping`` was done. Raises the error of the other."""
    task = asyncio.create_task(other)
    await asyncio.wait([task, stopping], return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        return True
    task.result()
    return stopping.done()
