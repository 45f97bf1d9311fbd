"""Binding of the gRPC server to its port or socket.

gRPC reports only that it failed to bind, and writes the cause to standard error; so this module first binds the address
itself, to find the cause of a failure.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import closing
from pathlib import Path

import grpc

from engine_service.addresses import host_port
from engine_service.config import ServerSettings


class CannotListen(RuntimeError):
    """The address, the socket or the certificates cannot be used; the message is for the operator."""


def bind(server: grpc.aio.Server, settings: ServerSettings) -> str:
    """Bind the port or the socket; returns the target for clients. Raises CannotListen."""
    credentials = _credentials(settings)
    if settings.unix_socket is not None:
        address = f"unix:{settings.unix_socket}"
        _try_socket(settings.unix_socket)
    else:
        address = host_port(settings.address, settings.port)
        _try_port(settings.address, settings.port, settings.shared_port)
    port = _add_port(server, address, credentials)
    return address if settings.unix_socket is not None else host_port(settings.address, port)


def bind_own(server: grpc.aio.Server, settings: ServerSettings) -> str:
    """Bind the port that this service shares with no other; returns its address for clients, "" if none is set.

    Raises CannotListen.
    """
    if settings.own_address is None:
        return ""
    host, _, port = settings.own_address.rpartition(":")
    _try_port(settings.address, int(port), settings.shared_port)
    bound = _add_port(server, host_port(settings.address, int(port)), _credentials(settings))
    return host_port(host.removeprefix("[").removesuffix("]"), bound)


def reserve_port(address: str, port: int) -> socket.socket:
    """Reserve a port (0: a free one) for services that share it, as long as the returned socket is open.

    Raises CannotListen.
    """
    _try_port(address, port, False)
    refusal: OSError | None = None
    for family, kind, protocol, _, place in socket.getaddrinfo(address, port, type=socket.SOCK_STREAM):
        reserved = socket.socket(family, kind, protocol)
        try:
            reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            reserved.bind(place)
            return reserved
        except OSError as error:
            reserved.close()
            refusal = error
    raise CannotListen(f"cannot listen on {host_port(address, port)}: {refusal}")


def _add_port(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None) -> int:
    try:
        if credentials is None:
            return int(server.add_insecure_port(address))
        return int(server.add_secure_port(address, credentials))
    except RuntimeError:
        raise CannotListen(f"cannot listen on {address}") from None


def _try_port(address: str, port: int, shared: bool) -> None:
    """Check that gRPC can bind the address; if a name has several addresses, one of them is enough."""
    refusal: OSError | None = None
    try:
        for family, kind, protocol, _, place in socket.getaddrinfo(address, port, type=socket.SOCK_STREAM):
            try:
                with closing(socket.socket(family, kind, protocol)) as tried:
                    tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, shared)
                    tried.bind(place)
                    return
            except OSError as error:
                refusal = error
    except (OSError, UnicodeError) as error:
        refusal = error if isinstance(error, OSError) else OSError(0, "no such name")
    if refusal is not None:
        raise CannotListen(f"cannot listen on {host_port(address, port)}: {refusal.strerror}")


def _try_socket(path: Path) -> None:
    """Check that no running service has the socket, because gRPC would silently take it over."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as tried:
        try:
            tried.connect(str(path))
        except FileNotFoundError:
            if not path.parent.is_dir():
                raise CannotListen(f"cannot listen on unix:{path}: {path.parent} is not a folder") from None
        except ConnectionRefusedError:
            # It is a socket on which no process listens any more, or another kind of file.
            if not path.is_socket():
                raise CannotListen(f"cannot listen on unix:{path}: the file exists and is not a socket") from None
        except OSError as error:
            raise CannotListen(f"cannot listen on unix:{path}: {error.strerror or error}") from None
        else:
            raise CannotListen(f"cannot listen on unix:{path}: Address already in use")


def _credentials(settings: ServerSettings) -> grpc.ServerCredentials | None:
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # A key with a password cannot be used; without this OpenSSL would ask for it on the terminal.
        context.load_cert_chain(settings.tls_certificate, settings.tls_key, password=lambda: "")
    except (ssl.SSLError, ValueError) as error:
        raise CannotListen(
            "tls_certificate and tls_key must be PEM files of a certificate chain and its private key, without a "
            f"password{_cause(error)}"
        ) from None
    if settings.tls_client_ca is not None:
        try:
            context.load_verify_locations(settings.tls_client_ca)
        except ssl.SSLError as error:
            raise CannotListen(f"tls_client_ca must be a PEM file of certificates{_cause(error)}") from None
    authorities = None if settings.tls_client_ca is None else settings.tls_client_ca.read_bytes()
    pair = (settings.tls_key.read_bytes(), settings.tls_certificate.read_bytes())
    return grpc.ssl_server_credentials([pair], authorities, authorities is not None)


def _cause(error: Exception) -> str:
    reason = getattr(error, "reason", None)
    return f" ({reason})" if reason else ""
