"""Structured logging to standard error, for people or as JSON, through the standard library's logging.

Two rules protect secrets in every line: the value of a key that could carry a secret (token, code, seed, view ...) is
redacted, and an exception is logged by its type and location. Its text and traceback, which could quote anything, are
logged at level debug only.
"""

from __future__ import annotations

import logging
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

from engine_service.config import LogSettings
from gamepacks.api.errors import error_location

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
"""Keys whose values are redacted."""
REDACTED = "(redacted)"


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Returns a structured logger: ``log.info("match created", match=name)``.

    It writes through the standard library's logger of that name, whose level applies.
    """
    return structlog.wrap_logger(  # type: ignore[no-any-return]
        logging.getLogger(name),
        wrapper_class=structlog.stdlib.BoundLogger,
        processors=[structlog.stdlib.filter_by_level, structlog.stdlib.render_to_log_kwargs],
    )


def silence_grpc_logs() -> None:
    """Silence gRPC's own log, which has another format; the service logs what matters.

    Call it before gRPC is imported. An operator can override it by setting GRPC_VERBOSITY.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def configure_logging(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Configure the log of this process to go to ``stream`` (None: standard error)."""
    out = sys.stderr if stream is None else stream
    chain: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redact_secrets,
        add_exception_location,
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


def redact_secrets(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace every value whose key could carry a secret."""
    for key in SECRET_KEYS & line.keys():
        line[key] = REDACTED
    return line


def add_exception_location(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the exception's type and the location that raised it."""
    info = line.get("exc_info")
    error = info[1] if isinstance(info, tuple) else sys.exc_info()[1] if info is True else info
    if isinstance(error, BaseException):
        line["error"], line["at"] = type(error).__name__, error_location(error)
    return line


def drop_exception(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Remove the text and traceback of an exception from the line."""
    line.pop("exc_info", None)
    return line


def new_incident_id() -> str:
    """Returns an id that ties an error response to a line of the log."""
    return secrets.token_hex(8)


REPEAT_SECONDS = 60.0
MAX_LINES = 100
"""Maximum number of different lines that are remembered; the oldest are forgotten."""


class ThrottledLog:
    """Log that suppresses repetitions of a line for ``seconds``, and then reports their number."""

    def __init__(self, log: logging.Logger, seconds: float = REPEAT_SECONDS) -> None:
        self._log = log
        self._seconds = seconds
        self._lock = threading.Lock()
        self._lines: OrderedDict[str, tuple[float, int]] = (
            OrderedDict()
        )  # by line: when it was written, how often it was left out since

    def write(self, level: int, line: str) -> None:
        """Write a line, unless the same one was written a short time ago. Thread-safe."""
        now = time.monotonic()
        with self._lock:
            written, left_out = self._lines.get(line, (now - self._seconds, 0))
            if now - written < self._seconds:
                self._lines[line] = (written, left_out + 1)
                return
            self._lines[line] = (now, 0)
            if len(self._lines) > MAX_LINES:
                self._lines.popitem(last=False)
        if left_out:
            self._log.log(level, "%s (repeated %d times)", line, left_out)
        else:
            self._log.log(level, "%s", line)
