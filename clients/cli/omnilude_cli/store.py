"""``omnilude store``: check the database of a service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnilude_cli.console import echo
from omnilude_cli.errors import CommandError

app = typer.Typer(no_args_is_help=True, help="Check the database of a service.")


@app.callback()
def _store() -> None:
    """Check the database of a service."""


@app.command()
def check(
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The database; by default that of the settings.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings file; by default ./omnilude.toml, if it exists.")
    ] = None,
) -> None:
    """Check the database for damage and lost records, even while the service runs.

    Reads every page, compares indexes with their tables, the newest commit with the mark beside the database, and each
    log with its hash chain. Exits with 1 if there is a fault. Changes nothing in the database.

    \b
    Example:
      omnilude store check --database matches.sqlite3
    """
    from engine_service.config import load_settings
    from engine_service.store.sqlite_file import examine

    overrides = {} if database is None else {"store.path": database}
    store = load_settings(config, overrides).store
    if store.url is not None and database is None:
        raise CommandError("the matches are in a PostgreSQL database: check it with the tools of PostgreSQL")
    path = store.path
    found = examine(path)
    if found.problems:
        raise CommandError(f"{path}: the database has faults", *found.problems)
    echo(f"{path} is sound: {found.matches} matches, {found.records} records")
