"""Idempotent writes: a request_id, the digest of the request, and the answer to it.

An answer is a short tuple of integers; the rest of a response (a token, the current match) is rebuilt from it.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from hashlib import blake2b
from typing import Any

from google.protobuf.message import Message

from engine_service.errors import InvalidField, RequestIdReused
from engine_service.limits import Limits
from engine_service.store.base import StoredRequest

Answer = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A write with a request_id. ``scope`` is its method, its match if it has one, and its caller."""

    scope: str
    request_id: str
    fingerprint: bytes

    @classmethod
    def of(
        cls, limits: Limits, method: str, match: str, caller: str, request_id: str, *parameters: object
    ) -> Request | None:
        """Returns the request; None without a request_id.

        ``caller`` is a secret of the caller: a token, or the client's key. ``parameters`` are those of the call.
        Raises InvalidField.
        """
        if not request_id:
            return None
        if len(request_id) > limits.request_id_length:
            raise InvalidField.one("request_id", f"must have at most {limits.request_id_length} characters")
        fingerprint = blake2b(repr(_plain(parameters)).encode(), digest_size=16).digest()
        who = blake2b(caller.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        return cls(" ".join(filter(None, (method, match, who))), request_id, fingerprint)

    @classmethod
    def of_client(
        cls, limits: Limits, method: str, match: str, client_key: str, request_id: str, *parameters: object
    ) -> Request | None:
        """Returns the request of a write whose answer brings a token; a key identifies the caller. Raises
        InvalidField."""
        if len(client_key) > limits.request_id_length:
            raise InvalidField.one("client_key", f"must have at most {limits.request_id_length} characters")
        if request_id and not client_key:
            raise InvalidField.one("client_key", "must be set along with request_id")
        return cls.of(limits, method, match, client_key, request_id, *parameters)

    def stored(self, answer: Answer, uptime_ms: int) -> StoredRequest:
        """Returns the row that the store keeps; ``uptime_ms`` is the service's uptime now."""
        return StoredRequest(self.scope, self.request_id, self.fingerprint, json.dumps(answer).encode(), uptime_ms)

    def answer_of(self, stored: StoredRequest) -> Answer:
        """Returns the first answer. Raises RequestIdReused if it belongs to another request."""
        if stored.fingerprint != self.fingerprint:
            raise RequestIdReused()
        return tuple(json.loads(stored.answer))


def _plain(value: Any) -> Any:
    """Returns a value whose repr is the same in every process, and differs for different values."""
    if isinstance(value, Message):
        return value.DESCRIPTOR.full_name, value.SerializeToString(deterministic=True)
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return sorted(value.items())
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, int) else value


class RecentRequests:
    """Answers to requests about ephemeral matches, in memory; the oldest are dropped beyond a limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: OrderedDict[tuple[str, str], tuple[bytes, Answer]] = OrderedDict()

    def find(self, request: Request | None) -> Answer | None:
        """Returns the first answer; None for a new request. Raises RequestIdReused."""
        if request is None:
            return None
        known = self._known.get((request.scope, request.request_id))
        if known is None:
            return None
        if known[0] != request.fingerprint:
            raise RequestIdReused()
        return known[1]

    def keep(self, request: Request | None, answer: Answer) -> None:
        """Keep an answer."""
        if request is not None and self._limit:
            self._known[request.scope, request.request_id] = (request.fingerprint, answer)
            if len(self._known) > self._limit:
                self._known.popitem(last=False)
