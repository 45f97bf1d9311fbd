"""``omnilude matches``: list the matches of a service, and as its operator cancel and delete them."""

from __future__ import annotations

import itertools
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omnilude_cli.connection_options import ConnectionSettings, connects
from omnilude_cli.console import console, echo, print_line
from omnilude_cli.key_values import key_values

if TYPE_CHECKING:
    from omnilude.v1.match_pb2 import Match

app = typer.Typer(
    no_args_is_help=True,
    help="List the matches of a service; cancel and delete them as its operator, who has its API token.",
)

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The match, as matches/abc or abc.")]


class MatchStateName(StrEnum):
    """States of a match, as the command line names them."""

    WAITING = "waiting"
    ACTIVE = "active"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAULTED = "faulted"


@app.command("list")
@connects
def list_(
    game: Annotated[str, typer.Option(metavar="GAME", help="List only matches of this game.")] = "",
    state: Annotated[
        list[MatchStateName] | None, typer.Option(help="List only matches in this state. Repeatable.")
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="List only matches with this label. Repeatable.")
    ] = None,
    player: Annotated[
        str, typer.Option(metavar="NAME", help="List only matches in which this player has a seat.")
    ] = "",
    to_act: Annotated[bool, typer.Option("--to-act", help="List only matches in which --player is to act.")] = False,
    imported: Annotated[
        bool | None,
        typer.Option(
            "--imported/--played-here", help="List only imported replays, or only matches played at this service."
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of matches to list.")] = 50,
    *,
    connection: ConnectionSettings,
) -> None:
    """List matches, newest first, a line each, with the players; those to act are marked by *.

    \b
    Example:
      omnilude matches list --game ominoes --state active
    """
    from omnilude.v1 import match_pb2

    labels = key_values(label, "--label", "KEY=VALUE")
    states: list[Any] = [match_pb2.MatchState.Value(f"MATCH_STATE_{each.name}") for each in state or []]
    screen = console()
    with connection.client() as client:
        found = client.matches(game=game, states=states, labels=labels, player=player, to_act=to_act, imported=imported)
        for match in itertools.islice(found, limit):
            print_line(screen, _line(match))


@app.command()
@connects
def cancel(
    match: MatchArgument,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Reason, shown to the players.")] = "",
    *,
    connection: ConnectionSettings,
) -> None:
    """End a match without a result, whoever hosts it, even if its rules or cards are no longer installed.

    \b
    Example:
      omnilude matches cancel MATCH --reason maintenance
    """
    with connection.client() as client:
        echo(_line(client.cancel_match(match, reason)))


@app.command()
@connects
def delete(
    matches: Annotated[list[str], typer.Argument(metavar="MATCHES", help="Matches, as matches/abc or abc.")],
    *,
    connection: ConnectionSettings,
) -> None:
    """Delete matches that have ended, with their logs. This cannot be undone.

    \b
    Example:
      omnilude matches delete MATCH1 MATCH2
    """
    with connection.client() as client:
        for match in matches:
            client.delete_match(match)
            echo(f"{match} is deleted")


def _line(match: Match) -> str:
    from omnilude.v1 import match_pb2

    state = match_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()
    created = match.create_time.ToDatetime().isoformat(sep=" ", timespec="seconds")
    seats = ", ".join(f"{'*' if seat.index in match.to_act else ''}{seat.player or '-'}" for seat in match.seats)
    line = f"{match.name}  {match.game.removeprefix('games/')}  {state}  {created}  {match.seq} records  {seats}"
    if match.HasField("imported"):
        line += f"  (imported {match.imported.import_time.ToDatetime().isoformat(sep=' ', timespec='seconds')})"
    return line
