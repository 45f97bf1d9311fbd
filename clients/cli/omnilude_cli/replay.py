"""``omnilude replay``: show, verify, export and import replays."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connection_options import ConnectionSettings, connects
from omnilude_cli.console import console, echo, print_line
from omnilude_cli.errors import EXIT_USAGE, CommandError

if TYPE_CHECKING:
    from engine_service.matches.verify import Verification
    from omnilude_cli.replay_narrator import ReplayNarrator

app = typer.Typer(no_args_is_help=True, help="Show, verify, export and import replays.")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A replay file (.omr).")]


@app.command()
def show(
    file: FileArgument,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after each step.")] = False,
    at: Annotated[int | None, typer.Option(metavar="SEQ", min=0, help="Draw only the board after this record.")] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a picture of the board at the end, or after record --at."),
    ] = None,
    card_sets: CardSetsOption = None,
) -> None:
    """Show a match record by record.

    Labels and boards need the game's pack; without it, steps are shown by their codes.

    \b
    Example:
      omnilude replay show match.omr --boards
    """
    from rich.markup import escape

    from engine_service.log.replay import read_file
    from gamepacks.api.errors import IllegalAction
    from omnilude_cli.local_packs import registry
    from omnilude_cli.rendering import with_names
    from omnilude_cli.replay_narrator import ReplayNarrator
    from omnilude_cli.terminal_player import describe

    screen = console()
    narrator = ReplayNarrator(read_file(file), registry(*(card_sets or [])))
    last = narrator.records[-1].seq if narrator.records else 0
    if at is not None and at > last:
        raise CommandError(f"--at {at}: the log ends with record {last}", code=EXIT_USAGE)
    for line in _heading(narrator):
        print_line(screen, line)
    try:
        for narrated in narrator.narrate(boards=boards):
            if at is not None:
                if narrated.event.seq >= at:
                    break
                continue
            text = describe(narrated.event, narrator.who(narrated.event.seat), narrator.players)
            print_line(screen, f"{narrated.event.seq:5} {narrated.event.time_ms / 1000:9.3f} s  {text}")
            for sentence in narrated.sentences:
                print_line(screen, f"{'':20}{with_names(sentence, narrator.players)}")
            if narrated.board is not None:
                screen.print(with_names(narrated.board, [escape(name) for name in narrator.players]))
    except IllegalAction as error:
        raise CommandError(f"the log violates the rules: {error}") from error
    if svg is not None:
        _draw(narrator, svg)
    board = narrator.board() if at is not None or not boards else None
    if board is not None:
        screen.print(with_names(board, [escape(name) for name in narrator.players]))
    if at is None:
        for line in _result_lines(narrator):
            print_line(screen, line)


def _draw(narrator: ReplayNarrator, to: Path) -> None:
    svg = narrator.svg()
    if svg is None:
        raise CommandError(f"there is no picture: {narrator.missing}")
    to.write_text(svg, encoding="utf-8")


@app.command()
@connects
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Replay files (.omr), or folders of them.")],
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX", help="Public key of a service that must have signed the replays. Repeatable."),
    ] = None,
    card_sets: CardSetsOption = None,
    server: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Service that must have signed the replays; its key is requested."),
    ] = None,
    *,
    connection: ConnectionSettings,
) -> None:
    """Verify replays: every roll, move and result, and the service where they were played.

    A valid replay is consistent: the hash chain of its log, every roll, every move and the result. The check needs only
    the rules and the cards of the match. Anybody can make up a consistent match; with --key or --server, it must also
    be signed by that service, which signs only matches that were played there. Exits with 1 if a replay is invalid or
    was not played there.

    \b
    Example:
      omnilude replay verify match.omr
      omnilude replay verify replays/ --server game.example:7878
    """
    from engine_service.errors import EngineError

    keys = {_public_key(text) for text in key or []}
    if server is not None:
        with connection.client(server) as client:
            keys.add(client.signing_key())
    wrong = 0
    found = [entry for file in files for entry in _replay_files(file)]
    for file in found:
        try:
            report = verified(file, *(card_sets or []))
        except EngineError as error:
            wrong += 1
            echo(f"INVALID  {file}: {error.message} ({error.reason})")
        else:
            elsewhere = bool(keys) and report.signing_key not in keys
            wrong += elsewhere
            verdict = "FOREIGN" if elsewhere else "valid"
            echo(f"{verdict}  {file}: {_summary(report)}, {_origin(report.signing_key, keys)}")
    if not found:
        raise CommandError("there are no replays: " + ", ".join(str(file) for file in files))
    if wrong:
        what = "are invalid or were not played there" if keys else "are invalid"
        raise CommandError(f"{wrong} of {len(found)} replays {what}")


@app.command("key")
@connects
def key_(
    *,
    connection: ConnectionSettings,
) -> None:
    """Print the public key with which a service signs replays, for `replay verify --key`.

    With it, replays can be verified even when the service no longer exists.

    \b
    Example:
      omnilude replay key --server game.example:7878
    """
    with connection.client() as client:
        echo(client.signing_key().hex())


@app.command("export")
@connects
def export_(
    match: Annotated[str, typer.Argument(help="The match, as matches/abc or abc.")],
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write; by default named after the match."),
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="OMNILUDE_HOST_TOKEN", help="The host's token, for a match that has not ended.")
    ] = "",
    *,
    connection: ConnectionSettings,
) -> None:
    """Download the replay of a match from a service.

    \b
    Example:
      omnilude replay export MATCH --output match.omr
    """
    from engine_service.log.replay import SUFFIX, read, write_file
    from omnilude import operations

    with connection.client() as client:
        data = client.call(operations.get_replay(match, token))
    target = file or Path(match.removeprefix("matches/") + SUFFIX)
    write_file(target, read(data))
    echo(str(target))


@app.command("import")
@connects
def import_(
    file: FileArgument,
    *,
    connection: ConnectionSettings,
) -> None:
    """Upload a replay to a service.

    The service verifies it and stores it as a match.

    \b
    Example:
      omnilude replay import match.omr --server game.example:7878
    """
    with connection.client() as client:
        match = client.import_replay(file.read_bytes())
    echo(match.name)


def verified(file: Path, *card_sets: Path) -> Verification:
    """Verify one replay with the rules that are installed here.

    Raises ReplayMalformed, ReplayInvalid, RulesNotLoaded, CardSetNotLoaded.
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
        raise CommandError(f"--key {text}: a public key has {2 * PUBLIC_KEY_BYTES} hexadecimal digits", code=EXIT_USAGE)
    return key


