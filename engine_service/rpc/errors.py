"""Mapping of the service's errors to gRPC statuses: a table of status codes by reason, and the details of each.

A refused call ends with a ``google.rpc.Status`` that carries an ErrorInfo (reason, domain ``omnilude``, metadata) and,
as it fits, BadRequest, PreconditionFailure, QuotaFailure, RetryInfo or ResourceInfo. Results on a play stream carry the
enum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import (
    BadRequest,
    ErrorInfo,
    PreconditionFailure,
    QuotaFailure,
    ResourceInfo,
    RetryInfo,
)
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from engine_service.errors import EngineError, Exhausted, LimitReached, NotFound, WrongState
from gamepacks.api.errors import Fault
from omnilude.v1.errors_pb2 import ErrorReason

DOMAIN = "omnilude"
TEXT_BYTES = 600
"""Maximum length of a text in a status, which is sent as trailing metadata; clients drop metadata of more than 8 KiB,
including the reason."""
FAULTS_BYTES = 2400
"""Maximum size of all field violations together; further ones are counted, not named."""
MORE = "and {} more"
PREFIX = "ERROR_REASON_"

STATUS_CODES: dict[str, StatusCode] = {
    "INVALID_FIELD": StatusCode.INVALID_ARGUMENT,
    "INVALID_OPTION": StatusCode.INVALID_ARGUMENT,
    "INVALID_PLAYER_COUNT": StatusCode.INVALID_ARGUMENT,
    "INVALID_POSITION": StatusCode.INVALID_ARGUMENT,
    "MALFORMED_MESSAGE": StatusCode.INVALID_ARGUMENT,
    "REPLAY_MALFORMED": StatusCode.INVALID_ARGUMENT,
    "REPLAY_INVALID": StatusCode.INVALID_ARGUMENT,
    "INVALID_PAGE_TOKEN": StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_GAME": StatusCode.NOT_FOUND,
    "UNKNOWN_MATCH": StatusCode.NOT_FOUND,
    "UNKNOWN_BOT": StatusCode.NOT_FOUND,
    "UNKNOWN_SEAT": StatusCode.NOT_FOUND,
    "UNKNOWN_HANDLE": StatusCode.NOT_FOUND,
    "TOKEN_MISSING": StatusCode.UNAUTHENTICATED,
    "TOKEN_INVALID": StatusCode.PERMISSION_DENIED,
    "NOT_ALLOWED": StatusCode.PERMISSION_DENIED,
    "NOT_YOUR_TURN": StatusCode.FAILED_PRECONDITION,
    "MATCH_NOT_STARTED": StatusCode.FAILED_PRECONDITION,
    "MATCH_ENDED": StatusCode.FAILED_PRECONDITION,
    "MATCH_STARTED": StatusCode.FAILED_PRECONDITION,
    "SEAT_TAKEN": StatusCode.FAILED_PRECONDITION,
    "SEATS_OPEN": StatusCode.FAILED_PRECONDITION,
    "STALE_SEQUENCE": StatusCode.ABORTED,
    "UNDO_NOT_ALLOWED": StatusCode.FAILED_PRECONDITION,
    "NO_UNDO_PENDING": StatusCode.FAILED_PRECONDITION,
    "CHANCE_NOT_AWAITED": StatusCode.FAILED_PRECONDITION,
    "MATCH_NOT_ENDED": StatusCode.FAILED_PRECONDITION,
    "REQUEST_ID_REUSED": StatusCode.INVALID_ARGUMENT,
    "RULES_NOT_LOADED": StatusCode.FAILED_PRECONDITION,
    "CARD_SET_NOT_LOADED": StatusCode.FAILED_PRECONDITION,
    "MATCH_ELSEWHERE": StatusCode.FAILED_PRECONDITION,
    "MATCH_EXISTS": StatusCode.ALREADY_EXISTS,
    "ILLEGAL_ACTION": StatusCode.INVALID_ARGUMENT,
    "PACK_FAULT": StatusCode.INTERNAL,
    "LIMIT_REACHED": StatusCode.RESOURCE_EXHAUSTED,
    "SLOW_CONSUMER": StatusCode.RESOURCE_EXHAUSTED,
    "STORE_UNAVAILABLE": StatusCode.UNAVAILABLE,
    "SHUTTING_DOWN": StatusCode.UNAVAILABLE,
    "INTERNAL": StatusCode.INTERNAL,
    "PLAYER_NAME_TAKEN": StatusCode.ALREADY_EXISTS,
    "SIMULATION_LOST": StatusCode.UNAVAILABLE,
}
"""Status code of each reason, as in the comments of errors.proto."""

_NUMBERS = {name.removeprefix(PREFIX): cast(ErrorReason, number) for name, number in ErrorReason.items()}


def reason_number(error: EngineError) -> ErrorReason:
    """Returns the error's reason as a member of the protocol's enum."""
    return _NUMBERS[error.reason]


def to_status(error: EngineError) -> Status:
    """Returns the status of an error, with all details."""
    status = Status(code=STATUS_CODES[error.reason].value[0], message=_cut(error.message))
    for detail in _details(error):
        packed = AnyMessage()
        packed.Pack(detail)
        status.details.append(packed)
    return status


def _details(error: EngineError) -> list[Message]:
    metadata = {key: _cut(value) for key, value in error.metadata.items()}
    details: list[Message] = [ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)]
    if error.faults:
        details.append(_bad_request(error.faults))
    if isinstance(error, WrongState):
        failure = PreconditionFailure()
        failure.violations.add(
            type=error.reason, subject=error.metadata.get("match", ""), description=_cut(error.message)
        )
        details.append(failure)
    elif isinstance(error, Exhausted):
        quota = QuotaFailure()
        quota.violations.add(subject=error.metadata.get("limit", ""), description=_cut(error.message))
        details.append(quota)
        if isinstance(error, LimitReached) and error.retry_ms:
            retry = RetryInfo()
            retry.retry_delay.FromMilliseconds(error.retry_ms)
            details.append(retry)
    elif isinstance(error, NotFound):
        kind, name = next((key, metadata[key]) for key in ("bot", "seat", "handle", "match", "game") if key in metadata)
        details.append(ResourceInfo(resource_type=kind, resource_name=name, description=_cut(error.message)))
    return details


def _bad_request(faults: Sequence[Fault]) -> BadRequest:
    bad = BadRequest()
    room = FAULTS_BYTES
    for named, fault in enumerate(faults):
        violation = BadRequest.FieldViolation(field=_cut(fault.field), description=_cut(fault.message))
        room -= violation.ByteSize()
        if room < 0:
            bad.field_violations.add(field="", description=MORE.format(len(faults) - named))
            break
        bad.field_violations.append(violation)
    return bad


def _cut(text: str) -> str:
    """Returns the text, cut if it is too long."""
    if len(text) * 4 <= TEXT_BYTES or len(text.encode()) <= TEXT_BYTES:
        return text
    return text[:TEXT_BYTES].encode()[: TEXT_BYTES - 3].decode(errors="ignore") + "…"
