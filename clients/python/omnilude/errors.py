"""Errors of the client.

::

    OmniludeError
    ├── ConnectionFailed          the client received no answer
    │   ├── Unreachable           nothing answers at the target, or the connection broke, and retries failed
    │   ├── TlsFailed             the TLS handshake failed; retrying cannot help
    │   └── TimedOut              the deadline of the call passed
    ├── UnexpectedStatus          a status without a known reason: from a proxy, or a server of another version
    └── ServiceError              the service refused the call: .reason, .message, .metadata
        ├── InvalidInput          the request is invalid; .faults names each field
        │   ├── InvalidField
        │   ├── InvalidOption
        │   ├── InvalidPlayerCount
        │   ├── InvalidPosition
        │   ├── InvalidPageToken
        │   ├── MalformedMessage
        │   ├── RequestIdReused
        │   ├── ReplayMalformed
        │   └── ReplayInvalid     .seq is the first invalid record
        ├── NotFound
        │   ├── UnknownGame
        │   ├── UnknownMatch
        │   ├── UnknownBot
        │   ├── UnknownSeat
        │   └── UnknownHandle
        ├── AccessDenied
        │   ├── TokenMissing
        │   ├── TokenInvalid
        │   └── NotAllowed
        ├── WrongState            the request is valid, but not in the match's present state
        │   ├── NotYourTurn
        │   ├── StaleSequence     .seq is the newest record of the match
        │   ├── MatchNotStarted
        │   ├── MatchStarted
        │   ├── MatchEnded
        │   ├── MatchNotEnded
        │   ├── MatchExists
        │   ├── SeatTaken
        │   ├── SeatsOpen
        │   ├── PlayerNameTaken
        │   ├── UndoNotAllowed
        │   ├── NoUndoPending
        │   ├── ChanceNotAwaited
        │   ├── RulesNotLoaded
        │   ├── CardSetNotLoaded
        │   └── MatchElsewhere    .address is where the match is served
        ├── IllegalAction         .code, and .pack_reason from the pack's own list
        ├── ServerFault           a defect of the service or a pack; .incident identifies it in the service's log
        │   ├── PackFault
        │   └── InternalFault
        └── Busy                  the same call can succeed later
            ├── LimitReached
            ├── SlowConsumer      .seq is the record to resume after
            ├── StoreUnavailable
            ├── ShuttingDown
            └── SimulationLost

The class of a ServiceError follows from the reason that the service gives (``ErrorReason`` in errors.proto), one class
for each reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from omnilude.v1.errors_pb2 import ErrorReason

DOMAIN = "omnilude"
_DETAILS_KEY = "grpc-status-details-bin"


@dataclass(frozen=True, slots=True)
class Fault:
    """Fault of one field of a request: its dotted path, and what would be valid."""

    field: str
    message: str


class OmniludeError(Exception):
    """Base class of all errors of this package. Its objects can be pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would call the class with ``args``, which is not what each ``__init__`` takes.
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[OmniludeError], args: tuple[object, ...], attributes: dict[str, object]) -> OmniludeError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class ConnectionFailed(OmniludeError):
    """The client received no answer; the service may or may not have handled the call."""


class Unreachable(ConnectionFailed):
    """Nothing answers at the target, or the connection broke."""


class TlsFailed(ConnectionFailed):
    """The TLS handshake failed: one side does not use TLS, or a certificate was rejected."""


class TimedOut(ConnectionFailed):
    """The deadline of the call passed."""


class UnexpectedStatus(OmniludeError):
    """A failed call without a reason of this service; ``status`` is the name of its gRPC status code."""

    def __init__(self, message: str, status: str) -> None:
        super().__init__(f"{status}: {message}" if message else status)
        self.status = status


