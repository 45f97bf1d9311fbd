"""``omnilude games``: list the installed games or those of a service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connection_options import ConnectionSettings, connects
from omnilude_cli.console import console
from omnilude_cli.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console

    from omnilude import Catalog
    from omnilude.v1.catalog_pb2 import Game, OptionSpec
    from omnilude.v1.match_pb2 import BotBudget


@connects
def games(
    game: Annotated[str | None, typer.Argument(help="Game to describe: its options, kind and bots.")] = None,
    card_sets: CardSetsOption = None,
    *,
    connection: ConnectionSettings,
) -> None:
    """List games, or describe one.

    Without --server, these are the games of the installed packs.

    \b
    Example:
      omnilude games ominoes
    """
    if connection.server is None:
        catalog = installed(*(card_sets or []))
    else:
        with connection.client() as client:
            catalog = client.catalog()
    if game is None:
        _list(console(), catalog)
        return
    found = {entry.name: entry for entry in catalog.games}.get(f"games/{game}")
    if found is None:
        raise CommandError(f"there is no game {game!r}", "there are: " + (", ".join(_ids(catalog)) or "none"))
    _describe(console(), found)


def installed(*card_sets: Path) -> Catalog:
    """Returns the games of the installed packs, as the catalog of a service would."""
    from engine_service.limits import Limits
    from engine_service.rpc import responses
    from engine_service.server import engine_version
    from omnilude import Catalog
    from omnilude_cli.local_packs import registry

    packs = registry(*card_sets)
    return Catalog(
        [responses.game(loaded, Limits()) for loaded in packs.games.values()],
        [responses.broken_pack(broken) for broken in packs.broken],
        engine_version(),
    )


def _ids(catalog: Catalog) -> list[str]:
    return [entry.name.removeprefix("games/") for entry in catalog.games]


def _list(console: Console, catalog: Catalog) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("game", "players", "description", box=None, pad_edge=False)
    for entry in catalog.games:
        table.add_row(entry.name.removeprefix("games/"), _players(entry), escape(entry.summary))
    console.print(table)
    for broken in catalog.broken_packs:
        console.print(
            f"[red]not loaded:[/] the pack {escape(broken.pack)} of {escape(broken.distribution or '?')}:"
            f" {escape(broken.error)}"
        )
    if catalog.games:
        console.print(f"\nDescribe a game: [bold]omnilude games {_ids(catalog)[0]}[/]")


def _describe(console: Console, game: Game) -> None:
    from rich.markup import escape
    from rich.table import Table

    name = game.name.removeprefix("games/")
    console.print(f"[bold]{escape(game.title)}[/] ({name}), for {_players(game)} players")
    console.print(escape(game.summary), "\n")
    about = Table(box=None, show_header=False, pad_edge=False)
    about.add_row("pack", f"{escape(game.pack)} {escape(game.pack_version)}, rules {escape(game.rules_version)}")
    about.add_row("kind", _kind(game))
    card = game.capabilities
    about.add_row("returns", f"{card.min_return:g} to {card.max_return:g}{', adding up to 0' if card.zero_sum else ''}")
    about.add_row("length", f"at most {card.max_plies:,} actions and outcomes with default options")
    for cards in game.card_sets:
        about.add_row("cards", f"{escape(cards.title)} ({escape(cards.id)}){', a house set' if cards.house else ''}")
    for service in game.services:
        about.add_row("service", f"{escape(service)}, calls that look at a match")
    console.print(about)
    if game.options:
        table = Table("option", "values", "default", "description", title="Options", title_justify="left")
        for option in game.options:
            table.add_row(
                option.name, escape(allowed_values(option)), option.default_value or "-", escape(option.description)
            )
        console.print(table)
    bots = Table("bot", "budget", "description", title="Bots", title_justify="left")
    for bot in game.bots:
        bots.add_row(bot.name, _budget(bot.default_budget), escape(bot.description))
    console.print(bots)
    levels = Table("level", "bot", title="Levels", title_justify="left")
    for level in game.levels:
        levels.add_row(level.name, level.bot + _budget(level.budget))
    console.print(levels)
    shown = next((option for option in game.options if option.default_value), None)
    example = f" --option {shown.name}={shown.default_value}" if shown else ""
    console.print(f"Play it: [bold]omnilude play {name}{example}[/]")


def _players(game: Game) -> str:
    low, high = game.capabilities.min_players, game.capabilities.max_players
    return str(low) if low == high else f"{low}-{high}"


def _kind(game: Game) -> str:
    card = game.capabilities
    words = [
        "with chance" if card.chance else "without chance",
        "with hidden information" if card.hidden else "without hidden information",
    ]
    if card.simultaneous:
        words.append("several seats decide at once")
    if card.continuous:
        words.append("with decisions on a fine grid")
    return ", ".join(words)


def allowed_values(option: OptionSpec) -> str:
    """Describe the values of an option: ``6 to 12, multiples of 2``."""
    from omnilude.v1 import catalog_pb2

    words = {
        catalog_pb2.OPTION_TYPE_BOOL: "true or false",
        catalog_pb2.OPTION_TYPE_INTEGER: "a whole number",
        catalog_pb2.OPTION_TYPE_NUMBER: "a number",
        catalog_pb2.OPTION_TYPE_CHOICE: ", ".join(option.choices),
    }.get(option.type, "text")
    if option.HasField("minimum") and option.HasField("maximum"):
        words = f"{option.minimum} to {option.maximum}"
    elif option.HasField("minimum"):
        words = f"at least {option.minimum}"
    elif option.HasField("maximum"):
        words = f"at most {option.maximum}"
    if option.HasField("multiple_of"):
        words += f", multiples of {option.multiple_of}"
    return f"a list (a,b,c) of: {words}" if option.repeated else words


def _budget(budget: BotBudget) -> str:
    """Format a budget as ``--opponents`` expects it after the name of a bot; empty for none."""
    playouts = f":{budget.playouts}" if budget.playouts else ""
    return playouts + (f":{budget.milliseconds}ms" if budget.milliseconds else "")
