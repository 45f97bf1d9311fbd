"""``omnilude demo``: a small tournament, from an empty folder to verified replays."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.console import console, print_line
from omnilude_cli.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console

    from omnilude.arena.config import BotEntry, Tournament
    from omnilude.arena.results import Results

_PYTHON_BOTS = ("random", "greedy", "monte-carlo")
_LINES_OF_LOG = 5
SECONDS_PER_MOVE = 60.0
"""Time limit of a move, after which a bot that hangs loses its match."""


def demo(
    game: Annotated[str, typer.Option(help="Game to play.")] = "ominoes",
    rounds: Annotated[int, typer.Option(min=1, help="Number of encounters of each pair, each from both seats.")] = 1,
    playouts: Annotated[int, typer.Option(min=1, help="Play-outs of the Monte Carlo bot per decision.")] = 120,
    at_once: Annotated[int, typer.Option(min=1, help="Number of matches at a time.")] = 6,
    node: Annotated[bool, typer.Option("--node/--no-node", help="Include the bot in Node.js.")] = True,
    seed: Annotated[int, typer.Option(help="Seed of the bots and of all outcomes of chance.")] = 1,
    folder: Annotated[
        Path,
        typer.Option(metavar="PATH", help="Folder in which a folder for this run is created: database, logs, replays."),
    ] = Path(".demo"),
) -> None:
    """Let bots in two languages play a round robin, and verify the replays.

    Starts a service, connects the bots over gRPC (each in its own process), plays a tournament of the arena, prints the
    cross table, and verifies all replays: the hash chain of each log, every roll of the dice, every move, every result.

    \b
    Example:
      omnilude demo --rounds 2 --no-node
    """
    from omnilude.arena.config import Clock, RoundRobinFormat, Tournament
    from omnilude_cli.service import private_service

    screen = console()
    began = time.monotonic()
    run = folder / time.strftime("%Y-%m-%d-%H%M%S")
    run.mkdir(parents=True)
    bots = list(_python_bots(game, playouts, seed))
    if node:
        bots += _node_bot(screen)
    with private_service(folder=run, port=0) as target:
        print_line(screen, f"service  {target}; its database and logs are in {run}")
        tournament = Tournament(
            game=game,
            format=RoundRobinFormat(kind="round-robin", rounds=rounds),
            bots=bots,
            clock=Clock(per_move=SECONDS_PER_MOVE),
            at_once=at_once,
            seed=seed,
            server=target,
            ephemeral=False,
        )
        print_line(screen, "bots     " + ", ".join(f"{bot.name} ({_language(bot)})" for bot in bots))
        print_line(screen, f"playing  {rounds * len(bots) * (len(bots) - 1)} matches of {game}, {at_once} at a time")
        results = _play(screen, tournament, run)
    _raise_on_fault(results, run)
    _show_table(screen, [bot.name for bot in bots], results)
    _verify(screen, run / "replays")
    print_line(screen, f"done     in {time.monotonic() - began:.0f} s")


def _python_bots(game: str, playouts: int, seed: int) -> Iterator[BotEntry]:
    from omnilude.arena.config import BotEntry
    from omnilude_cli.local_packs import registry
    from omnilude_cli.service import own_command

    offered = registry().game(game).bots
    for name in _PYTHON_BOTS:
        if name in offered:
            budget = ["--playouts", str(playouts)] if name == "monte-carlo" else []
            command = own_command("bot", name, "--seed", str(seed), "--until-eof", *budget)
            yield BotEntry(name=name, command=command, restarts=0)


def _node_bot(screen: Console) -> list[BotEntry]:
    from omnilude.arena.config import BotEntry
    from omnilude_cli.node_bot import NodeUnavailable, node_bot_command

    try:
        return [BotEntry(name="node", command=node_bot_command(), restarts=0)]
    except NodeUnavailable as error:
        print_line(screen, f"without  the bot in Node.js: {error}")
        return []


def _language(bot: BotEntry) -> str:
    return "Node.js" if bot.name == "node" else "Python"


def _play(screen: Console, tournament: Tournament, folder: Path) -> Results:
    from omnilude.arena.runner import Arena
    from omnilude_cli.arena import show_progress

    assert tournament.server is not None
    with show_progress(screen) as on_result:
        return asyncio.run(Arena(tournament, folder, tournament.server, on_result=on_result).run())


def _raise_on_fault(results: Results, run: Path) -> None:
    """Raise CommandError, with the end of its log, if a bot did not play a match to the end."""
    for result in results.ordered():
        for bot, conduct in zip(result.seats, result.conduct, strict=True):
            if conduct != "played":
                last = (run / f"{bot}.log").read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES_OF_LOG:]
                raise CommandError(f"the bot {bot} failed ({conduct}); the end of its log:", *last)


def _show_table(screen: Console, names: Sequence[str], results: Results) -> None:
    from rich.table import Table

    from omnilude.arena.report import cross_table

    matches = results.ordered()
    scores = {name: [result.scores()[name] for result in matches if name in result.seats] for name in names}
    order = sorted(names, key=lambda name: -sum(scores[name]))
    cross = cross_table(order, matches)
    table = Table("bot", *order, "points", "matches", title="Mean score against each")
    for name in order:
        cells = [f"{cross[name][other]:g}" if other in cross[name] else "" for other in order]
        table.add_row(name, *cells, f"{sum(scores[name]):g}", str(len(scores[name])))
    screen.print(table)


def _verify(screen: Console, replays: Path) -> None:
    from omnilude_cli.replay import verified

    files = sorted(replays.iterdir())
    reports = [verified(file) for file in files]
    print_line(screen, f"replays  {len(files)} in {replays}")
    rolls = sum(report.rolls_proved for report in reports)
    print_line(screen, f"verified {len(reports)} of {len(files)}: {rolls:,} rolls of the dice proved")
