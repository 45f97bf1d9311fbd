"""Connections to a service: channel options, credentials, deadlines and retries."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import grpc

from omnilude.errors import (
    Busy,
    ConnectionFailed,
    OmniludeError,
    ServerFault,
    ShuttingDown,
    StoreUnavailable,
    TlsFailed,
    UnexpectedStatus,
    Unreachable,
)
from omnilude.v1.match_service_pb2 import WatchMatchRequest, WatchMatchResponse

OPTIONS: list[tuple[str, int | str]] = [
    # A dead peer is detected within 40 s, even if the network drops packets silently.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # Reconnect to a restarted service quickly; the default of gRPC is up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # Despite its name, the timeout of an attempt to connect, including TLS.
    ("grpc.min_reconnect_backoff_ms", 5_000),
    # Channels of one process do not share connections, so that a new channel is a new connection.
    ("grpc.use_local_subchannel_pool", 1),
]


@dataclass(frozen=True, slots=True)
class Tls:
    """TLS settings of a connection. Files are PEM, given by path."""

    ca: str | Path | None = None
    """Certificates to trust; None means the system's."""
    certificate: str | Path | None = None
    """Client certificate, if the service requires one; needs ``key``."""
    key: str | Path | None = None
    server_name: str | None = None
    """Name in the service's certificate, if it differs from the target's host."""

    def credentials(self) -> grpc.ChannelCredentials:
        """Returns the credentials for a grpc channel."""
        return grpc.ssl_channel_credentials(_read(self.ca), _read(self.key), _read(self.certificate))


def _read(path: str | Path | None) -> bytes | None:
    return None if path is None else Path(path).read_bytes()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Address of a service, with the credentials and the timeout of calls."""

    target: str
    """``host:port`` or ``unix:/path``."""
    tls: Tls | None = None
    api_token: str | None = None
    """Needed to create matches and to reserve a player's name, if the service is configured so."""
    timeout: float = 10.0
    """Timeout of a call in seconds, including its retries."""

    def options(self) -> list[tuple[str, int | str]]:
        """Returns the channel options."""
        if self.tls is not None and self.tls.server_name is not None:
            return [*OPTIONS, ("grpc.ssl_target_name_override", self.tls.server_name)]
        return OPTIONS

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Returns the metadata of each call."""
        return (("authorization", f"Bearer {self.api_token}"),) if self.api_token else ()


_FINAL_STATUSES = ("INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", "UNAUTHENTICATED", "UNIMPLEMENTED")


def is_temporary(error: OmniludeError) -> bool:
    """Returns whether a stream that ended with this error may succeed when it is opened again."""
    if isinstance(error, UnexpectedStatus):
        # gRPC reports a connection that breaks in the middle of a frame as INTERNAL, UNKNOWN or CANCELLED.
        return error.status not in _FINAL_STATUSES
    return isinstance(error, ConnectionFailed | Busy | ServerFault) and not isinstance(error, TlsFailed)


class Backoff:
    """Exponential backoff with jitter, so that clients of a restarted service do not all reconnect at once."""

    def __init__(self, initial: float = 0.1, maximum: float = 3.0) -> None:
        self._initial = initial
        self._maximum = maximum
        self._next = initial

    def reset(self) -> None:
        """Start again with the initial pause, after a success."""
        self._next = self._initial

    def pause(self) -> float:
        """Returns the seconds until the next attempt."""
        pause = self._next
        self._next = min(2 * pause, self._maximum)
        return pause * random.uniform(0.5, 1.0)


class Attempts:
    """Retry policy of one call: how long to wait, and when to give up."""

    def __init__(self, timeout: float, repeatable: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + timeout
        self._repeatable = repeatable
        self._backoff = Backoff()

    def remaining(self) -> float:
        """Returns the deadline of the next attempt, in seconds."""
        return max(0.001, self._end - self._clock())

    def pause(self, error: OmniludeError) -> float:
        """Returns the seconds to wait before the next attempt. Raises the error if the call is not to be retried.

        Only UNAVAILABLE is retried, and only for calls that are repeatable. (gRPC's own retry policy makes at most five
        attempts, which is not enough while a service starts.)
        """
        pause = self._backoff.pause()
        temporary = isinstance(error, Unreachable | StoreUnavailable | ShuttingDown)
        if not (temporary and self._repeatable) or self._clock() + pause >= self._end:
            raise error
        return pause


class WatchStream:
    """State of a WatchMatch stream over any number of connections: where to resume, and when to give up."""

    def __init__(
        self, request: WatchMatchRequest, reconnect_timeout: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._request = request
        self._reconnect_timeout = reconnect_timeout
        self._clock = clock
        self._backoff = Backoff()
        self._lost_at: float | None = None

    @property
    def request(self) -> WatchMatchRequest:
        """The request for the next connection: it resumes after the last event that was received."""
        return self._request

    def receive(self, response: WatchMatchResponse) -> bool:
        """Process a response; returns False for a heartbeat."""
        self._lost_at = None
        self._backoff.reset()
        self._request.after_seq = response.seq
        return bool(response.events) or response.HasField("match") or response.HasField("observation")

    def pause(self, error: OmniludeError) -> float:
        """Returns the seconds to wait before reconnecting. Raises the error if it is permanent or on timeout."""
        if not is_temporary(error):
            raise error
        self._lost_at = self._clock() if self._lost_at is None else self._lost_at
        if self._clock() - self._lost_at >= self._reconnect_timeout:
            raise error
        return self._backoff.pause()
