"""Refusals of calls: status, reason and details."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status


@dataclass
class Refusal:
    """Status of a refused call, parsed from google.rpc.Status."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    message: str = ""
    reason: str = ""
    domain: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    """Field to description, from BadRequest."""
    details: list[str] = field(default_factory=list)
    """Full names of all details."""


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """Parse the status of a failed call."""
    found = Refusal(code=error.code(), message=error.details() or "")
    packed = next((value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"), None)
    if packed is None:
        return found
    status = Status.FromString(packed if isinstance(packed, bytes) else packed.encode())
    assert status.code == error.code().value[0]
    for detail in status.details:
        found.details.append(detail.TypeName())
        info, bad = ErrorInfo(), BadRequest()
        if detail.Unpack(info):
            found.reason, found.domain, found.metadata = info.reason, info.domain, dict(info.metadata)
        elif detail.Unpack(bad):
            found.fields = {violation.field: violation.description for violation in bad.field_violations}
    return found


async def refused(call: Awaitable[Any]) -> Refusal:
    """Await a call that must be refused; returns the refusal."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return refusal_of(caught.value)


@asynccontextmanager
async def expect_refusal() -> AsyncIterator[Refusal]:
    """Expect the block to end with a refusal; the yielded object has its values afterwards."""
    found = Refusal()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield found
    found.__dict__.update(refusal_of(caught.value).__dict__)


__all__ = ["Refusal", "expect_refusal", "refusal_of", "refused"]
