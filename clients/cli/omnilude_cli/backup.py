"""``omnilude backup``: copy the database of a service, which may be running."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnilude_cli.console import echo


def backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="The copy; it must not be there yet.")],
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The database; else the one that the settings name.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File of settings; else ./omnilude.toml, if it is there.")
    ] = None,
) -> None:
    """Copy the database, even while the service runs.

    The copy holds all matches as they stand at this moment, but not the secret key from which tokens are made, nor the
    key by which replays are signed: those are files of their own, which never change and are to be kept as well.
    """
    from engine_service.config import load_settings
    from engine_service.store.sqlite_file import backup as copy

    overrides = {} if database is None else {"store.path": database}
    store = load_settings(config, overrides).store
    copy(store.path, to)
    keys = ", ".join(str(store.key_file(setting)) for setting in ("secret_key", "signing_key"))
    echo(f"{store.path} is copied to {to}. Keep the keys as well, which are not in it: {keys}")
