"""``omnilude demo``: a small tournament, from an empty folder to verified replays."""

from __future__ import annotations

import asyncio
import secrets
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.console import console, say
from omnilude_cli.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console

    from omnilude_cli.round_robin import Encounter, PlayedEncounter

_PYTHON_BOTS = ("random", "greedy", "monte-carlo")
_LINES_OF_LOG = 5


@dataclass(frozen=True, slots=True)
class Player:
    """A bot to start."""

    name: str
    language: str
    command: list[str]
    environment: dict[str, str] | None = None


def demo(
    game: Annotated[str, typer.Option(help="Game to play.")] = "ominoes",
    rounds: Annotated[int, typer.Option(min=1, help="Number of encounters of each pair, each from both seats.")] = 1,
    playouts: Annotated[int, typer.Option(min=1, help="Play-outs of the Monte Carlo bot per decision.")] = 120,
    at_once: Annotated[int, typer.Option(min=1, help="Number of matches at a time.")] = 6,
    node: Annotated[bool, typer.Option("--node/--no-node", help="Include the bot in Node.js.")] = True,
    seed: Annotated[int, typer.Option(help="Seed of the bots; the service's dice differ each time.")] = 1,
    folder: Annotated[
        Path,
        typer.Option(metavar="PATH", help="Folder in which a folder for this run is created: database, logs, replays."),
    ] = Path(".demo"),
) -> None:
    """Let bots in two languages play a round robin, and verify the replays.

    Starts a service, connects the bots over gRPC (each in its own process), invites them to matches, prints the cross
    table, and verifies all replays: the hash chain of each log, every roll of the dice, every move, every result.

    \b
    Example:
      omnilude demo --rounds 2 --no-node
    """
    screen = console()
    began = time.monotonic()
    run = folder / time.strftime("%Y-%m-%d-%H%M%S")
    replays = run / "replays"
    replays.mkdir(parents=True)
    with ExitStack() as stack:
        from omnilude_cli.service import private_service

        target = stack.enter_context(private_service(folder=run, port=0))
        say(screen, f"service  {target}; its database and logs are in {run}")
        players = list(_python_players(target, game, playouts, seed))
        if node:
            players += _node_player(screen, target, game)
        _start(stack, players, run)
        say(screen, "players  " + ", ".join(f"{player.name} ({player.language})" for player in players))
        played = _play(screen, target, game, [player.name for player in players], rounds, at_once, replays)
    _show_table(screen, [player.name for player in players], played)
    _verify(screen, replays)
    say(screen, f"done     in {time.monotonic() - began:.0f} s")


def _python_players(target: str, game: str, playouts: int, seed: int) -> Iterator[Player]:
    from omnilude_cli.local_packs import registry
    from omnilude_cli.service import own_command

    offered = registry().game(game).bots
    for name in _PYTHON_BOTS:
        if name in offered:
            flags = ["--server", target, "--game", game, "--seed", str(seed), "--until-eof"]
            budget = ["--playouts", str(playouts)] if name == "monte-carlo" else []
            yield Player(name, "Python", own_command("bot", name, *flags, *budget))


def _node_player(screen: Console, target: str, game: str) -> list[Player]:
    from omnilude_cli.node_bot import NodeUnavailable, node_bot_command

    try:
        command, environment = node_bot_command(server=target, name="node", key=secrets.token_urlsafe(16), games=[game])
    except NodeUnavailable as error:
        say(screen, f"without  the bot in Node.js: {error}")
        return []
    return [Player("node", "Node.js", command, environment)]


def _start(stack: ExitStack, players: Sequence[Player], run: Path) -> None:
    """Start all bots, and wait until each is connected."""
    from omnilude_cli.service import start

    started = []
    for player in players:
        log = run / f"{player.name}.log"
        stderr = stack.enter_context(log.open("wb"))
        process = stack.enter_context(start(player.command, stderr, player.environment))
        started.append((player, process, log))
    for player, process, log in started:
        _await_ready(player, process, log)


def _await_ready(player: Player, process: subprocess.Popen[str], log: Path) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == "ready":
            return
    last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES_OF_LOG:]
    raise CommandError(f"the bot {player.name} did not start; the end of its log:", *last)


def _play(
    screen: Console, target: str, game: str, names: Sequence[str], rounds: int, at_once: int, replays: Path
) -> list[PlayedEncounter]:
    from omnilude_cli.round_robin import schedule

    encounters = schedule(names, rounds)
    say(screen, f"playing  {len(encounters)} matches of {game}, {at_once} at a time")
    with _progress(screen, encounters) as on_played:

        def keep(played: PlayedEncounter) -> None:
            (replays / _file_name(played.encounter)).write_bytes(played.replay)
            on_played(played)

        return asyncio.run(_play_all(target, game, encounters, at_once, keep))


async def _play_all(
    target: str, game: str, encounters: Sequence[Encounter], at_once: int, on_played: Callable[[PlayedEncounter], None]
) -> list[PlayedEncounter]:
    from omnilude import AsyncClient
    from omnilude_cli.round_robin import play_all

    async with AsyncClient(target) as client:
        return await play_all(client, game, encounters, at_once=at_once, labels={"event": "demo"}, on_played=on_played)


def _file_name(encounter: Encounter) -> str:
    return f"{encounter.number:03}-{encounter.seats[0]}-{encounter.seats[1]}.omr"


@contextmanager
def _progress(screen: Console, encounters: Sequence[Encounter]) -> Iterator[Callable[[PlayedEncounter], None]]:
    """Report progress: a bar on a terminal, a line for each match in a log."""
    if not screen.is_terminal:
        yield lambda played: say(screen, f"  {_sentence(played, len(encounters))}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=screen) as bar:
        task = bar.add_task("", total=len(encounters))
        yield lambda played: bar.update(task, advance=1, description=_sentence(played, len(encounters)))


def _sentence(played: PlayedEncounter, total: int) -> str:
    first, second = played.encounter.seats
    points = played.points
    end = "draw" if points[0] == points[1] else f"{first if points[0] > points[1] else second} wins"
    return f"{played.encounter.number:3}/{total}  {first} - {second}: {end}, {played.match.seq} records"


def _show_table(screen: Console, names: Sequence[str], played: Sequence[PlayedEncounter]) -> None:
    from rich.table import Table

    from omnilude_cli.round_robin import cross_table

    rows = cross_table(names, played)
    table = Table("player", *(row.player for row in rows), "points", "matches", title="Points against each")
    for row in rows:
        cells = ["" if points is None else f"{points:g}" for points in row.against]
        table.add_row(row.player, *cells, f"{row.points:g}", str(row.matches))
    screen.print(table)


def _verify(screen: Console, replays: Path) -> None:
    from omnilude_cli.replay import verified

    files = sorted(replays.iterdir())
    reports = [verified(file) for file in files]
    say(screen, f"replays  {len(files)} in {replays}")
    rolls = sum(report.rolls_proved for report in reports)
    say(screen, f"verified {len(reports)} of {len(files)}: {rolls:,} rolls of the dice proved")
