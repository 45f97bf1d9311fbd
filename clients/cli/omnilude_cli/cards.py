"""``omnilude cards``: check card files, and print their schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omnilude_cli.console import echo
from omnilude_cli.errors import CommandError

if TYPE_CHECKING:
    from gamepacks.api.cards import CardFault, CardSource, LoadedCards
    from gamepacks.api.registry import LoadedGame

HELP = """Write card sets of your own, and check them.

A card set is a YAML (or JSON) file. It assigns effects from the game's fixed vocabulary to cards. Start from a copy of
the pack's own file; the schema describes each field.

\b
  omnilude cards schema omega > omega.schema.json   schema for completion and checks in editors
  omnilude cards check my-cards.yaml                reports every fault, with line, card and field
  omnilude play omega --card-sets my-cards.yaml --option card_set=my-cards

The option card_set takes the id of the set, the field `id` of the file. The operator of a service configures its card
sets with the setting card_sets of [packs], or with `omnilude serve --card-sets`.
"""

app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)

CardSetsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--card-sets",
        metavar="PATH",
        envvar="OMNILUDE_CARD_SETS",
        help="Card file, or folder of card files, besides the packs' own. Repeatable. See `omnilude cards`.",
    ),
]


@app.command()
def check(
    paths: Annotated[list[Path], typer.Argument(metavar="FILES", help="Card files, or folders of them.")],
) -> None:
    """Check card files and report every fault.

    A fault names the file and line, the card, and the field: "my.yaml:37: syphus: powers[0].n: ...". Warnings are about
    values that are valid but unusual. Exits with 1 if a file is invalid.

    \b
    Example:
      omnilude cards check my-cards.yaml
    """
    from gamepacks.api.cards import CardFileError, card_files

    games = _with_cards()
    found = [file for path in paths for file in card_files(path)]
    if not found:
        raise CommandError("there are no card files: " + ", ".join(map(str, paths)))
    wrong = 0
    for file in found:
        try:
            entry, loaded = _read(file, games)
        except CardFileError as error:
            wrong += 1
            echo(f"INVALID  {file}")
            _list(error.faults)
        else:
            echo(f"valid  {file}: {_about(entry, loaded)}")
            _list(loaded.warnings, "warning: ")
            for warning in _refusals(entry, loaded):
                echo(f"  warning: {warning}")
    if wrong:
        raise CommandError(f"{wrong} of {len(found)} card files {'is' if wrong == 1 else 'are'} invalid", *_left_out())


@app.command()
def schema(
    game: Annotated[str, typer.Argument(help="A game with cards; `omnilude games GAME` lists its card sets.")],
) -> None:
    """Print the JSON Schema of a game's card files.

    Editors use it to check and complete YAML: save it, and start the card file with the line
    "# yaml-language-server: $schema=omega.schema.json".

    \b
    Example:
      omnilude cards schema omega > omega.schema.json
    """
    games = _with_cards()
    if game not in games:
        raise CommandError(f"there is no game with cards {game!r}", f"there are: {', '.join(games) or 'none'}")
    typer.echo(json.dumps(_source(games[game]).schema(), indent=2))


def _with_cards() -> dict[str, LoadedGame]:
    from omnilude_cli.local_packs import registry

    return {name: entry for name, entry in registry().games.items() if entry.game.card_source is not None}


def _left_out() -> list[str]:
    """Describe packs that could not be loaded, perhaps because their own cards are invalid."""
    from omnilude_cli.local_packs import registry

    return [f"not loaded: the pack {broken.pack}: {broken.summary}" for broken in registry().broken]


def _source(entry: LoadedGame) -> CardSource[Any]:
    assert entry.game.card_source is not None
    return entry.game.card_source


def _read(file: Path, games: dict[str, LoadedGame]) -> tuple[LoadedGame, LoadedCards[Any]]:
    """Read a file, and check that its id is not used. Raises CardFileError."""
    from gamepacks.api.cards import CardFault, CardFileError, read_any

    name, loaded = read_any(file, {name: _source(entry) for name, entry in games.items()})
    same = _source(games[name]).own.find(loaded.card_set.id)
    if same is not None and same.path.resolve() != file.resolve():
        message = f"the id {loaded.card_set.id!r} belongs to the pack's own set; choose another one"
        raise CardFileError([CardFault(file.name, 0, "", "id", message)])
    return games[name], loaded


def _list(faults: tuple[CardFault, ...], word: str = "") -> None:
    for fault in faults:
        echo(f"  {word}{fault}")


def _about(entry: LoadedGame, loaded: LoadedCards[Any]) -> str:
    """Describe a card set: ``omega, card set "mine" (My cards, transcribed), digest 3fa1...; 42 egregors``."""
    data = loaded.data
    counts = [
        f"{len(value)} {field}"
        for field, value in ((field, getattr(data, field)) for field in type(data).model_fields)
        if isinstance(value, tuple) and value and hasattr(value[0], "id")
    ]
    digest = loaded.card_set.digest.hex()[:12]
    title = f'{entry.game.id}, card set "{data.id}" ({data.title}, {data.status}), digest {digest}...'
    return "; ".join([title, ", ".join(counts)]) if counts else title


def _refusals(entry: LoadedGame, loaded: LoadedCards[Any]) -> list[str]:
    """Describe the numbers of players for which the game refuses the set with default options."""
    from gamepacks.api.errors import InvalidOptions

    own = _source(entry).own
    library = own if own.find(loaded.card_set.id) is not None else own.with_set(loaded)
    card = entry.game.capabilities
    refusals = []
    for players in range(card.min_players, card.max_players + 1):
        try:
            entry.game.configure(players, {"card_set": loaded.card_set.id}, library).initial_state()
        except InvalidOptions as error:
            refusals.append(f"{players} players with default options refuse it: {error}")
    return refusals
