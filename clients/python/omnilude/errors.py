"""Errors of the client.

::

    OmniludeError
    ├── ConnectionFailed          no answer of the service came back
    │   ├── Unreachable           nobody answers at the target, or the connection broke (and trying again did not help)
    │   ├── TlsFailed             the two sides do not agree on TLS: trying again cannot help
    │   └── TimedOut              the deadline of the call passed
    ├── UnexpectedStatus          an answer that is not of this service's contract: a proxy's, a newer or older server's
    └── ServiceError              the service refused: .reason, .message, .metadata
        ├── InvalidInput          what was sent is wrong; .faults names each field
        │   ├── InvalidField
        │   ├── InvalidOption
        │   ├── InvalidPlayerCount
        │   ├── InvalidPosition
        │   ├── InvalidPageToken
        │   ├── MalformedMessage
        │   ├── RequestIdReused
        │   ├── ReplayTorn
        │   └── ReplayInvalid     .seq is the first record that does not hold
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
        ├── WrongState            right in itself, but not now
        │   ├── NotYourTurn
        │   ├── StaleSequence     .seq is the match's newest
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
        │   └── CardSetNotLoaded
        ├── IllegalAction         .code and the pack's own .pack_reason
        ├── ServerFault           a defect on the other side; .incident finds it in its log
        │   ├── PackFault
        │   └── InternalFault
        └── Busy                  the same call can succeed later
            ├── LimitReached
            ├── SlowConsumer      .seq is where to go on
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
    """One thing that is wrong: the field (dotted path) and what it should be."""

    field: str
    message: str


class OmniludeError(Exception):
    """Root of all errors of this package. They can be pickled, so they may come out of a process pool."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would call the class with ``args``, which is not what each ``__init__`` takes.
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[OmniludeError], args: tuple[object, ...], attributes: dict[str, object]) -> OmniludeError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class ConnectionFailed(OmniludeError):
    """No answer of the service came back; whether it did what was asked is unknown."""


class Unreachable(ConnectionFailed):
    """Nobody answers at the target, or the connection broke."""


class TlsFailed(ConnectionFailed):
    """The two sides do not agree on TLS: one of them does not use it, or a certificate is not taken."""


class TimedOut(ConnectionFailed):
    """The deadline of the call passed."""


class UnexpectedStatus(OmniludeError):
    """A status without a reason of this service; ``status`` is the name of the gRPC code."""

    def __init__(self, message: str, status: str) -> None:
        super().__init__(f"{status}: {message}" if message else status)
        self.status = status


