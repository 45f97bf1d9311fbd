"""Limits of concurrent calls (in total, per peer, per connection), and throttling of connections with refused calls.

A fifth of each limit is reserved for callers that send a token, so that anonymous callers cannot take the capacity of
players. A connection whose calls are mostly refused is throttled, so that it costs the others little.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from ipaddress import IPv6Address, IPv6Network
from urllib.parse import unquote

from engine_service.errors import RETRY_MS, AccessDenied, EngineError, Exhausted, InvalidRequest, LimitReached, NotFound

RESERVED_FOR_TOKENS = 5
"""The part of each limit that is reserved for callers that send a token: one call in this number."""
THROTTLED_FROM = 100
"""Penalty from which a connection is throttled; each refused call adds 1."""
DECAY_PER_SECOND = 10
"""Decrease of the penalty per second; an accepted call decreases it by 1 as well."""
CONNECTIONS_KEPT = 1_000
"""Number of known connections above which those without calls and penalty are forgotten."""
IPV6_NETWORK = 64
"""Bits of an IPv6 network that counts as one peer, because its owner has all its addresses."""

MAX_PENALTY = 2 * THROTTLED_FROM
MAX_HELD_BYTES = 1 << 16
"""A longer request on a throttled connection is refused, not held."""

_REFUSALS = (InvalidRequest, NotFound, AccessDenied, Exhausted)
"""Errors that count as refusals: the caller is wrong in every state of the match."""


class _CallLimit:
    """Limit of a group of concurrent calls."""

    __slots__ = ("active", "anonymous", "key", "limit", "limit_name")

    def __init__(self, limit_name: str, limit: int, key: str = "") -> None:
        self.limit_name = limit_name
        self.limit = limit
        self.key = key
        self.active = 0
        self.anonymous = 0

    def check(self, has_token: bool) -> None:
        """Check that there is capacity for one more call. Raises LimitReached."""
        if not has_token:
            allowed = self.limit - self.limit // RESERVED_FOR_TOKENS
            if self.anonymous >= allowed:
                raise LimitReached(
                    self.limit_name, self.limit, f"{allowed} calls without a token are under way already", RETRY_MS
                )
        if self.active >= self.limit:
            raise LimitReached(self.limit_name, self.limit, f"{self.limit} calls are under way already", RETRY_MS)


class _Connection(_CallLimit):
    """One connection of a client."""

    __slots__ = ("_penalty", "_seen_at", "next_at", "waiting")

    def __init__(self, limit_name: str, limit: int, key: str) -> None:
        super().__init__(limit_name, limit, key)
        self._penalty = 0.0
        self._seen_at = 0.0
        self.waiting = 0
        """Number of calls that are held because of the throttling."""
        self.next_at = 0.0
        """Time at which the next call may be handled, while it is throttled."""

    @property
    def is_throttled(self) -> bool:
        """Whether the connection may have to be throttled."""
        return self._penalty >= THROTTLED_FROM

    def penalty(self, now: float) -> float:
        """Returns its penalty at this time."""
        if self._penalty:
            self._penalty = max(0.0, self._penalty - DECAY_PER_SECOND * (now - self._seen_at))
        self._seen_at = now
        return self._penalty

    def refused(self, now: float) -> None:
        """Add a refused call to the penalty."""
        self._penalty = min(self.penalty(now) + 1, MAX_PENALTY)

    def accepted(self) -> None:
        """Take an accepted call off the penalty."""
        if self._penalty:
            self._penalty = max(0.0, self._penalty - 1)


class Call:
    """One call or stream under way, created by :meth:`Connections.enter`."""

    __slots__ = ("_anonymous", "_connection", "_connections", "_limits", "provisional")

    def __init__(
        self, connections: Connections, limits: Sequence[_CallLimit], anonymous: bool, provisional: bool
    ) -> None:
        self._connections = connections
        self._limits = limits
        self._connection = limits[0] if isinstance(limits[0], _Connection) else None
        self._anonymous = anonymous
        self.provisional = provisional
        """Whether it was admitted beyond the limit of anonymous calls and has not sent a token yet."""

    def confirm_token(self) -> None:
        """Count it as a call with a token, which it has sent by now."""
        self.provisional = False
        if self._anonymous:
            self._anonymous = False
            for limit in self._limits:
                limit.anonymous -= 1

    def end_provisional(self) -> None:
        """Count it as anonymous if it has not sent a token. Raises LimitReached if there is no capacity for anonymous
        calls."""
        if self.provisional:
            for limit in self._limits:
                limit.check(False)
            self.provisional, self._anonymous = False, True
            for limit in self._limits:
                limit.anonymous += 1

    def refused(self, error: EngineError) -> None:
        """Note that the call, or an entry of its stream, was refused."""
        if self._connection is not None and isinstance(error, _REFUSALS):
            self._connection.refused(self._connections.now())

    def accepted(self) -> None:
        """Note that the call, or an entry of its stream, was accepted."""
        if self._connection is not None:
            self._connection.accepted()

    async def wait_while_throttled(self) -> None:
        """Wait while the connection is throttled."""
        if self._connection is not None and self._connection.is_throttled:
            await self._connections.throttle(self._connection)

    def leave(self) -> None:
        """Note that the call has ended."""
        for limit in self._limits:
            limit.active -= 1
            if self._anonymous:
                limit.anonymous -= 1
        self._connections.left(self._limits)


class Connections:
    """The connections of a server and their calls."""

    def __init__(self, in_all: int, of_peer: int, of_connection: int, refused_per_second: int) -> None:
        """``in_all``, ``of_peer`` and ``of_connection`` are limits; ``refused_per_second`` is for throttled
        connections."""
        self._all = _CallLimit("server.max_concurrent_rpcs", in_all)
        self._of_peer = of_peer
        self._of_connection = of_connection
        self._seconds_each = 1 / refused_per_second
        self._peers: dict[str, _CallLimit] = {}
        self._known: dict[str, _Connection] = {}
        self._forget_at = CONNECTIONS_KEPT
        self._closing = asyncio.Event()

    @property
    def active(self) -> int:
        """Number of calls and streams under way."""
        return self._all.active

    def now(self) -> float:
        """Returns the event loop's time, in seconds."""
        return asyncio.get_running_loop().time()

    async def enter(self, address: str, *, has_token: bool, provisional: bool = False, size: int = 0) -> Call:
        """Start a call from ``address``, in gRPC's form: ``ipv4:127.0.0.1:4711``. Raises LimitReached.

        ``provisional``: the call is a stream, which can send a token only later, and may use the capacity reserved for
        tokens until then. ``size``: bytes of its request, which are held while it waits on a throttled connection.
        """
        limits = self._limits(address)
        connection = limits[0]
        if isinstance(connection, _Connection) and connection.is_throttled:
            if size > MAX_HELD_BYTES:
                raise self._throttled_error()
            connection.waiting += 1
            try:
                await self.throttle(connection)
            finally:
                connection.waiting -= 1
        anonymous = not has_token
        try:
            try:
                for limit in limits:
                    limit.check(has_token)
                provisional = False
            except LimitReached:
                if not provisional:
                    raise
                for limit in limits:
                    limit.check(True)
                anonymous = False
        except LimitReached:
            if isinstance(connection, _Connection):
                connection.refused(self.now())
            self.left(limits)
            raise
        for limit in limits:
            limit.active += 1
            if anonymous:
                limit.anonymous += 1
        return Call(self, limits, anonymous, provisional)

    def _throttled_error(self) -> LimitReached:
        limit = round(1 / self._seconds_each)
        return LimitReached(
            "server.refused_rpcs_per_second", limit, "most calls of this connection are refused", RETRY_MS
        )

    def left(self, limits: Sequence[_CallLimit]) -> None:
        """Forget peers without calls, and connections without calls and penalty."""
        for limit in limits[:-1]:
            if not limit.active:
                if not isinstance(limit, _Connection):
                    self._peers.pop(limit.key, None)
                elif not limit.waiting and not limit.penalty(self.now()):
                    self._known.pop(limit.key, None)

    async def throttle(self, connection: _Connection) -> None:
        """Wait for this call's turn on a throttled connection, or the shutdown of the service."""
        now = self.now()
        if connection.penalty(now) < THROTTLED_FROM:
            return
        at = max(now, connection.next_at)
        connection.next_at = at + self._seconds_each
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), at - now)

    def close(self) -> None:
        """End all throttling, because the service is shutting down."""
        self._closing.set()

    def _limits(self, address: str) -> tuple[_CallLimit, ...]:
        """Returns the limits for a call: of its connection, its peer, and all; only the last for Unix sockets."""
        peer = peer_of(address)
        if peer is None:
            return (self._all,)
        connection = self._known.get(address)
        if connection is None:
            self._forget()
            connection = _Connection("server.max_rpcs_per_connection", self._of_connection, address)
            self._known[address] = connection
        return (
            connection,
            self._peers.setdefault(peer, _CallLimit("server.max_rpcs_per_peer", self._of_peer, peer)),
            self._all,
        )

    def _forget(self) -> None:
        """Forget connections without calls and penalty, if there are many."""
        if len(self._known) < self._forget_at:
            return
        now = self.now()
        for address, known in list(self._known.items()):
            if not known.active and not known.waiting and not known.penalty(now):
                del self._known[address]
        self._forget_at = max(CONNECTIONS_KEPT, 2 * len(self._known))


def peer_of(address: str) -> str | None:
    """Returns the peer of an address: an IPv4 address or an IPv6 network; None for other kinds of addresses."""
    kind, _, place = unquote(address).partition(":")
    host = place.rpartition(":")[0]
    if kind == "ipv4":
        return host
    if kind != "ipv6":
        return None
    number = IPv6Address(host.strip("[]").partition("%")[0])
    return str(number.ipv4_mapped or IPv6Network((int(number), 128)).supernet(new_prefix=IPV6_NETWORK))


_CURRENT: ContextVar[Call | None] = ContextVar("call", default=None)


def current_call() -> Call | None:
    """Returns the call that this task serves."""
    return _CURRENT.get()


def set_current_call(call: Call) -> None:
    """Set the call that this task serves."""
    _CURRENT.set(call)
