"""The command ``omnilude``: its sub-commands, and the reports of their errors.

Modules of commands import what they need inside their functions, so that ``omnilude --help`` and shell completion are
fast.
"""

from __future__ import annotations

import os
from importlib import metadata
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from omnilude_cli import arena, bot, cards, demo, games, health, matches, pack, play, replay, serve, show, store
from omnilude_cli.console import echo

# "\b" keeps the lines of its paragraph as they are.
HELP = """Play games, host matches and verify replays: the command of the Omnilude game-engine service.

\b
  omnilude demo                  let bots in two languages play a round robin
  omnilude play ominoes          play against a bot in the terminal
  omnilude games                 list the games
  omnilude serve                 run the service
"""
EPILOG = "Exit codes: 0 success, 1 failure, 2 invalid usage, 3 service unreachable, 130 interrupted."
INTERRUPTED = 130


class Commands(TyperGroup):
    """The top-level command group: reports errors that are not defects in one line, with an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the sub-command."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            from omnilude_cli.errors import report_of

            report = report_of(error)
            if report is None:
                raise
            for number, line in enumerate(report.lines):
                echo(f"{'error: ' if number == 0 else '  '}{line}", err=True)
            raise typer.Exit(report.code) from error


app = typer.Typer(
    name="omnilude",
    cls=Commands,
    help=HELP,
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"omnilude {metadata.version('omnilude')}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


_top.__doc__ = HELP

app.command("demo")(demo.demo)
app.command("play")(play.play)
app.command("games")(games.games)
app.command("show")(show.show)
app.command("serve")(serve.serve)
app.command("health")(health.health)
app.command("bot")(bot.bot)
app.command("backup")(store.backup)
app.add_typer(arena.app, name="arena")
app.add_typer(matches.app, name="matches")
app.add_typer(replay.app, name="replay")
app.add_typer(pack.app, name="pack")
app.add_typer(cards.app, name="cards")
app.add_typer(store.app, name="store")


def run() -> None:
    """Entry point of the command."""
    # Set before gRPC is imported: its log lines on standard error repeat the errors that commands report.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    app()
