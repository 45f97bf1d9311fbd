"""``omnilude demo``: the main job in small, from an empty folder to proved replays."""

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
from omnilude_cli.failures import Failure

if TYPE_CHECKING:
    from rich.console import Console

    from omnilude_cli.roundrobin import Encounter, Met

_PYTHON_BOTS = ("random", "greedy", "monte-carlo")
_LINES_OF_LOG = 5


@dataclass(frozen=True, slots=True)
class Player:
    """A bot that is to be started."""

    name: str
    language: str
    command: list[str]
    environment: dict[str, str] | None = None


def demo(
    game: Annotated[str, typer.Option(help="What is played; the bots must know it.")] = "ominoes",
    rounds: Annotated[int, typer.Option(min=1, help="How often each pair meets, each time from both seats.")] = 1,
    playouts: Annotated[int, typer.Option(min=1, help="Play-outs of the Monte Carlo bot for one decision.")] = 120,
    at_once: Annotated[int, typer.Option(min=1, help="How many matches go on at a time.")] = 6,
    node: Annotated[bool, typer.Option("--node/--no-node", help="Let the bot in Node.js play too.")] = True,
    seed: Annotated[int, typer.Option(help="Seed of the bots; the dice are the service's own each time.")] = 1,
    folder: Annotated[
        Path, typer.Option(metavar="PATH", help="Where a folder for this run is made: database, logs, replays.")
    ] = Path(".demo"),
) -> None:
    """Let bots of two languages play a round robin, and prove it.

    Starts a service, connects the bots over gRPC (each a process of its own), invites them to matches, prints the cross
    table, and verifies all replays: the chain of each log, every roll of the dice, every move, every result.
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
    """Start the bots side by side, and wait until each has said that it is connected."""
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
    raise Failure(f"the bot {player.name} did not start; the end of its log:", *last)


def _play(
    screen: Console, target: str, game: str, names: Sequence[str], rounds: int, at_once: int, replays: Path
) -> list[Met]:
    from omnilude_cli.roundrobin import schedule

    encounters = schedule(names, rounds)
    say(screen, f"playing  {len(encounters)} matches of {game}, {at_once} at a time")
    with _progress(screen, encounters) as on_met:

        def keep(met: Met) -> None:
            (replays / _file_name(met.encounter)).write_bytes(met.replay)
            on_met(met)

        return asyncio.run(_play_all(target, game, encounters, at_once, keep))


async def _play_all(
    target: str, game: str, encounters: Sequence[Encounter], at_once: int, on_met: Callable[[Met], None]
) -> list[Met]:
    from omnilude import AsyncClient
    from omnilude_cli.roundrobin import play_all

    async with AsyncClient(target) as client:
        return await play_all(client, game, encounters, at_once=at_once, labels={"event": "demo"}, on_met=on_met)


def _file_name(encounter: Encounter) -> str:
    return f"{encounter.number:03}-{encounter.seats[0]}-{encounter.seats[1]}.omr"


@contextmanager
def _progress(screen: Console, encounters: Sequence[Encounter]) -> Iterator[Callable[[Met], None]]:
    """A bar on a terminal; a line for each match in a log."""
    if not screen.is_terminal:
        yield lambda met: say(screen, f"  {_sentence(met, len(encounters))}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=screen) as bar:
        task = bar.add_task("", total=len(encounters))
        yield lambda met: bar.update(task, advance=1, description=_sentence(met, len(encounters)))


def _sentence(met: Met, total: int) -> str:
    first, second = met.encounter.seats
    points = met.points
    end = "draw" if points[0] == points[1] else f"{first if points[0] > points[1] else second} wins"
    return f"{met.encounter.number:3}/{total}  {first} - {second}: {end}, {met.match.seq} records"


def _show_table(screen: Console, names: Sequence[str], played: Sequence[Met]) -> None:
    from rich.table import Table

    from omnilude_cli.roundrobin import cross_table

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
