"""``omnilude play``: play a game in the terminal."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connection_options import ConnectionSettings, connects
from omnilude_cli.console import console, print_line
from omnilude_cli.errors import EXIT_USAGE, CommandError
from omnilude_cli.key_values import key_values

if TYPE_CHECKING:
    from rich.console import Console

    from omnilude import Client, SeatHandle
    from omnilude.models import SeatSpec
    from omnilude.v1.catalog_pb2 import Game
    from omnilude.v1.match_pb2 import Match

_REPEATED_RECORDS = 12
"""Number of records that are printed again when a player rejoins a match."""


@connects
def play(
    game: Annotated[str, typer.Argument(help="Game to play; see `omnilude games`.")],
    opponents: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Players of the other seats, separated by commas: levels (easy, normal, strong), bots of the service "
            "(greedy, random), optionally with a budget (mcts:500, mcts:2s), or @NAME for a remote player.",
        ),
    ] = "normal",
    players: Annotated[
        int | None, typer.Option(help="Number of players; the last opponent is repeated as needed.")
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat, from 0.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game. Repeatable."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name in the match.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the replay to this file at the end.")] = None,
    match: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Rejoin this match of --server, at --seat, with --token."),
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="OMNILUDE_TOKEN", help="Token of the seat; it was printed when you left the match.")
    ] = "",
    card_sets: CardSetsOption = None,
    *,
    connection: ConnectionSettings,
) -> None:
    """Play a game in the terminal, against bots or remote players.

    Without --server a private service runs while you play. On your turn, type part of an action ("c4") or its
    number; `?` lists the commands. `omnilude games GAME` lists the options of a game. With --server, the service
    determines the card sets; --card-sets is then needed only to draw their boards. If you leave a match at a service,
    the command to rejoin it is printed.

    \b
    Example:
      omnilude play ominoes --opponents strong --option target=13
      omnilude play omen --server game.example:7878 --opponents @alice
    """
    from omnilude_cli.local_packs import registry
    from omnilude_cli.service import private_service

    options = key_values(option, "--option", "NAME=VALUE")
    sets = card_sets or []
    remote = connection.server
    if match is not None and (remote is None or not token):
        raise CommandError("--match needs --server and --token", code=EXIT_USAGE)
    if sets:
        registry(*sets)  # reports invalid card files before anything is started
    with ExitStack() as stack:
        target = remote or stack.enter_context(private_service(card_sets=sets))
        client = stack.enter_context(connection.client(target))
        if match is not None:
            _rejoin(console(), client, game, client.seat(match, seat, token), save, sets, remote)
            return
        entry = _entry(client, game)
        others = _others(entry, opponents, players)
        if seat > len(others):
            raise CommandError(
                f"--seat {seat}: the seats of {len(others) + 1} players are 0 to {len(others)}", code=EXIT_USAGE
            )
        created = client.create(game, [*others[:seat], _own_seat(), *others[seat:]], options=options)
        own = created.join(name or getpass.getuser(), seat)
        _play_seat(console(), own, own.get(), save, sets, remote)


def _rejoin(
    screen: Console,
    client: Client,
    game: str,
    seat: SeatHandle,
    save: Path | None,
    card_sets: Sequence[Path],
    remote: str | None,
) -> None:
    """Rejoin a match and print its last records again."""
    match = client.match(seat.name).created
    if match.game.removeprefix("games/") != game:
        raise CommandError(f"{match.name} is a match of {match.game.removeprefix('games/')}", code=EXIT_USAGE)
    if seat.seat >= len(match.seats):
        raise CommandError(f"{match.name} has no seat {seat.seat}", code=EXIT_USAGE)
    seat.observation()  # refuses a token that is not of this match
    _play_seat(screen, seat, match, save, card_sets, remote, after=max(0, match.seq - _REPEATED_RECORDS))


def _play_seat(
    screen: Console,
    seat: SeatHandle,
    match: Match,
    save: Path | None,
    card_sets: Sequence[Path],
    remote: str | None,
    after: int = 0,
) -> None:
    from omnilude_cli.rendering import terminal_pack
    from omnilude_cli.terminal_player import Quit, TerminalPlayer, result_lines

    game = match.game.removeprefix("games/")
    names = ", ".join(entry.player or "an open seat" for entry in match.seats)
    print_line(screen, f"{game}: {names}. You have seat {seat.seat}.")
    pack = terminal_pack(match, *card_sets)
    terminal_player = TerminalPlayer(screen, lambda prompt: screen.input(prompt, markup=False), seat, pack, after)
    try:
        ended = terminal_player.play()
    except (Quit, EOFError, KeyboardInterrupt):
        if remote is None:
            screen.print("\nYou leave and resign the match.")
            _resign(seat)
            return
        screen.print("\nYou leave; the match continues. To rejoin it (and to resign, with `resign`):")
        again = f"omnilude play {game} --server {remote} --match {match.name} --seat {seat.seat}"
        print_line(screen, f"  OMNILUDE_TOKEN={seat.token} {again}")
        return
    for line in result_lines(ended):
        print_line(screen, line)
    if save is not None:
        save.write_bytes(seat.replay())
        print_line(screen, f"The replay is in {save}; see `omnilude replay show {save}`.")


def _resign(seat: SeatHandle) -> None:
    from omnilude.errors import MatchEnded, MatchNotStarted

    try:
        seat.resign()
    except MatchNotStarted:
        seat.leave()
    except MatchEnded:
        pass


def _entry(client: Client, game: str) -> Game:
    from omnilude.errors import UnknownGame

    try:
        return client.game(game).game
    except UnknownGame:
        known = ", ".join(entry.name.removeprefix("games/") for entry in client.catalog().games)
        raise CommandError(f"there is no game {game!r}", f"there are: {known}") from None


def _own_seat() -> SeatSpec:
    from omnilude import Open

    return Open()


def _others(game: Game, opponents: str, players: int | None) -> list[SeatSpec]:
    """Returns the other seats, in order."""
    from omnilude import Invited, ServiceBot

    names = [part.strip() for part in opponents.split(",") if part.strip()]
    if not names:
        raise CommandError("--opponents is empty", code=EXIT_USAGE)
    wanted = (players or max(game.capabilities.min_players, len(names) + 1)) - 1
    if len(names) > wanted:
        raise CommandError(f"{len(names)} opponents are too many for {wanted + 1} players", code=EXIT_USAGE)
    names += names[-1:] * (wanted - len(names))
    try:
        return [Invited(entry[1:]) if entry.startswith("@") else ServiceBot.parse(entry) for entry in names]
    except ValueError as error:
        raise CommandError(f"--opponents: {error}", code=EXIT_USAGE) from None
