"""``omnilude arena``: tournaments of bots, from a tournament file to a report."""

from __future__ import annotations

import asyncio
import re
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omnilude_cli.connection_options import ApiTokenOption
from omnilude_cli.console import console, echo, print_line
from omnilude_cli.errors import EXIT_USAGE, CommandError
from omnilude_cli.key_values import key_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.table import Table

    from omnilude.arena.config import Tournament
    from omnilude.arena.report import Report
    from omnilude.arena.results import MatchResult, Results
    from omnilude.arena.runner import Progress

app = typer.Typer(
    no_args_is_help=True,
    help="Play tournaments of bots, and test whether one bot is better than another.",
)

SERVICE_RESTARTS = 20
"""Number of times that a private service is restarted in one run."""
REPORTS = {"report.md": "to_markdown", "report.csv": "to_csv", "report.json": "to_json", "report.html": "to_html"}
PICTURES = 20
"""Number of replays, the first ones, whose final positions are drawn for the report."""


STANDINGS_COST = 20
"""Minimum pause between two computations of the standings, as a multiple of the time that one takes."""


class CompareExitCode(IntEnum):
    """Exit codes of ``omnilude arena compare``."""

    BETTER = 0
    NOT_BETTER = 10
    UNDECIDED = 11


class ExecutorKind(StrEnum):
    """Kinds of executors, which play the matches of a tournament."""

    LOCAL = "local"
    RAY = "ray"


@app.command()
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write.")] = Path("tournament.yaml"),
) -> None:
    """Write a commented tournament file.

    \b
    Example:
      omnilude arena init
    """
    from omnilude.arena.config import TEMPLATE

    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(TEMPLATE)
    except FileExistsError:
        raise CommandError(f"{file} exists already") from None
    echo(f"wrote {file}; play it with: omnilude arena run {file}")


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Tournament file.")],
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="Folder for results, replays, logs and reports; by default named after the file."
        ),
    ] = None,
    executor: Annotated[
        ExecutorKind, typer.Option(help="Backend that plays the matches: this machine, or the nodes of a Ray cluster.")
    ] = ExecutorKind.LOCAL,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="With ray: number of workers; by default the number of processors, at most at_once."),
    ] = None,
    ray_address: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="With ray: address of the cluster; by default one on this machine."),
    ] = None,
    api_token: ApiTokenOption = None,
) -> None:
    """Play a tournament, or resume it after an interruption, and write its reports.

    \b
    Example:
      omnilude arena run tournament.yaml
      omnilude arena run tournament.yaml --executor ray --ray-address auto
    """
    tournament = _load(file)
    folder = folder or file.with_suffix("")
    if executor is ExecutorKind.RAY:
        report = _play_on_ray(tournament, folder, workers, ray_address, api_token)
    elif workers is not None or ray_address is not None:
        raise CommandError("--workers and --ray-address need --executor ray", code=EXIT_USAGE)
    else:
        report = _play(tournament, folder, api_token)
    _show(console(), report)
    echo(f"reports and replays are in {folder}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the tournament.")],
) -> None:
    """Write the reports of a tournament again from its results, and show the standings.

    \b
    Example:
      omnilude arena report tournament
    """
    tournament, results = _read(folder)
    made = _write_reports(tournament, results, folder)
    _show(console(), made)
    echo(f"wrote {', '.join(REPORTS)} in {folder}")


@app.command()
def watch(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the tournament.")],
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two updates.")] = 2.0,
) -> None:
    """Show the standings of a running tournament until it is finished.

    \b
    Example:
      omnilude arena watch tournament
    """
    from rich.live import Live

    from omnilude.arena.report import make_report

    screen = console()
    with Live(console=screen, auto_refresh=False) if screen.is_terminal else nullcontext() as live:
        played = -1
        while True:
            tournament, results = _read(folder)
            if len(results.by_match) != played:
                played = len(results.by_match)
                made = make_report(tournament, results, samples=50)
                if live is not None:
                    live.update(_standings(made), refresh=True)
                elif played:
                    print_line(screen, f"{played} matches; {made.standings[0].bot} leads")
                if made.finished:
                    break
            time.sleep(every)
    _show(screen, made)


