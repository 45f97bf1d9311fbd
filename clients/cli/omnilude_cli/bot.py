"""``omnilude bot``: host a bot of an installed pack as a remote player."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connection_options import ConnectionSettings, connects
from omnilude_cli.console import log_lines
from omnilude_cli.errors import CommandError


@connects
def bot(
    bot: Annotated[str, typer.Argument(help="The bot, as `omnilude games GAME` lists it: random, greedy ...")],
    name: Annotated[
        str | None,
        typer.Option(
            envvar="OMNILUDE_PLAYER",
            help="Player name for invitations; by default the name of the bot.",
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            envvar="OMNILUDE_GAME", help="Game to play. Repeatable; by default all games that the bot supports."
        ),
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
            help="Secret with which a restarted bot reclaims its seats.",
        ),
    ] = None,
    card_sets: CardSetsOption = None,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", hidden=True, help="Exit when standard input closes (for a parent process).")
    ] = False,
    *,
    connection: ConnectionSettings,
) -> None:
    """Host a bot of an installed pack as a remote player.

    The bot accepts all invitations until Ctrl-C. With each turn the service sends a random full position that is
    consistent with the view of the seat; the bot searches in this process, not in the service. When it is connected, it
    prints "ready" to standard output.

    \b
    Example:
      omnilude bot monte-carlo --name carlo --playouts 2000
    """
    from gamepacks.api.bots import Budget
    from omnilude.bot_host import host_bot
    from omnilude_cli.installed_bot import InstalledBot
    from omnilude_cli.local_packs import registry

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
    asyncio.run(
        host_bot(
            InstalledBot(bot, Budget(playouts, milliseconds), *sets),
            connection.target,
            name=name or bot,
            key=key,
            games=game or able,
            seed=seed,
            tls=connection.tls_settings,
            api_token=connection.api_token,
            until_eof=until_eof,
        )
    )