class ServiceError(OmniludeError):
    """The service refused the call. ``metadata`` has the values that the message mentions."""

    reason: ClassVar[str] = ""
    """Name of the reason (``ErrorReason`` in errors.proto), such as NOT_YOUR_TURN."""

    def __init__(self, message: str, metadata: Mapping[str, str] | None = None, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.metadata = dict(metadata or {})
        self.faults = tuple(faults)

    @property
    def seq(self) -> int | None:
        """The sequence number to which the error refers; None if it refers to none."""
        text = self.metadata.get("seq", "")
        return int(text) if text.isdecimal() else None


class InvalidInput(ServiceError):
    """The request is invalid; ``faults`` names each field."""


class InvalidField(InvalidInput):
    """A field of the request is missing, malformed or out of range."""

    reason = "INVALID_FIELD"


class InvalidOption(InvalidInput):
    """The game has no option of this name, or its value is out of range."""

    reason = "INVALID_OPTION"


class InvalidPlayerCount(InvalidInput):
    """The number of players is outside the range of the game."""

    reason = "INVALID_PLAYER_COUNT"


class InvalidPosition(InvalidInput):
    """The given position breaks an invariant of the game."""

    reason = "INVALID_POSITION"


class InvalidPageToken(InvalidInput):
    """The page token belongs to another list request."""

    reason = "INVALID_PAGE_TOKEN"


class MalformedMessage(InvalidInput):
    """A pack message has another type than the expected one, or its bytes cannot be parsed."""

    reason = "MALFORMED_MESSAGE"


class RequestIdReused(InvalidInput):
    """The same request_id was used for a different request."""

    reason = "REQUEST_ID_REUSED"


class ReplayMalformed(InvalidInput):
    """The replay cannot be read: it is truncated, or not a replay file."""

    reason = "REPLAY_MALFORMED"


class ReplayInvalid(InvalidInput):
    """The replay was edited: its hash chain, an outcome of chance or a result is wrong."""

    reason = "REPLAY_INVALID"


class NotFound(ServiceError):
    """A resource that the request names does not exist."""


class UnknownGame(NotFound):
    """No game of this name is loaded."""

    reason = "UNKNOWN_GAME"


class UnknownMatch(NotFound):
    """There is no match of this name; an ephemeral match may have been dropped."""

    reason = "UNKNOWN_MATCH"


class UnknownBot(NotFound):
    """The game has no bot of this name."""

    reason = "UNKNOWN_BOT"


class UnknownSeat(NotFound):
    """The match has no seat of this index."""

    reason = "UNKNOWN_SEAT"


class UnknownHandle(NotFound):
    """No state of a simulation is open under this handle, or its lease has ended."""

    reason = "UNKNOWN_HANDLE"


class AccessDenied(ServiceError):
    """The token does not permit the call."""


class TokenMissing(AccessDenied):
    """The call requires a token, and none was given."""

    reason = "TOKEN_MISSING"


class TokenInvalid(AccessDenied):
    """The token belongs to another match or another service."""

    reason = "TOKEN_INVALID"


class NotAllowed(AccessDenied):
    """The token belongs to this match but does not permit this call."""

    reason = "NOT_ALLOWED"


class WrongState(ServiceError):
    """The request is valid, but not in the present state of the match or the service."""


class NotYourTurn(WrongState):
    """The seat has no decision to make now."""

    reason = "NOT_YOUR_TURN"


class StaleSequence(WrongState):
    """Another record was added first."""

    reason = "STALE_SEQUENCE"


class MatchNotStarted(WrongState):
    """The match has not started."""

    reason = "MATCH_NOT_STARTED"


class MatchStarted(WrongState):
    """The match has started already."""

    reason = "MATCH_STARTED"


class MatchEnded(WrongState):
    """The match has ended."""

    reason = "MATCH_ENDED"


class MatchNotEnded(WrongState):
    """The request is only possible after the end of the match."""

    reason = "MATCH_NOT_ENDED"


class MatchExists(WrongState):
    """A match of this name exists already."""

    reason = "MATCH_EXISTS"


class SeatTaken(WrongState):
    """The seat is taken, or every seat is taken."""

    reason = "SEAT_TAKEN"


class SeatsOpen(WrongState):
    """Seats are still open."""

    reason = "SEATS_OPEN"


class PlayerNameTaken(WrongState):
    """The name is held with another key, or a newer connection with the same key has taken it over."""

    reason = "PLAYER_NAME_TAKEN"


class UndoNotAllowed(WrongState):
    """The match does not allow undoing, or there is nothing to undo."""

    reason = "UNDO_NOT_ALLOWED"


class NoUndoPending(WrongState):
    """No undo request is pending that the seat could answer or withdraw, or the answer names another one."""

    reason = "NO_UNDO_PENDING"


class ChanceNotAwaited(WrongState):
    """The host of this match does not provide outcomes of chance, or none is awaited."""

    reason = "CHANCE_NOT_AWAITED"


class RulesNotLoaded(WrongState):
    """The match was played under a game or rules version that this service does not have."""

    reason = "RULES_NOT_LOADED"


class CardSetNotLoaded(WrongState):
    """The match was played with a card set that this service does not have, or has with other cards."""

    reason = "CARD_SET_NOT_LOADED"


class MatchElsewhere(WrongState):
    """The match is not stored, and another service that shares the database has it; calls are repeated there."""

    reason = "MATCH_ELSEWHERE"

    @property
    def address(self) -> str:
        """``host:port`` of that service; empty if it cannot be reached alone."""
        return self.metadata.get("address", "")


class IllegalAction(ServiceError):
    """The action is not legal; ``pack_reason`` is the reason from the pack's own list."""

    reason = "ILLEGAL_ACTION"

    @property
    def pack_reason(self) -> str:
        """The reason from the pack's own list; empty if the pack gave none."""
        return self.metadata.get("pack_reason", "")

    @property
    def code(self) -> int | None:
        """The code of the action; None if the action message has no code."""
        text = self.metadata.get("code", "")
        return int(text) if text.lstrip("-").isdecimal() else None


class ServerFault(ServiceError):
    """A defect of the service or of a pack."""

    @property
    def incident(self) -> str:
        """Id of the incident in the service's log."""
        return self.metadata.get("incident", "")


class PackFault(ServerFault):
    """The rules of the pack raised an exception; the match ended as a server fault."""

    reason = "PACK_FAULT"


class InternalFault(ServerFault):
    """A defect of the service."""

    reason = "INTERNAL"


class Busy(ServiceError):
    """The same call can succeed later."""


class LimitReached(Busy):
    """A configured limit is reached."""

    reason = "LIMIT_REACHED"


class SlowConsumer(Busy):
    """The stream was read too slowly; resume it after ``seq``."""

    reason = "SLOW_CONSUMER"


class StoreUnavailable(Busy):
    """The store cannot be written at present; nothing was changed."""

    reason = "STORE_UNAVAILABLE"


class ShuttingDown(Busy):
    """The service is shutting down; reconnect later."""

    reason = "SHUTTING_DOWN"


class SimulationLost(Busy):
    """The process that held the states of a simulation has ended; open a new one."""

    reason = "SIMULATION_LOST"


def _leaves(root: type[ServiceError]) -> Iterable[type[ServiceError]]:
    for child in root.__subclasses__():
        if child.reason:
            yield child
        else:
            yield from _leaves(child)


REASONS: Mapping[str, type[ServiceError]] = {leaf.reason: leaf for leaf in _leaves(ServiceError)}
"""Error classes by name of their reason."""


class FailedCall(Protocol):
    """The common interface of grpc.RpcError and grpc.aio.AioRpcError."""

    def code(self) -> object: ...

    def details(self) -> str | None: ...

    def trailing_metadata(self) -> object: ...


def from_reason(
    reason: ErrorReason, message: str, metadata: Mapping[str, str] | None = None, faults: Sequence[Fault] = ()
) -> OmniludeError:
    """Convert the reason of a refused entry of a play stream to an error."""
    name = ErrorReason.Name(reason) if reason in ErrorReason.values() else str(reason)
    return _from_name(name.removeprefix("ERROR_REASON_"), message, metadata, faults)


def _from_name(name: str, message: str, metadata: Mapping[str, str] | None, faults: Sequence[Fault]) -> OmniludeError:
    kind = REASONS.get(name)
    return UnexpectedStatus(message, name) if kind is None else kind(message, metadata, faults)


def from_status(status: Status) -> OmniludeError | None:
    """Convert a google.rpc.Status to an error; returns None if it has no reason of this service."""
    info, faults = None, list[Fault]()
    for detail in status.details:
        candidate, request = ErrorInfo(), BadRequest()
        if detail.Unpack(candidate):
            info = candidate if candidate.domain == DOMAIN else info
        elif detail.Unpack(request):
            faults = [Fault(entry.field, entry.description) for entry in request.field_violations]
    if info is None:
        return None
    return _from_name(info.reason, status.message, dict(info.metadata), faults)


_TLS_FAILURES = {
    "WRONG_VERSION_NUMBER": "the service does not use TLS: connect without",
    "CERTIFICATE_VERIFY_FAILED": "the service's certificate is not trusted here (Tls.ca; --ca FILE)",
    "Hostname Verification": "the service's certificate is for another name than the target's (Tls.server_name)",
    "create security handshaker": "the certificates given for TLS cannot be used: are they PEM files?",
    "handshake failed": "the TLS handshake failed",
}
"""Messages by a part of the text that gRPC gives."""
_CLOSED_AT_ONCE = (
    "the service closed the connection at once. A service with TLS does so if the client does not use TLS (Tls; --tls, "
    "--ca FILE), or if it rejects the client's certificate (Tls.certificate; --client-certificate FILE)"
)


def _no_connection(details: str) -> ConnectionFailed:
    """Convert the details of UNAVAILABLE without a reason of the service to an error."""
    if not details.startswith("failed to connect"):
        return Unreachable(details)
    for part, meaning in _TLS_FAILURES.items():
        if part in details:
            return TlsFailed(meaning)
    return Unreachable(_CLOSED_AT_ONCE if "Socket closed" in details else details)


def from_call(call: FailedCall) -> OmniludeError:
    """Convert a failed call to an error."""
    code = str(getattr(call.code(), "name", call.code()))
    details = call.details() or ""
    metadata = call.trailing_metadata()
    for key, value in metadata if isinstance(metadata, Iterable) else ():
        if key == _DETAILS_KEY:
            error = from_status(Status.FromString(value))
            if error is not None:
                return error
    if code == "UNAVAILABLE":
        return _no_connection(details)
    if code == "DEADLINE_EXCEEDED":
        return TimedOut(details)
    return UnexpectedStatus(details, code)