@app.command()
def compare(
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="A file (bot.py or bot.py:Class), a class (package.module:Class), a bot of the service, or a program "
            "('engine: PROGRAM ARGUMENT...', 'command: PROGRAM ARGUMENT...').",
        ),
    ],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot to compare it with, in the same form.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="Game to play.")],
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Option of the game. Repeatable.")
    ] = None,
    elo: Annotated[float, typer.Option(min=1.0, help="Elo difference that counts as better.")] = 50.0,
    max_pairs: Annotated[int, typer.Option(min=1, help="Maximum number of pairs of matches.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each decision in seconds.")] = 10.0,
    at_once: Annotated[int | None, typer.Option(min=1, help="Maximum number of simultaneous matches.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all outcomes of chance.")] = 1,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Folder for the results, to resume the comparison later."),
    ] = None,
    server: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Address of a service; by default a private one is started.")
    ] = None,
    api_token: ApiTokenOption = None,
) -> None:
    """Test whether NEW is better than OLD.

    Plays pairs of matches with equal outcomes of chance and swapped seats, until a sequential test decides. Exit codes:
    0 better, 10 not better, 11 undecided.

    \b
    Example:
      omnilude arena compare new.py old.py --game ominoes
    """
    import tempfile

    names = ["new", "old"]
    bots = [{"name": name, **_bot(spec)} for name, spec in zip(names, (new, old), strict=True)]
    data: dict[str, Any] = {
        "game": game,
        "options": key_values(option, "--option", "KEY=VALUE"),
        "format": {"kind": "sprt", "elo0": 0.0, "elo1": elo, "max_pairs": max_pairs},
        "bots": bots,
        "clock": {"per_move": seconds},
        "seed": seed,
        "server": server,
    }
    if at_once is not None:
        data["at_once"] = at_once
    tournament = _validated(data)
    with tempfile.TemporaryDirectory(prefix="omnilude-compare-") as own:
        made = _play(tournament, folder or Path(own) / "compare", api_token)
    _show(console(), made)
    assert made.test is not None
    verdicts = {"better": CompareExitCode.BETTER, "not better": CompareExitCode.NOT_BETTER}
    exit_code = verdicts.get(made.test.verdict, CompareExitCode.UNDECIDED)
    echo("undecided" if exit_code is CompareExitCode.UNDECIDED else f"{new} is {made.test.verdict}")
    raise typer.Exit(int(exit_code))


def _bot(spec: str) -> dict[str, str | list[str]]:
    """Returns the kind of a bot and its value, as in a tournament file."""
    kind, _, command = spec.partition(":")
    if kind in ("engine", "command"):
        return {kind: shlex.split(command)}
    # The budget of a bot of the service begins with a digit, the name of a class does not.
    return {"python" if re.search(r":\D", spec) or spec.endswith(".py") else "service": spec}


def _load(file: Path) -> Tournament:
    from omnilude.arena.config import ConfigError, load

    try:
        return load(file)
    except ConfigError as error:
        raise CommandError(f"{file} is invalid", *error.faults) from None


def _validated(data: dict[str, Any]) -> Tournament:
    from pydantic import ValidationError

    from omnilude.arena.config import Tournament, sentences_of

    try:
        return Tournament.model_validate(data)
    except ValidationError as error:
        raise CommandError(*sentences_of(error)) from None


def _read(folder: Path) -> tuple[Tournament, Results]:
    _check_ratings()
    from omnilude.arena.results import JournalError, read_journal

    try:
        head, results = read_journal(folder / "results.jsonl")
    except JournalError as error:
        raise CommandError(str(error)) from None
    return _validated(head), results


def _play(tournament: Tournament, folder: Path, api_token: str | None) -> Report:
    """Play the remaining matches, at a private service if the tournament names none; write and return the report."""
    from omnilude.arena.config import ConfigError
    from omnilude.arena.results import JournalError
    from omnilude.arena.runner import Arena, ServiceFaulty, ServiceLost

    screen = console()
    _check_ratings()
    _check_bots(tournament)
    for left in range(SERVICE_RESTARTS, -1, -1):
        try:
            with _service(tournament) as target, show_progress(screen, tournament) as on_result:
                arena = Arena(tournament, folder, target, api_token=api_token, on_result=on_result)
                results = asyncio.run(arena.run())
            return _write_reports(tournament, results, folder)
        except ServiceLost as error:
            if tournament.server is not None or left == 0:
                raise CommandError(f"the service is lost: {error}", "run the command again to resume") from None
            print_line(screen, f"the service is lost ({error}); starting another one")
        except (ServiceFaulty, JournalError, ConfigError) as error:
            raise CommandError(str(error)) from None
    raise AssertionError("unreachable")


def _play_on_ray(
    tournament: Tournament, folder: Path, workers: int | None, address: str | None, api_token: str | None
) -> Report:
    """Play the remaining matches on a Ray cluster; write and return the report."""
    try:
        from omnilude.arena.ray_executor import RayExecutor
    except ModuleNotFoundError:
        raise CommandError("Ray is not installed", "install it with: pip install 'omnilude[ray]'") from None
    from omnilude.arena.config import ConfigError
    from omnilude.arena.results import JournalError
    from omnilude.arena.runner import Arena, ServiceFaulty, ServiceLost
    from omnilude_cli.service import private_service

    screen = console()
    _check_ratings()
    _check_bots(tournament)
    executor = RayExecutor(tournament, workers=workers, service=private_service, api_token=api_token, address=address)
    try:
        with show_progress(screen, tournament) as on_result:
            results = asyncio.run(Arena(tournament, folder, executor=executor, on_result=on_result).run())
    except (ServiceLost, ConnectionError) as error:
        raise CommandError(str(error), "run the command again to resume") from None
    except (ServiceFaulty, JournalError, ConfigError) as error:
        raise CommandError(str(error)) from None
    return _write_reports(tournament, results, folder)


