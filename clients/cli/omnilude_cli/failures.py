"""Which errors are no defects, and what they say to a person."""

from __future__ import annotations

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
    if isinstance(error, Failure):
        return Explained(error.lines, error.code)
    from engine_service.config import ConfigError
    from engine_service.errors import EngineError
    from engine_service.server import CannotStart
    from gamepacks.api.errors import InvalidInput as InvalidPackInput
    from gamepacks.api.errors import PackError, UnknownGame
    from omnilude.errors import ConnectionFailed, InvalidInput, OmniludeError, ServiceError

    match error:
        case ConfigError():
            return Explained(("the configuration is wrong", *error.problems), WRONG_USE)
        case CannotStart():
            return Explained((f"the service cannot start: {error}",), REFUSED)
        case ConnectionFailed():
            return Explained((f"the service cannot be reached: {error}",), UNREACHABLE)
        case InvalidInput() if error.faults:
            return Explained((error.message, *(f"{fault.field}: {fault.message}" for fault in error.faults)), REFUSED)
        case InvalidPackInput():
            return Explained(tuple(f"{fault.field}: {fault.message}" for fault in error.faults), REFUSED)
        case ServiceError():
            return Explained((f"{error.message} ({error.reason})",), REFUSED)
        case EngineError():
            return Explained((f"{error.message} ({error.reason})",), REFUSED)
        case PackError() | UnknownGame() | OmniludeError():
            return Explained((str(error),), REFUSED)
        case OSError() if error.filename is not None and error.strerror is not None:
            return Explained((f"{error.filename}: {error.strerror}",), REFUSED)
    return None
