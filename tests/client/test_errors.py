"""The error class of each failure of a call."""

from __future__ import annotations

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from omnilude import errors
from omnilude.v1.errors_pb2 import ErrorReason


def packed(message: Message) -> AnyMessage:
    detail = AnyMessage()
    detail.Pack(message)
    return detail


class FakeCall:
    """A failed call of grpc."""

    def __init__(self, code: grpc.StatusCode, details: str, status: Status | None = None) -> None:
        self._code = code
        self._details = details
        self._trailers = () if status is None else (("grpc-status-details-bin", status.SerializeToString()),)

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> object:
        return (("content-type", "application/grpc"), *self._trailers)


def test_every_reason_of_the_wire_has_exactly_one_class() -> None:
    reasons = [name.removeprefix("ERROR_REASON_") for name, _ in ErrorReason.items()]
    reasons.remove("UNSPECIFIED")
    assert sorted(errors.REASONS) == sorted(reasons)
    assert len(set(errors.REASONS.values())) == len(reasons)


@pytest.mark.parametrize("reason", sorted(errors.REASONS))
def test_reason_becomes_its_class(reason: str) -> None:
    info = ErrorInfo(reason=reason, domain="omnilude", metadata={"seq": "7", "limit": "matches"})
    status = Status(code=9, message="no", details=[packed(info)])
    error = errors.from_call(FakeCall(grpc.StatusCode.FAILED_PRECONDITION, "no", status))
    assert type(error) is errors.REASONS[reason]
    assert isinstance(error, errors.ServiceError)
    assert error.reason == reason
    assert str(error) == error.message == "no"
    assert error.seq == 7
    assert error.metadata["limit"] == "matches"


CONNECTING = "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:9: "


@pytest.mark.parametrize(
    ("details", "kind", "words"),
    [
        (CONNECTING + "Failed to connect to remote host: Connection refused", errors.Unreachable, "refused"),
        (CONNECTING + "Socket closed", errors.Unreachable, "--tls, --ca FILE"),
        (CONNECTING + "Tls handshake failed (X): WRONG_VERSION_NUMBER: y", errors.TlsFailed, "does not use TLS"),
        (
            CONNECTING + "Tls handshake failed (X): CERTIFICATE_VERIFY_FAILED: y",
            errors.TlsFailed,
            "is not trust",
        ),
        (CONNECTING + "Hostname Verification Check failed.", errors.TlsFailed, "for another name"),
        (CONNECTING + "Failed to create security handshaker.", errors.TlsFailed, "PEM files"),
        (CONNECTING + "Ssl handshake failed (X): z", errors.TlsFailed, "handshake failed"),
        ("Socket closed", errors.Unreachable, "Socket closed"),
        ("recvmsg:Connection reset by peer", errors.Unreachable, "reset by peer"),
    ],
)
def test_failed_connection_names_the_cause(details: str, kind: type[errors.ConnectionFailed], words: str) -> None:
    error = errors.from_call(FakeCall(grpc.StatusCode.UNAVAILABLE, details))
    assert type(error) is kind
    assert words in str(error)


def test_illegal_action_has_the_reason_of_the_pack() -> None:
    info = ErrorInfo(reason="ILLEGAL_ACTION", domain="omnilude", metadata={"code": "-3", "pack_reason": "PATH_BLOCKED"})
    error = errors.from_status(Status(details=[packed(info)]))
    assert isinstance(error, errors.IllegalAction)
    assert (error.code, error.pack_reason) == (-3, "PATH_BLOCKED")


def test_invalid_input_names_every_field() -> None:
    request = BadRequest()
    request.field_violations.add(field="options.board_size", description="even, 6 to 12")
    request.field_violations.add(field="options.target", description="at least 1")
    info = ErrorInfo(reason="INVALID_OPTION", domain="omnilude")
    error = errors.from_status(Status(details=[packed(request), packed(info)]))
    assert isinstance(error, errors.InvalidOption)
    assert error.faults == (
        errors.Fault("options.board_size", "even, 6 to 12"),
        errors.Fault("options.target", "at least 1"),
    )


def test_fault_of_the_server_names_its_incident() -> None:
    info = ErrorInfo(reason="INTERNAL", domain="omnilude", metadata={"incident": "f00d"})
    error = errors.from_status(Status(details=[packed(info)]))
    assert isinstance(error, errors.InternalFault)
    assert error.incident == "f00d"


def test_reason_of_another_domain_is_ignored() -> None:
    info = ErrorInfo(reason="UNKNOWN_GAME", domain="elsewhere.example")
    assert errors.from_status(Status(details=[packed(info)])) is None


def test_statuses_without_a_reason() -> None:
    assert type(errors.from_call(FakeCall(grpc.StatusCode.UNAVAILABLE, "refused"))) is errors.Unreachable
    assert type(errors.from_call(FakeCall(grpc.StatusCode.DEADLINE_EXCEEDED, "late"))) is errors.TimedOut
    other = errors.from_call(FakeCall(grpc.StatusCode.UNIMPLEMENTED, "unknown method"))
    assert isinstance(other, errors.UnexpectedStatus)
    assert other.status == "UNIMPLEMENTED"
    assert str(other) == "UNIMPLEMENTED: unknown method"


def test_unknown_reason_is_kept() -> None:
    info = ErrorInfo(reason="NOT_INVENTED_YET", domain="omnilude")
    error = errors.from_status(Status(message="hm", details=[packed(info)]))
    assert isinstance(error, errors.UnexpectedStatus)
    assert error.status == "NOT_INVENTED_YET"


def test_drawn_error_tree_is_complete() -> None:
    """The tree atop the module shows every class, with its children below it."""
    assert errors.__doc__ is not None
    drawn: list[tuple[int, str]] = []
    for line in errors.__doc__.splitlines():
        words = line.lstrip("│├└─ ").split()
        if words and isinstance(getattr(errors, words[0], None), type):
            depth = (len(line) - len(line.lstrip("│├└─ "))) // 4
            drawn.append((depth, words[0]))
    path: list[str] = []
    parents: dict[str, str | None] = {}
    for depth, name in drawn:
        del path[depth - 1 :]
        parents[name] = path[-1] if path else None
        path.append(name)
    true = {
        kind.__name__: None if kind is errors.OmniludeError else kind.__bases__[0].__name__
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.OmniludeError)
    }
    assert parents == true
