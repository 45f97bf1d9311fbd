"""Which errors are no defects, and what they say to a person."""

from __future__ import annotations

import sys
from dataclasses import dataclass

REFUSED, WRONG_USE, UNREACHABLE = 1, 2, 3


class Failure(Exception):
    """A command cannot do what was asked; the first line says what, the others how to go on."""

    def __init__(self, *lines: str, code: int = REFUSED) -> None:
        super().__init__(*lines)
        self.lines = lines
        self.code = code


@dataclass(frozen=True, slots=True)
class Explained:
    """What is printed, and the exit code."""

    lines: tuple[str, ...]
    code: int


def explain(error: BaseException) -> Explained | None:
    """The error in words; None for one that is a defect and should show itself."""
    match error:
        case Failure():
            return Explained(error.lines, error.code)
        case OSError() if error.filename is not None and error.strerror is not None:
            return Explained((f"{error.filename}: {error.strerror}",), REFUSED)
    if _is(error, "engine_service.config", "ConfigError"):
        return Explained(("the configuration is wrong", *getattr(error, "problems", ())), WRONG_USE)
    if _is(error, "engine_service.server", "CannotStart"):
        return Explained((f"the service cannot start: {error}",), REFUSED)
    if _is(error, "engine_service.store.base", "CannotOpen"):
        return Explained((str(error),), REFUSED)
    if _is(error, "omnilude.errors", "ConnectionFailed"):
        return Explained((f"the service cannot be reached: {error}",), UNREACHABLE)
    if _is(error, "omnilude.errors", "ServiceError") or _is(error, "engine_service.errors", "EngineError"):
        return Explained(_refusal(error), REFUSED)
    if _is(error, "gamepacks.api.cards", "CardFileError"):
        return Explained(tuple(str(fault) for fault in getattr(error, "faults", ())), REFUSED)
    if _is(error, "gamepacks.api.errors", "InvalidInput"):
        return Explained(tuple(_faults(error)), REFUSED)
    if _is(error, "gamepacks.api.errors", "PackError", "UnknownGame") or _is(error, "omnilude.errors", "OmniludeError"):
        return Explained((str(error),), REFUSED)
    return None


def _is(error: BaseException, module: str, *names: str) -> bool:
    """Is it of such a class? A module that nobody has imported cannot have raised it, and need not be imported."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(error, tuple(getattr(loaded, name) for name in names))


def _refusal(error: BaseException) -> tuple[str, ...]:
    message, reason, faults = getattr(error, "message", ""), getattr(error, "reason", ""), _faults(error)
    if not faults or not message.startswith(faults[0]):
        return (f"{message} ({reason})", *faults)
    # The message is the faults in a row.
    return (f"{faults[0]} ({reason})",) if len(faults) == 1 else (f"several things are wrong ({reason})", *faults)


def _faults(error: BaseException) -> list[str]:
    """What is wrong, a line each; an entry without a field says how many more there are."""
    return [
        f"{fault.field}: {fault.message}" if fault.field else fault.message for fault in getattr(error, "faults", ())
    ]