def _origin(signing_key: bytes, keys: set[bytes]) -> str:
    """Describe where a consistent replay was played."""
    if signing_key and signing_key in keys:
        return "played at this service"
    signed = f"signed with the key {signing_key.hex()}" if signing_key else "not signed"
    return f"consistent, but not played at this service: {signed}" if keys else signed


def _replay_files(path: Path) -> list[Path]:
    from engine_service.log.replay import SUFFIX

    return sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]


def _summary(report: Verification) -> str:
    players = " - ".join(name or "nobody" for name in report.players)
    rolls = [
        f"{number} rolls {word}"
        for number, word in (
            (report.rolls_proved, "proved"),
            (report.rolls_unverified, "not verifiable before the seed is published"),
            (report.rolls_provided, "provided by the host"),
            (report.rolls_inherited, "inherited from another match"),
        )
        if number
    ]
    return ", ".join([f"{report.game}, {players}", f"{report.records} records", *rolls])


def _heading(narrator: ReplayNarrator) -> list[str]:
    header = narrator.header
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(header.create_ms / 1000))
    lines = [
        f"{header.match}: {header.game} (rules {header.rules_version}), started {when}, engine {header.engine_version}",
        *(f"  {key}: {value}" for key, value in sorted(header.labels.items())),
    ]
    if header.origin is not None:
        lines.append(f"  copied from {header.origin.match} up to record {header.origin.seq}")
    if narrator.cards is not None:
        lines.append(f"  cards: {narrator.cards.title} ({narrator.cards.id}), digest {narrator.cards.digest.hex()}")
    if narrator.missing:
        lines.append(f"  {narrator.missing}: steps are shown by their codes")
    return lines


def _result_lines(narrator: ReplayNarrator) -> list[str]:
    result = narrator.result
    if result is None or not result.returns:
        return ["no result"]
    pairs = zip(result.places, result.returns, strict=True)
    return [f"{narrator.who(seat)}: place {place}, return {value:+.2f}" for seat, (place, value) in enumerate(pairs)]
