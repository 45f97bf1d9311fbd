"""``omnilude serve``: run the service in this process, or in several that it supervises."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Annotated, Any

import typer

from omnilude_cli.key_values import key_values
from omnilude_cli.store import ConfigOption


def serve(
    config: ConfigOption = None,
    address: Annotated[str | None, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 for a free one.")] = None,
    unix_socket: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Listen on this Unix socket instead of a port.")
    ] = None,
    database: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Database of the matches; created if it does not exist.")
    ] = None,
    in_memory: Annotated[bool, typer.Option("--in-memory", help="Keep matches in memory only.")] = False,
    card_sets: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="Card file, or folder of card files, for the games. Repeatable.",
        ),
    ] = None,
    http_port: Annotated[
        int | None, typer.Option(help="Port of HTTP for browsers; 0 for a free one, -1 for none.")
    ] = None,
    metrics_port: Annotated[
        int | None, typer.Option(help="Port of the Prometheus metrics; 0 for a free one, -1 for none.")
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="Minimum severity to log: debug, info, warning or error.")
    ] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SECTION.KEY=VALUE",
            help="Any other setting, such as limits.live_matches=100, or a list: packs.only=omega,omen. Repeatable.",
        ),
    ] = None,
    replicas: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Run N processes that share the port and a PostgreSQL database; a process that ends is restarted.",
        ),
    ] = 1,
    accept_loss: Annotated[
        bool,
        typer.Option(
            "--accept-loss",
            help="Start even if the database is damaged or has lost acknowledged records. For this start only.",
        ),
    ] = False,
    example_config: Annotated[
        bool,
        typer.Option("--example-config", help="Print a file with all settings and their descriptions, and exit."),
    ] = False,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", hidden=True, help="Exit when standard input closes (for a parent process).")
    ] = False,
) -> None:
    """Run the service until Ctrl-C or SIGTERM.

    Settings are read from the file, then from the environment (OMNILUDE_SERVER__PORT=7000), then from these options;
    later ones take precedence. When it accepts calls, it prints "listening on 127.0.0.1:7878" to standard output, and
    the address for browsers.

    \b
    Example:
      omnilude serve --port 7878 --database matches.sqlite3
      omnilude serve --in-memory --set limits.live_matches=100
      omnilude serve --replicas 4 --set store.url=postgresql://omnilude@db.example.org/omnilude
    """
    from engine_service.config import example_toml, load_settings
    from engine_service.replicas import run_replicas
    from engine_service.server import run

    if example_config:
        typer.echo(example_toml(), nl=False)
        return
    flags: dict[str, Any] = {
        "server.address": address,
        "server.port": port,
        "server.unix_socket": unix_socket,
        "store.path": database,
        "store.url": None if database is None else "",
        "store.in_memory": in_memory or None,
        "http.enabled": False if http_port == -1 else None,
        "http.port": None if http_port == -1 else http_port,
        "metrics.enabled": False if metrics_port == -1 else None,
        "metrics.port": None if metrics_port == -1 else metrics_port,
        "log.level": log_level,
        "packs.card_sets": tuple(map(str, card_sets)) if card_sets else None,
        **key_values(assign, "--set", "SECTION.KEY=VALUE", lambda key: key.count(".") == 1),
    }
    settings = load_settings(config, {key: value for key, value in flags.items() if value is not None})
    if until_eof:
        threading.Thread(target=_end_with_standard_input, daemon=True).start()
    if replicas > 1:
        run_replicas(settings, replicas)
    else:
        run(settings, accept_loss=accept_loss)


def _end_with_standard_input() -> None:
    # Unbuffered: a buffered reader would hold a lock that the interpreter needs to shut down.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
