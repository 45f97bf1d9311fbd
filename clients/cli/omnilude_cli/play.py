"""``omnilude play``: a person plays in the terminal."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.assignments import assignments
from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connecting import ApiTokenOption, CaOption, CertificateOption, ServerOption, TlsOption, connect
from omnilude_cli.console import console, say
from omnilude_cli.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from rich.console import Console

    from omnilude import Client, SeatHandle
    from omnilude.models import SeatSpec
    from omnilude.v1.catalog_pb2 import Game
    from omnilude.v1.match_pb2 import Match

_TOLD_AGAIN = 12
"""Records that are told again to whoever sits down again."""
_GENERAL_BOTS = ("mcts", "monte-carlo", "random")


def play(
    game: Annotated[str, typer.Argument(help="What to play; `omnilude games` lists it.")],
    opponents: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Who sits at the other seats, as greedy,random: bots of the service; @NAME invites a remote player.",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play; the last opponent is repeated as needed.")] = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat, from 0.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game. Repeatable."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the replay there at the end.")] = None,
    match: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Sit down again at this match of --server, at --seat, by --token."),
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="OMNILUDE_TOKEN", help="The token of the seat, as it was told on leaving.")
    ] = "",
    card_sets: CardSetsOption = None,
    server: ServerOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """Play a game here in the terminal, against bots or remote players.

    Without --server a private service is started for the time you play. At your turn type a part of the action you
    want ("c4"), or its number; `?` tells the rest. What a game's options are: `omnilude games GAME`.
    A service of others has card sets of its own; --card-sets then serves to draw the board. Whoever leaves such a
    service can come back: how, is told on leaving.
    """
    from omnilude_cli.local_packs import registry
    from omnilude_cli.service import private_service

    options = assignments(option, "--option", "NAME=VALUE")
    sets = card_sets or []
    if match is not None and (server is None or not token):
        raise Failure("--match needs --server and --token", code=WRONG_USE)
    if sets:
        registry(*sets)  # a card file that does not hold is told before anything is started
    with ExitStack() as stack:
        remote = server
        if server is None:
            server = stack.enter_context(private_service(card_sets=sets))
        client = stack.enter_context(connect(server, api_token=api_token, tls=tls, ca=ca, certificate=certificate))
        if match is not None:
            _sit_again(console(), client, game, client.seat(match, seat, token), save, sets, remote)
            return
        entry = _entry(client, game)
        others = _others(entry, opponents, players)
        if seat > len(others):
            raise Failure(
                f"--seat {seat}: the seats of {len(others) + 1} players are 0 to {len(others)}", code=WRONG_USE
            )
        created = client.create(game, [*others[:seat], _own_seat(), *others[seat:]], options=options)
        own = created.join(name or getpass.getuser(), seat)
        _sit(console(), own, own.get(), save, sets, remote)


def _sit_again(
    screen: Console,
    client: Client,
    game: str,
    seat: SeatHandle,
    save: Path | None,
    card_sets: Sequence[Path],
    remote: str | None,
) -> None:
    """Go on where one left; the last records are told again."""
    match = client.match(seat.name).created
    if match.game.removeprefix("games/") != game:
        raise Failure(f"{match.name} is a match of {match.game.removeprefix('games/')}", code=WRONG_USE)
    if seat.seat >= len(match.seats):
        raise Failure(f"{match.name} has no seat {seat.seat}", code=WRONG_USE)
    seat.observation()  # refuses a token that is not of this match
    _sit(screen, seat, match, save, card_sets, remote, after=max(0, match.seq - _TOLD_AGAIN))


def _sit(
    screen: Console,
    seat: SeatHandle,
    match: Match,
    save: Path | None,
    card_sets: Sequence[Path],
    remote: str | None,
    after: int = 0,
) -> None:
    from omnilude_cli.drawing import speaker
    from omnilude_cli.sitting import Quit, Sitting, result_lines

    game = match.game.removeprefix("games/")
    names = ", ".join(entry.player or "an open seat" for entry in match.seats)
    say(screen, f"{game}: {names}. You have seat {seat.seat}.")
    says = speaker(match, *card_sets)
    sitting = Sitting(screen, lambda prompt: screen.input(prompt, markup=False), seat, says, after)
    try:
        ended = sitting.play()
    except (Quit, EOFError, KeyboardInterrupt):
        if remote is None:
            screen.print("\nYou leave, and give the match up.")
            _give_up(seat)
            return
        screen.print("\nYou leave; the match goes on. To sit down again (`resign` gives it up):")
        again = f"omnilude play {game} --server {remote} --match {match.name} --seat {seat.seat}"
        say(screen, f"  OMNILUDE_TOKEN={seat.token} {again}")
        return
    for line in result_lines(ended):
        say(screen, line)
    if save is not None:
        save.write_bytes(seat.replay())
        say(screen, f"The replay lies in {save}; see `omnilude replay show {save}`.")


def _give_up(seat: SeatHandle) -> None:
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
        raise Failure(f"there is no game {game!r}", f"there are: {known}") from None


def _own_seat() -> SeatSpec:
    from omnilude import Open

    return Open()


def _others(game: Game, opponents: str | None, players: int | None) -> list[SeatSpec]:
    """The other seats, in order."""
    from omnilude import Invited, ServiceBot

    names = [part.strip() for part in (opponents or _best_bot(game)).split(",") if part.strip()]
    if not names:
        raise Failure("--opponents names nobody", code=WRONG_USE)
    wanted = (players or max(game.capabilities.min_players, len(names) + 1)) - 1
    if len(names) > wanted:
        raise Failure(f"{len(names)} opponents are too many for {wanted + 1} players", code=WRONG_USE)
    names += names[-1:] * (wanted - len(names))
    return [Invited(entry[1:]) if entry.startswith("@") else ServiceBot(entry) for entry in names]


def _best_bot(game: Game) -> str:
    """The pack's own bot where it has one."""
    offered = [bot.name for bot in game.bots]
    own = [entry for entry in offered if entry not in _GENERAL_BOTS]
    return (own or [entry for entry in _GENERAL_BOTS if entry in offered] or [""])[0]
