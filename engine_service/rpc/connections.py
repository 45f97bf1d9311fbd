"""Who calls: how many calls a connection, a peer and all together have under way, and whose calls are but refused.

Of each of the three limits a fifth is kept for callers who show a token: strangers can fill their share, and never the
room of those who play. A connection that sends little but refusals is slowed down, so that it costs others little.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from ipaddress import IPv6Address, IPv6Network
from urllib.parse import unquote

from engine_service.errors import AccessDenied, EngineError, Exhausted, InvalidRequest, LimitReached, NotFound

RETRY_MS = 1_000
"""When a call that was refused may be tried again."""
KEPT_FOR_TOKENS = 5
"""One in so many calls of each limit is kept for callers who show a token."""
SLOW_FROM = 100
"""A connection is slowed down from so many refusals on that were not made up for."""
FORGIVEN_PER_SECOND = 10
"""So many refusals are made up for by time alone; an accepted call makes up for one, too."""
REMEMBERED = 1_000
"""Connections without a call are looked through for those that can be forgotten once there are so many."""
IPV6_NETWORK = 64
"""Whoever has one IPv6 address has all of its network of so many bits."""

MOST_DEBT = 2 * SLOW_FROM
MOST_HELD_BYTES = 1 << 16
"""A longer request is refused at once where it would have to be held."""

_REFUSALS = (InvalidRequest, NotFound, AccessDenied, Exhausted)
"""Errors that tell of a caller that should not have called, and not of a match that has moved on."""


class _Room:
    """Calls under way that count together."""

    __slots__ = ("active", "key", "limit", "limit_name", "strangers")

    def __init__(self, limit_name: str, limit: int, key: str = "") -> None:
        self.limit_name = limit_name
        self.limit = limit
        self.key = key
        self.active = 0
        self.strangers = 0

    def check(self, shows_token: bool) -> None:
        """Raises LimitReached."""
        if not shows_token:
            strangers = self.limit - self.limit // KEPT_FOR_TOKENS
            if self.strangers >= strangers:
                raise LimitReached(
                    self.limit_name, self.limit, f"{strangers} calls without a token are under way already", RETRY_MS
                )
        if self.active >= self.limit:
            raise LimitReached(self.limit_name, self.limit, f"{self.limit} calls are under way already", RETRY_MS)


class _Connection(_Room):
    """One connection of a client."""

    __slots__ = ("_debt", "_seen_at", "next_at", "waiting")

    def __init__(self, limit_name: str, limit: int, key: str) -> None:
        super().__init__(limit_name, limit, key)
        self._debt = 0.0
        self._seen_at = 0.0
        self.waiting = 0
        """Calls that are held up, and not under way yet."""
        self.next_at = 0.0
        """While it is slowed down: when its next call may be handled."""

    @property
    def in_debt(self) -> bool:
        """May it have to be slowed down?"""
        return self._debt >= SLOW_FROM

    def debt(self, now: float) -> float:
        """Refusals that were not made up for."""
        if self._debt:
            self._debt = max(0.0, self._debt - FORGIVEN_PER_SECOND * (now - self._seen_at))
        self._seen_at = now
        return self._debt

    def refused(self, now: float) -> None:
        """One more call came to nothing."""
        self._debt = min(self.debt(now) + 1, MOST_DEBT)

    def accepted(self) -> None:
        """One more call was right."""
        if self._debt:
            self._debt = max(0.0, self._debt - 1)


class Call:
    """One call or stream under way. Made by :meth:`Connections.enter`."""

    __slots__ = ("_connection", "_connections", "_rooms", "_stranger", "on_trust")

    def __init__(self, connections: Connections, rooms: Sequence[_Room], stranger: bool, on_trust: bool) -> None:
        self._connections = connections
        self._rooms = rooms
        self._connection = rooms[0] if isinstance(rooms[0], _Connection) else None
        self._stranger = stranger
        self.on_trust = on_trust
        """Is it in room that is kept for tokens, and has not shown one yet?"""

    def shown_token(self) -> None:
        """Its token is right: it does not count as a stranger's any more."""
        self.on_trust = False
        if self._stranger:
            self._stranger = False
            for room in self._rooms:
                room.strangers -= 1

    def check_trust(self) -> None:
        """Raises LimitReached where a token should have been shown by now and strangers have no room."""
        if self.on_trust:
            for room in self._rooms:
                room.check(False)
            self.on_trust, self._stranger = False, True
            for room in self._rooms:
                room.strangers += 1

    def refused(self, error: EngineError) -> None:
        """It, or something on its stream, was refused."""
        if self._connection is not None and isinstance(error, _REFUSALS):
            self._connection.refused(self._connections.now())

    def accepted(self) -> None:
        """It, or something on its stream, was right."""
        if self._connection is not None:
            self._connection.accepted()

    async def turn(self) -> None:
        """Until it may go on: at once, but on a connection that sends little but refusals."""
        if self._connection is not None and self._connection.in_debt:
            await self._connections.slow_down(self._connection)

    def leave(self) -> None:
        """It has ended."""
        for room in self._rooms:
            room.active -= 1
            if self._stranger:
                room.strangers -= 1
        self._connections.left(self._rooms)


