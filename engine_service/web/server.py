"""HTTP server: uvicorn on the event loop of the service, with the services and the pages."""

from __future__ import annotations

import asyncio
import math
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import uvicorn
from starlette.middleware.cors import CORSMiddleware

from engine_service.addresses import host_port
from engine_service.config import HttpSettings, ServerSettings
from engine_service.listening import CannotListen
from engine_service.web.connect import ConnectServices
from engine_service.web.page import Page
from engine_service.web.protection import HostCheck, IdleConnections, LimitedConnection

EXPOSED_HEADERS = ("grpc-status", "grpc-message", "grpc-status-details-bin")
"""Headers of answers that pages of other origins may read: a gRPC-Web call without answers ends with them."""
PREFLIGHT_SECONDS = 7200
"""Time for which a browser remembers that a page of another origin may call."""
BACKLOG = 2048


class HttpServer:
    """Listens at the address of ``[http]``. Make it, then :meth:`start`."""

    def __init__(self, settings: HttpSettings, server: ServerSettings, services: ConnectServices) -> None:
        """``server``: its TLS and its time for stalled readers are those of HTTP, too."""
        self._settings = settings
        self._stall_seconds = server.stall_seconds
        self._shared_port = server.shared_port
        self._services = services
        cors = CORSMiddleware(
            services,
            allow_origins=settings.allowed_origins,
            allow_methods=("POST",),
            allow_headers=("*",),
            expose_headers=EXPOSED_HEADERS,
            max_age=PREFLIGHT_SECONDS,
        )
        idle = IdleConnections(settings.max_idle_connections, settings.idle_seconds)
        config = uvicorn.Config(
            HostCheck(Page(cors), settings.allowed_hosts),
            # It is called as the class is.
            http=partial(LimitedConnection, idle=idle),  # type: ignore[arg-type]
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=math.ceil(settings.idle_seconds),
            ssl_certfile=server.tls_certificate,
            ssl_keyfile=server.tls_key,
            ssl_ca_certs=None if server.tls_client_ca is None else str(server.tls_client_ca),
            ssl_cert_reqs=ssl.CERT_NONE if server.tls_client_ca is None else ssl.CERT_REQUIRED,
        )
        self._uvicorn = _Uvicorn(config)
        self._scheme = "http" if server.tls_certificate is None else "https"
        self._task: asyncio.Task[None] | None = None
        self.url = ""
        """Address for browsers: ``http://127.0.0.1:7880``."""

    def start(self) -> None:
        """Accept connections. Raises CannotListen."""
        listening = self._bind()
        self.url = f"{self._scheme}://{host_port(self._settings.address, listening.getsockname()[1])}"
        self._task = asyncio.create_task(self._uvicorn.serve([listening]))

    async def stop(self, grace: float) -> None:
        """End open streams, and close the connections when their answers are sent, after ``grace`` seconds at most."""
        if self._task is None:
            return
        self._uvicorn.should_exit = True
        self._services.end_streams()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._task), grace)
        self._uvicorn.force_exit = True
        await self._task

    def _bind(self) -> socket.socket:
        address, port = self._settings.address, self._settings.port
        refusal: OSError | None = None
        try:
            for family, kind, protocol, _, place in socket.getaddrinfo(address, port, type=socket.SOCK_STREAM):
                listening = socket.socket(family, kind, protocol)
                try:
                    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, self._shared_port)
                    # The system ends connections that take nothing for so long; their streams end with them.
                    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(self._stall_seconds * 1000))
                    listening.bind(place)
                    listening.listen(BACKLOG)
                    return listening
                except OSError as error:
                    listening.close()
                    refusal = error
        except (OSError, UnicodeError) as error:
            refusal = error if isinstance(error, OSError) else OSError(0, "no such name")
        assert refusal is not None
        raise CannotListen(
            f"cannot listen at {host_port(address, port)}: {refusal.strerror}; set another port, or enabled = false"
        )


class _Uvicorn(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the service."""
        yield
