"""Protection of the HTTP port: host name checks, and limits on idle connections."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Sequence
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LOOPBACK_NAME = "localhost"


class HostCheck:
    """ASGI middleware that refuses requests whose ``Host`` header has a name that is not allowed.

    It protects against DNS rebinding: a page of another site whose name is made to point at this address would
    otherwise have the same origin as the service. Such a page always sends a name, so IP addresses are allowed, as are
    ``localhost`` and the names below it.
    """

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        """``allowed`` are additional names; ``*`` allows every name, ``.example.org`` includes its subdomains."""
        self._app = app
        self._names = frozenset(name.lower().lstrip(".") for name in allowed)
        self._suffixes = (f".{LOOPBACK_NAME}", *(name.lower() for name in allowed if name.startswith(".")))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_allowed(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, send)
            return
        refusal = "this host name is not allowed; the setting [http] allowed_hosts lists the allowed names\n"
        await PlainTextResponse(refusal, 421)(scope, receive, send)

    def _is_allowed(self, host: str) -> bool:
        name = _without_port(host).lower().rstrip(".")
        if "*" in self._names or name == LOOPBACK_NAME or name in self._names or name.endswith(self._suffixes):
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


class IdleConnections:
    """The connections that wait for a request, the longest idle first.

    ``limit``: maximum number; when it is exceeded, the longest idle connection is closed. ``seconds``: time after which
    a connection without a complete request head is closed.
    """

    def __init__(self, limit: int, seconds: float) -> None:
        self.limit = limit
        self.seconds = seconds
        self._idle: dict[LimitedConnection, None] = {}

    def add(self, connection: LimitedConnection) -> None:
        """Note that a connection waits for a request."""
        self._idle.pop(connection, None)
        self._idle[connection] = None
        if len(self._idle) > self.limit:
            oldest = next(iter(self._idle))
            self.discard(oldest)
            oldest.transport.close()

    def discard(self, connection: LimitedConnection) -> None:
        """Note that a connection has received its request or is closed."""
        self._idle.pop(connection, None)


class LimitedConnection(HttpToolsProtocol):
    """A connection that is closed if it stays idle; uvicorn never closes one that sends nothing."""

    def __init__(self, *args: Any, idle: IdleConnections, **named: Any) -> None:
        super().__init__(*args, **named)
        self._idle = idle
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._idle.discard(self)
        self._cancel()
        super().connection_lost(exc)

    def on_headers_complete(self) -> None:
        self._cancel()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._idle.discard(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
            self._wait()

    def _wait(self) -> None:
        self._cancel()
        self._deadline = self.loop.call_later(self._idle.seconds, self.transport.close)
        self._idle.add(self)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