def _check_ratings() -> None:
    """Check that ratings can be computed."""
    try:
        import choix  # noqa: F401
    except ModuleNotFoundError:
        raise CommandError("ratings need the package choix", "install it with: pip install 'omnilude[arena]'") from None


def _check_bots(tournament: Tournament) -> None:
    """Check that the classes of bots can be loaded."""
    from omnilude.arena.bot_process import NoSuchBot, load_bot

    for entry in tournament.bots:
        if entry.python is not None:
            try:
                load_bot(entry.python)
            except NoSuchBot as error:
                raise CommandError(f"bot {entry.name}: {error}") from None
            except Exception as error:
                raise CommandError(f"bot {entry.name}: {entry.python}: {type(error).__name__}: {error}") from None


@contextmanager
def _service(tournament: Tournament) -> Iterator[str]:
    """Give the address of the tournament's service, or of a private one that ends with the block."""
    from omnilude_cli.service import private_service

    if tournament.server is not None:
        yield tournament.server
    else:
        with private_service() as target:
            yield target


@contextmanager
def show_progress(screen: Console, tournament: Tournament | None = None) -> Iterator[Callable[[Progress], None]]:
    """Show results as they arrive: a progress bar on a terminal, below the standings if the tournament is given; a line
    for each match elsewhere."""
    now = screen.get_time
    began = now()
    before: int | None = None

    def text(progress: Progress) -> str:
        nonlocal before
        if before is None:
            before = progress.played - 1
        rate = (progress.played - before) / max(now() - began, 1e-3)
        return f"{_describe(progress.result)}  ({rate:.1f} matches/s)"

    if not screen.is_terminal:
        yield lambda progress: print_line(screen, f"{progress.played:6}/{progress.planned}  {text(progress)}")
        return
    from rich import progress as bars
    from rich.console import Group
    from rich.live import Live

    from omnilude.arena.report import make_report

    columns = (
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.description}", markup=False),
    )
    bar = bars.Progress(*columns, console=screen)
    task = bar.add_task("", total=None)
    standings_due = began

    with Live(bar, console=screen, transient=True) as live:

        def show(progress: Progress) -> None:
            nonlocal standings_due
            bar.update(task, completed=progress.played, total=progress.planned, description=text(progress))
            start = now()
            if tournament is not None and start >= standings_due:
                made = make_report(tournament, progress.results, samples=0)
                live.update(Group(_standings(made), bar))
                standings_due = now() + STANDINGS_COST * (now() - start)

        yield show


def _describe(result: MatchResult) -> str:
    winners = [bot for bot, place in zip(result.seats, result.places, strict=True) if place == 1]
    end = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the first place"
    faults = [
        f"{bot} {conduct}" for bot, conduct in zip(result.seats, result.conduct, strict=True) if conduct != "played"
    ]
    return f"{' - '.join(result.seats)}: {end}, {result.records} records" + (
        f" ({', '.join(faults)})" if faults else ""
    )


def _write_reports(tournament: Tournament, results: Results, folder: Path) -> Report:
    from omnilude.arena import report as forms

    made = forms.make_report(tournament, results)
    made = replace(made, pictures=_draw_final_positions([file for _, file in made.replays[:PICTURES]], folder))
    for name, form in REPORTS.items():
        (folder / name).write_text(getattr(forms, form)(made), encoding="utf-8")
    return made


def _draw_final_positions(replays: Sequence[str], folder: Path) -> dict[str, str]:
    """Draw the final positions of replays whose rules are installed here, unless they are drawn already; returns the
    picture files by replay."""
    from engine_service.log.replay import read_file
    from omnilude_cli.local_packs import registry
    from omnilude_cli.replay_narrator import ReplayNarrator

    pictures = {}
    for replay in replays:
        picture = (folder / "pictures" / replay).with_suffix(".svg")
        if not picture.exists():
            file = folder / "replays" / replay
            if not file.exists():
                continue
            narrator = ReplayNarrator(read_file(file), registry())
            narrator.go_to_end()
            svg = narrator.svg()
            if svg is None:
                continue
            picture.parent.mkdir(exist_ok=True)
            picture.write_text(svg, encoding="utf-8")
        pictures[replay] = picture.name
    return pictures


def _show(screen: Console, made: Report) -> None:
    screen.print(_standings(made))
    if made.test is not None:
        from omnilude.arena.report import describe_test

        print_line(screen, describe_test(made.test))


def _standings(made: Report) -> Table:
    from rich.table import Table

    from omnilude.arena.report import standings_table

    head, rows = standings_table(made)
    table = Table(*head, title=f"{made.game}: {made.matches} matches")
    for row in rows:
        table.add_row(*row)
    return table
