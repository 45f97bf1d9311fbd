"""The log: the format of its lines, and the redaction of secrets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from engine_service.config import LogSettings
from engine_service.observability.logs import REDACTED, configure_logging, get_logger, new_incident_id

TEXT = "the ace of spades"


@pytest.fixture(autouse=True)
def _untouched() -> Iterator[None]:
    """Leave the logging of the test run as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def lines(level: Literal["debug", "info"] = "info") -> tuple[io.StringIO, Any]:
    out = io.StringIO()
    configure_logging(LogSettings(level=level, format="json"), out)
    return out, get_logger("tests.log")


def only(out: io.StringIO) -> dict[str, Any]:
    found: list[dict[str, Any]] = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(found) == 1
    return found[0]


def test_log_line_has_time_level_logger_event_and_values() -> None:
    out, log = lines()
    log.info("match created", match="matches/1", game="ominoes")
    line = only(out)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "match created",
        "level": "info",
        "logger": "tests.log",
        "match": "matches/1",
        "game": "ominoes",
    }


def test_lines_below_the_level_are_dropped() -> None:
    out, log = lines("info")
    log.debug("rpc", method="x")
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    "key", ["token", "host_token", "seed", "code", "codes", "view", "position", "api_token", "key"]
)
def test_secret_keys_are_redacted(key: str) -> None:
    out, log = lines("debug")
    log.info("something", **{key: TEXT})
    assert only(out)[key] == REDACTED
    assert TEXT not in out.getvalue()


def fail() -> None:
    raise ValueError(TEXT)


def test_exception_is_logged_by_type_and_location_without_its_text() -> None:
    out, log = lines()
    try:
        fail()
    except ValueError as error:
        log.error("internal fault", incident="1", exc_info=error)
    line = only(out)
    assert line["error"] == "ValueError"
    assert line["at"] == f"{__name__}:{fail.__code__.co_firstlineno + 1}"
    assert TEXT not in out.getvalue()


def test_debug_shows_the_traceback() -> None:
    out, log = lines("debug")
    try:
        fail()
    except ValueError:
        log.exception("internal fault")
    assert TEXT in only(out)["exception"]


def test_standard_library_log_lines_have_the_same_format() -> None:
    out, _ = lines()
    try:
        fail()
    except ValueError:
        logging.getLogger("sqlalchemy").exception("commit of %s failed", "matches/1")
    line = only(out)
    assert (line["event"], line["logger"], line["error"]) == ("commit of matches/1 failed", "sqlalchemy", "ValueError")
    assert TEXT not in out.getvalue()


def test_console_format_is_readable() -> None:
    out = io.StringIO()
    configure_logging(LogSettings(format="console"), out)
    get_logger("tests.log").warning("pack left out", pack="acme")
    assert "pack left out" in out.getvalue() and "pack=acme" in out.getvalue()


def test_incidents_differ() -> None:
    assert len({new_incident_id() for _ in range(100)}) == 100
