"""Errors of commands: their messages and exit codes."""

from __future__ import annotations

import sys
from dataclasses import dataclass

EXIT_FAILED, EXIT_USAGE, EXIT_UNREACHABLE = 1, 2, 3


class CommandError(Exception):
    """A command failed. The first line is the message; the others are hints."""

    def __init__(self, *lines: str, code: int = EXIT_FAILED) -> None:
        super().__init__(*lines)
        self.lines = lines
        self.code = code


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """The lines to print, and the exit code."""

    lines: tuple[str, ...]
    code: int


def report_of(error: BaseException) -> ErrorReport | None:
    """Returns the report for an error of the user or the service; None for a defect, which keeps its traceback."""
    match error:
        case CommandError():
            return ErrorReport(error.lines, error.code)
        case OSError() if error.filename is not None and error.strerror is not None:
            return ErrorReport((f"{error.filename}: {error.strerror}",), EXIT_FAILED)
    if _is(error, "engine_service.config", "ConfigError"):
        return ErrorReport(("invalid configuration", *getattr(error, "problems", ())), EXIT_USAGE)
    if _is(error, "engine_service.server", "CannotStart"):
        return ErrorReport((f"the service cannot start: {error}",), EXIT_FAILED)
    if _is(error, "engine_service.store.base", "CannotOpen"):
        return ErrorReport((str(error),), EXIT_FAILED)
    if _is(error, "omnilude.errors", "ConnectionFailed"):
        return ErrorReport((f"the service cannot be reached: {error}",), EXIT_UNREACHABLE)
    if _is(error, "omnilude.errors", "ServiceError") or _is(error, "engine_service.errors", "EngineError"):
        return ErrorReport(_refusal(error), EXIT_FAILED)
    if _is(error, "gamepacks.api.cards", "CardFileError"):
        return ErrorReport(tuple(str(fault) for fault in getattr(error, "faults", ())), EXIT_FAILED)
    if _is(error, "gamepacks.api.errors", "InvalidInput"):
        return ErrorReport(tuple(_faults(error)), EXIT_FAILED)
    if _is(error, "gamepacks.api.errors", "PackError", "UnknownGame") or _is(error, "omnilude.errors", "OmniludeError"):
        return ErrorReport((str(error),), EXIT_FAILED)
    return None


def _is(error: BaseException, module: str, *names: str) -> bool:
    """Returns whether the error is of such a class. A module that is not loaded did not raise it and is not
    imported."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(error, tuple(getattr(loaded, name) for name in names))


def _refusal(error: BaseException) -> tuple[str, ...]:
    message, reason, faults = getattr(error, "message", ""), getattr(error, "reason", ""), _faults(error)
    if not faults or not message.startswith(faults[0]):
        return (f"{message} ({reason})", *faults)
    # The message consists of the faults.
    return (f"{faults[0]} ({reason})",) if len(faults) == 1 else (f"several faults ({reason})", *faults)


def _faults(error: BaseException) -> list[str]:
    """Returns a line for each fault; an entry without a field states how many more there are."""
    return [
        f"{fault.field}: {fault.message}" if fault.field else fault.message for fault in getattr(error, "faults", ())
    ]
