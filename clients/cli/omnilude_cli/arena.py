"""``omnilude arena``: tournaments of bots, from a file that describes them to a report."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omnilude_cli.connection_options import ApiTokenOption
from omnilude_cli.console import console, echo, say
from omnilude_cli.errors import CommandError
from omnilude_cli.key_values import key_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.table import Table

    from omnilude.arena.config import Tournament
    from omnilude.arena.report import Report
    from omnilude.arena.results import MatchResult, Results

app = typer.Typer(
    no_args_is_help=True,
    help="Play tournaments of bots; find out whether a bot is better than another.",
)

SERVICE_RESTARTS = 20
"""How often a service of the arena's own is started again in one run."""
REPORTS = {"report.md": "to_markdown", "report.csv": "to_csv", "report.json": "to_json", "report.html": "to_html"}


class Answer(IntEnum):
    """Exit codes of ``omnilude arena compare``."""

    BETTER = 0
    NOT_BETTER = 10
    UNDECIDED = 11


@app.command()
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file that is written.")] = Path("tournament.yaml"),
) -> None:
    """Write a commented tournament file to start from.

    \b
    Example:
      omnilude arena init
    """
    from omnilude.arena.config import TEMPLATE

    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(TEMPLATE)
    except FileExistsError:
        raise CommandError(f"{file} is there already") from None
    echo(f"wrote {file}; play it with: omnilude arena run {file}")


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament.")],
    folder: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Results, replays, logs and reports; by default named like the file."),
    ] = None,
    api_token: ApiTokenOption = None,
) -> None:
    """Play a tournament, or go on with it where it was stopped, and write its report.

    \b
    Example:
      omnilude arena run tournament.yaml
    """
    tournament = _load(file)
    folder = folder or file.with_suffix("")
    report = _play(tournament, folder, api_token)
    _show(console(), report)
    echo(f"reports and replays are in {folder}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the results are.")],
) -> None:
    """Write the reports of a tournament anew from its results, and show the standings.

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
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the results are.")],
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks.")] = 2.0,
) -> None:
    """Follow a tournament that is being played, until it is finished.

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
                else:
                    say(screen, f"{played} matches; {made.standings[0].bot} leads")
                if made.finished:
                    break
            time.sleep(every)
    _show(screen, made)