class ServiceError(OmniludeError):
    """The service refused. ``metadata`` has the message's dynamic values."""

    reason: ClassVar[str] = ""
    """Name of the reason in the service's closed list, as NOT_YOUR_TURN."""

    def __init__(self, message: str, metadata: Mapping[str, str] | None = None, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.metadata = dict(metadata or {})
        self.faults = tuple(faults)

    @property
    def seq(self) -> int | None:
        """The sequence number that the error is about, where it is about one."""
        text = self.metadata.get("seq", "")
        return int(text) if text.isdecimal() else None


class InvalidInput(ServiceError):
    """What was sent is wrong; ``faults`` names each field."""


class InvalidField(InvalidInput):
    """A field of the request is missing, malformed or out of range."""

    reason = "INVALID_FIELD"


class InvalidOption(InvalidInput):
    """The game has no such option, or its value is out of range."""

    reason = "INVALID_OPTION"


class InvalidPlayerCount(InvalidInput):
    """The game is not played by so many."""

    reason = "INVALID_PLAYER_COUNT"


class InvalidPosition(InvalidInput):
    """The given position breaks an invariant of the game."""

    reason = "INVALID_POSITION"


class InvalidPageToken(InvalidInput):
    """The page token is not one of this listing."""

    reason = "INVALID_PAGE_TOKEN"


class MalformedMessage(InvalidInput):
    """A pack message of another type than the one wanted, or bytes that are no such message."""

    reason = "MALFORMED_MESSAGE"


class RequestIdReused(InvalidInput):
    """The same request_id came with another request."""

    reason = "REQUEST_ID_REUSED"


class ReplayTorn(InvalidInput):
    """The replay cannot be read: cut short, or not a replay."""

    reason = "REPLAY_TORN"


class ReplayInvalid(InvalidInput):
    """The replay was edited: its chain, a roll or a result does not hold."""

    reason = "REPLAY_INVALID"


class NotFound(ServiceError):
    """What was named is not there."""


class UnknownGame(NotFound):
    """No such game is loaded."""

    reason = "UNKNOWN_GAME"


class UnknownMatch(NotFound):
    """No such match, or an ephemeral one that was dropped."""

    reason = "UNKNOWN_MATCH"


class UnknownBot(NotFound):
    """The game offers no bot of that name."""

    reason = "UNKNOWN_BOT"


class UnknownSeat(NotFound):
    """The match has no such seat."""

    reason = "UNKNOWN_SEAT"


class UnknownHandle(NotFound):
    """No state of a simulation is open under this handle, or its lease has ended."""

    reason = "UNKNOWN_HANDLE"


class AccessDenied(ServiceError):
    """The token does not allow it."""


class TokenMissing(AccessDenied):
    """The call needs a token and has none."""

    reason = "TOKEN_MISSING"


class TokenInvalid(AccessDenied):
    """The token is not one of this match, or not this service's."""

    reason = "TOKEN_INVALID"


class NotAllowed(AccessDenied):
    """The token is of this match but does not allow this."""

    reason = "NOT_ALLOWED"


class WrongState(ServiceError):
    """Right in itself, but not now."""


class NotYourTurn(WrongState):
    """The seat does not owe a decision now."""

    reason = "NOT_YOUR_TURN"


class StaleSequence(WrongState):
    """Another action came first."""

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
    """It may be had only when the match has ended."""

    reason = "MATCH_NOT_ENDED"


class MatchExists(WrongState):
    """A match of that name is there already."""

    reason = "MATCH_EXISTS"


class SeatTaken(WrongState):
    """The seat is taken, or no seat is free."""

    reason = "SEAT_TAKEN"


class SeatsOpen(WrongState):
    """Seats are still open."""

    reason = "SEATS_OPEN"


class PlayerNameTaken(WrongState):
    """The name belongs to another key, or another connection with the same key has taken it over."""

    reason = "PLAYER_NAME_TAKEN"


class UndoNotAllowed(WrongState):
    """The match does not allow undoing, or there is nothing to undo."""

    reason = "UNDO_NOT_ALLOWED"


class NoUndoPending(WrongState):
    """No request to undo is pending, or not the one that was answered, or the seat has none to answer or withdraw."""

    reason = "NO_UNDO_PENDING"


class ChanceNotAwaited(WrongState):
    """The match's chance does not come from the host, or no outcome is awaited."""

    reason = "CHANCE_NOT_AWAITED"


class RulesNotLoaded(WrongState):
    """Stored under rules that this service does not have."""

    reason = "RULES_NOT_LOADED"


class CardSetNotLoaded(WrongState):
    """Stored under a card set that this service does not have, or has with other cards."""

    reason = "CARD_SET_NOT_LOADED"


class IllegalAction(ServiceError):
    """The action is not legal: ``pack_reason`` says why, from the pack's own closed list."""

    reason = "ILLEGAL_ACTION"

    @property
    def pack_reason(self) -> str:
        """Why, from the pack's closed list."""
        return self.metadata.get("pack_reason", "")

    @property
    def code(self) -> int | None:
        """The code, where the action stands for one."""
        text = self.metadata.get("code", "")
        return int(text) if text.lstrip("-").isdecimal() else None


class ServerFault(ServiceError):
    """A defect on the other side."""

    @property
    def incident(self) -> str:
        """The id under which the service's log has more."""
        return self.metadata.get("incident", "")


class PackFault(ServerFault):
    """The pack failed inside its rules: the match ended as a server fault."""

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
    """The stream was read too slowly: go on from ``seq``."""

    reason = "SLOW_CONSUMER"


class StoreUnavailable(Busy):
    """The store cannot be written now; nothing was changed."""

    reason = "STORE_UNAVAILABLE"


class ShuttingDown(Busy):
    """The service is shutting down; connect again."""

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
"""The class for each reason of the closed list."""


class FailedCall(Protocol):
    """What an RpcError of grpc and an AioRpcError of grpc.aio have in common."""

    def code(self) -> object: ...

    def details(self) -> str | None: ...

    def trailing_metadata(self) -> object: ...


def from_reason(
    reason: ErrorReason, message: str, metadata: Mapping[str, str] | None = None, faults: Sequence[Fault] = ()
) -> OmniludeError:
    """The error for an entry of a play stream that was refused."""
    name = ErrorReason.Name(reason) if reason in ErrorReason.values() else str(reason)
    return _from_name(name.removeprefix("ERROR_REASON_"), message, metadata, faults)


def _from_name(name: str, message: str, metadata: Mapping[str, str] | None, faults: Sequence[Fault]) -> OmniludeError:
    kind = REASONS.get(name)
    return UnexpectedStatus(message, name) if kind is None else kind(message, metadata, faults)


def from_status(status: Status) -> OmniludeError | None:
    """The error that a google.rpc.Status stands for; None where it has no reason of this service."""
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
    "CERTIFICATE_VERIFY_FAILED": "the service's certificate is not one that is trusted here (Tls.ca; --ca FILE)",
    "Hostname Verification": "the service's certificate is for another name than the target's (Tls.server_name)",
    "create security handshaker": "the certificates given for TLS cannot be used: are they PEM files?",
    "handshake failed": "the TLS handshake failed",
}
"""By what gRPC says."""
_CLOSED_AT_ONCE = (
    "the connection was closed as soon as it was made. A service with TLS does that to a client without (Tls; --tls, "
    "--ca FILE), and to one whose certificate it does not take (Tls.certificate; --client-certificate FILE)"
)


def _no_connection(details: str) -> ConnectionFailed:
    """What UNAVAILABLE without a reason of the service means."""
    if not details.startswith("failed to connect"):
        return Unreachable(details)
    for part, meaning in _TLS_FAILURES.items():
        if part in details:
            return TlsFailed(meaning)
    return Unreachable(_CLOSED_AT_ONCE if "Socket closed" in details else details)


def from_call(call: FailedCall) -> OmniludeError:
    """The error that a failed call stands for."""
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
