"""Results as bytes: how rows and replays hold them."""

from __future__ import annotations

from engine_service.model import EndReason, Result
from omnilude.v1.match_pb2 import MatchResult


def result_bytes(result: Result) -> bytes:
    """A serialised MatchResult."""
    message = MatchResult(returns=result.returns, places=result.places, reason=int(result.reason))  # type: ignore[arg-type]
    return message.SerializeToString(deterministic=True)


def result_of(data: bytes) -> Result:
    """The result that these bytes are."""
    message = MatchResult.FromString(data)
    return Result(tuple(message.returns), tuple(message.places), EndReason(message.reason))