@app.command()
def compare(
    new: Annotated[str, typer.Argument(metavar="NEW", help="A file (bot.py or bot.py:Class), or a service's bot.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="What it is compared with, in the same form.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="What they play.")],
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game. Repeatable.")
    ] = None,
    elo: Annotated[float, typer.Option(min=1.0, help="The difference in Elo that counts as better.")] = 50.0,
    most: Annotated[int, typer.Option(min=1, help="Pairs of matches after which it ends undecided.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds for each decision.")] = 10.0,
    at_once: Annotated[int | None, typer.Option(min=1, help="Matches at a time.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all deals and dice.")] = 1,
    folder: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where the results are kept, to go on with them later.")
    ] = None,
    server: Annotated[str | None, typer.Option(metavar="HOST:PORT", help="A service; else one is started.")] = None,
    api_token: ApiTokenOption = None,
) -> None:
    """Say whether NEW is better than OLD: a sequential test over pairs of matches with equal dice and seats swapped.

    The exit code is 0 for better, 10 for not better, 11 for undecided.

    \b
    Example:
      omnilude arena compare new.py old.py --game ominoes
    """
    import tempfile

    names = ["new", "old"]
    bots = [{"name": name, _kind(spec): spec} for name, spec in zip(names, (new, old), strict=True)]
    data: dict[str, Any] = {
        "game": game,
        "options": key_values(option, "--option", "KEY=VALUE"),
        "format": {"kind": "sprt", "elo0": 0.0, "elo1": elo, "most": most},
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
    answer = {"better": Answer.BETTER, "not better": Answer.NOT_BETTER}.get(made.test.verdict, Answer.UNDECIDED)
    echo(f"{new} is {answer.name.lower().replace('_', ' ')}" if answer is not Answer.UNDECIDED else "undecided")
    raise typer.Exit(int(answer))


def _kind(spec: str) -> str:
    return "python" if ":" in spec or spec.endswith(".py") else "service"


def _load(file: Path) -> Tournament:
    from omnilude.arena.config import ConfigError, load

    try:
        return load(file)
    except ConfigError as error:
        raise CommandError(f"{file} cannot be played", *error.faults) from None


def _validated(data: dict[str, Any]) -> Tournament:
    from pydantic import ValidationError

    from omnilude.arena.config import Tournament, sentences_of

    try:
        return Tournament.model_validate(data)
    except ValidationError as error:
        raise CommandError(*sentences_of(error)) from None


def _read(folder: Path) -> tuple[Tournament, Results]:
    from omnilude.arena.results import JournalError, read_journal

    try:
        head, results = read_journal(folder / "results.jsonl")
    except JournalError as error:
        raise CommandError(str(error)) from None
    return _validated(head), results


def _play(tournament: Tournament, folder: Path, api_token: str | None) -> Report:
    """Play what is left, with a service of its own where the tournament names none; write and return the report."""
    from omnilude.arena.bot_process import NoSuchBot, load_bot
    from omnilude.arena.results import JournalError
    from omnilude.arena.runner import Arena, ServiceFaulty, ServiceLost

    screen = console()
    for entry in tournament.bots:
        if entry.python is not None:
            try:
                load_bot(entry.python)
            except NoSuchBot as error:
                raise CommandError(f"bot {entry.name}: {error}") from None
            except Exception as error:
                raise CommandError(f"bot {entry.name}: {entry.python}: {type(error).__name__}: {error}") from None
    for left in range(SERVICE_RESTARTS, -1, -1):
        try:
            with _service(tournament) as target, _progress(screen, tournament) as on_result:
                arena = Arena(tournament, folder, target, api_token=api_token, on_result=on_result)
                results = asyncio.run(arena.run())
            return _write_reports(tournament, results, folder)
        except ServiceLost as error:
            if tournament.server is not None or left == 0:
                raise CommandError(f"the service is lost: {error}", "run it again to go on") from None
            say(screen, f"the service is lost ({error}); another one is started")
        except (ServiceFaulty, JournalError) as error:
            raise CommandError(str(error)) from None
    raise AssertionError("unreachable")


@contextmanager
def _service(tournament: Tournament) -> Iterator[str]:
    """Where the matches are played: the service that the tournament names, or one that ends with the block."""
    from omnilude_cli.service import private_service

    if tournament.server is not None:
        yield tournament.server
    else:
        with private_service() as target:
            yield target


@contextmanager
def _progress(screen: Console, tournament: Tournament) -> Iterator[Callable[[MatchResult, Results], None]]:
    """Show results as they come: a bar on a terminal, lines in a log."""
    began = time.monotonic()
    schedule = tournament.format.schedule([bot.name for bot in tournament.bots], tournament.seats)
    first: list[int] = []

    def known(results: Results) -> int:
        return len(schedule.plan(results.encounters(tournament.seats)).encounters) * tournament.seats

    def rate(results: Results) -> float:
        if not first:
            first.append(len(results.by_match) - 1)
        return (len(results.by_match) - first[0]) / max(time.monotonic() - began, 1e-3)

    if not screen.is_terminal:

        def line(result: MatchResult, results: Results) -> None:
            per_second = rate(results)
            say(screen, f"{len(results.by_match):6}  {_sentence(result)}  ({per_second:.1f} matches/s)")

        yield line
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=screen) as bar:
        task = bar.add_task("", total=None)

        def advance(result: MatchResult, results: Results) -> None:
            description = f"{rate(results):.1f} matches/s  {_sentence(result)}"
            bar.update(task, completed=len(results.by_match), total=known(results), description=description)

        yield advance


def _sentence(result: MatchResult) -> str:
    winners = [bot for bot, place in zip(result.seats, result.places, strict=True) if place == 1]
    end = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the first place"
    faults = [
        f"{bot} {conduct}" for bot, conduct in zip(result.seats, result.conduct, strict=True) if conduct != "played"
    ]
    return f"{' - '.join(result.seats)}: {end}" + (f" ({', '.join(faults)})" if faults else "")


def _write_reports(tournament: Tournament, results: Results, folder: Path) -> Report:
    try:
        import choix  # noqa: F401 - asked for before the work is done
    except ModuleNotFoundError:
        raise CommandError("ratings need another package", "install it with: pip install 'omnilude[arena]'") from None
    from omnilude.arena import report as forms

    made = forms.make_report(tournament, results)
    for name, form in REPORTS.items():
        (folder / name).write_text(getattr(forms, form)(made), encoding="utf-8")
    return made


def _show(screen: Console, made: Report) -> None:
    screen.print(_standings(made))
    if made.test is not None:
        from omnilude.arena.report import test_sentence

        say(screen, test_sentence(made.test))


def _standings(made: Report) -> Table:
    from rich.table import Table

    from omnilude.arena.report import standings_table

    head, rows = standings_table(made)
    table = Table(*head, title=f"{made.game}: {made.matches} matches")
    for row in rows:
        table.add_row(*row)
    return table
