"""HTTP server: uvicorn on the event loop of the service, which serves the services and the page."""

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
"""Response headers that pages of other origins may read; a gRPC-Web call without a message ends with them."""
PREFLIGHT_SECONDS = 7200
"""Time for which a browser caches a preflight response."""
BACKLOG = 2048


class HttpServer:
    """HTTP server at the address of ``[http]``, started by :meth:`start`."""

    def __init__(self, settings: HttpSettings, server: ServerSettings, services: ConnectServices) -> None:
        """TLS and ``stall_seconds`` of ``server`` apply to HTTP as well."""
        self._settings = settings
        self._server = server
        self._services = services
        self._scheme = "http" if server.tls_certificate is None else "https"
        self._uvicorn: _Uvicorn | None = None
        self._task: asyncio.Task[None] | None = None
        self.url = ""
        """Address for browsers: ``http://127.0.0.1:7880``."""
        self.own_url = ""
        """Address at which browsers reach only this service, not those that share its port; empty if there is none."""

    def start(self) -> None:
        """Accept connections. Raises CannotListen."""
        listening = [self._bind(self._settings.port)]
        port = listening[0].getsockname()[1]
        self.url = self._url(self._settings.address, port)
        if self._settings.own_address is not None:
            host, _, own_port = self._settings.own_address.rpartition(":")
            listening.append(self._bind(int(own_port)))
            self.own_url = self._url(host.removeprefix("[").removesuffix("]"), listening[1].getsockname()[1])
        self._uvicorn = _Uvicorn(self._configuration(port))
        self._task = asyncio.create_task(self._uvicorn.serve(listening))

    def _url(self, host: str, port: int) -> str:
        return f"{self._scheme}://{host_port(host, port)}"

    def _configuration(self, port: int) -> uvicorn.Config:
        """Returns the configuration of the server whose page browsers load from this port."""
        settings, server = self._settings, self._server
        origins, connected = list(settings.allowed_origins), ""
        if self.own_url:
            # The page may also call the other services that share its port, each at its own port of the same host.
            origins += [self._url(settings.address, port), self._url("localhost", port)]
            connected = f"{self.own_url.rpartition(':')[0]}:*"
        cors = CORSMiddleware(
            self._services,
            allow_origins=origins,
            allow_methods=("POST",),
            allow_headers=("*",),
            expose_headers=EXPOSED_HEADERS,
            max_age=PREFLIGHT_SECONDS,
        )
        idle = IdleConnections(settings.max_idle_connections, settings.idle_seconds)
        return uvicorn.Config(
            HostCheck(Page(cors, connected), settings.allowed_hosts),
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

    async def stop(self, grace: float) -> None:
        """End open streams, and close the connections when their answers are sent, at the latest after ``grace``
        seconds."""
        if self._task is None or self._uvicorn is None:
            return
        self._uvicorn.should_exit = True
        self._services.end_streams()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._task), grace)
        self._uvicorn.force_exit = True
        await self._task

    def _bind(self, port: int) -> socket.socket:
        address = self._settings.address
        refusal: OSError | None = None
        try:
            for family, kind, protocol, _, place in socket.getaddrinfo(address, port, type=socket.SOCK_STREAM):
                listening = socket.socket(family, kind, protocol)
                try:
                    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, self._server.shared_port)
                    # The operating system closes connections whose peer reads nothing for this time; their streams end
                    # with them.
                    listening.setsockopt(
                        socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(self._server.stall_seconds * 1000)
                    )
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
            f"cannot listen on {host_port(address, port)}: {refusal.strerror}; set another port, or enabled = false"
        )


class _Uvicorn(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the service."""
        yield
