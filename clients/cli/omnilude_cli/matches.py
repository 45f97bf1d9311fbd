"""``omnilude matches``: list the matches of a service, and as its operator cancel and delete them."""

from __future__ import annotations

import itertools
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omnilude_cli.assignments import assignments
from omnilude_cli.connecting import ApiTokenOption, CaOption, CertificateOption, ServerOption, TlsOption, connect
from omnilude_cli.console import console, echo, say

if TYPE_CHECKING:
    from omnilude.v1.match_pb2 import Match

app = typer.Typer(
    no_args_is_help=True,
    help="List the matches of a service; cancel and delete them as its operator, who has its API token.",
)

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The match, as matches/abc or abc.")]


class State(StrEnum):
    """States of a match, as the command line names them."""

    WAITING = "waiting"
    ACTIVE = "active"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAULTED = "faulted"


@app.command("list")
def list_(
    game: Annotated[str, typer.Option(metavar="GAME", help="Only of this game.")] = "",
    state: Annotated[list[State] | None, typer.Option(help="Only in this state. Repeatable.")] = None,
    label: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Only with this label. Repeatable.")
    ] = None,
    player: Annotated[str, typer.Option(metavar="NAME", help="Only where this player has a seat.")] = "",
    to_act: Annotated[bool, typer.Option("--to-act", help="Only where it is the turn of --player.")] = False,
    imported: Annotated[
        bool | None,
        typer.Option("--imported/--played-here", help="Only replays that were brought here, or none of them."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="The most matches that are listed.")] = 50,
    server: ServerOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """List matches, newest first: a line each, with who plays and whose turn it is (marked by *)."""
    from omnilude.v1 import match_pb2

    labels = assignments(label, "--label", "KEY=VALUE")
    states: list[Any] = [match_pb2.MatchState.Value(f"MATCH_STATE_{each.name}") for each in state or []]
    screen = console()
    with connect(server, api_token=api_token, tls=tls, ca=ca, certificate=certificate) as client:
        found = client.matches(game=game, states=states, labels=labels, player=player, to_act=to_act, imported=imported)
        for match in itertools.islice(found, limit):
            say(screen, _line(match))


@app.command()
def cancel(
    match: MatchArgument,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="For the players to read.")] = "",
    server: ServerOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """End a match without a result, whoever hosts it; also where its rules or cards are gone."""
    with connect(server, api_token=api_token, tls=tls, ca=ca, certificate=certificate) as client:
        echo(_line(client.cancel_match(match, reason)))


@app.command()
def delete(
    matches: Annotated[list[str], typer.Argument(metavar="MATCHES", help="Matches, as matches/abc or abc.")],
    server: ServerOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """Delete matches that have ended, with their logs. There is no way back."""
    with connect(server, api_token=api_token, tls=tls, ca=ca, certificate=certificate) as client:
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
