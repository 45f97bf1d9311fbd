"""``omnilude show``: show the current state of a match at a service, as text or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.cards import CardSetsOption
from omnilude_cli.connection_options import ConnectionSettings, connects
from omnilude_cli.console import console, echo, print_line
from omnilude_cli.errors import EXIT_USAGE, CommandError

if TYPE_CHECKING:
    from omnilude.v1.match_pb2 import Match


@connects
def show(
    match: Annotated[str, typer.Argument(help="The match, as matches/abc or abc.")],
    svg: Annotated[bool, typer.Option("--svg", help="Draw a picture, as an SVG document.")] = False,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File of the picture; by default standard output."),
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            envvar="OMNILUDE_TOKEN",
            help="Token of a seat or of the host, for its view. Without a token: the view of a spectator.",
        ),
    ] = "",
    card_sets: CardSetsOption = None,
    *,
    connection: ConnectionSettings,
) -> None:
    """Show the current state of a match: players, seats to act, and the board.

    Text needs the installed pack of the game; without it, the fields of the view are listed. The service draws the
    picture.

    \b
    Example:
      omnilude show MATCH --server game.example:7878
      omnilude show MATCH --svg --output board.svg
    """
    from gamepacks.api.scene import standalone
    from omnilude_cli.rendering import view_renderer

    if file is not None and not svg:
        raise CommandError("--output needs --svg", code=EXIT_USAGE)
    sets = card_sets or []
    with connection.client() as client:
        seen = client.match(match, token).observation(scene=svg)
    if svg:
        if seen.view is None:
            raise CommandError(f"{seen.match.name} has not started: there is nothing to draw yet")
        drawn = standalone(seen.scene)
        if file is None:
            typer.echo(drawn, nl=False)
        else:
            file.write_text(drawn, encoding="utf-8")
            echo(str(file))
        return
    screen = console()
    for line in _heading(seen.match, list(seen.to_act), seen.awaits_chance):
        print_line(screen, line)
    if seen.view is not None:
        screen.print()
        screen.print(view_renderer(seen.match, *sets)(seen.view))


def _heading(match: Match, to_act: list[int], awaits_chance: bool) -> list[str]:
    from omnilude.v1 import match_pb2

    state = match_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()
    lines = [f"{match.name}: {match.game.removeprefix('games/')}, {state}, {match.seq} records"]
    places = match.result.places
    for seat in match.seats:
        about = [f"place {places[seat.index]}"] if places else []
        about += ["to act"] if seat.index in to_act and not places else []
        about += ["resigned or out of time"] if seat.out else []
        lines.append(f"  {': '.join([f'seat {seat.index}', ', '.join([seat.player or 'nobody', *about])])}")
    return [*lines, "  waiting for an outcome of chance"] if awaits_chance else lines
