"""The options with which a command connects to a service, and the client for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from omnilude import Client
    from omnilude.connection import Tls

PATIENCE = 5.0
"""Time-out of a call in seconds; a service that is starting is waited for."""

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        envvar="OMNILUDE_TARGET",
        help="Address of the service: host:port, or unix:/path of its socket.",
    ),
]
ApiTokenOption = Annotated[
    str | None,
    typer.Option(envvar="OMNILUDE_API_TOKEN", help="The service's API token, if it requires one.", show_envvar=True),
]
TlsOption = Annotated[bool, typer.Option("--tls", help="Connect with TLS and trust the system's authorities.")]
CaOption = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", help="Connect with TLS and trust the authorities in this PEM file."),
]
CertificateOption = Annotated[
    Path | None,
    typer.Option(
        "--client-certificate",
        metavar="FILE",
        help="Connect with TLS and this client certificate: a PEM file with the certificate and its key.",
    ),
]


def tls_settings(tls: bool, ca: Path | None, certificate: Path | None) -> Tls | None:
    """Return the TLS settings of the options --tls, --ca and --client-certificate."""
    from omnilude import Tls

    if not tls and ca is None and certificate is None:
        return None
    return Tls(ca=ca, certificate=certificate, key=certificate)


def connect(
    server: str | None,
    *,
    api_token: str | None = None,
    tls: bool = False,
    ca: Path | None = None,
    certificate: Path | None = None,
) -> Client:
    """Return a client for the service of the options; without --server for one on this machine."""
    from omnilude import DEFAULT_TARGET, Client

    return Client(
        server or DEFAULT_TARGET, tls=tls_settings(tls, ca, certificate), api_token=api_token, timeout=PATIENCE
    )
