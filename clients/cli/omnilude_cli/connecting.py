"""The options by which a command finds a service, and the clients made of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from omnilude import Client
    from omnilude.connection import Tls

PATIENCE = 5.0
"""Seconds for a call, in which a service that is just starting is waited for."""

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        envvar="OMNILUDE_TARGET",
        help="The service: host:port, or unix:/path of its socket.",
    ),
]
ApiTokenOption = Annotated[
    str | None,
    typer.Option(envvar="OMNILUDE_API_TOKEN", help="The service's API token, where it wants one.", show_envvar=True),
]
TlsOption = Annotated[bool, typer.Option("--tls", help="Connect with TLS, trusting the system's authorities.")]
CaOption = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", help="Connect with TLS, trusting the authorities in this PEM file."),
]
CertificateOption = Annotated[
    Path | None,
    typer.Option(
        "--client-certificate",
        metavar="FILE",
        help="Connect with TLS and show this certificate: a PEM file of it and its key, for a service that wants one.",
    ),
]


def tls_of(tls: bool, ca: Path | None, certificate: Path | None) -> Tls | None:
    """What the options --tls, --ca and --client-certificate say."""
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
    """A client for the service that the options name; without --server for one on this machine."""
    from omnilude import DEFAULT_TARGET, Client

    return Client(server or DEFAULT_TARGET, tls=tls_of(tls, ca, certificate), api_token=api_token, timeout=PATIENCE)
