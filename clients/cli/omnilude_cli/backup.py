"""``omnilude backup``: copy the database of a service, which may be running."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnilude_cli.console import echo
from omnilude_cli.errors import CommandError


def backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="File of the copy; it must not exist.")],
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The database; by default that of the settings.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings file; by default ./omnilude.toml, if it exists.")
    ] = None,
) -> None:
    """Copy the database, even while the service runs.

    The copy holds all matches at this moment. It holds neither the secret key from which tokens are derived nor the key
    that signs replays: they are files of their own, which never change; back them up as well.

    \b
    Example:
      omnilude backup copy.sqlite3 --database matches.sqlite3
    """
    from engine_service.config import load_settings
    from engine_service.store.sqlite_file import backup as copy

    overrides = {} if database is None else {"store.path": database}
    store = load_settings(config, overrides).store
    if store.url is not None and database is None:
        raise CommandError("the matches are in a PostgreSQL database: back it up with pg_dump")
    copy(store.path, to)
    keys = ", ".join(str(store.key_file(setting)) for setting in ("secret_key", "signing_key"))
    echo(f"{store.path} is copied to {to}. Back up the keys as well, which are not in it: {keys}")
