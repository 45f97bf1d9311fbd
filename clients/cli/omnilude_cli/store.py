"""``omnilude store``: look after the database of a service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnilude_cli.console import echo
from omnilude_cli.failures import Failure

app = typer.Typer(no_args_is_help=True, help="Look after the database of a service.")


@app.callback()
def _store() -> None:
    """Look after the database of a service."""


@app.command()
def check(
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The database; else the one that the settings name.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File of settings; else ./omnilude.toml, if it is there.")
    ] = None,
) -> None:
    """Look for damage and losses in the database, even while the service runs.

    Every page is read, indexes are compared with their tables, the newest commit with the note beside the database, and
    each log with its chain. Ends with code 1 where something is wrong; nothing in the database is changed.
    """
    from engine_service.config import load_settings
    from engine_service.store.sqlite_file import examine

    overrides = {} if database is None else {"store.path": database}
    path = load_settings(config, overrides).store.path
    found = examine(path)
    if found.problems:
        raise Failure(f"{path}: something is wrong", *found.problems)
    echo(f"{path} is sound: {found.matches} matches, {found.records} records")
