"""The log: structured lines on standard error, for people or as JSON, through the standard library's logging.

What a line may hold is decided here and not by whoever writes it: keys that could carry secrets (tokens, codes, seeds,
views ...) are struck out, and an exception is named by its type and place. Its text and traceback, which could quote
anything, appear only at level debug.
"""

from __future__ import annotations

import logging
import os
import secrets
import sys
import traceback
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog

from engine_service.config import LogSettings

SECRET_KEYS = frozenset(
    {
        "api_token",
        "authorization",
        "code",
        "codes",
        "hand",
        "host_token",
        "key",
        "player_key",
        "position",
        "secret",
        "seed",
        "token",
        "view",
    }
)
"""Keys whose values never reach a line."""
STRUCK = "(struck out)"


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger of lines with values: ``log.info("match created", match=name)``.

    It goes through the standard library's logger of that name, so it is as quiet or loud as that is configured to be.
    """
    return structlog.wrap_logger(  # type: ignore[no-any-return]
        logging.getLogger(name),
        wrapper_class=structlog.stdlib.BoundLogger,
        processors=[structlog.stdlib.filter_by_level, structlog.stdlib.render_to_log_kwargs],
    )


def quiet_grpc() -> None:
    """Keep gRPC's own lines off standard error: they are in a form of its own, and what matters of them is told.

    To be called before gRPC is imported. Whoever wants them sets GRPC_VERBOSITY.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def configure_logging(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Send the lines of this process to ``stream`` (None: standard error)."""
    out = sys.stderr if stream is None else stream
    chain: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        strike_secrets,
        name_exception,
        structlog.processors.format_exc_info if settings.level == "debug" else drop_exception,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.format == "json"
        else structlog.dev.ConsoleRenderer(colors=out.isatty())
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=chain,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(settings.level.upper())


def strike_secrets(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Blank every value whose key could carry a secret."""
    for key in SECRET_KEYS & line.keys():
        line[key] = STRUCK
    return line


def name_exception(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the exception's type and the place that raised it."""
    info = line.get("exc_info")
    error = info[1] if isinstance(info, tuple) else sys.exc_info()[1] if info is True else info
    if isinstance(error, BaseException):
        line.update(fault_site(error))
    return line


def drop_exception(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Keep the text and traceback of an exception out of the line."""
    line.pop("exc_info", None)
    return line


def fault_site(error: BaseException) -> dict[str, str]:
    """An exception's type and the innermost place it came from, without its text: ``{"error": ..., "at": ...}``."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    return {"error": type(error).__name__, "at": where}


def new_incident() -> str:
    """An id that ties what a caller was told to a line of the log."""
    return secrets.token_hex(8)
