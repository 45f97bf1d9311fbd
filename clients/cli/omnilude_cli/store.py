"""``omnilude store`` and ``omnilude backup``: check and copy the database of a service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omnilude_cli.console import echo
from omnilude_cli.errors import CommandError

if TYPE_CHECKING:
    from engine_service.config import StoreSettings

DatabaseOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The database; by default that of the settings.")
]
ConfigOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Settings file; by default ./omnilude.toml, if it exists.")
]

app = typer.Typer(no_args_is_help=True, help="Check the database of a service.")


@app.callback()
def _store() -> None:
    """Check the database of a service."""


@app.command()
def check(
    database: DatabaseOption = None,
    config: ConfigOption = None,
) -> None:
    """Check the database for damage and lost records, even while the service runs.

    Reads every page, compares indexes with their tables, the newest commit with the mark file next to the database, and
    each log with its hash chain. Exits with 1 if there is a fault. Does not change the database.

    \b
    Example:
      omnilude store check --database matches.sqlite3
    """
    from engine_service.store.sqlite_file import examine

    store = _sqlite_settings(database, config, "check it with the tools of PostgreSQL")
    path = store.path
    found = examine(path)
    if found.problems:
        raise CommandError(f"{path}: the database has faults", *found.problems)
    echo(f"{path} has no faults: {found.matches} matches, {found.records} records")


def backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="File to write; it must not exist.")],
    database: DatabaseOption = None,
    config: ConfigOption = None,
) -> None:
    """Copy the database, even while the service runs.

    The copy contains all matches at this moment. It contains neither the secret key from which tokens are derived nor
    the key that signs replays: they are separate files, which never change; back them up as well.

    \b
    Example:
      omnilude backup copy.sqlite3 --database matches.sqlite3
    """
    from engine_service.store.sqlite_file import backup as copy

    store = _sqlite_settings(database, config, "back it up with pg_dump")
    copy(store.path, to)
    keys = ", ".join(str(store.key_file(setting)) for setting in ("secret_key", "signing_key"))
    echo(f"{store.path} is copied to {to}. Back up the keys as well, which the copy does not contain: {keys}")


def _sqlite_settings(database: Path | None, config: Path | None, advice: str) -> StoreSettings:
    """Returns the settings of the store. Raises CommandError with ``advice`` if they name a PostgreSQL database."""
    from engine_service.config import load_settings

    store = load_settings(config, {} if database is None else {"store.path": database}).store
    if store.url is not None and database is None:
        raise CommandError(f"the matches are in a PostgreSQL database: {advice}")
    return store
