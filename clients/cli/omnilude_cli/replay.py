"""``omnilude replay``: look at replays, prove them, fetch them from a service and bring them to one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connecting import ApiTokenOption, CaOption, CertificateOption, ServerOption, TlsOption, connect
from omnilude_cli.console import console, echo, say
from omnilude_cli.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from engine_service.log.verify import Report
    from omnilude_cli.replayed import Telling

app = typer.Typer(no_args_is_help=True, help="Look at replays, prove them, fetch them, bring them to a service.")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A replay file (.omr).")]


@app.command()
def show(
    file: FileArgument,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after each step.")] = False,
    at: Annotated[
        int | None, typer.Option(metavar="SEQ", min=0, help="Only draw the board as it was after this record.")
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a picture of the board, at its end or as of --at, where packs draw one."
        ),
    ] = None,
    card_sets: CardSetsOption = None,
) -> None:
    """Tell a match record by record.

    It needs the game's pack for labels and boards; without it, steps are told by their codes.
    """
    from rich.markup import escape

    from engine_service.log.replay import read_file
    from gamepacks.api.errors import IllegalAction
    from omnilude_cli.drawing import with_names
    from omnilude_cli.local_packs import registry
    from omnilude_cli.replayed import Telling
    from omnilude_cli.sitting import describe

    screen = console()
    telling = Telling(read_file(file), registry(*(card_sets or [])))
    last = telling.records[-1].seq if telling.records else 0
    if at is not None and at > last:
        raise Failure(f"--at {at}: the log ends with record {last}", code=WRONG_USE)
    for line in _heading(telling):
        say(screen, line)
    try:
        for told in telling.tell(boards=boards):
            if at is not None:
                if told.event.seq >= at:
                    break
                continue
            text = describe(told.event, telling.who(told.event.seat), telling.players)
            say(screen, f"{told.event.seq:5} {told.event.time_ms / 1000:9.3f} s  {text}")
            for sentence in told.sentences:
                say(screen, f"{'':20}{with_names(sentence, telling.players)}")
            if told.board is not None:
                screen.print(with_names(told.board, [escape(name) for name in telling.players]))
    except IllegalAction as error:
        raise Failure(f"the log does not follow the rules: {error}") from error
    if svg is not None:
        _draw(telling, svg)
    board = telling.board() if at is not None or not boards else None
    if board is not None:
        screen.print(with_names(board, [escape(name) for name in telling.players]))
    if at is None:
        for line in _ending(telling):
            say(screen, line)


def _draw(telling: Telling, to: Path) -> None:
    picture = telling.picture()
    if picture is None:
        why = telling.missing or f"the pack of {telling.header.game} draws none"
        raise Failure(f"there is no picture: {why}")
    to.write_text(picture, encoding="utf-8")


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Replay files (.omr), or folders of them.")],
    card_sets: CardSetsOption = None,
) -> None:
    """Prove replays to the last roll and move.

    What is proved is the chain of each log, every roll, every move and the result. It needs the rules and the cards
    that the match was played by, and trusts nothing else. Ends with code 1 if one does not hold.
    """
    from engine_service.errors import EngineError

    wrong = 0
    found = [entry for file in files for entry in _replay_files(file)]
    for file in found:
        try:
            report = verified(file, *(card_sets or []))
        except EngineError as error:
            wrong += 1
            echo(f"WRONG  {file}: {error.message} ({error.reason})")
        else:
            echo(f"holds  {file}: {_proved(report)}")
    if not found:
        raise Failure("there are no replays: " + ", ".join(str(file) for file in files))
    if wrong:
        raise Failure(f"{wrong} of {len(found)} replays do not hold")


@app.command("export")
def export_(
    match: Annotated[str, typer.Argument(help="The match, as matches/abc or abc.")],
    file: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to; by default the match's own name.")
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="OMNILUDE_HOST_TOKEN", help="The host's token, for a match that still goes on.")
    ] = "",
    server: ServerOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """Fetch the replay of a match from a service."""
    from engine_service.log.replay import SUFFIX, read, write_file
    from omnilude import operations

    with connect(server, api_token=api_token, tls=tls, ca=ca, certificate=certificate) as client:
        data = client.run(operations.get_replay(match, token))
    target = file or Path(match.removeprefix("matches/") + SUFFIX)
    write_file(target, read(data))
    echo(str(target))


@app.command("import")
def import_(
    file: FileArgument,
    server: ServerOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """Bring a replay to a service.

    The service verifies it and keeps it as a match.
    """
    with connect(server, api_token=api_token, tls=tls, ca=ca, certificate=certificate) as client:
        match = client.import_replay(file.read_bytes())
    echo(match.name)


def verified(file: Path, *card_sets: Path) -> Report:
    """Prove one replay with the rules that are installed here.

    Raises ReplayTorn, ReplayInvalid, RulesNotLoaded, CardSetNotLoaded.
    """
    from engine_service.log.replay import read_file
    from engine_service.log.verify import verify
    from omnilude_cli.local_packs import registry

    return verify(read_file(file), registry(*card_sets))


def _replay_files(path: Path) -> list[Path]:
    from engine_service.log.replay import SUFFIX

    return sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]


def _proved(report: Report) -> str:
    players = " - ".join(name or "nobody" for name in report.players)
    rolls = [
        f"{number} rolls {word}"
        for number, word in (
            (report.rolls_proved, "proved"),
            (report.rolls_sealed, "still sealed"),
            (report.rolls_supplied, "given by the host"),
            (report.rolls_inherited, "taken over from another match"),
        )
        if number
    ]
    return ", ".join([f"{report.game}, {players}", f"{report.records} records", *rolls])


def _heading(telling: Telling) -> list[str]:
    header = telling.header
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(header.create_ms / 1000))
    lines = [
        f"{header.match}: {header.game} (rules {header.rules_version}), begun {when}, engine {header.engine_version}",
        *(f"  {key}: {value}" for key, value in sorted(header.labels.items())),
    ]
    if header.origin is not None:
        lines.append(f"  copied from {header.origin.match} up to record {header.origin.seq}")
    if telling.cards is not None:
        lines.append(f"  cards: {telling.cards.title} ({telling.cards.id}), digest {telling.cards.digest.hex()}")
    if telling.missing:
        lines.append(f"  {telling.missing}: steps are told by their codes")
    return lines


def _ending(telling: Telling) -> list[str]:
    result = telling.result
    if result is None or not result.returns:
        return ["no result"]
    pairs = zip(result.places, result.returns, strict=True)
    return [f"{telling.who(seat)}: place {place}, return {value:+.2f}" for seat, (place, value) in enumerate(pairs)]
