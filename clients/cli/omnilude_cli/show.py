"""``omnilude show``: a match at a service as it stands now, drawn in the terminal or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connecting import ApiTokenOption, CaOption, CertificateOption, ServerOption, TlsOption, connect
from omnilude_cli.console import console, echo, say
from omnilude_cli.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from omnilude.v1.match_pb2 import Match


def show(
    match: Annotated[str, typer.Argument(help="The match, as matches/abc or abc.")],
    svg: Annotated[
        bool, typer.Option("--svg", help="Draw a picture, as an SVG document, where the game's pack draws one.")
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where the picture goes to; else standard output."),
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            envvar="OMNILUDE_TOKEN",
            help="A seat's token, or the host's: the match as its holder sees it. Without: as a spectator does.",
        ),
    ] = "",
    card_sets: CardSetsOption = None,
    server: ServerOption = None,
    api_token: ApiTokenOption = None,
    tls: TlsOption = False,
    ca: CaOption = None,
    certificate: CertificateOption = None,
) -> None:
    """Show a match as it stands now: who plays, who is to act, and the board.

    Boards and pictures are drawn by the game's pack, which must be installed here; without it the fields of the view
    are listed.
    """
    from omnilude_cli.drawing import drawer, picture

    if file is not None and not svg:
        raise Failure(f"--output {file} is for a picture: give --svg too", code=WRONG_USE)
    sets = card_sets or []
    with connect(server, api_token=api_token, tls=tls, ca=ca, certificate=certificate) as client:
        seen = client.match(match, token).observation()
    if svg:
        if seen.view is None:
            raise Failure(f"{seen.match.name} has not started: there is nothing to draw yet")
        drawn = picture(seen.match, seen.view, *sets)
        if file is None:
            typer.echo(drawn, nl=False)
        else:
            file.write_text(drawn, encoding="utf-8")
            echo(str(file))
        return
    screen = console()
    for line in _heading(seen.match, list(seen.to_act), seen.awaits_chance):
        say(screen, line)
    if seen.view is not None:
        screen.print()
        screen.print(drawer(seen.match, *sets)(seen.view))


def _heading(match: Match, to_act: list[int], awaits_chance: bool) -> list[str]:
    from omnilude.v1 import match_pb2

    state = match_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()
    lines = [f"{match.name}: {match.game.removeprefix('games/')}, {state}, {match.seq} records"]
    places = match.result.places
    for seat in match.seats:
        about = [f"place {places[seat.index]}"] if places else []
        about += ["to act"] if seat.index in to_act and not places else []
        about += ["has given up"] if seat.out else []
        lines.append(f"  {': '.join([f'seat {seat.index}', ', '.join([seat.player or 'nobody', *about])])}")
    return [*lines, "  an outcome of chance is awaited"] if awaits_chance else lines
