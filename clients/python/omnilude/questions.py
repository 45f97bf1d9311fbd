"""Calls of services that a pack brings, made from what the catalog tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message

from omnilude.operations import Operation, match_name
from omnilude.packs import GameInfo, WrongMessage


def ask(info: GameInfo, call: str, match: str, token: str, fields: Mapping[str, Any]) -> Operation[Message]:
    """A call of that name, as ``MeasureDistances``, about a match. Raises WrongMessage where the pack has none."""
    found = info.calls.get(call)
    if found is None:
        known = ", ".join(sorted(info.calls)) or "none"
        raise WrongMessage(f"the pack of {info.id} brings no call {call!r}; there are: {known}")
    try:
        request = found.request(name=match_name(match), token=token, **fields)
    except (TypeError, ValueError) as error:
        raise WrongMessage(f"{call}: {error}") from error
    return Operation(found.service, call, request, found.response, _same, True)


def _same(response: Message) -> Message:
    return response
