"""``omnilude pack``: create and check packs, and list the installed ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omnilude_cli.errors import CommandError
from omnilude_cli.new_pack import Template, write_pack

if TYPE_CHECKING:
    from rich.console import Console

    from gamepacks.api.game import Game
    from gamepacks.api.kit import Subject

HELP = """Write your own game, and check that it works with the service.

\b
  omnilude pack new my-game      writes a small working pack into a folder
  omnilude pack check my-game    checks what the service relies on
"""

app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)

PROBE_S = 30.0
"""Time limit in seconds for the trial load of a pack in a separate process."""

NameArgument = Annotated[str, typer.Argument(help="A pack (see: omnilude pack list), or one of its games.")]
SeedOption = Annotated[int, typer.Option(help="Random seed; the same seed plays the same matches.")]


@app.command("list")
def list_packs() -> None:
    """List the installed packs and their games.

    Packs that could not be loaded are listed with the reason.

    \b
    Example:
      omnilude pack list
    """
    from rich.markup import escape
    from rich.table import Table

    from gamepacks.api.registry import Registry
    from omnilude_cli.console import console

    registry = Registry.load(probe_s=PROBE_S)
    table = Table("pack", "from", "games", "bots", box=None, pad_edge=False)
    for pack in registry.packs:
        games = ", ".join(game.id for game in pack.games) or "-"
        bots = ", ".join(bot.name for bot in pack.bots) or "-"
        table.add_row(pack.name, f"{pack.distribution} {pack.version}", games, bots)
    console().print(table)
    for broken in registry.broken:
        where = f"{broken.distribution} {broken.version}"
        console().print(f"[red]not loaded:[/] {escape(broken.pack)} of {escape(where)}: {escape(broken.summary)}")


@app.command()
def check(
    name: NameArgument,
    seed: SeedOption = 1,
    games: Annotated[int, typer.Option(min=1, help="Number of random matches for each check.")] = 20,
) -> None:
    """Check a pack with the conformance kit.

    The checks cover what the service, bots and clients rely on. Exits with 1 if a check fails.

    \b
    Example:
      omnilude pack check ominoes --games 50
    """
    from gamepacks.api.kit import Subject
    from omnilude_cli.console import console

    failed = 0
    for game in _games(name):
        failed += _check(console(), Subject(game, seed, games))
    if failed:
        raise CommandError(f"{failed} {'check' if failed == 1 else 'checks'} failed")


@app.command()
def golden(name: NameArgument, seed: SeedOption = 1) -> None:
    """Rewrite the golden replays of a pack.

    Golden replays are matches that later versions must replay exactly. They are written to the folder golden next to
    the game's module. Review the difference: if the rules changed on purpose, the game needs a new rules_version as
    well.

    \b
    Example:
      omnilude pack golden lucky-seven
    """
    from gamepacks.api.kit import Subject
    from gamepacks.api.kit.golden import rewrite
    from omnilude_cli.console import console

    for game in _games(name):
        written = rewrite(Subject(game, seed))
        console().print(f"{len(written)} replays of {game.id} in {written[0].parent}", soft_wrap=True)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Lower-case words joined by hyphens: lucky-seven.")],
    into: Annotated[Path, typer.Option(help="Folder in which the pack's folder is created.")] = Path(),
    template: Annotated[Template, typer.Option(help="Template of the pack.")] = Template.CARDS,
) -> None:
    """Write a new pack from a template: a small game with its rules, tests and golden replays.

    The template cards is a card game with secret hands, board a board game without secrets, and compiled a board game
    whose state is compiled with Cython.

    \b
    Example:
      omnilude pack new lucky-seven --template cards
    """
    from omnilude_cli.console import console

    folder = write_pack(name, into, template)
    out = console()
    out.print(f"[bold]{folder}[/] contains a working pack. Next steps:\n", soft_wrap=True)
    out.print(f"  pip install --no-build-isolation -e {folder}", markup=False, soft_wrap=True)
    out.print(f"  omnilude pack check {name}", markup=False)
    out.print(f"  omnilude play {name}\n", markup=False)
    out.print("Its README describes the files.")


def _games(name: str) -> list[type[Game[Any]]]:
    """Returns the games of a pack, or the game with that id."""
    from gamepacks.api.registry import Registry

    registry = Registry.load(probe_s=PROBE_S)
    for pack in registry.packs:
        if pack.name == name and pack.games:
            return list(pack.games)
    for broken in registry.broken:
        if broken.pack == name:
            raise CommandError(f"the pack {name} cannot be loaded", broken.summary)
    if name in registry.games:
        return [registry.games[name].game]
    known = sorted({pack.name for pack in registry.packs if pack.games} | set(registry.games))
    raise CommandError(f"there is no pack or game {name!r}", f"there are: {', '.join(known) or 'none'}")


def _check(console: Console, subject: Subject) -> int:
    """Run all checks of a game and print them; returns how many failed."""
    from rich.markup import escape
    from rich.table import Table

    from gamepacks.api.kit import CATALOGUE, run_all

    table = Table("check", "", "seconds", "note", box=None, pad_edge=False)
    table.columns[2].justify = "right"
    failed = 0
    with console.status(f"checking {subject.game.id}: {CATALOGUE[0].name}") as status:
        for number, outcome in enumerate(run_all(subject), 1):
            failed += not outcome.passed
            result = "[green]ok[/]" if outcome.passed else "[red]FAILED[/]"
            table.add_row(outcome.check.name, result, f"{outcome.seconds:.2f}", escape(outcome.note))
            if number < len(CATALOGUE):
                status.update(f"checking {subject.game.id}: {CATALOGUE[number].name}")
    console.print(f"[bold]{escape(subject.game.title)}[/] ({subject.game.id})\n")
    console.print(table)
    return failed
