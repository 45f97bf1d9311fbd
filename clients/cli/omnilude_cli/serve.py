"""``omnilude serve``: run the service in this process."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Annotated, Any

import typer

from omnilude_cli.assignments import assignments


def serve(
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File of settings; else ./omnilude.toml, if it is there."),
    ] = None,
    address: Annotated[str | None, typer.Option(help="Address to listen at; 0.0.0.0 for all.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen at; 0 takes a free one.")] = None,
    unix_socket: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Listen at this Unix socket instead of a port.")
    ] = None,
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where matches are kept; made where there is none.")
    ] = None,
    in_memory: Annotated[bool, typer.Option("--in-memory", help="Keep nothing on disk.")] = False,
    card_sets: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="A file of cards, or a folder of such files, that games may be played with. Repeatable.",
        ),
    ] = None,
    metrics_port: Annotated[
        int | None, typer.Option(help="Port of the Prometheus metrics; 0 takes a free one, -1 turns them off.")
    ] = None,
    log_level: Annotated[str | None, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SECTION.KEY=VALUE",
            help="Any other setting, as --set limits.live_matches=100; a list as packs.only=omega,omen. Repeatable.",
        ),
    ] = None,
    accept_loss: Annotated[
        bool,
        typer.Option(
            "--accept-loss",
            help="Start even where the database is damaged, or holds less than was acknowledged. For one start only.",
        ),
    ] = False,
    example_config: Annotated[
        bool, typer.Option("--example-config", help="Print the file of all settings with their meaning, and end.")
    ] = False,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", hidden=True, help="End when standard input does (for a parent process).")
    ] = False,
) -> None:
    """Run the service until Ctrl-C or SIGTERM.

    Settings come from the file, then from the environment (OMNILUDE_SERVER__PORT=7000), then from these flags; the
    later ones win. Once it accepts calls it says so on standard output: "listening on 127.0.0.1:7878".
    """
    from engine_service.config import example_toml, load_settings
    from engine_service.server import run

    if example_config:
        typer.echo(example_toml(), nl=False)
        return
    flags: dict[str, Any] = {
        "server.address": address,
        "server.port": port,
        "server.unix_socket": unix_socket,
        "store.path": database,
        "store.in_memory": in_memory or None,
        "metrics.enabled": False if metrics_port == -1 else None,
        "metrics.port": None if metrics_port == -1 else metrics_port,
        "log.level": log_level,
        "packs.card_sets": tuple(map(str, card_sets)) if card_sets else None,
        **assignments(assign, "--set", "SECTION.KEY=VALUE", lambda key: key.count(".") == 1),
    }
    settings = load_settings(config, {key: value for key, value in flags.items() if value is not None})
    if until_eof:
        threading.Thread(target=_end_with_standard_input, daemon=True).start()
    run(settings, accept_loss=accept_loss)


def _end_with_standard_input() -> None:
    # Unbuffered: a buffered reader would hold a lock that the interpreter needs at its end.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
