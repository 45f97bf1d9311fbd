"""How the clients reach a service: channel, credentials, deadlines, and when to try again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from omnilude.operations import Stream

OPTIONS: list[tuple[str, int | str]] = [
    # A dead peer is noticed in at most 40 s even where the network drops packets in silence.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # A service that was restarted is found again at once, not after grpc's default of up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # Against its name: how long an attempt to connect may take, TLS and all. Far or busy services need a while.
    ("grpc.min_reconnect_backoff_ms", 5_000),
    # Channels of one process do not share connections, so that a new channel is a new connection.
    ("grpc.use_local_subchannel_pool", 1),
]


@dataclass(frozen=True, slots=True)
class Tls:
    """TLS towards the service. Files are PEM, named by a path or its text."""

    ca: str | Path | None = None
    """Certificates to trust; None: the system's."""
    certificate: str | Path | None = None
    """The client's own, where the service asks for one; with ``key``."""
    key: str | Path | None = None
    server_name: str | None = None
    """The name that the service's certificate is for, where it is not the target's host."""

    def credentials(self) -> grpc.ChannelCredentials:
        """What grpc wants to have."""
        return grpc.ssl_channel_credentials(_read(self.ca), _read(self.key), _read(self.certificate))


def _read(path: str | Path | None) -> bytes | None:
    return None if path is None else Path(path).read_bytes()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the service is and how it is spoken to."""

    target: str
    """``host:port`` or ``unix:/path``."""
    tls: Tls | None = None
    api_token: str | None = None
    """Needed to create matches and to hold a player's name, where the service is configured so."""
    timeout: float = 10.0
    """Seconds for one call, its repetitions included."""

    def options(self) -> list[tuple[str, int | str]]:
        """Channel options."""
        if self.tls is not None and self.tls.server_name is not None:
            return [*OPTIONS, ("grpc.ssl_target_name_override", self.tls.server_name)]
        return OPTIONS

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes along with each call."""
        return (("authorization", f"Bearer {self.api_token}"),) if self.api_token else ()


_FINAL_STATUSES = ("INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", "UNAUTHENTICATED", "UNIMPLEMENTED")


def is_passing(error: OmniludeError) -> bool:
    """Can a stream that ended with this error be opened again with another outcome?"""
    if isinstance(error, UnexpectedStatus):
        # Connections that break in the middle of a frame show as INTERNAL, UNKNOWN or CANCELLED.
        return error.status not in _FINAL_STATUSES
    return isinstance(error, ConnectionFailed | Busy | ServerFault) and not isinstance(error, TlsFailed)


class Backoff:
    """Growing pauses with jitter, so that the clients of a restarted service do not all come back at one instant."""

    def __init__(self, first: float = 0.1, most: float = 3.0) -> None:
        self._first = first
        self._most = most
        self._next = first

    def reset(self) -> None:
        """After a success."""
        self._next = self._first

    def pause(self) -> float:
        """Seconds until the next try."""
        pause = self._next
        self._next = min(2 * pause, self._most)
        return pause * random.uniform(0.5, 1.0)


class Attempts:
    """One unary call and its repetitions, without the waiting itself."""

    def __init__(self, timeout: float, repeatable: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + timeout
        self._repeatable = repeatable
        self._backoff = Backoff()

    def remaining(self) -> float:
        """Seconds that the next try may take."""
        return max(0.001, self._end - self._clock())

    def pause(self, error: OmniludeError) -> float:
        """Seconds to wait before the next try. Raises the error where there is to be none.

        Only UNAVAILABLE is tried again, and only what does no more when it is done twice.
        """
        pause = self._backoff.pause()
        passing = isinstance(error, Unreachable | StoreUnavailable | ShuttingDown)
        if not (passing and self._repeatable) or self._clock() + pause >= self._end:
            raise error
        return pause


class Watching:
    """One followed match over any number of connections, without the reading itself."""

    def __init__(self, stream: Stream, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._request = stream.request
        self._patience = patience
        self._clock = clock
        self._backoff = Backoff()
        self._lost_at: float | None = None

    @property
    def request(self) -> WatchMatchRequest:
        """What opens the next stream: it goes on behind the last event that was read."""
        return self._request

    def take(self, response: WatchMatchResponse) -> bool:
        """Note an answer; False for a heartbeat, which says nothing new."""
        self._lost_at = None
        self._backoff.reset()
        self._request.after_seq = response.seq
        return bool(response.events) or response.HasField("match") or response.HasField("observation")

    def pause(self, error: OmniludeError) -> float:
        """Seconds to wait before the next stream. Raises the error where it cannot help or patience is at an end."""
        if not is_passing(error):
            raise error
        self._lost_at = self._clock() if self._lost_at is None else self._lost_at
        if self._clock() - self._lost_at >= self._patience:
            raise error
        return self._backoff.pause()
