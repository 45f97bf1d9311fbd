"""``python -m engine_service``: run the service until SIGTERM or SIGINT.

Every setting is a flag by its full name (``--server.port 0``); ``--example-config`` prints an annotated file with all
of them. ``omnilude serve`` does the same with shorter flags.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine_service.config import ConfigError, Settings, allowed, example_toml, load_settings
from engine_service.observability.logs import silence_grpc_logs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the service; returns the exit code: 0 after a graceful end, 2 if it cannot start."""
    parser = _parser()
    given = vars(parser.parse_args(arguments))
    if given.pop("example_config"):
        print(example_toml(), end="")
        return 0
    file, accept_loss = given.pop("config"), given.pop("accept_loss")
    silence_grpc_logs()
    from engine_service.server import CannotStart, run

    try:
        settings = load_settings(file, {key: value for key, value in given.items() if value is not None})
        run(settings, accept_loss=accept_loss)
    except (ConfigError, CannotStart) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine_service",
        description="Run the Omnilude service until SIGTERM or SIGINT. Flags override the environment, which overrides "
        "the file.",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="file of settings (default: ./omnilude.toml, if it exists)"
    )
    parser.add_argument(
        "--example-config", action="store_true", help="print an annotated file of all settings and exit"
    )
    parser.add_argument("--accept-loss", action="store_true", help="start even if the database has lost data")
    for section, model in Settings.model_fields.items():
        group = parser.add_argument_group(f"[{section}]")
        for key, field in model.annotation.model_fields.items():  # type: ignore[union-attr]
            values: dict[str, Any] = {"metavar": "VALUE"}
            if isinstance(field.default, tuple):
                values = {"nargs": "*", "metavar": "NAME"}
            text = f"{field.description} ({allowed(field)})".replace("%", "%%")
            group.add_argument(f"--{section}.{key}", dest=f"{section}.{key}", help=text, **values)
    return parser


if __name__ == "__main__":
    sys.exit(main())
