"""The closed list of reasons: the status code of each, and the details of errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.rpc.error_details_pb2 import (
    BadRequest,
    ErrorInfo,
    PreconditionFailure,
    QuotaFailure,
    ResourceInfo,
    RetryInfo,
)
from google.rpc.status_pb2 import Status

from engine_service import errors
from engine_service.errors import EngineError
from engine_service.rpc.errors import DOMAIN, PREFIX, STATUS_CODES, reason_number, to_status
from gamepacks.api.errors import Fault
from omnilude.v1.errors_pb2 import ErrorReason

CONTRACT = Path(__file__).parents[2] / "protos" / "omnilude" / "v1" / "errors.proto"


def documented() -> dict[str, str]:
    """Returns the status code at the end of each reason's comment, by reason."""
    text = CONTRACT.read_text(encoding="utf-8")
    entries = re.findall(r"((?:  //[^\n]*\n)+)  ERROR_REASON_([A-Z_]+) = \d+;", text)
    return {
        reason: comment.strip().rpartition(" ")[2].rstrip(".") for comment, reason in entries if reason != "UNSPECIFIED"
    }


def subclasses(of: type[EngineError]) -> Iterator[type[EngineError]]:
    for kind in of.__subclasses__():
        yield kind
        yield from subclasses(kind)


def details(status: Status) -> dict[str, object]:
    found: dict[str, object] = {}
    for packed in status.details:
        for kind in (ErrorInfo, BadRequest, PreconditionFailure, QuotaFailure, ResourceInfo, RetryInfo):
            message = kind()
            if packed.Unpack(message):
                found[kind.__name__] = message
    return found


def test_every_reason_has_the_code_that_its_comment_names() -> None:
    assert {reason: code.name for reason, code in STATUS_CODES.items()} == documented()


def test_every_reason_of_the_enum_is_in_the_table() -> None:
    assert {f"{PREFIX}{reason}" for reason in STATUS_CODES} == set(ErrorReason.keys()) - {f"{PREFIX}UNSPECIFIED"}


def test_every_error_of_the_service_has_a_reason_of_the_table_and_every_reason_its_error() -> None:
    reasons = [kind.reason for kind in subclasses(EngineError) if "reason" in vars(kind)]
    assert sorted(reasons) == sorted(STATUS_CODES)


def test_enum_of_a_result_is_the_reason() -> None:
    assert reason_number(errors.NotYourTurn(1)) == ErrorReason.Value("ERROR_REASON_NOT_YOUR_TURN")


def test_status_carries_reason_domain_and_the_values_of_its_message() -> None:
    status = to_status(errors.StaleSequence(17))
    info = details(status)["ErrorInfo"]
    assert isinstance(info, ErrorInfo)
    assert (info.reason, info.domain, dict(info.metadata)) == ("STALE_SEQUENCE", DOMAIN, {"seq": "17"})
    assert "17" in status.message


def test_all_invalid_fields_are_named() -> None:
    error = errors.InvalidOption("two are wrong", (Fault("size", "from 3 to 12"), Fault("colour", "no such option")))
    bad = details(to_status(error))["BadRequest"]
    assert isinstance(bad, BadRequest)
    assert [(violation.field, violation.description) for violation in bad.field_violations] == [
        ("size", "from 3 to 12"),
        ("colour", "no such option"),
    ]


@pytest.mark.parametrize("text", ["x" * 5000, "\U0001f600" * 5000, "%\n" * 5000])
def test_long_error_fits_into_trailing_metadata(text: str) -> None:
    """Clients may drop what goes beyond 8 KiB: texts are cut, and faults beyond are counted."""
    for error in (
        errors.InvalidOption.of(*(Fault(f"{number}{text}", text) for number in range(500))),
        errors.UnknownBot(text, text, [text]),
        errors.LimitReached("limits.live_matches", 5, text),
    ):
        status = to_status(error)
        on_the_wire = 3 * len(status.message.encode()) + status.ByteSize() * 4 / 3
        assert on_the_wire < 8000
        assert status.message.endswith("…")
    bad = details(to_status(errors.InvalidOption("", [Fault(f"f{number}", "x" * 90) for number in range(500)])))[
        "BadRequest"
    ]
    assert isinstance(bad, BadRequest)
    assert [violation.field for violation in bad.field_violations[:2]] == ["f0", "f1"]
    assert bad.field_violations[-1].description == f"and {501 - len(bad.field_violations)} more"


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (errors.MatchEnded(), "PreconditionFailure"),
        (errors.LimitReached("limits.live_matches", 5, "5 matches are in memory"), "QuotaFailure"),
        (errors.UnknownGame("go", ["kuhn"]), "ResourceInfo"),
        (errors.UnknownMatch("matches/x"), "ResourceInfo"),
        (errors.UnknownBot("go", "katago", []), "ResourceInfo"),
        (errors.UnknownSeat(5, 2), "ResourceInfo"),
    ],
)
def test_error_details_match_the_kind_of_error(error: EngineError, detail: str) -> None:
    assert set(details(to_status(error))) == {"ErrorInfo", detail}


def test_temporary_limit_has_retry_info() -> None:
    found = details(to_status(errors.LimitReached("queued_writes", 5, "5 writes wait", 1_500)))
    retry = found["RetryInfo"]
    assert isinstance(retry, RetryInfo) and retry.retry_delay.ToMilliseconds() == 1_500
    assert isinstance(found["QuotaFailure"], QuotaFailure)
