"""``omnilude bot``: let a bot of an installed pack play as a remote player."""

from __future__ import annotations

import asyncio
import math
import os
import signal
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connection_options import (
    ApiTokenOption,
    CaOption,
    CertificateOption,
    ServerOption,
    TlsOption,
    tls_settings,
)
from omnilude_cli.console import log_lines
from omnilude_cli.errors import CommandError

if TYPE_CHECKING:
    from omnilude import Bot
    from omnilude.connection import Tls


def bot(
    bot: Annotated[str, typer.Argument(help="The bot, as `omnilude games GAME` lists it: random, greedy ...")],
    server: ServerOption = None,
    name: Annotated[
        str | None, typer.Option(help="Name under which others invite it; by default that of the bot.")
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option(help="Play only this game. Repeatable; by default all that the bot can play.")
    ] = None,
    playouts: Annotated[
        int | None, typer.Option(min=1, help="Play-outs per decision, for a bot that searches.")
    ] = None,
    milliseconds: Annotated[
        int | None, typer.Option(min=1, help="Time per decision in milliseconds, for a bot that searches.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of its random numbers, for repeatable play.")] = None,
    key: Annotated[
        str | None,
        typer.Option(
            envvar="OMNILUDE_PLAYER_KEY",
            help="Secret with which a bot that was stopped gets its seats back.",
        ),
    ] = None,
    card_sets: CardSetsOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", hidden=True, help="Exit when standard input closes (for a parent process).")
    ] = False,
) -> None:
    """Host a bot of an installed pack as a remote player.

    It accepts all invitations until Ctrl-C. With each turn the service sends a position that the seat cannot tell from
    the true one; the bot searches in this process, not in the service. When it is connected, it prints "ready" to
    standard output.

    \b
    Example:
      omnilude bot monte-carlo --name carlo --playouts 2000
    """
    from gamepacks.api.bots import Budget
    from omnilude import DEFAULT_TARGET
    from omnilude_cli.local_packs import registry
    from omnilude_cli.pack_bot import PackBot

    log_lines()
    sets = card_sets or []
    installed = registry(*sets).games
    able = [entry for entry, loaded in installed.items() if bot in loaded.bots]
    for wanted in game or []:
        if wanted not in able:
            raise CommandError(
                f"no bot {bot!r} for the game {wanted!r} is installed", "see `omnilude games " + wanted + "`"
            )
    if not able:
        known = sorted({entry for loaded in installed.values() for entry in loaded.bots})
        raise CommandError(f"no bot {bot!r} is installed", "there are: " + ", ".join(known))
    player = PackBot(bot, Budget(playouts, milliseconds), *sets)
    games = game or able
    asyncio.run(
        _serve(
            player,
            server or DEFAULT_TARGET,
            name or bot,
            key,
            games,
            seed,
            tls_settings(tls, ca, certificate),
            api_token,
            until_eof,
        )
    )


async def _serve(
    bot: Bot,
    target: str,
    name: str,
    key: str | None,
    games: list[str],
    seed: int | None,
    tls: Tls | None,
    api_token: str | None,
    until_eof: bool,
) -> None:
    from omnilude import AsyncClient, Player

    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    if until_eof:
        loop.add_reader(0, _end_with_standard_input, stopped)
    async with (
        AsyncClient(target, tls=tls, api_token=api_token) as client,
        Player(bot, client, name=name, key=key, games=games, seed=seed, patience=math.inf) as player,
    ):
        ending = asyncio.create_task(stopped.wait())
        if await _first(ending, player.connected()):
            return
        typer.echo("ready")
        await _first(ending, player.wait())


def _end_with_standard_input(stopped: asyncio.Event) -> None:
    if not os.read(0, 4096):
        asyncio.get_running_loop().remove_reader(0)
        stopped.set()


async def _first(ending: asyncio.Task[bool], other: Coroutine[None, None, None]) -> bool:
    """Wait for either; True if it is time to end. Raises what the other raises."""
    task = asyncio.create_task(other)
    await asyncio.wait([task, ending], return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        return True
    task.result()
    return ending.done()