class Connections:
    """All who call a server."""

    def __init__(self, in_all: int, of_peer: int, of_connection: int, refused_per_second: int) -> None:
        """The three limits, and how many calls a second a connection gets that sends little but refusals."""
        self._all = _Room("server.max_concurrent_rpcs", in_all)
        self._of_peer = of_peer
        self._of_connection = of_connection
        self._seconds_each = 1 / refused_per_second
        self._peers: dict[str, _Room] = {}
        self._known: dict[str, _Connection] = {}
        self._forget_at = REMEMBERED
        self._closing = asyncio.Event()

    @property
    def active(self) -> int:
        """Calls and streams under way."""
        return self._all.active

    def now(self) -> float:
        """The event loop's time."""
        return asyncio.get_running_loop().time()

    async def enter(self, address: str, *, shows_token: bool, on_trust: bool = False, size: int = 0) -> Call:
        """One more call from ``address``, in gRPC's form: ``ipv4:127.0.0.1:4711``. Raises LimitReached.

        ``on_trust``: a stream that can show a token only later may take room that is kept for tokens. ``size``: bytes
        of its request, which are held while it waits on a connection that is slowed down.
        """
        rooms = self._rooms(address)
        connection = rooms[0]
        if isinstance(connection, _Connection) and connection.in_debt:
            if size > MOST_HELD_BYTES:
                raise self._too_often()
            connection.waiting += 1
            try:
                await self.slow_down(connection)
            finally:
                connection.waiting -= 1
        stranger = not shows_token
        try:
            try:
                for room in rooms:
                    room.check(shows_token)
                on_trust = False
            except LimitReached:
                if not on_trust:
                    raise
                for room in rooms:
                    room.check(True)
                stranger = False
        except LimitReached:
            if isinstance(connection, _Connection):
                connection.refused(self.now())
            self.left(rooms)
            raise
        for room in rooms:
            room.active += 1
            if stranger:
                room.strangers += 1
        return Call(self, rooms, stranger, on_trust)

    def _too_often(self) -> LimitReached:
        limit = round(1 / self._seconds_each)
        return LimitReached(
            "server.refused_rpcs_per_second", limit, "this connection sends little but refused calls", RETRY_MS
        )

    def left(self, rooms: Sequence[_Room]) -> None:
        """Forget whoever has no call under way, and no refusals to make up for."""
        for room in rooms[:-1]:
            if not room.active:
                if not isinstance(room, _Connection):
                    self._peers.pop(room.key, None)
                elif not room.waiting and not room.debt(self.now()):
                    self._known.pop(room.key, None)

    async def slow_down(self, connection: _Connection) -> None:
        """Until it is this call's turn on its connection, or the service is shutting down."""
        now = self.now()
        if connection.debt(now) < SLOW_FROM:
            return
        at = max(now, connection.next_at)
        connection.next_at = at + self._seconds_each
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), at - now)

    def close(self) -> None:
        """Hold nobody up any more: the service is shutting down."""
        self._closing.set()

    def _rooms(self, address: str) -> tuple[_Room, ...]:
        """What a call from there counts in: its connection, its peer, all. Of Unix sockets gRPC tells no more."""
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
            self._peers.setdefault(peer, _Room("server.max_rpcs_per_peer", self._of_peer, peer)),
            self._all,
        )

    def _forget(self) -> None:
        """Now and then: connections that have gone, and whose refusals time has made up for."""
        if len(self._known) < self._forget_at:
            return
        now = self.now()
        for address, known in list(self._known.items()):
            if not known.active and not known.waiting and not known.debt(now):
                del self._known[address]
        self._forget_at = max(REMEMBERED, 2 * len(self._known))


def peer_of(address: str) -> str | None:
    """Who is behind an address: an IPv4 address, a network of IPv6; None where that cannot be told."""
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
    """The call that this task serves."""
    return _CURRENT.get()


def set_current_call(call: Call) -> None:
    """Within the task that serves it."""
    _CURRENT.set(call)
