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
    from engine_service.matches.verify import Report
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
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX", help="Public key of a service where they must have been played. Repeatable."),
    ] = None,
    card_sets: CardSetsOption = None,
    server: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="A service where they must have been played; it is asked for its key."),
    ] = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """Prove replays to the last roll and move, and where they were played.

    A replay that holds is consistent: the chain of its log, every roll, every move and the result. That needs the rules
    and the cards that the match was played by, and nothing else is trusted. With --key or --server it must also be
    signed by that service, which signs only what was played there: anybody can make up a match that holds. Ends with
    code 1 if one does not hold or was not played there.
    """
    from engine_service.errors import EngineError

    keys = {_public_key(text) for text in key or []}
    if server is not None:
        with connect(server, tls=tls, ca=ca, certificate=certificate) as client:
            keys.add(client.signing_key())
    wrong = 0
    found = [entry for file in files for entry in _replay_files(file)]
    for file in found:
        try:
            report = verified(file, *(card_sets or []))
        except EngineError as error:
            wrong += 1
            echo(f"WRONG  {file}: {error.message} ({error.reason})")
        else:
            elsewhere = bool(keys) and report.signing_key not in keys
            wrong += elsewhere
            echo(f"{'OTHER' if elsewhere else 'holds'}  {file}: {_proved(report)}, {_origin(report.signing_key, keys)}")
    if not found:
        raise Failure("there are no replays: " + ", ".join(str(file) for file in files))
    if wrong:
        what = "do not hold, or were not played there" if keys else "do not hold"
        raise Failure(f"{wrong} of {len(found)} replays {what}")


@app.command("key")
def key_(
    server: ServerOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """Print the public key by which a service signs replays, for `replay verify --key`.

    Keep it: with it replays can be verified when the service is no more.
    """
    with connect(server, tls=tls, ca=ca, certificate=certificate) as client:
        echo(client.signing_key().hex())


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
        data = client.call(operations.get_replay(match, token))
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
    from engine_service.matches.verify import verify
    from omnilude_cli.local_packs import registry

    return verify(read_file(file), registry(*card_sets))


def _public_key(text: str) -> bytes:
    from engine_service.log.replay import PUBLIC_KEY_BYTES

    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != PUBLIC_KEY_BYTES:
        raise Failure(f"--key {text}: a public key has {2 * PUBLIC_KEY_BYTES} hexadecimal digits", code=WRONG_USE)
    return key


def _origin(signing_key: bytes, keys: set[bytes]) -> str:
    """Where a consistent replay was played, as far as that is known."""
    if signing_key and signing_key in keys:
        return "played at this service"
    signed = f"signed with the key {signing_key.hex()}" if signing_key else "not signed"
    return f"consistent, but not played at this service: {signed}" if keys else signed


def _replay_files(path: Path) -> list[Path]:
    from engine_service.log.replay import SUFFIX

    return sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]


def _proved(report: Report) -> str:
    players = " - ".join(name or "nobody" for name in report.players)
    rolls = [
        f"{number} rolls {word}"
        for number, word in (
            (report.rolls_proved, "proved"),
            (report.rolls_unverified, "still sealed"),
            (report.rolls_provided, "given by the host"),
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
